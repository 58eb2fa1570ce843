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
	if links := robotstag.Canonicals(l.Value); l.Name == robotstag.LinkName && len(links) > 0 {
		return links[0].Target
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
		values := h.served(robotstag.LinkName, name, h.links)
		for _, v := range values {
			// ":splat" is no value on Netlify where Cloudflare has one for it.
			known := func(o robotstag.Value) bool { return o.Line == v.Line && o.Text != v.Text }
			if strings.Contains(v.Text, ":splat") && slices.ContainsFunc(values, known) {
				continue
			}
			for _, l := range robotstag.Canonicals(v.Text) {
				lines = append(lines, Line{Name: robotstag.LinkName, Value: l.Text, Origin: origin(v), Found: true})
			}
		}
	}
	return slices.CompactFunc(lines, func(a, b Line) bool { return robotstag.SameLinks(a.Value, b.Value) })
}

// served are the owner's values of a header for a file: those of netlify.toml, which the response has alone, or of the
// header file.
func (h *File) served(header, name string, own served) []robotstag.Value {
	if values := h.netlify.found(header, name); len(values) > 0 {
		return values
	}
	return own(name)
}

// headerOf says how values of a header combine. Links add up. Any other value is whole: of a dictionary, two lines may
// mean less than each of them, since the last of equal keys counts.
// https://www.rfc-editor.org/rfc/rfc9651#section-3.2
func headerOf(name string) robotstag.Header {
	switch name {
	case robotstag.Name:
		return robotstag.XRobotsTag()
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
	var conflicts Repeated
	for _, name := range names {
		o := &other{file: h, header: headerOf(name), conflicts: &conflicts}
		if o.own, err = h.reader(h.user, name); err != nil {
			return nil, err
		}
		demand := robotstag.Demand{Header: o.header}
		for path, d := range c.served(h) {
			w := robotstag.Want{Path: path, URL: d.URL}
			for k := range d.Others {
				o.want(&w, &d.Others[k])
			}
			demand.Wants = append(demand.Wants, w)
		}
		rewritten, _ := h.rewritten(demand.Wants) // what is wrong there is said with X-Robots-Tag
		if demand.Wants = append(demand.Wants, rewritten...); len(robotstag.Wanting(demand.Wants)) > 0 {
			demands = append(demands, demand)
		}
	}
	c.findings = append(c.findings, conflicts.All("; the same for %d more")...)
	return demands, nil
}

// other is a header of a header file.
type other struct {
	file      *File
	header    robotstag.Header
	own       served    // what the owner's rules serve
	conflicts *Repeated // with the owner's lines
}

// want adds a line of the header to what a file is to be served with, unless the owner's own lines serve it or go
// before it (H4).
func (o *other) want(w *robotstag.Want, l *Line) {
	if l.Name != o.header.Name || l.Found {
		return
	}
	own := o.file.served(l.Name, w.Path, o.own)
	serves := func(v robotstag.Value) bool {
		links, _ := robotstag.ParseLinks(v.Text)
		return o.header.Equal(v.Text, l.Value) || o.header.Join && slices.ContainsFunc(links,
			func(k robotstag.Link) bool { return robotstag.SameLinks(k.Text, l.Value) })
	}
	rival := func(v robotstag.Value) bool {
		toml := o.file.netlify != nil && v.File == o.file.netlify.file
		return toml || !o.header.Join || l.Canonical() != "" && len(robotstag.Canonicals(v.Text)) > 0
	}
	at := slices.IndexFunc(own, rival)
	if slices.ContainsFunc(own, serves) {
		return
	} else if at < 0 {
		w.Values = append(w.Values, l.Value)
		return
	}
	l.Lost = true
	f := policy.Finding{ID: "header-conflict", Severity: policy.Warning, URL: w.URL,
		File: own[at].File, Line: own[at].Line,
		Message: fmt.Sprintf("this line serves %s: %s for %s, and stays, where %s asks for %q", l.Name, own[at].Text,
			w.URL, cmp.Or(policy.Placed(l.Origin.File, l.Origin.Line, l.Origin.Key), "a rule"), l.Value)}
	key := fmt.Sprint(own[at])
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
