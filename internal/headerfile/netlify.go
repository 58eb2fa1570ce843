package headerfile

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/disk"
	"metarobots/internal/mention"
	"metarobots/internal/project"
	"metarobots/internal/source"
	"metarobots/policy"
)

// netlifyTOML is [[headers]] of a site's netlify.toml, which Netlify puts over _headers: of two values for one URL the
// response has the one of netlify.toml (N8).
// https://docs.netlify.com/build/configure-builds/file-based-configuration/#headers
type netlifyTOML struct {
	path, file, host string // the file, absolute and for messages, and the name of the site's host
	site             *address.Site
	index            *source.Index
	rules            []netlifyRule
	robots           served // of X-Robots-Tag
	unread           []int  // lines that mention it outside of the rules
}

// netlifyRule is one element of [[headers]].
type netlifyRule struct {
	For    string         `toml:"for"`
	Values map[string]any `toml:"values"`
}

// onNetlify reports whether Netlify serves what is written for a target.
func onNetlify(target string) bool {
	return target == headers.TargetNetlify || target == headers.TargetPortable
}

// readNetlifyTOML reads netlify.toml of the site's folder or of the working folder; nil for none.
func readNetlifyTOML(p *project.Project, site *address.Site) (*netlifyTOML, error) {
	for _, folder := range []string{p.Source, p.Options.WorkDir} {
		file := filepath.Join(folder, "netlify.toml")
		data, err := p.Read(file, project.MaxConfig)
		if disk.Refused(err) {
			return nil, project.Invalid(&policy.Finding{File: p.Short(file),
				Message: "the file is not read: " + project.Reason(err)})
		} else if data != nil {
			n, err := parseNetlifyTOML(p.Short(file), data, p.Main.URL.Hostname(), site)
			if err == nil {
				n.path, n.unread = file, slices.DeleteFunc(mention.Lookup(file).Lines(data), n.accounts)
			}
			return n, err
		}
	}
	return nil, nil
}

func parseNetlifyTOML(name string, data []byte, host string, site *address.Site) (
	n *netlifyTOML, err error) {
	var file struct {
		Headers []netlifyRule `toml:"headers"`
	}
	n = &netlifyTOML{file: name, host: host, site: site}
	if n.index, err = source.Read("toml", data, 0, &file); err != nil {
		return nil, project.Invalid(&policy.Finding{File: name, Message: fmt.Sprintf("it cannot be read: %v", err)})
	}
	n.rules = file.Headers
	n.robots, err = n.reader(robotstag.Name)
	return n, err
}

// accounts reports whether a line sets X-Robots-Tag in a rule.
func (n *netlifyTOML) accounts(line int) bool {
	for i, r := range n.rules {
		for key := range r.Values {
			at := n.index.Nearest("headers", strconv.Itoa(i), "values", key)
			if at == line && strings.EqualFold(key, robotstag.Name) {
				return true
			}
		}
	}
	return false
}

// tags is what it sends of X-Robots-Tag for a file.
func (n *netlifyTOML) tags(name, source string) []robotstag.Sent {
	if n == nil {
		return nil
	}
	return n.robots(name, source)
}

// reader returns what netlify.toml serves of a header: it reads the rules that set it as those of a _headers file.
func (n *netlifyTOML) reader(header string) (served, error) {
	if n == nil {
		return func(string, string) []robotstag.Sent { return nil }, nil
	}
	var text bytes.Buffer
	var lines []int // of netlify.toml, by those of the text
	for i, r := range n.rules {
		for _, key := range slices.Sorted(maps.Keys(r.Values)) {
			if !strings.EqualFold(key, header) {
				continue
			}
			values, ok := r.Values[key].([]any)
			if !ok {
				values = []any{r.Values[key]}
			}
			fmt.Fprintf(&text, "%s\n", strings.ReplaceAll(r.For, "\n", " ")) // one line, and no path
			for _, v := range values {
				fmt.Fprintf(&text, "  %s: %s\n", key, strings.Join(strings.Fields(fmt.Sprint(v)), " "))
			}
			line := n.index.Nearest("headers", strconv.Itoa(i), "values", key)
			lines = append(lines, slices.Repeat([]int{line}, 1+len(values))...)
		}
	}
	o := robotstag.Task{Target: headers.TargetNetlify, Host: n.host, Addresses: n.site}
	user, err := headers.ReadUser(text.Bytes(), headerOf(header), o)
	return func(name, source string) []robotstag.Sent {
		answers := user.Sent(name, source)
		each(answers, func(v *robotstag.Value) {
			v.Line, v.File, v.Name = lines[v.Line-1], n.file, header
		})
		return answers
	}, err
}

// overridden reports a file whose header netlify.toml decides otherwise than the decision, which includes what it says.
func (c *compiler) overridden(h *File, d *Decided, name string) {
	if !d.Role.Policed() {
		return
	}
	answers := h.netlify.tags(name, "")
	first := slices.IndexFunc(answers, isSent)
	if first < 0 {
		return
	}
	p, line := c.files.project, answers[first][0]
	served := p.Policy.Resolve(c.files.readAsSent(answers))
	wanted := d.Decision.Generic.Restrictions()
	switch {
	case d.areTagsEnough(d.Decision) && p.Config.Robots.Headers.Scope == robotstag.ScopeFiles:
		// No rule of ours is wanted: its tag carries the decision.
	case d.TakesTags && len(d.Decision.Agents) == 0 && served.Generic.AtLeast(wanted):
		// It leaves out what allows, and the tag has that.
	case !slices.Equal(served.Header(p.Policy.Style), d.Header):
		c.note(d, "netlify-toml", policy.Error, fmt.Sprintf("netlify.toml goes before _headers and serves %q, where "+
			"%q is decided: take X-Robots-Tag out of it (line %d)",
			robotstag.Join(line), strings.Join(d.Header, ", "), line[0].Line))
	}
}
