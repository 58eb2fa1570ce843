package headerfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// A Line is a line of another header than X-Robots-Tag with which a file is to be served (H).
type Line struct {
	Name, Value string
	// Origin is the place of the rule, or of the owner's line.
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
		values := robotstag.Values(h.links(name, ""))
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
		demand, err := c.demand(h, headerOf(name), &conflicts)
		if err != nil {
			return nil, err
		}
		if len(robotstag.Wanting(demand.Wants)) > 0 {
			demands = append(demands, demand)
		}
	}
	c.findings = append(c.findings, conflicts.All("; the same for %d more")...)
	return demands, nil
}

// demand is what the files of a host, and the sources of its rewrites, are to be served with of one such header, beside
// the owner's rules. A line that gives way to one of theirs is lost, and a conflict.
func (c *compiler) demand(h *File, header robotstag.Header, conflicts *Repeated) (demand robotstag.Demand, err error) {
	own, err := h.reader(h.user, header.Name)
	if err != nil {
		return demand, err
	}
	inFile, _ := h.inFile(h.user, header.Name)
	ask := func(w *robotstag.Want, l *Line) {
		answers := own(w.Path, w.Source)
		said, rival := h.compare(header, answers, l)
		if h.Target == headers.TargetNetlify {
			// Where netlify.toml says anything, what _headers says comes to nothing.
			w.Free = w.Free || len(answers) > 0 && every(answers, h.isOfTOML)
		} else if said && h.netlify != nil { // by that alone perhaps, and Cloudflare does not read it
			said, rival = h.compare(header, inFile(w.Path, w.Source), l)
		}
		switch {
		case said:
		case rival == nil:
			w.Values = append(w.Values, l.Value)
		default:
			l.Lost = true
			conflicts.Add(conflict(header, rival, l, w.URL))
		}
	}
	demand.Header = header
	for path, d := range c.served(h) {
		for _, source := range append([]string{""}, h.sources(path)...) {
			w := robotstag.Want{Path: path, Source: source, URL: d.URL}
			if source != "" {
				w.URL = source
			}
			for k := range d.Others {
				l := &d.Others[k]
				if source != "" { // a line that is lost at a rewrite is not lost at the file's own addresses
					l = &Line{Name: l.Name, Value: l.Value, Origin: l.Origin, Found: l.Found}
				}
				if l.Name == header.Name && !l.Found {
					ask(&w, l)
				}
			}
			demand.Wants = append(demand.Wants, w)
		}
	}
	return demand, nil
}

// compare finds whether the owner's rules say what a line does in each answer that serves a file,
// alone or as one link of several, and the value that goes before it otherwise (H4); nil for none.
func (h *File) compare(header robotstag.Header, own []robotstag.Sent, l *Line) (
	said bool, rival *robotstag.Value) {
	said = len(own) > 0
	for _, answer := range own {
		here := false
		for _, v := range slices.Concat(answer...) {
			links, _ := robotstag.ParseLinks(v.Text)
			same := header.Equal(v.Text, l.Value) || header.Join && slices.ContainsFunc(links,
				func(k robotstag.Link) bool { return robotstag.SameLinks(k.Text, l.Value) })
			before := h.ofTOML(&v) || !header.Join ||
				l.Canonical() != "" && len(robotstag.Canonicals(v.Text)) > 0
			if here = here || same; rival == nil && before && !same {
				rival = &v
			}
		}
		said = said && here
	}
	return said, rival
}

// ofTOML reports whether a value is one of netlify.toml, which goes before any of _headers.
func (h *File) ofTOML(v *robotstag.Value) bool { return h.netlify != nil && v.File == h.netlify.file }

// isOfTOML reports whether an answer has a value of netlify.toml.
func (h *File) isOfTOML(s robotstag.Sent) bool {
	return slices.ContainsFunc(slices.Concat(s...), func(v robotstag.Value) bool { return h.ofTOML(&v) })
}

// conflict is the finding about a line that gives way to a value of the owner's, and what it has in common with others
// that are the same.
func conflict(header robotstag.Header, own *robotstag.Value, l *Line, url string) (key string, f policy.Finding) {
	if key = fmt.Sprint(*own); !header.Join { // a value that denies is not to be one of "17 more" that allow
		key += l.Value
	}
	return key, policy.Finding{ID: "header-conflict", Severity: policy.Warning, URL: url, File: own.File, Line: own.Line,
		Message: fmt.Sprintf("this line serves %s: %s for %s, and stays, where %s asks for %q", l.Name, own.Text, url,
			cmp.Or(policy.Placed(l.Origin.File, l.Origin.Line, l.Origin.Key), "a rule"), l.Value)}
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
