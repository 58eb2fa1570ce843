package servers

import (
	"fmt"
	"maps"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// model is a file as its host reads it. It proves what [Compile] wrote and
// reads the user's own rules; of the compiler it uses nothing.
type model struct {
	// readings are the ways in which the host may compare paths: one, or as many
	// as its documentation leaves open. A file is right if it is so in each.
	readings []reading
	// serves says at which paths the host serves a published file.
	serves serving
	// below says that the site may be served below a path of its host.
	below bool
	// speaks says that the user has a rule of which something may be found.
	speaks bool
	// unread are the user's rules about the header that cannot be read.
	unread []policy.Finding
	// doubtful says that one of those may go before all that are read.
	doubtful bool
	// faults are what keeps the host from taking a file with rules of ours, or
	// from using them.
	faults []policy.Finding
}

// serving says where a host serves files beside their own paths, and an index at
// its folder's: a folder's index without the slash, and pages without .html.
type serving struct{ slashless, clean bool }

// cleanly is how the hosts that have an owner's choice of clean URLs serve.
func cleanly(clean bool) serving { return serving{slashless: true, clean: clean} }

// paths are the decoded request paths of a published file: those that are
// certainly its own, and those that are if no other file takes them.
func (s serving) paths(file string) (own, maybe []string) {
	own = []string{"/" + file}
	folder, name := own[0][:strings.LastIndexByte(own[0], '/')+1], own[0][strings.LastIndexByte(own[0], '/')+1:]
	index := name == "index.html"
	if index {
		own = append(own, folder)
	}
	if index && s.slashless && folder != "/" {
		maybe = append(maybe, folder[:len(folder)-1])
	}
	if page, ok := strings.CutSuffix(own[0], ".html"); ok && s.clean && (!index || s.slashless && folder != "/") {
		maybe = append(maybe, page)
	}
	return own, maybe
}

// readModel reads a target's file.
func readModel(target string, file []byte) (*model, error) {
	t, err := hostOf(target)
	if err != nil {
		return nil, err
	}
	m, err := t.read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.file, err)
	}
	return m, nil
}

// leaveUnread notes a rule of the user's that is not counted.
func (m *model) leaveUnread(line int, what, why string) {
	m.unread = append(m.unread, policy.Finding{ID: robotstag.IDFound, Severity: policy.Warning, Line: line, Message: fmt.Sprintf(
		"this %s is about %s too%s: what it does is not counted as found (write it as a rule of the policy instead)",
		what, robotstag.Name, why)})
}

// fault notes what keeps a file with rules of ours from being used.
func (m *model) fault(id string, line int, format string, args ...any) {
	m.faults = append(m.faults,
		policy.Finding{ID: id, Severity: policy.Error, Line: line, Message: fmt.Sprintf(format, args...)})
}

// side says whose rules are asked.
type side int

const (
	everyone side = iota
	// owners are the user's rules, also those that cannot be read.
	owners
	// readable are the user's rules that can be.
	readable
)

// reading is one way in which a host reads its file.
type reading interface {
	// answer returns what the response for a decoded request path carries.
	answer(path string, of side) answer
}

// answer is what one response carries.
type answer struct {
	// sent are the lines of the response; none for no header.
	sent []robotstag.Value
	line int // of the rule that decided; 0 for none
	ours bool
	// pattern is that of the user's rule that decided, where that goes before ours.
	// It may be one that brings no header.
	pattern string
	// beside says that a line of the user's is sent beside the others.
	beside bool
	// elsewhere says that no file is served: the rule redirects.
	elsewhere bool
	// unread says that the rule that may have decided cannot be read.
	unread bool
}

// texts are the lines of the response.
func (a answer) texts() []string {
	var all []string
	for _, v := range a.sent {
		all = append(all, v.Text)
	}
	return all
}

// text is what the lines come to.
func (a answer) text() string { return strings.Join(a.texts(), ", ") }

// values are lines that one rule sends. Empty ones are not sent.
func values(line int, lines ...string) (sent []robotstag.Value) {
	for _, l := range lines {
		if l != "" {
			sent = append(sent, robotstag.Value{Text: l, Name: robotstag.Name, Line: line})
		}
	}
	return sent
}

// stated is what lines state together: in each a crawler's name governs to its end.
func stated(lines []string) map[robotstag.Statement]bool {
	all := make(map[robotstag.Statement]bool)
	for _, l := range lines {
		maps.Copy(all, robotstag.Statements(l))
	}
	return all
}

// rule is one rule of a host that has a list of them.
type rule struct {
	answer
	// matches compares a path; nil where the rule is one of ours that names texts.
	matches func(path string) bool
	texts   []string
	silent  bool // it says nothing about the header
}

// list is a reading by rules of which the last that matches counts, or the first.
type list struct {
	spelled spelling
	rules   []rule
	first   bool
	// always is what a response carries where the rule that counts, or none,
	// says nothing.
	always answer

	exact map[string]int // the rule of each text of ours
	wide  []int          // the rules that compare
}

// lists are readings of the same rules that differ in how paths are spelled.
func (m *model) lists(rules []rule, first bool, always answer, spellings ...spelling) {
	exact := make(map[string]int)
	var wide []int
	for i, r := range rules {
		if r.matches != nil {
			wide = append(wide, i)
		}
		for _, t := range r.texts {
			if _, taken := exact[t]; !taken || !first {
				exact[t] = i
			}
		}
		m.speaks = m.speaks || !r.ours && !r.silent && !r.unread
	}
	m.speaks = m.speaks || len(always.sent) > 0
	for _, s := range spellings {
		m.readings = append(m.readings, &list{s, rules, first, always, exact, wide})
	}
}

func (l *list) answer(path string, of side) answer {
	path = l.spelled.of(path)
	at := -1
	if i, ok := l.exact[path]; ok && of == everyone {
		at = i
	}
	for _, i := range l.wide {
		r := &l.rules[i]
		switch {
		case of != everyone && r.ours, of == readable && r.unread:
		case at >= 0 && (i < at) != l.first:
		case r.matches(path):
			at = i
		}
	}
	if at < 0 {
		return l.always
	}
	a := l.rules[at].answer
	if l.rules[at].silent {
		a.sent = values(a.line, l.always.texts()...)
	}
	return a
}

// table is a reading by texts that are looked up.
type table struct {
	lookUp func(path string) (a answer, ok bool)
	always answer
	// over are the owner's sections for files, which go before our rules.
	over []fileRule
	// most is how many lines a response can have; 0 for any number.
	most int
}

func (t *table) answer(path string, of side) (a answer) {
	if of == everyone {
		var ok bool
		if a, ok = t.lookUp(path); !ok {
			a = t.always
		}
	}
	return overridden(a, t.over, path)
}
