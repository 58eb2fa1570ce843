package servers

import (
	"cmp"
	"slices"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// User is the user's own part of a target's file, read for many files at once. It can be asked from several goroutines.
type User struct{ model *model }

// ReadUser reads the user's own rules, ours left out. It fails where the target is unknown or the file cannot be read
// as what the host takes.
func ReadUser(target string, file []byte) (*User, error) {
	m, err := readModel(target, file)
	if err != nil {
		return nil, err
	}
	return &User{m}, nil
}

// Found returns the X-Robots-Tag lines of the user's own rules that the host serves for a published file, in the order
// of the user's file: those of any of its request paths, and in any way in which the host may compare them. The path is
// as in [robotstag.Want]. In a .htaccess those are the lines in sections for files; for nginx and Caddy there are none:
// see [User.Findings].
func (u *User) Found(path string) []robotstag.Value {
	var all []robotstag.Value
	own, maybe := u.model.serves.paths(path)
	for _, r := range u.model.readings {
		for _, url := range append(own, maybe...) {
			if a := r.answer(url, readable); !a.elsewhere {
				all = append(all, a.sent...)
			}
		}
	}
	slices.SortFunc(all, func(a, b robotstag.Value) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(all)
}

// Findings are the user's rules about X-Robots-Tag that cannot be read, and so are not counted as found: conditions,
// patterns of more than a path or what it begins and ends with, and, for the web servers, most lines about it.
// [Compile] reports them too.
func (u *User) Findings() []policy.Finding { return u.model.unread }
