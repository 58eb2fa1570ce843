package headerfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
	"metarobots/policy"
)

// A Line is a line of another header than X-Robots-Tag with which a file is to be served (H).
type Line struct {
	Name, Value string
	// Origin is where the rule stands, or of a line of the owner's, the line.
	Origin policy.Origin
	// Found: it is a canonical link of a header file of the owner's, who serves it without us.
	Found bool
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

// Canonicals are the canonical links that the owner's own lines serve for a published file (H4).
func (fs *Files) Canonicals(file string) (lines []Line) {
	for _, h := range fs.All {
		name, ok := h.Host.Serves(file)
		if !ok || h.Former {
			continue
		}
		for _, key := range fs.ownLinks(h, name) {
			links, _ := robotstag.ParseLinks(key.value.Text)
			for _, l := range links {
				if l.Is("canonical") {
					lines = append(lines, Line{Name: robotstag.LinkName, Value: l.Text, Found: true,
						Origin: fs.origin(key, robotstag.LinkName)})
				}
			}
		}
	}
	return slices.CompactFunc(lines, func(a, b Line) bool { return robotstag.SameLinks(a.Value, b.Value) })
}

// ownLinks are the owner's Link lines for a file: those of netlify.toml, which go before others, or of a header file.
// What is no value on Netlify, ":splat", is left out where Cloudflare has one for it.
func (fs *Files) ownLinks(h *File, name string) (keys []lineKey) {
	var values []robotstag.Value
	toml := false
	if onNetlify(h.Target) {
		values = fs.netlify.found(robotstag.LinkName, name)
		toml = len(values) > 0
	}
	if !toml && h.links != nil {
		values = h.links(name)
	}
	for _, v := range values {
		if !strings.Contains(v.Text, ":splat") || !slices.ContainsFunc(values, func(o robotstag.Value) bool {
			return o.Line == v.Line && o.Text != v.Text
		}) {
			keys = append(keys, lineKey{h, toml, v})
		}
	}
	return keys
}

// headerOf says how values of a header combine. Links add up. Any other value is whole: of a dictionary, two lines may
// mean less than each of them, since the last of equal keys counts.
// https://www.rfc-editor.org/rfc/rfc9651#section-3.2
func headerOf(name string) robotstag.Header {
	switch name {
	case robotstag.Name:
		return robotstag.XRobotsTag
	case robotstag.LinkName:
		return robotstag.Header{Name: name, Join: true, Same: robotstag.SameLinks}
	}
	return robotstag.Header{Name: name}
}

// others are the demands for other headers, by name, but links last, which may need a rule for each file and restrict
// nothing, so that they leave no restriction without a rule; none for what the owner's rules serve already.
func (c *compiler) others(h *File) (demands []robotstag.Demand, err error) {
	var names []string
	for _, d := range c.served(h) {
		for _, l := range d.Others {
			if !l.Found && !slices.Contains(names, l.Name) {
				names = append(names, l.Name)
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(strings.Count(a, robotstag.LinkName)-strings.Count(b, robotstag.LinkName), strings.Compare(a, b))
	})
	o := &other{c: c, file: h}
	for _, name := range names {
		o.header, o.own = headerOf(name), func(string) []robotstag.Value { return nil }
		user, err := hosts.ReadUser(h.user, o.header, h.options())
		if err == nil {
			o.own = user.Found
		} else if hosts.Lookup(h.Target).Format == nil { // the compiler says what it cannot read of the others
			return nil, err
		}
		if d := (robotstag.Demand{Header: o.header, Wants: o.wants()}); len(robotstag.Wanting(d.Wants)) > 0 {
			demands = append(demands, d)
		}
	}
	c.findings = append(c.findings, o.conflicts.All("; the same for %d more")...)
	return demands, nil
}

// other is the demand for one header of a header file after the other.
type other struct {
	c         *compiler
	file      *File
	header    robotstag.Header
	own       func(name string) []robotstag.Value // what the owner's rules serve
	conflicts Repeated                            // with the owner's lines
}

func (o *other) wants() (wants []robotstag.Want) {
	for name, d := range o.c.served(o.file) {
		w := robotstag.Want{Path: name, URL: d.URL}
		for k := range d.Others {
			if l := &d.Others[k]; l.Name == o.header.Name && !l.Found {
				o.want(&w, l)
			}
		}
		wants = append(wants, w)
	}
	rewritten, _ := o.file.rewritten(wants) // what is wrong there is said with X-Robots-Tag
	return append(wants, rewritten...)
}

// want adds a line to what a file is to be served with, unless the owner's own lines serve it or go before it (H4):
// what netlify.toml sets, the response has alone.
func (o *other) want(w *robotstag.Want, l *Line) {
	own, alone := o.own(w.Path), !o.header.Join
	toml := false
	if onNetlify(o.file.Target) {
		if values := o.c.files.netlify.found(l.Name, w.Path); len(values) > 0 {
			own, toml, alone = values, true, true
		}
	}
	serves := func(v robotstag.Value) bool {
		links, _ := robotstag.ParseLinks(v.Text)
		return o.header.Equal(v.Text, l.Value) || o.header.Join && slices.ContainsFunc(links,
			func(k robotstag.Link) bool { return robotstag.SameLinks(k.Text, l.Value) })
	}
	rival := func(v robotstag.Value) bool { return alone || l.Canonical() != "" && canonical(v.Text) != "" }
	at := slices.IndexFunc(own, rival)
	if slices.ContainsFunc(own, serves) {
		return
	} else if at < 0 {
		w.Values = append(w.Values, l.Value)
		return
	}
	l.Lost = true
	f := policy.Finding{ID: "header-conflict", Severity: policy.Warning, URL: w.URL, Line: own[at].Line,
		File: o.c.files.origin(lineKey{o.file, toml, own[at]}, l.Name).File,
		Message: fmt.Sprintf("this line serves %s: %s for %s, and stays, where %s asks for %q", l.Name, own[at].Text, w.URL,
			cmp.Or(policy.Placed(l.Origin.File, l.Origin.Line, l.Origin.Key), "a rule"), l.Value)}
	key := fmt.Sprint(l.Name, f.File, own[at])
	if !o.header.Join { // a value that denies is not to be one of "17 more" that allow
		key += l.Value
	}
	o.conflicts.Add(key, f)
}

// lose marks the lines that a header file does not give their files.
func (c *compiler) lose(h *File) {
	for name, d := range c.served(h) {
		for k := range d.Others {
			l := &d.Others[k]
			_, lost := slices.BinarySearch(h.Result.Lost[l.Name], name)
			l.Lost = l.Lost || lost && !l.Found
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
		f.File, f.Line = c.files.project.Config.Locate("headers", "targets")
		c.findings = append(c.findings, f)
	}
	c.lose(h)
}
