package headers

import (
	"cmp"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
)

// User is the user's own part of a _headers file, ours left out, as each host of a target reads it.
type User struct {
	lines   *marks.Text
	text    []byte
	header  Header
	host    string
	engines []*engine
}

// engine is one dialect with its reading of the user's file.
type engine struct {
	dialect *Dialect
	file    *File
	base    *File // the same with the /* rule of an environment
}

// ReadUser reads the user's own rules for a header as the target would serve them at the host. Rules with wildcards that
// cannot be matched within limits are an error.
func (h Header) ReadUser(user []byte, o robotstag.Options) (*User, error) {
	dialects, err := Dialects(o.Target)
	if err != nil {
		return nil, err
	}
	u := h.readUser(user)
	u.host = o.Host
	for _, d := range dialects {
		e := &engine{dialect: d, file: d.Parse(u.text, h.Name)}
		e.base = e.file
		u.engines = append(u.engines, e)
		err = cmp.Or(err, e.file.tooWild())
	}
	if !u.stays() {
		u.lines.At = len(u.lines.Lines)
	}
	return u, err
}

// Found returns the header's lines of the user's own rules that apply to a published file at any of its request
// paths, in the order of the file. For [TargetPortable] these are the lines that either host would serve.
func (u *User) Found(publishPath string) []robotstag.Value {
	var all []robotstag.Value
	for _, e := range u.engines {
		served, _ := Forms(e.dialect, publishPath)
		for _, f := range served {
			for _, v := range e.dialect.Values(e.file, u.host, f) {
				v.Line = u.line(v.Line)
				all = append(all, v)
			}
		}
	}
	return robotstag.Distinct(all)
}

// own returns the user's rules for a request.
func (u *User) own(s request) []*Rule { return s.on.dialect.matching(s.on.file, u.host, s.form) }

// base returns the rules for a request before any of ours but the environment's.
func (u *User) base(s request) []*Rule { return s.on.dialect.matching(s.on.base, u.host, s.form) }

// values returns what rules give a request together, and says the same as one line.
func (u *User) values(s request, rules []*Rule) []robotstag.Value {
	return s.on.dialect.combine(rules, u.host, s.form)
}

func (u *User) says(s request, rules []*Rule) string { return robotstag.Join(u.values(s, rules)) }
