package servers

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/robotstag"
)

// Verify proves a finished file: it reads it as the host does, in each way in
// which the host may, asks for every request path of every file, and reports
// what differs from the wants (N3). It knows nothing of how [Compile] came to
// the file.
//
// A file passes with exactly its lines, joined where the host sends fewer, or with
// the same directives where the user's rules or the environment's bring them. One without values, in left
// (Result.GivenUp), or, in scope "files", in HTML must get nothing of ours but
// what Everywhere says. Free files are passed over, and so are paths at which
// the host redirects, and those that two files may take.
func Verify(target string, file []byte, wants []Want, o Options, left []string) []Problem {
	m, err := readModel(target, file)
	if err != nil {
		return []Problem{{ID: IDMismatch, Severity: SeverityError, Message: err.Error()}}
	}
	v := &verifier{target: target, everywhere: o.Everywhere, m: m, wants: wants, asked: &paths{}, spared: make(map[int]bool)}
	v.begin(o, left)
	problems := m.faults
	said := make(map[string]bool)
	for _, r := range m.readings {
		most, some := 1, len(wants)
		if t, ok := r.(*table); ok {
			most, some = t.most, 1<<12 // it asks path by path, so a few are enough at a time
		}
		for from := 0; from < len(wants); from += some {
			v.collect(from, min(from+some, len(wants)))
			for i, a := range r.answers(v.asked, true) {
				at := v.of[i]
				w := &wants[at]
				if l, ok := r.(*list); ok && v.mistaken(l.spelling, i) {
					continue
				}
				if said[w.Path] || v.passes(a, w.Values, most, v.spared[int(at)]) {
					continue
				}
				said[w.Path] = true
				problems = append(problems, Problem{ID: IDMismatch, Severity: SeverityError, Path: w.Path,
					Message: fmt.Sprintf("%s would serve %s with %s instead of %s", target, v.asked.decoded[i], shown(a.sent()), shown(within(w.Values, most)))})
			}
		}
	}
	return problems
}

type verifier struct {
	target     string
	everywhere []string
	m          *model
	wants      []Want
	base       string
	spared     map[int]bool     // files that get nothing of ours, by want
	taken      map[string]int   // whose the request paths are that more than one file may have
	asked      *paths           // request paths of some wants
	of         []int32          // the want of each
	from, to   int              // which wants
	owner      map[string]int32 // the file of each asked path, once somebody wants to know
}

// What verifier.taken says where it names no want.
const nobody, several = -1, -2

// begin finds out which files are spared, and which file may have a request path.
func (v *verifier) begin(o Options, left []string) {
	given := make(map[string]bool, len(left))
	for _, path := range left {
		given[path] = true
	}
	if v.m.below {
		v.base = strings.TrimRight(o.Base, "/")
	}
	v.taken = make(map[string]int)
	for i, w := range v.wants {
		_, maybe := v.m.forms(w.Path)
		for _, f := range maybe {
			if at, ok := v.taken[f]; !ok {
				v.taken[f] = i
			} else if at >= 0 && at != i {
				v.taken[f] = several
			}
		}
		if !w.Free && (given[w.Path] || o.Scope == ScopeFiles && w.HTML) {
			v.spared[i] = true
		}
	}
	if len(v.taken) == 0 {
		return
	}
	for _, w := range v.wants {
		own, _ := v.m.forms(w.Path)
		for _, f := range own {
			if _, ok := v.taken[f]; ok {
				v.taken[f] = nobody
			}
		}
	}
}

// collect lists the request paths of some wants to ask for.
func (v *verifier) collect(from, to int) {
	if v.from == from && v.to == to {
		return
	}
	v.from, v.to = from, to
	v.asked, v.of, v.owner = &paths{decoded: v.asked.decoded[:0]}, v.of[:0], nil
	for i, w := range v.wants[from:to] {
		if w.Free {
			continue
		}
		own, maybe := v.m.forms(w.Path)
		for _, f := range maybe {
			if v.taken[f] == from+i {
				own = append(own, f)
			}
		}
		for _, f := range own {
			v.asked.decoded = append(v.asked.decoded, v.base+f)
			v.of = append(v.of, int32(from+i))
		}
	}
}

// mistaken reports whether a path, compared as it stands, is how another file's
// path is encoded: on a host that may compare either, the two cannot be told
// apart. Compile says so.
func (v *verifier) mistaken(s spelling, asked int) bool {
	if s == encoded || s == encodedStrictly || s == encodedFolded || s == encodedBare {
		return false
	}
	path := v.asked.decoded[asked]
	if !strings.Contains(path, "%") {
		return false
	}
	if v.owner == nil {
		v.owner = make(map[string]int32, len(v.of))
		for i, path := range v.asked.decoded {
			v.owner[path] = v.of[i]
		}
	}
	plain, err := url.PathUnescape(path)
	other, ok := v.owner[plain]
	return err == nil && ok && other != v.of[asked]
}

func (v *verifier) passes(a answer, wanted []string, most int, spared bool) bool {
	ofEnvironment := len(v.everywhere) > 0 && slices.Equal(a.sent(), within(v.everywhere, most))
	text := strings.Join(wanted, ", ")
	switch {
	case a.elsewhere:
		return true
	case text == "", spared:
		return !a.ours || ofEnvironment
	case slices.Equal(a.sent(), within(wanted, most)):
		return true
	case a.beside:
		return maps.Equal(stated(a.sent()), stated(wanted))
	}
	return robotstag.Same(a.value, text) && (!a.ours || ofEnvironment)
}

// sent are the lines of the response.
func (a answer) sent() []string {
	if a.lines == nil && a.value != "" {
		return []string{a.value}
	}
	return a.lines
}

// within are lines as a host sends them that has at most so many: the last is what
// is left, joined. 0 is any number.
func within(lines []string, most int) []string {
	if most == 0 || len(lines) <= most {
		return lines
	}
	return append(slices.Clone(lines[:most-1]), strings.Join(lines[most-1:], ", "))
}

// shown prints lines for a message.
func shown(lines []string) string {
	if len(lines) == 0 {
		return `""`
	}
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = strconv.Quote(l)
	}
	return strings.Join(texts, " and ")
}
