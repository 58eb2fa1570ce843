package headers

import (
	"cmp"
	"slices"

	"metarobots/emit/robotstag"
)

// User is the user's own part of a _headers file, read for many files at once.
type User struct {
	user  *userFile
	host  string
	files []*engine
}

// ReadUser reads the user's own rules, ours left out, as the target would serve
// them at the host.
func ReadUser(target string, user []byte, host string) (*User, error) {
	dialects, err := Dialects(target)
	if err != nil {
		return nil, err
	}
	u := &User{user: readUser(user), host: host}
	for _, d := range dialects {
		e := &engine{Dialect: d, user: d.Parse(u.user.text)}
		if err := e.user.tooWild(); err != nil {
			return nil, err
		}
		u.files = append(u.files, e)
	}
	return u, nil
}

// Found returns the X-Robots-Tag lines of the user's own rules that apply to a
// published file at any of its request paths, in the order of the file. For
// [TargetPortable] these are the lines that either host would serve.
func (u *User) Found(publishPath string) []robotstag.Value {
	var all []robotstag.Value
	for _, e := range u.files {
		if len(e.user.Rules) == 0 {
			continue
		}
		served, _ := Forms(e.Dialect, publishPath)
		for _, f := range served {
			for _, v := range e.Values(e.user, u.host, f) {
				v.Line = u.user.line(v.Line)
				all = append(all, v)
			}
		}
	}
	slices.SortFunc(all, func(a, b robotstag.Value) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(all)
}
