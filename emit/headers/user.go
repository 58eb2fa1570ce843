package headers

import (
	"cmp"
	"slices"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
)

// User is the user's own part of a _headers file, ours left out, as each host of a target reads it.
type User struct {
	*marks.Text
	text    []byte
	host    string
	engines []*engine
}

// engine is one dialect with its reading of the user's file.
type engine struct {
	*Dialect
	file *File
	// everywhere is the /* rule of an environment. It stands after the user's rules, or, with its line set, in place of
	// the user's rule of that line.
	everywhere *Rule
}

// ReadUser reads the user's own rules as the target would serve them at the host. Rules with wildcards that cannot be
// matched within limits are an error.
func ReadUser(user []byte, o robotstag.Options) (*User, error) {
	dialects, err := Dialects(o.Target)
	if err != nil {
		return nil, err
	}
	u := readUser(user)
	u.host = o.Host
	for _, d := range dialects {
		e := &engine{Dialect: d, file: d.Parse(u.text)}
		u.engines = append(u.engines, e)
		err = cmp.Or(err, e.file.tooWild())
	}
	return u, err
}

// Found returns the X-Robots-Tag lines of the user's own rules that apply to a published file at any of its request
// paths, in the order of the file. For [TargetPortable] these are the lines that either host would serve.
func (u *User) Found(publishPath string) []robotstag.Value {
	var all []robotstag.Value
	for _, e := range u.engines {
		served, _ := Forms(e.Dialect, publishPath)
		for _, f := range served {
			for _, v := range e.Values(e.file, u.host, f) {
				v.Line = u.line(v.Line)
				all = append(all, v)
			}
		}
	}
	return robotstag.Distinct(all)
}

// own returns the user's rules for a request.
func (u *User) own(s request) []*Rule {
	e := u.engines[s.dialect]
	return e.matching(e.file, u.host, s.form)
}

// base returns the rules for a request before any of ours but the environment's.
func (u *User) base(s request) []*Rule {
	rules := u.own(s)
	if ours := u.engines[s.dialect].everywhere; ours != nil {
		return with(rules, ours)
	}
	return rules
}

// with puts a rule of ours among the user's: in place of the one of its line, or at the end where it has none. A rule
// that has a line but no place there does not apply.
func with(rules []*Rule, ours *Rule) []*Rule {
	rules = slices.Clone(rules)
	if ours.Line == 0 {
		return append(rules, ours)
	}
	for i, r := range rules {
		if r.Line == ours.Line {
			rules[i] = ours
		}
	}
	return rules
}

// says returns what rules give a request together, as one line.
func (u *User) says(s request, rules []*Rule) string {
	return robotstag.Join(u.engines[s.dialect].combine(rules, u.host, s.form))
}
