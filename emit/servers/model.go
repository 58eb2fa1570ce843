package servers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// model is a file as its host reads it. It proves what [Compile] wrote and
// reads the user's own rules; of the compiler it uses nothing.
type model struct {
	// readings are the ways in which the host may compare paths: one, or as many
	// as its documentation leaves open. A file is right if it is so in each.
	readings []reading
	// forms are the decoded request paths of a published file: those that are
	// certainly its own, and those that are if no other file takes them.
	forms func(path string) (own, maybe []string)
	// below says that the site may be served below a path of its host.
	below bool
	// unread are the user's rules about the header that cannot be read.
	unread []Problem
	// doubtful says that such a rule may go before those that are read.
	doubtful bool
	// faults are what keeps the host from taking a file with rules of ours, or
	// from using them.
	faults []Problem
}

// reading is one way in which a host reads its file.
type reading interface {
	// answers returns what the responses for some request paths carry, with our
	// rules or by the user's own alone.
	answers(p *paths, ours bool) []answer
}

// answer is what one response carries.
type answer struct {
	value string // "" for no header
	// lines are those in which the value is sent; none where it is sent as one.
	lines []string
	line  int // of the rule that decided; 0 for none
	ours  bool
	// pattern is that of the rule that decided. It may be one that brings no
	// header and keeps later rules out.
	pattern string
	// beside says that a line of the user's is sent beside the others.
	beside bool
	// elsewhere says that no file is served: the rule redirects.
	elsewhere bool
}

// readModel reads a target's file.
func readModel(target string, file []byte) (*model, error) {
	for _, t := range targets {
		if t.name == target {
			m, err := t.read(file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", t.file, err)
			}
			return m, nil
		}
	}
	return nil, unknown(target)
}

// unreadable is the finding about a rule of the user's that is not counted.
func unreadable(line int, what, why string) Problem {
	return Problem{ID: IDFound, Severity: SeverityWarning, Line: line,
		Message: fmt.Sprintf("this %s is about %s too%s: what it does is not counted as found (write it as a rule of the policy instead)", what, Name, why)}
}

// tooMuch is the fault of a file that the host does not take.
func tooMuch(format string, args ...any) Problem {
	return Problem{ID: IDBudget, Severity: SeverityError, Message: fmt.Sprintf(format, args...)}
}

// spelling is how a host has a request path before it compares.
type spelling int

const (
	decoded spelling = iota
	decodedFolded
	encoded // as the URL standard's path state does: what it leaves alone stays
	encodedFolded
	encodedStrictly // as encodeURIComponent does, in lower hex
	bare            // decoded, without the first slash
	encodedBare
	spellingCount
)

// of spells a decoded path.
func (s spelling) of(path string) string {
	switch s {
	case decodedFolded:
		return strings.ToLower(path)
	case encoded:
		return percent(path, "!$&'()*+,-./:;=@[]_|~", "0123456789ABCDEF")
	case encodedFolded:
		return strings.ToLower(encoded.of(path))
	case encodedStrictly:
		return percent(path, "!'()*-./_~", "0123456789abcdef")
	case bare:
		return strings.TrimPrefix(path, "/")
	case encodedBare:
		return strings.TrimPrefix(encoded.of(path), "/")
	}
	return path
}

// percent encodes all but ASCII letters, digits and some characters.
func percent(path, plain, hex string) string {
	b := make([]byte, 0, len(path)+8)
	for i := range len(path) {
		c := path[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(plain, c) >= 0 {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}

// paths are decoded request paths that are asked about together.
type paths struct {
	decoded []string
	sorted  [spellingCount]*spelled
}

// spelled are paths in one spelling, sorted, and where in the decoded ones they
// stand.
type spelled struct {
	texts []string
	at    []int
}

func (p *paths) in(s spelling) *spelled {
	if p.sorted[s] == nil {
		sp := &spelled{make([]string, len(p.decoded)), make([]int, len(p.decoded))}
		texts := make([]string, len(p.decoded))
		for i, d := range p.decoded {
			texts[i], sp.at[i] = s.of(d), i
		}
		slices.SortFunc(sp.at, func(a, b int) int { return cmp.Or(strings.Compare(texts[a], texts[b]), a-b) })
		for i, at := range sp.at {
			sp.texts[i] = texts[at]
		}
		p.sorted[s] = sp
	}
	return p.sorted[s]
}

// rule is one rule of a host that has a list of them.
type rule struct {
	matcher
	answer
	silent bool // it says nothing about the header
}

// list is a reading by rules of which the last that matches counts, or the first.
type list struct {
	spelling spelling
	rules    []rule
	first    bool
	// always is what a response carries where the rule that counts, or none,
	// says nothing.
	always answer
}

func (l *list) answers(p *paths, ours bool) []answer {
	given := make([]answer, len(p.decoded))
	decided := make([]bool, len(p.decoded))
	for i := range given {
		given[i] = l.always
	}
	for _, r := range l.rules {
		if r.ours && !ours {
			continue
		}
		sp := p.in(l.spelling)
		for _, i := range r.among(sp.texts) {
			at := sp.at[i]
			if l.first && decided[at] {
				continue
			}
			decided[at] = true
			given[at] = r.answer
			if r.silent {
				given[at].value = l.always.value
			}
		}
	}
	return given
}
