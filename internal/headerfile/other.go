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
	// Name is written as its standard has it, Link for link, or as the owner writes one that we do
	// not know.
	Name, Value string
	// Origin is the place of the rule, or of the owner's line.
	Origin policy.Origin
	// Found: it is a canonical link of a header file of the owner's, who serves it without us.
	Found bool
	// Lost: a host of the site does not serve it, and a finding says why. [Outcome.Lost] says so of
	// the lines that are asked for.
	Lost bool
}

// Losses are lines of other headers than X-Robots-Tag that a host of the site does not serve.
type Losses map[linePlace]bool

// linePlace is a published file, and the place of a line among its [Decided.Others].
type linePlace struct {
	file string
	line int
}

// Has reports whether a line of a published file is lost, by its place among [Decided.Others].
func (l Losses) Has(file string, line int) bool { return l[linePlace{file, line}] }

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
		values := robotstag.Values(h.rules.links(name, ""))
		for _, v := range values {
			// ":splat" is no value on Netlify where Cloudflare has one for it.
			known := func(o robotstag.Value) bool { return o.Line == v.Line && o.Text != v.Text }
			if strings.Contains(v.Text, ":splat") && slices.ContainsFunc(values, known) {
				continue
			}
			for _, l := range robotstag.Canonicals(v.Text) {
				lines = append(lines, Line{Name: robotstag.LinkName, Value: l.Text,
					Origin: origin(v),
					Found:  true})
			}
		}
	}
	isSame := func(a, b Line) bool { return robotstag.SameLinks(a.Value, b.Value) }
	return slices.CompactFunc(lines, isSame)
}

// Signals are the owner's values of headers that say what AI may do with a published file, at any
// of its addresses. There are none of a file that is left over from a target of before.
func (h *File) Signals(file string) (values []robotstag.Value) {
	name, ok := h.Host.Serves(file)
	if !ok || h.Former {
		return nil
	}
	for _, served := range h.rules.signals {
		values = append(values, robotstag.Values(served(name, ""))...)
	}
	return values
}

// headerOf says how values of a header combine. Links add up. Any other value is whole: of a
// dictionary, two lines may mean less than each of them, since the last of equal keys counts.
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

