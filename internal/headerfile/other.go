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

// Canonicals returns a function for the canonical links that the owner's own lines serve for a published file (H4).
func (fs *Files) Canonicals() func(file string) []Line {
	read := map[lineKey][]Line{}
	return func(file string) (lines []Line) {
		for _, h := range fs.All {
			name, ok := h.Host.Serves(file)
			if !ok || h.Former {
				continue
			}
			for _, key := range fs.ownLinks(h, name) {
				if _, known := read[key]; !known {
					read[key] = fs.canonicals(key)
				}
				lines = append(lines, read[key]...)
			}
		}
		return slices.CompactFunc(lines, func(a, b Line) bool { return robotstag.SameLinks(a.Value, b.Value) })
	}
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

// canonicals are the canonical links of one line.
func (fs *Files) canonicals(key lineKey) (lines []Line) {
	links, _ := robotstag.ParseLinks(key.value.Text)
	for _, l := range links {
		if l.Is("canonical") {
			lines = append(lines, Line{Name: robotstag.LinkName, Value: l.Text, Found: true,
				Origin: fs.origin(key, robotstag.LinkName)})
		}
	}
	return lines
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

// others are the demands for other headers, by name, but links last, which may need a rule for each file and restrict
// nothing, so that they leave no restriction without a rule; none for what the owner's rules serve already.
func (c *compiler) others(h *File) (demands []robotstag.Demand, err error) {
	var names []string
	for i := range c.count {
		for _, l := range c.decided(i).Others {
			if !l.Found && !slices.Contains(names, l.Name) {
				names = append(names, l.Name)
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if a == robotstag.LinkName || b == robotstag.LinkName {
			return map[bool]int{true: 1, false: -1}[a == robotstag.LinkName]
		}
		return strings.Compare(a, b)
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
	for i := range o.c.count {
		d := o.c.decided(i)
		name, ok := o.c.serves(o.file, &d)
		if !ok {
			continue
		}
		w := robotstag.Want{Path: name, URL: d.URL}
		for k := range d.Others {
			if l := &d.Others[k]; l.Name == o.header.Name && !l.Found {
				o.want(&w, l)
			}
		}
		wants = append(wants, w)
	}
	rewritten, _ := o.c.rewritten(o.file, wants) // what is wrong there is said with X-Robots-Tag
	return append(wants, rewritten...)
}

// want adds a line to what a file is to be served with, unless the owner's own lines serve it or go before it (H4).
func (o *other) want(w *robotstag.Want, l *Line) {
	own, toml := o.own(w.Path), []robotstag.Value(nil)
	if onNetlify(o.file.Target) {
		toml = o.c.files.netlify.found(l.Name, w.Path)
	}
	same := func(v robotstag.Value) bool { return o.header.Equal(v.Text, l.Value) }
	if o.header.Join {
		same = func(v robotstag.Value) bool {
			links, _ := robotstag.ParseLinks(v.Text)
			same := func(k robotstag.Link) bool { return robotstag.SameLinks(k.Text, l.Value) }
			return slices.ContainsFunc(links, same)
		}
	}
	rival := func(v robotstag.Value) bool { return !o.header.Join || l.Canonical() != "" && canonical(v.Text) != "" }
	switch at := slices.IndexFunc(own, rival); {
	case slices.ContainsFunc(toml, same), len(toml) == 0 && slices.ContainsFunc(own, same):
	case len(toml) > 0: // the response has its value alone
		o.conflict(o.c.files.netlify.file, toml[0], w, l)
	case at >= 0:
		o.conflict(o.c.files.writtenIn(o.file, own[at]), own[at], w, l)
	default:
		w.Values = append(w.Values, l.Value)
	}
}

// conflict reports a line of the owner's that stays in place of a rule's.
func (o *other) conflict(file string, own robotstag.Value, w *robotstag.Want, l *Line) {
	l.Lost = true
	rule := cmp.Or(policy.Placed(l.Origin.File, l.Origin.Line, l.Origin.Key), "a rule")
	key := fmt.Sprint(l.Name, file, own)
	if !o.header.Join { // a value that denies is not to be one of "17 more" that allow
		key += l.Value
	}
	o.conflicts.Add(key, policy.Finding{ID: "header-conflict", Severity: policy.Warning,
		URL: w.URL, File: file, Line: own.Line, Message: fmt.Sprintf("this line serves %s: %s for %s, and stays, "+
			"where %s asks for %q", l.Name, own.Text, w.URL, rule, l.Value)})
}

// lose marks the lines that a header file does not give their files.
func (c *compiler) lose(h *File) {
	for i := range c.count {
		d := c.decided(i)
		name, ok := h.Host.Serves(d.Name)
		for k := range d.Others {
			l := &d.Others[k]
			_, lost := slices.BinarySearch(h.Result.Lost[l.Name], name)
			l.Lost = l.Lost || ok && lost && !l.Found
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
