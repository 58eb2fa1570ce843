package servers

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Verify proves a finished file: it reads it back, in each way in which the host
// may, asks for every request path of every file, and reports what differs from
// the wants (N3). It knows nothing of how [Compile] came to the file.
//
// A file passes with exactly its lines, joined where the host sends fewer, or with
// the same directives where the user's rules or the environment's bring them. One without values, in left
// (Result.GivenUp), or, in scope "files", in HTML must get nothing of ours but
// what Everywhere says. Free files are passed over, and so are paths at which
// the host redirects, and those that two files may take.
func Verify(target string, file []byte, wants []robotstag.Want, o Options, left []string) []policy.Finding {
	m, err := readModel(target, file)
	if err != nil {
		return []policy.Finding{{ID: robotstag.IDMismatch, Severity: policy.Error, Message: err.Error()}}
	}
	spared := make(map[string]bool, len(left))
	for _, path := range left {
		spared[path] = true
	}
	asked := requests(m, wants, o)
	byPath := make(map[string]int, len(asked))
	for _, q := range asked {
		byPath[q.path] = q.want
	}
	problems := m.faults
	said := make(map[int]bool)
	for _, r := range m.readings {
		most := 1
		if t, ok := r.(*table); ok {
			most = t.most
		}
		for _, q := range asked {
			w := &wants[q.want]
			if l, ok := r.(*list); said[q.want] || ok && l.spelled.decodes() && mistaken(q, byPath) {
				continue
			}
			a := r.answer(q.path, everyone)
			if passes(a, w.Values, o.Everywhere, most, spared[w.Name()] || o.Scope == ScopeFiles && w.HTML) {
				continue
			}
			said[q.want] = true
			problems = append(problems, policy.Finding{ID: robotstag.IDMismatch, Severity: policy.Error, URL: w.URL, Message: fmt.Sprintf(
				"%s would serve %s with %s instead of %s", target, q.path, shown(a), quoted(within(w.Values, most)))})
		}
	}
	return problems
}

// request is a decoded request path and the want whose file is served there.
type request struct {
	path string
	want int
}

// requests are those of all files that are not free. A path that a file has only
// if no other takes it is asked for where none other can.
func requests(m *model, wants []robotstag.Want, o Options) (all []request) {
	base := ""
	if m.below {
		base = strings.TrimRight(o.Base, "/")
	}
	certain := make(map[string]bool, len(wants))
	possible := make(map[string]int)
	for _, w := range wants {
		own, maybe := m.serves.paths(w.Name())
		for _, f := range own {
			certain[f] = true
		}
		for _, f := range maybe {
			possible[f]++
		}
	}
	for i, w := range wants {
		if w.Free {
			continue
		}
		own, maybe := m.serves.paths(w.Name())
		for _, f := range maybe {
			if !certain[f] && possible[f] == 1 {
				own = append(own, f)
			}
		}
		for _, f := range own {
			all = append(all, request{base + f, i})
		}
	}
	return all
}

// mistaken reports whether a path, compared as it stands, is how another file's
// path is encoded: on a host that may compare either, the two cannot be told
// apart. Compile says so.
func mistaken(q request, byPath map[string]int) bool {
	if !strings.Contains(q.path, "%") {
		return false
	}
	plain, err := url.PathUnescape(q.path)
	other, ok := byPath[plain]
	return err == nil && ok && other != q.want
}

func passes(a answer, wanted, everywhere []string, most int, spared bool) bool {
	sent := a.texts()
	ofEnvironment := len(everywhere) > 0 && slices.Equal(sent, within(everywhere, most))
	text := strings.Join(wanted, ", ")
	switch {
	case a.elsewhere:
		return true
	case text == "", spared:
		return !a.ours || ofEnvironment
	case a.unread:
		return false
	case slices.Equal(sent, within(wanted, most)):
		return true
	case a.beside:
		return maps.Equal(stated(sent), stated(wanted))
	}
	return robotstag.Same(a.text(), text) && (!a.ours || ofEnvironment)
}

// within are lines as a host sends them that has at most so many: the last is what
// is left, joined. 0 is any number.
func within(lines []string, most int) []string {
	if most == 0 || len(lines) <= most {
		return lines
	}
	return append(slices.Clone(lines[:most-1]), strings.Join(lines[most-1:], ", "))
}

// shown prints an answer for a message.
func shown(a answer) string {
	if a.unread {
		return fmt.Sprintf("what the rule of line %d says, which cannot be read,", a.line)
	}
	return quoted(a.texts())
}

// quoted prints lines for a message.
func quoted(lines []string) string {
	if len(lines) == 0 {
		return `""`
	}
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = strconv.Quote(l)
	}
	return strings.Join(texts, " and ")
}
