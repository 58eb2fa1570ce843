package headerfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
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
		values, toml := fs.served(h, robotstag.LinkName, name, h.links)
		for _, v := range values {
			// ":splat" is no value on Netlify where Cloudflare has one for it.
			known := func(o robotstag.Value) bool { return o.Line == v.Line && o.Text != v.Text }
			if strings.Contains(v.Text, ":splat") && slices.ContainsFunc(values, known) {
				continue
			}
			links, _ := robotstag.ParseLinks(v.Text)
			for _, l := range links {
				if l.Is("canonical") {
					lines = append(lines, Line{Name: robotstag.LinkName, Value: l.Text, Found: true,
						Origin: fs.origin(lineKey{h, toml, v}, robotstag.LinkName)})
				}
			}
		}
	}
	return slices.CompactFunc(lines, func(a, b Line) bool { return robotstag.SameLinks(a.Value, b.Value) })
}

// served are the owner's values of a header for a file: those of netlify.toml, which the response has alone, or of the
// header file.
func (fs *Files) served(h *File, header, name string, own func(name string) []robotstag.Value) (
	values []robotstag.Value, toml bool) {
	if onNetlify(h.Target) {
		values = fs.netlify.found(header, name)
	}
	if len(values) > 0 {
		return values, true
	}
	return own(name), false
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
		o.header = headerOf(name)
		if o.own, err = h.reader(h.user, name); err != nil {
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

// want adds a line to what a file is to be served with, unless the owner's own lines serve it or go before it (H4).
func (o *other) want(w *robotstag.Want, l *Line) {
	own, toml := o.c.files.served(o.file, l.Name, w.Path, o.own)
	serves := func(v robotstag.Value) bool {
		links, _ := robotstag.ParseLinks(v.Text)
		return o.header.Equal(v.Text, l.Value) || o.header.Join && slices.ContainsFunc(links,
			func(k robotstag.Link) bool { return robotstag.SameLinks(k.Text, l.Value) })
	}
	rival := func(v robotstag.Value) bool {
		return toml || !o.header.Join || l.Canonical() != "" && canonical(v.Text) != ""
	}
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
		Message: fmt.Sprintf("this line serves %s: %s for %s, and stays, where %s asks for %q", l.Name, own[at].Text,
			w.URL, cmp.Or(policy.Placed(l.Origin.File, l.Origin.Line, l.Origin.Key), "a rule"), l.Value)}
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
