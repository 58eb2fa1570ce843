package servers

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
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
	v := &verifier{target: target, everywhere: o.Everywhere, asked: &paths{}, owner: make(map[string]int)}
	v.collect(m, wants, o, left)
	problems := m.faults
	said := make(map[string]bool)
	for _, r := range m.readings {
		most := 1
		if t, ok := r.(*table); ok {
			most = t.most
		}
		for i, a := range r.answers(v.asked, true) {
			at := v.wants[i]
			w := &wants[at]
			if l, ok := r.(*list); ok && v.mistaken(l.spelling, i) {
				continue
			}
			if said[w.Path] || v.passes(a, w.Values, most, v.spared[at]) {
				continue
			}
			said[w.Path] = true
			problems = append(problems, Problem{ID: IDMismatch, Severity: SeverityError, Path: w.Path,
				Message: fmt.Sprintf("%s would serve %s with %s instead of %s", target, v.asked.decoded[i], shown(a.sent()), shown(within(w.Values, most)))})
		}
	}
	return problems
}

type verifier struct {
	target     string
	everywhere []string
	asked      *paths
	wants      []int          // by asked path
	spared     map[int]bool   // files that get nothing of ours, by want
	owner      map[string]int // the file of each asked path
}

// collect lists the request paths to ask for.
func (v *verifier) collect(m *model, wants []Want, o Options, left []string) {
	v.spared = make(map[int]bool)
	given := make(map[string]bool, len(left))
	for _, path := range left {
		given[path] = true
	}
	base := ""
	if m.below {
		base = strings.TrimRight(o.Base, "/")
	}
	const nobody, several = -1, -2
	taken := make(map[string]int)
	for i, w := range wants {
		own, _ := m.forms(w.Path)
		for _, f := range own {
			taken[f] = nobody
		}
		if !w.Free && (given[w.Path] || o.Scope == ScopeFiles && w.HTML) {
			v.spared[i] = true
		}
	}
	for i, w := range wants {
		_, maybe := m.forms(w.Path)
		for _, f := range maybe {
			if at, ok := taken[f]; !ok {
				taken[f] = i
			} else if at >= 0 && at != i {
				taken[f] = several
			}
		}
	}
	for i, w := range wants {
		if w.Free {
			continue
		}
		own, maybe := m.forms(w.Path)
		for _, f := range maybe {
			if taken[f] == i {
				own = append(own, f)
			}
		}
		for _, f := range own {
			v.asked.decoded = append(v.asked.decoded, base+f)
			v.wants = append(v.wants, i)
			v.owner[base+f] = i
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
	plain, err := url.PathUnescape(path)
	other, ok := v.owner[plain]
	return err == nil && ok && other != v.wants[asked]
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
	}
	return sameSet(a.value, text) && (!a.ours || ofEnvironment)
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