// otherDemands are the demands for headers other than X-Robots-Tag, by name, but links last, which
// may need a rule for each file and restrict nothing, so that they leave no restriction without a
// rule; none for what the owner's rules serve already. Lines that give way to one of the owner's
// are added to the findings, and to c.lost. The error says that the owner's rules for one of these
// headers cannot be read: then there are no demands and no such findings.
func (c *compiler) otherDemands(h *File) (demands []robotstag.Demand, err error) {
	var names []string
	for _, d := range c.servedFiles(h) {
		for _, l := range d.Others {
			if !l.Found && !slices.Contains(names, l.Name) {
				names = append(names, l.Name)
			}
		}
	}
	slices.Sort(names)
	if i := slices.Index(names, robotstag.LinkName); i >= 0 {
		names = append(slices.Delete(names, i, i+1), robotstag.LinkName)
	}
	var conflicts Repeated
	for _, name := range names {
		demand, err := c.demandFor(h, headerOf(name), &conflicts)
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

// demandFor is what the files of a host, and the sources of its rewrites, are to be served with of
// one such header, beside the owner's rules. Lines that give way to one of theirs are conflicts.
func (c *compiler) demandFor(h *File, header robotstag.Header, conflicts *Repeated) (
	demand robotstag.Demand, err error) {
	asked := asker{host: h, header: header, conflicts: conflicts, lost: c.lost}
	if asked.own, err = h.readerOfResponse(h.user, header.Name); err != nil {
		return demand, err
	}
	asked.inFile, _ = h.readerOfFile(h.user, header.Name, h.readerFrom)
	demand.Header = header
	for path, d := range c.servedFiles(h) {
		demand.Wants = append(demand.Wants, asked.want(d, robotstag.Want{Path: path, URL: d.URL}))
		for _, source := range h.sources(path) {
			w := robotstag.Want{Path: path, Source: source, URL: source}
			demand.Wants = append(demand.Wants, asked.want(d, w))
		}
	}
	return demand, nil
}

// asker asks for the lines of one header at the addresses of one host.
type asker struct {
	host   *File
	header robotstag.Header
	// own is what the owner's rules serve of the header, inFile what those of the header file do.
	own, inFile served
	conflicts   *Repeated
	lost        Losses
}

// want returns a want of a file with the lines that are asked for there. A line that gives way to
// one of the owner's is lost; at the source of a rewrite it is only missing there.
func (a *asker) want(d *Decided, w robotstag.Want) robotstag.Want {
	for i := range d.Others {
		l := &d.Others[i]
		if l.Name != a.header.Name || l.Found {
			continue
		}
		isAdded := a.addLine(&w, l)
		if !isAdded && w.Source == "" {
			a.lost[linePlace{d.Name, i}] = true
		}
	}
	return w
}

// addLine adds a line to a want, unless the owner's rules say it already. It reports false, with a
// conflict, if the line gives way to one of the owner's.
func (a *asker) addLine(w *robotstag.Want, l *Line) (hasItsLine bool) {
	h, answers := a.host, a.own(w.Path, w.Source)
	isSaid, rival := h.compareWithOwners(a.header, answers, l)
	if h.Target == headers.TargetNetlify {
		// If netlify.toml says anything, what _headers says comes to nothing.
		w.Free = w.Free || len(answers) > 0 && every(answers, h.carriesTOML)
	} else if isSaid && h.netlify != nil { // by that alone perhaps, and Cloudflare does not read it
		isSaid, rival = h.compareWithOwners(a.header, a.inFile(w.Path, w.Source), l)
	}
	switch {
	case isSaid:
	case rival == nil:
		w.Values = append(w.Values, l.Value)
	default:
		a.conflicts.Add(conflict(a.header, rival, l, w.URL))
		return false
	}
	return true
}

// compareWithOwners compares a line of ours with what the owner's rules send of its header for a
// file: owners are the answers, one for each request path and way of sending. isSaid reports
// whether each of them says what the line does. rival is the first value that goes before the line
// and says something else (H4); nil for none. For a canonical link,
//
//	the owner's answers                           isSaid   rival
//	the same link; the same link and a preload    true     nil
//	a preload link                                false    nil, as links add up
//	another canonical link                        false    that one: a page has one canonical
//	the same link; nothing at another path        false    nil
//	none at all                                   false    nil
func (h *File) compareWithOwners(header robotstag.Header, owners []robotstag.Sent, l *Line) (
	isSaid bool, rival *robotstag.Value) {
	isSaid = len(owners) > 0
	for _, answer := range owners {
		isSaidHere := false
		for _, v := range slices.Concat(answer...) {
			isSame := saysLine(header, v.Text, l)
			isSaidHere = isSaidHere || isSame
			if rival == nil && !isSame && h.goesBefore(header, &v, l) {
				rival = &v
			}
		}
		isSaid = isSaid && isSaidHere
	}
	return isSaid, rival
}

// saysLine reports whether a value of the owner's says what a line of the same header does: alone,
// or as one link of several.
func saysLine(header robotstag.Header, value string, l *Line) bool {
	if header.Equal(value, l.Value) {
		return true
	}
	links, _ := robotstag.ParseLinks(value) // none of a header that is no list of links
	isSameLink := func(k robotstag.Link) bool { return robotstag.SameLinks(k.Text, l.Value) }
	return header.Join && slices.ContainsFunc(links, isSameLink)
}

// goesBefore reports whether a line has to give way to a value of the owner's that says something
// else. Links add up (header.Join), so most links need not. They give way if both are canonical,
// and to netlify.toml, since what that sets of a header the response has alone.
func (h *File) goesBefore(header robotstag.Header, v *robotstag.Value, l *Line) bool {
	areBothCanonical := l.Canonical() != "" && len(robotstag.Canonicals(v.Text)) > 0
	return !header.Join || areBothCanonical || h.isOfTOML(v)
}

// isOfTOML reports whether a value is one of netlify.toml, which goes before any of _headers.
func (h *File) isOfTOML(v *robotstag.Value) bool {
	return h.netlify != nil && v.File == h.netlify.file
}

// carriesTOML reports whether an answer has a value of netlify.toml.
func (h *File) carriesTOML(s robotstag.Sent) bool {
	isOfTOML := func(v robotstag.Value) bool { return h.isOfTOML(&v) }
	return slices.ContainsFunc(slices.Concat(s...), isOfTOML)
}

// conflict is the finding about a line that gives way to a value of the owner's, and what it has in
// common with others that are the same.
func conflict(header robotstag.Header, own *robotstag.Value, l *Line, url string) (
	key string, f policy.Finding) {
	if key = fmt.Sprint(*own); !header.Join {
		key += l.Value // a value that denies is not to be one of "17 more" that allow
	}
	return key, policy.Finding{ID: "header-conflict", Severity: policy.Warning, URL: url,
		File: own.File, Line: own.Line,
		Message: fmt.Sprintf("this line serves %s: %s for %s, and stays, where %s asks for %q",
			l.Name, own.Text, url,
			cmp.Or(policy.Placed(l.Origin.File, l.Origin.Line, l.Origin.Key), "a rule"), l.Value)}
}

// noteLost notes the lines that a header file does not give their files.
func (c *compiler) noteLost(h *File) {
	for name, d := range c.servedFiles(h) {
		for i, l := range d.Others {
			_, isLost := slices.BinarySearch(h.Result.Lost[l.Name], name)
			if isLost && !l.Found {
				c.lost[linePlace{d.Name, i}] = true
			}
		}
	}
}

// reportHeaderless reports the other headers of a site whose host sends none.
func (c *compiler) reportHeaderless(h *File) {
	demands, _ := c.otherDemands(h)
	for _, d := range demands {
		h.Result.Lose(d.Header.Name, "robots.headers.targets says that the host does not "+
			"support any",
			robotstag.Wanting(d.Wants))
	}
	for _, f := range h.Result.Findings {
		f.File, f.Line = c.files.project.Config.Locate("headers", "targets")
		c.findings = append(c.findings, f)
	}
	c.noteLost(h)
}
