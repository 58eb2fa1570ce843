package source

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/tables"
)

// paths calls do with every path, in lower case, and its line: each key before what stands under
// it, in the order of their lines and names.
func (x *Index) paths(do func(path []string, line int)) {
	if x == nil {
		return
	}
	var walk func(n *node, path []string)
	walk = func(n *node, path []string) {
		for _, key := range slices.SortedFunc(maps.Keys(n.below), func(a, b string) int {
			i, _ := strconv.Atoi(a)
			j, _ := strconv.Atoi(b)
			return cmp.Or(n.below[a].line-n.below[b].line, i-j, strings.Compare(a, b))
		}) {
			at := append(slices.Clip(path), key)
			do(at, n.below[key].line)
			walk(n.below[key], at)
		}
	}
	walk(&x.top, nil)
}

// Of reads where the keys of data stand.
func Of(format string, data []byte, base int) (*Index, error) {
	x, _, err := parse(format, data, base)
	return x, err
}

// render writes an index as "a:1 a/b:2".
func render(x *Index) string {
	var all []string
	x.paths(func(path []string, line int) { all = append(all, fmt.Sprintf("%s:%d", strings.Join(path, "/"), line)) })
	return strings.Join(all, " ")
}

func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func TestHouse_EveryConstructHasItsLine(t *testing.T) {
	type test struct{ name, format, in, want string }
	tests := []test{
		{"yaml: the other name", "yml", text(`a: 1`), "a:1"},
		{"yaml: characters that only YAML breaks lines at", "yaml", "a: \"x\u0085\u2028 y\rz\"\nb: 1 # \u2029c: 1\rd: 2\ne: 3\n", "a:1 b:2 c:2 d:2 e:3"},
	}
	documents := parsed(t, "testdata/constructs.txtar")
	for i := 0; i < len(documents); i += 2 {
		name := documents[i].Name
		format, _, _ := strings.Cut(name, ":")
		tests = append(tests, test{name, format, string(documents[i].Data),
			strings.TrimSpace(string(documents[i+1].Data))})
	}
	for _, tt := range tests {
		for _, variant := range []struct{ name, in string }{
			{"as written", tt.in},
			{"with CRLF", strings.ReplaceAll(tt.in, "\n", "\r\n")},
			{"with a byte order mark", "\ufeff" + tt.in},
			{"without the last line feed", strings.TrimSuffix(tt.in, "\n")},
		} {
			x, err := Of(tt.format, []byte(variant.in), 0)
			if err != nil {
				t.Errorf("%s, %s: %v", tt.name, variant.name, err)
				continue
			}
			if got := render(x); got != tt.want {
				t.Errorf("%s, %s:\n got %s\nwant %s", tt.name, variant.name, got, tt.want)
			}
			checkDecoded(t, tt.format, []byte(variant.in), x)
		}
	}
}

// parsed are the files of an archive.
func parsed(t testing.TB, name string) []txtar.File {
	t.Helper()
	a := tables.Value(txtar.ParseFile(name))(t)
	return a.Files
}

func TestHouse_OneDocumentHasTheSamePathsAndLinesInEveryFormat(t *testing.T) {
	const want = "title:1 robots:2 robots/default:3 robots/default/0:3 robots/default/1:4 robots/rules:5 " +
		"robots/rules/0:6 robots/rules/0/match:6 robots/rules/0/max-snippet:6 robots/rules/1:7 " +
		"robots/rules/1/match:7 robots/rules/1/agents:8 robots/rules/1/agents/0:9"
	for _, f := range parsed(t, "testdata/same.txtar") {
		format := f.Name
		x, err := Of(format, f.Data, 0)
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		if got := render(x); got != want {
			t.Errorf("%s:\n got %s\nwant %s", format, got, want)
		}
	}
}

func TestHouse_BaseIsAddedAndCaseIsIgnored(t *testing.T) {
	x := tables.Value(Of("TOML", []byte("Title = 1\n[Robots]\nDefault = [\n'x']\n"), 10))(t)
	tests := []struct {
		path          []string
		line, nearest int
	}{
		{[]string{"title"}, 11, 11},
		{[]string{"ROBOTS", "default", "0"}, 14, 14},
		{[]string{"robots", "default", "1"}, 0, 13},
		{[]string{"robots", "default", "0", "x"}, 0, 14},
		{[]string{"robots", "nothing", "default"}, 0, 12},
		{[]string{"nothing"}, 0, 0},
		{nil, 0, 0},
	}
	for _, tt := range tests {
		if got := x.Line(tt.path...); got != tt.line {
			t.Errorf("Line(%q) = %d, want %d", tt.path, got, tt.line)
		}
		if got := x.Nearest(tt.path...); got != tt.nearest {
			t.Errorf("Nearest(%q) = %d, want %d", tt.path, got, tt.nearest)
		}
	}
}

