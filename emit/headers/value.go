package headers

import (
	"path"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// value is what files are to be served with, or a template of it.
type value struct {
	text  string // as one line
	lines []string
	bad   string // why it cannot stand in a file
	n     int    // how often it is wanted

	// Of a template: what it takes off a path's end. See [compiler.findTemplate].
	template bool
	tail     string
}

// says reports whether a rule for a folder's paths of a suffix, or all with none, can say the text.
func (v *value) says(suffix string) bool { return strings.HasSuffix(suffix, v.tail) }

// under returns the lines as the rule of a path with a star has them.
func (v *value) under(path string) []string {
	if !v.template {
		return v.lines
	}
	raw, suffix, _ := strings.Cut(path, "*")
	lines := make([]string, len(v.lines))
	for i, l := range v.lines {
		lines[i] = strings.ReplaceAll(l, "\x00", raw+":splat"+strings.TrimSuffix(suffix, v.tail))
	}
	return lines
}

// valueOf returns the value that a request is to be served with.
func (c *compiler) valueOf(s request) *value {
	lines := c.wants[s.want].Values
	if c.header.Join && len(lines) > 0 {
		lines = slices.Concat(robotstag.Texts(c.user.own(s)), lines)
	}
	return c.intern(value{text: strings.Join(lines, ", "), lines: lines})
}

// intern returns the one value of that text, which is wanted once more.
func (c *compiler) intern(v value) *value {
	if c.values[v.text] == nil {
		v.bad = badValues(c.header.Name, v.lines)
		c.values[v.text] = &v
	}
	c.values[v.text].n++
	return c.values[v.text]
}

// findTemplate finds a text that comes to an item's value if a part of its path is put in, where \x00 stands for it: the
// path as it is requested, but for its end. That is what Cloudflare does with ":splat".
func (c *compiler) findTemplate(it *item) {
	v, slash := it.value, strings.LastIndexByte(it.path, '/')
	if c.blocks == nil || c.netlify || v.text == "" {
		return
	}
	name := it.path[slash:]
	for _, tail := range []string{"", path.Ext(name), name[strings.IndexByte(name+".", '.'):], name} {
		stem, found := strings.TrimSuffix(it.path, tail), false
		t := value{template: true, tail: tail}
		for _, line := range v.lines {
			if at := strings.LastIndex(line, stem); at >= 0 && len(stem) > 1 {
				found = len(c.header.Name)+len(line)+len(it.path) < CloudflareLine-20
				line = line[:at] + "\x00" + line[at+len(stem):]
			}
			t.lines = append(t.lines, line)
		}
		if found {
			t.text = tail + "\x00" + strings.Join(t.lines, ", ")
			it.template = c.intern(t)
			return
		}
	}
}
