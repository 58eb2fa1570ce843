package headerfile

import (
	"cmp"
	"fmt"
	"slices"

	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
	"metarobots/policy"
)

// A Line is a line of another header than X-Robots-Tag with which a file is to be served (H).
type Line struct {
	Name, Value string
	// Origin is where the rule stands.
	Origin policy.Origin
	// Lost: a host of the site does not serve it, and a finding says why. Compile sets it.
	Lost bool
}

// Canonical is the target of the line's canonical link; empty without one.
func (l Line) Canonical() string {
	if l.Name == robotstag.LinkName {
		return canonical(l.Value)
	}
	return ""
}

func canonical(links string) string {
	all, _ := robotstag.ParseLinks(links)
	for _, l := range all {
		if l.Is("canonical") {
			return l.Target
		}
	}
	return ""
}

// headerOf says how values of a header combine. Links add up. Any other value is whole: of a dictionary, two lines may
// mean less than each of them, since the last of equal keys counts.
// https://www.rfc-editor.org/rfc/rfc9651#section-3.2
func headerOf(name string) robotstag.Header {
	if name == robotstag.LinkName {
		return robotstag.Header{Name: name, Join: true, Same: robotstag.SameLinks}
	}
	return robotstag.Header{Name: name}
}

// others are the demands for other headers, links first, then by name; none for what the owner's rules serve already.
func (c *compiler) others(h *File) (demands []robotstag.Demand, err error) {
	var names []string
	for i := range c.count {
		for _, l := range c.decided(i).Others {
			if !slices.Contains(names, l.Name) {
				names = append(names, l.Name)
			}
		}
	}
	slices.Sort(names)
	slices.SortStableFunc(names, func(a, b string) int {
		rank := map[bool]int{true: 0, false: 1}
		return rank[a == robotstag.LinkName] - rank[b == robotstag.LinkName]
	})
	for _, name := range names {
		o := &other{c: c, file: h, header: headerOf(name), said: map[lineKey]int{}}
		user, err := hosts.ReadUser(h.user, o.header, robotstag.Options{Target: h.Target, Host: h.Host.URL.Hostname()})
		if err == nil {
			o.own = user.Found
		} else if hosts.Lookup(h.Target).Format == nil { // the compiler says what it cannot read of the others
			return nil, err
		}
		demands = append(demands, robotstag.Demand{Header: o.header, Wants: o.wants()})
	}
	return slices.DeleteFunc(demands, func(d robotstag.Demand) bool { return len(robotstag.Wanting(d.Wants)) == 0 }), nil
}

// other is the demand for one header of a header file.
type other struct {
	c      *compiler
	file   *File
	header robotstag.Header
	own    func(name string) []robotstag.Value // what the owner's rules serve; nil if nobody reads them
	said   map[lineKey]int                     // the findings about the owner's lines
}

func (o *other) wants() (wants []robotstag.Want) {
	more := map[int]int{} // files beside the first, by finding
	for i := range o.c.count {
		d := o.c.decided(i)
		name, ok := o.c.serves(o.file, &d)
		if !ok {
			continue
		}
		w := robotstag.Want{Path: name, URL: d.URL}
		for k := range d.Others {
			if l := &d.Others[k]; l.Name == o.header.Name {
				o.want(&w, l, more)
			}
		}
		wants = append(wants, w)
	}
	for at, n := range more {
		if n > 0 {
			o.c.findings[at].Message += fmt.Sprintf("; the same for %d more", n)
		}
	}
	rewritten, _ := o.c.rewritten(o.file, wants) // what is wrong there is said with X-Robots-Tag
	return append(wants, rewritten...)
}

// want adds a line to what a file is to be served with, unless the owner's own lines serve it or go before it (H4).
func (o *other) want(w *robotstag.Want, l *Line, more map[int]int) {
	var own, toml []robotstag.Value
	if o.own != nil {
		own = o.own(w.Path)
	}
	if onNetlify(o.file.Target) {
		toml = o.c.files.netlify.found(l.Name, w.Path)
	}
	same := func(v robotstag.Value) bool { return o.header.Equal(v.Text, l.Value) }
	if o.header.Join {
		same = func(v robotstag.Value) bool {
			links, _ := robotstag.ParseLinks(v.Text)
			return slices.ContainsFunc(links, func(k robotstag.Link) bool { return robotstag.SameLinks(k.Text, l.Value) })
		}
	} else if len(own) > 0 {
		w.Values, w.Found = robotstag.Texts(own), true
	}
	rival := func(v robotstag.Value) bool { return !o.header.Join || l.Canonical() != "" && canonical(v.Text) != "" }
	switch {
	case slices.ContainsFunc(toml, same), len(toml) == 0 && slices.ContainsFunc(own, same):
	case len(toml) > 0: // the response has its value alone
		o.conflict(lineKey{o.c.files.netlify.file, toml[0]}, w, l, more)
	case slices.ContainsFunc(own, rival):
		v := own[slices.IndexFunc(own, rival)]
		o.conflict(lineKey{o.c.files.writtenIn(o.file, v), v}, w, l, more)
	default:
		w.Values = append(w.Values, l.Value)
	}
}

// conflict reports a line of the owner's that stays in place of a rule's: once, with the number of files.
func (o *other) conflict(at lineKey, w *robotstag.Want, l *Line, more map[int]int) {
	l.Lost = true
	if i, ok := o.said[at]; ok {
		more[i]++
		return
	}
	o.said[at] = len(o.c.findings)
	o.c.findings = append(o.c.findings, policy.Finding{ID: "header-conflict", Severity: policy.Warning, URL: w.URL,
		File: at.file, Line: at.value.Line, Message: fmt.Sprintf("this line serves %s: %s for %s, and stays, where %s "+
			"asks for %q", l.Name, at.value.Text, w.URL, cmp.Or(policy.Placed(l.Origin.File, l.Origin.Line, l.Origin.Key),
			"a rule"), l.Value)})
}

// lose marks the lines that a header file does not give their files.
func (c *compiler) lose(h *File) {
	for i := range c.count {
		d := c.decided(i)
		for k := range d.Others {
			name, ok := h.Host.Serves(d.Name)
			if _, lost := slices.BinarySearch(h.Result.Lost[d.Others[k].Name], name); ok && lost {
				d.Others[k].Lost = true
			}
		}
	}
}

// without reports the other headers of a site whose host sends none.
func (c *compiler) without(h *File) {
	demands, _ := c.others(h)
	for _, d := range demands {
		h.Result.Lose(d.Header.Name, "robots.headers.targets says that the host does not support any",
			robotstag.Wanting(d.Wants))
	}
	for _, f := range h.Result.Findings {
		f.File, f.Line = c.project.Config.Locate("headers", "targets")
		c.findings = append(c.findings, f)
	}
	c.lose(h)
}