func TestHouse_ZeroAndNilIndexKnowNothing(t *testing.T) {
	for _, x := range []*Index{nil, {}} {
		if x.Line("a") != 0 || x.Line() != 0 || x.Nearest("a", "b") != 0 || render(x) != "" {
			t.Errorf("%#v knows something", x)
		}
	}
}

func TestHouse_SyntaxErrorNamesItsLine(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/syntax.txt") {
		_, err := Of(c["format"], []byte(c["in"]), 0)
		if err == nil || err.Error() != c["want"] {
			t.Errorf("%s %q:\n got %v\nwant %s", c["format"], c["in"], err, c["want"])
			continue
		}
		var at0, at7 *SyntaxError
		_, err7 := Of(c["format"], []byte("\ufeff"+strings.ReplaceAll(c["in"], "\n", "\r\n")), 7)
		if !errors.As(err, &at0) || !errors.As(err7, &at7) || at0.Line != 0 && at7.Line != at0.Line+7 {
			t.Errorf("%s %q: %v, and with a byte order mark, CRLF and base 7 %v", c["format"], c["in"], err, err7)
		}
	}
}

func TestHouse_UnknownFormatIsAnError(t *testing.T) {
	_, err := Of("ini", nil, 0)
	const want = `unknown format "ini" (want toml, yaml or json)`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestYAML_FewAliasesForManyValuesAreRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10),
			", "))
	}
	merged := "a: &a\n" // costs time even where nothing is new
	for i := range 2000 {
		merged += fmt.Sprintf("  k%d: 1\n", i)
	}
	merged += "b:\n  <<: [" + strings.TrimSuffix(strings.Repeat("*a, ", 2000), ", ") + "]\n"
	for _, text := range []string{b.String(), merged} {
		_, err := Of("yaml", []byte(text), 0)
		if err == nil || !strings.HasSuffix(err.Error(), "aliases expand to more than 100000 values") {
			t.Errorf("%.40q: got %v", text, err)
		}
	}
}

// decoded lists the paths of what the decoder of the format makes of data, sorted. It gives up on
// text that the decoder refuses, keys that differ only in case and keys that are not text.
func decoded(format string, data []byte) (paths []string, ok bool) {
	var v any
	if _, err := ReadFirst(format, data, 0, &v); err != nil {
		return nil, false
	}
	ok = true
	var walk func(prefix string, v any)
	walk = func(prefix string, v any) {
		switch v := v.(type) {
		case map[string]any:
			seen := map[string]bool{}
			for key, value := range v {
				lower := Key(key)
				ok = ok && !seen[lower]
				seen[lower] = true
				paths = append(paths, prefix+lower)
				walk(prefix+lower+"/", value)
			}
		case map[any]any:
			ok = false
		default:
			list := reflect.ValueOf(v) // of tables too
			for i := 0; list.Kind() == reflect.Slice && i < list.Len(); i++ {
				paths = append(paths, prefix+strconv.Itoa(i))
				walk(prefix+strconv.Itoa(i)+"/", list.Index(i).Interface())
			}
		}
	}
	walk("", v)
	slices.Sort(paths)
	return paths, ok
}

// checkDecoded reports paths that the decoder finds and the index does not, or the other way round.
func checkDecoded(t *testing.T, format string, data []byte, x *Index) {
	want, ok := decoded(format, data)
	if !ok {
		return
	}
	var got []string
	// YAML's decoder drops null as a key where it merges; TOML's makes lists of an empty key
	// shorter.
	dropped := false
	x.paths(func(path []string, _ int) {
		key := path[len(path)-1]
		dropped = dropped || format == "yaml" && (key == "" || key == "~" || key == "null") ||
			format == "toml" && slices.Contains(path, "")
		got = append(got, strings.Join(path, "/"))
	})
	slices.Sort(got)
	if !dropped && !slices.Equal(got, want) {
		t.Errorf("%s %q:\n     got %q\ndecoded %q", format, data, got, want)
	}
}

