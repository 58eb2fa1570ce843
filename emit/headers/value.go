package headers

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// A value is what files are to be served with of one header, or a template that comes to it.
// Values of one text are one value, which [values] makes.
type value struct {
	label label
	text  string // as one line; empty: the files are to have no such header
	lines []string
	// fault says why a file cannot have the value; empty if it can.
	fault string
	// opensPreviews is as [setting.opensPreviews] says.
	opensPreviews bool
	// wantedBy counts the requests that want it.
	wantedBy int

	// isTemplate: "\x00" in the lines means the start of a path, whose end is the tail. See
	// [values.findTemplate].
	isTemplate bool
	tail       string
}

// A label says what a rule with a star states: the number of a [value], or one of two that name
// none.
type label int32

const (
	noRule   label = iota // no rule with a star reaches the request
	unwanted              // a rule states a value that nothing in the folder wants
	first                 // the label of the first value
)

// values are the values that occur for one header, each text once.
type values struct {
	setting *setting
	byText  map[string]*value
	byLabel []*value // from the label [first] on
}

// newValues are none yet.
func newValues(s *setting) *values { return &values{setting: s, byText: make(map[string]*value)} }

// labelled returns the value of a label, which is not [noRule] or [unwanted].
func (vs *values) labelled(l label) *value { return vs.byLabel[l-first] }

// intern returns the one value of a text, or of its lines if no text is given.
func (vs *values) intern(v value) *value {
	v.text = cmp.Or(v.text, strings.Join(v.lines, ", "))
	if known := vs.byText[v.text]; known != nil {
		return known
	}
	return vs.add(v)
}

// add adds a value that is not known yet.
func (vs *values) add(v value) *value {
	v.fault = badValues(vs.setting.header.Name, v.lines)
	v.opensPreviews = v.fault == "" && vs.setting.opensPreviews(v.text)
	v.label = first + label(len(vs.byLabel))
	vs.byText[v.text], vs.byLabel = &v, append(vs.byLabel, &v)
	return &v
}

// wantedAt returns the value that a request is to be served with, by the want for its file, and
// counts the request for it. If the header is a list ([robotstag.Header].Join), what the owner's
// rules send comes first in it.
func (vs *values) wantedAt(r request, w *robotstag.Want) *value {
	lines := w.Values
	if vs.setting.header.Join && len(lines) > 0 {
		lines = slices.Concat(robotstag.Texts(vs.setting.owner.ownValues(r)), lines)
	}
	v := vs.intern(value{lines: lines})
	v.wantedBy++
	return v
}

// findTemplate finds a template that comes to the value at a requested path: in each line that
// repeats the path without its end, that part becomes "\x00". It returns nil if there is none.
//
// A rule with a star says it for many files at once, since Cloudflare puts what the star matches in
// the place of ":splat". With the value "</docs/a/>; rel=canonical" of /docs/a.pdf, the template is
// "<\x00/>; rel=canonical" with the tail ".pdf", and "/docs/*.pdf" says it as
// "</docs/:splat/>; rel=canonical".
func (vs *values) findTemplate(v *value, requested string) *value {
	s := vs.setting
	repeatsNoPath := s.isFirst || v.text == "" // X-Robots-Tag never does
	if repeatsNoPath || s.isForNetlify {       // which fills nothing in
		return nil
	}
	name := requested[strings.LastIndexByte(requested, '/'):]
	longest := name[strings.IndexByte(name+".", '.'):] // of "/a.tar.gz" ".tar.gz"
	for _, tail := range []string{"", path.Ext(name), longest, name} {
		if t, isFound := vs.templateOf(v, requested, tail); isFound {
			found := vs.intern(t)
			found.wantedBy++
			return found
		}
	}
	return nil
}

// templateOf makes a template of a value by a tail of the requested path: in each line, the last
// place that has the path without the tail becomes "\x00". isFound is false if no line has the
// path, or if the last line that has it could become too long with what a star matches.
func (vs *values) templateOf(v *value, requested, tail string) (t value, isFound bool) {
	t = value{isTemplate: true, tail: tail}
	stem := strings.TrimSuffix(requested, tail)
	for _, line := range v.lines {
		if at := strings.LastIndex(line, stem); at >= 0 && len(stem) > 1 {
			const room = 20 // for ": " and ":splat", and to spare
			isFound = len(vs.setting.header.Name)+len(line)+len(requested)+room < CloudflareLine
			line = line[:at] + "\x00" + line[at+len(stem):]
		}
		t.lines = append(t.lines, line)
	}
	t.text = tail + "\x00" + strings.Join(t.lines, ", ")
	return t, isFound
}

// canStateFor reports whether a rule with a star for paths of a suffix can state the value; "" is
// for all paths. Any such rule can, unless the value is a template: that needs a rule that matches
// its tail.
func (v *value) canStateFor(suffix string) bool { return strings.HasSuffix(suffix, v.tail) }

// linesFor returns the lines as a rule for a path with a star writes them.
func (v *value) linesFor(path string) []string {
	if !v.isTemplate {
		return v.lines
	}
	text, suffix, _ := strings.Cut(path, "*")
	lines := make([]string, len(v.lines))
	for i, l := range v.lines {
		start := text + ":splat" + strings.TrimSuffix(suffix, v.tail)
		lines[i] = strings.ReplaceAll(l, "\x00", start)
	}
	return lines
}
