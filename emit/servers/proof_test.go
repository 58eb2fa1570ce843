package servers

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// verify proves a finished file: it reads it back, in each way in which the host may, asks for every request path of
// every file, and reports what differs from the wants (N3). It knows nothing of how [Compile] came to the file.
//
// A file passes with exactly its lines, joined where the host sends fewer, or with the same directives where the user's
// rules or the environment's bring them. One without values, in left (Result.GivenUp), or, in scope "files", in HTML
// must get nothing of ours but what Everywhere says. Free files are passed over, and so are paths at which the host
// redirects, and those that two files may take.
func verify(target string, file []byte, wants []robotstag.Want, o robotstag.Task, left []string) []policy.Finding {
	m, err := readHost(target, file, robotstag.XRobotsTag())
	if err != nil {
		return []policy.Finding{{ID: "header-mismatch", Severity: policy.Error, Message: err.Error()}}
	}
	p := &proof{model: m, wants: wants, options: o, spared: make(map[string]bool)}
	for _, path := range left {
		p.spared[path] = true
	}
	base := strings.TrimRight(based(target, o).Base, "/")
	p.owners = m.serves.owners(base, wants, func(int, int) bool { return false })
	problems := m.faults
	for i := range wants {
		w := &wants[i]
		if w.Free {
			continue
		}
		own, maybe := m.serves.paths(w.Path)
		paths := slices.DeleteFunc(append(own, maybe...), func(path string) bool { return p.owners[base+path] != i })
		if wrong := p.wrong(w, base, paths); wrong != "" {
			problems = append(problems, policy.Finding{ID: "header-mismatch", Severity: policy.Error, URL: w.URL,
				Message: target + " would serve " + wrong})
		}
	}
	return problems
}

// proof is a file and what it is held against.
type proof struct {
	model   *File
	wants   []robotstag.Want
	options robotstag.Task
	spared  map[string]bool
	owners  map[string]int
}

// wrong says at which path of a file the host would serve what instead; "" for none.
func (p *proof) wrong(w *robotstag.Want, base string, paths []string) string {
	spared := p.spared[w.Path] || p.options.Scope == robotstag.ScopeFiles && w.HTML
	for _, r := range p.model.bothWays() {
		for _, path := range paths {
			path = base + path
			if r.lookUp == nil && r.spell == nil && p.mistaken(path) {
				continue
			}
			a := r.answer(path)
			switch {
			case a.unread && !r.first && !spared && restricts(a, w.Values):
			case passes(a, w.Values, p.options.Everywhere, r.most, spared):
			case a.unread:
				return fmt.Sprintf("%s with what line %d says, which cannot be read, instead of %q", path, a.line,
					w.Values)
			default:
				return fmt.Sprintf("%s with %q instead of %q", path, a.texts(), within(w.Values, r.most))
			}
		}
	}
	return ""
}

// bothWays are the readings, each where the rules that are not read hold, and where they do not.
func (f *File) bothWays() (all []*reading) {
	for _, r := range f.readings {
		without := *r
		without.onlyRead = true
		all = append(all, r, &without)
	}
	return all
}

// restricts reports whether an answer restricts all that is wanted.
func restricts(a answer, wanted []string) bool {
	return robotstag.Covers(strings.Join(a.texts(), "\n"), strings.Join(wanted, "\n"))
}

// mistaken reports whether a path, compared as it stands, is how another file's path is encoded: on a host that may
// compare either, the two cannot be told apart. Compile says so.
func (p *proof) mistaken(path string) bool {
	if !strings.Contains(path, "%") {
		return false
	}
	plain, err := url.PathUnescape(path)
	other, ok := p.owners[plain]
	return err == nil && ok && other != disputed && other != p.owners[path] && !p.wants[other].Free
}

// listed is what lines state together, as one list.
func listed(lines []string) string {
	all := stated(lines)
	text := []string{all[""].String()}
	for _, crawler := range slices.Sorted(maps.Keys(all)) {
		if crawler != "" {
			text = append(text, crawler+": "+all[crawler].String())
		}
	}
	return strings.TrimPrefix(strings.Join(text, ", "), ", ")
}

func passes(a answer, wanted, everywhere []string, most int, spared bool) bool {
	sent := a.texts()
	ofEnvironment := len(everywhere) > 0 && slices.Equal(sent, within(everywhere, most)) ||
		a.beside && len(sent) > len(everywhere) && slices.Equal(sent[:len(everywhere)], everywhere)
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
		return robotstag.Same(listed(sent), listed(wanted))
	}
	return robotstag.Same(robotstag.Join(a.sent), text) && (!a.ours || ofEnvironment)
}