var plainKey = regexp.MustCompile(`^[a-z]+$`)

func fuzz(f *testing.F, format string, seeds ...string) {
	for _, f := range parsed(f, "testdata/same.txtar") {
		seeds = append(seeds, string(f.Data))
	}
	for _, seed := range append(seeds, "", "\r", "\ufeff") {
		f.Add([]byte(seed), 0)
		f.Add([]byte(strings.ReplaceAll(seed, "\n", "\r\n")), 3)
	}
	f.Fuzz(func(t *testing.T, data []byte, base int) {
		base &= 0xffff
		x, err := Of(format, data, base)
		body := strings.TrimPrefix(string(data), "\ufeff")
		lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("%T: %v", err, err)
			}
			if syntax.Line != 0 && (syntax.Line <= base || syntax.Line > base+len(lines)) {
				t.Fatalf("error on line %d of %d+%d: %v", syntax.Line, base, len(lines), err)
			}
			return
		}
		checkDecoded(t, format, data, x)
		x.paths(func(path []string, line int) {
			if line <= base || line > base+len(lines) {
				t.Fatalf("%q on line %d of %d+%d", path, line, base, len(lines))
			}
			if got := x.Line(path...); got != line || x.Nearest(path...) != line {
				t.Fatalf("%q: Line %d, Paths %d", path, got, line)
			}
			// A key is on its line, unless it is written with escapes, or in another encoding. That
			// of one with a tag or an anchor is where that stands.
			key, text := path[len(path)-1], strings.ToLower(lines[line-base-1])
			if plainKey.MatchString(key) && !slices.ContainsFunc([]byte(body),
				func(c byte) bool { return bytes.IndexByte([]byte("\\\x00\xfe\xff*"), c) >= 0 }) &&
				!strings.Contains(text, key) && !(format == "yaml" && strings.ContainsAny(text, "!&")) {
				t.Fatalf("%q is not on line %d: %q", path, line, lines[line-base-1])
			}
		})
	})
}

func FuzzTOML_KeysHaveTheirLines(f *testing.F) {
	fuzz(f, "toml", "[[a]]\n[a.b]\nc.'d' = [1, #]\n[{e=\"\"\"\n\"\"\"}]]\n[[a]]\n[[a.f]]\n",
		"a = 1979-05-27 07:32:00Z\n[b]\n[b]\n",
		"a.b = 1\na = 2\n[[a]]\n", "0.''=[[{}]]")
}

func FuzzYAML_KeysHaveTheirLines(f *testing.F) {
	fuzz(f, "yaml", "a: &x {b: 1}\nc: *x\nd:\n  <<: [*x, {e: 2}]\n? [f]\n: |\n  g\n---\nh", "a:\n# c\n- b\n\n# d\n- "+
		"\"e\u0085\u2028\r\"\n",
		"%YAML 1.1\n---\n- - a\n  - ? b\n    : c\n...\n",
		"? !\n AA", "? &a\n  b\n: c\n")
}

func FuzzJSON_KeysHaveTheirLines(f *testing.F) {
	fuzz(f, "json", "{\"a\":\n[1, {\"b\": null}, [],\n\"c\"], \"A\": 1e9}\n\ntext", "[", "\"\\ud800\"")
}

// Read says on which line a value is another than the one that is asked for, of JSON that text
// follows, and of TOML where a key stands first (#18).
func TestHouse_ReadNamesTheLineOfWhatItCannotRead(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/unread.txt") {
		var values map[string]any
		if _, err := Read(c["format"], []byte(c["text"]), 10, &values); err == nil || err.Error() != c["want"] {
			t.Errorf("%s %q:\n got %v\nwant %s", c["format"], c["text"], err, c["want"])
		}
	}
}

// F2e: keys that an object of JSON has twice are known with both lines and the value that does not
// count.
func TestHouse_KeysOfJSONThatStandTwice(t *testing.T) {
	_, x, err := Data("json", []byte("{\"a\": [{\"b\": 1,\n\"b\": 2, \"B\": 3}],\n\"c\": {},\n\"a\": 4,\n\"a\": 5}"))
	want := "[{[a 0 b] 1 2 1} {[a] 1 4 [map[B:3 b:2]]} {[a] 4 5 4}]"
	if got := fmt.Sprint(x.Repeats); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
