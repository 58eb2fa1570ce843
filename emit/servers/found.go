package servers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// User is the user's own part of a target's file, read for many files at once.
// It can be asked from several goroutines.
type User struct{ model *model }

// ReadUser reads the user's own rules, ours left out. It fails where the target
// is unknown or the file cannot be read as what the host takes.
func ReadUser(target string, file []byte) (*User, error) {
	m, err := readModel(target, file)
	if err != nil {
		return nil, err
	}
	return &User{m}, nil
}

// Found returns the X-Robots-Tag lines of the user's own rules that the host
// serves for a published file, in the order of the user's file: those of any of
// its request paths, and in any way in which the host may compare them. The path
// is as in [Want]. In a .htaccess those are the lines in sections for files; for
// nginx and Caddy there are none: see [User.Problems].
func (u *User) Found(path string) []Value {
	if !u.model.speaks() {
		return nil
	}
	own, maybe := u.model.forms(path)
	p := &paths{decoded: slices.Concat(own, maybe)}
	var all []Value
	for _, r := range u.model.readings {
		if t, ok := r.(*table); ok {
			for _, request := range p.decoded {
				set, always := over(t.over, request)
				for _, line := range []*fileRule{set, always} {
					if line != nil {
						all = append(all, Value{line.value, line.line})
					}
				}
			}
			continue
		}
		for _, a := range r.answers(p, false) {
			if a.value != "" && !a.elsewhere {
				all = append(all, Value{a.value, a.line})
			}
		}
	}
	slices.SortFunc(all, func(a, b Value) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text, b.Text)) })
	return slices.Compact(all)
}

// Problems are the user's rules about X-Robots-Tag that cannot be read, and so
// are not counted as found: conditions, patterns that no documentation explains,
// and, for the web servers, most lines about it. [Compile] reports them too.
func (u *User) Problems() []Problem { return u.model.unread }

// speaks reports whether the user has a rule of which something is found.
func (m *model) speaks() bool {
	for _, r := range m.readings {
		if t, ok := r.(*table); ok && len(t.over) > 0 {
			return true
		}
		if l, ok := r.(*list); ok && (l.always.value != "" || slices.ContainsFunc(l.rules, func(r rule) bool { return !r.ours && !r.silent })) {
			return true
		}
	}
	return false
}

func unknown(target string) error {
	return fmt.Errorf("unknown headers target %q (known: %s)", target, strings.Join(Targets(), ", "))
}
