package headerfile

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/disk"
	"metarobots/internal/project"
	"metarobots/internal/source"
	"metarobots/policy"
)

// netlifyTOML is [[headers]] of a site's netlify.toml, which Netlify puts over _headers: of two values for one URL the
// response has the one of netlify.toml (N8).
// https://docs.netlify.com/build/configure-builds/file-based-configuration/#headers
type netlifyTOML struct {
	file    string                   // for messages
	readers map[string]*headers.User // by the names of the headers that somebody asks for, in lower case
	lines   []int                    // of netlify.toml, by line of the rules as _headers would have them
}

// onNetlify reports whether Netlify serves what is written for a target.
func onNetlify(target string) bool {
	return target == headers.TargetNetlify || target == headers.TargetPortable
}

// readNetlifyTOML reads netlify.toml of the site's folder or of the working folder: what it says of X-Robots-Tag, Link
// and the headers of the policy's rules; nil for nothing.
func readNetlifyTOML(p *project.Project) (*netlifyTOML, error) {
	names := []string{robotstag.Name, robotstag.LinkName}
	for _, r := range p.Config.Robots.Headers.Rules {
		for _, l := range r.Lines {
			names = append(names, l.Name)
		}
	}
	for _, folder := range []string{p.Source, p.Options.WorkDir} {
		file := filepath.Join(folder, "netlify.toml")
		data, err := p.Read(file, project.MaxConfig)
		if disk.Refused(err) {
			return nil, project.Invalid(&policy.Finding{File: p.Short(file),
				Message: "the file is not read: " + project.Reason(err)})
		} else if data != nil {
			return parseNetlifyTOML(p.Short(file), data, p.Main.URL.Hostname(), names)
		}
	}
	return nil, nil
}

// parseNetlifyTOML returns nil where no rule sets one of the headers.
func parseNetlifyTOML(name string, data []byte, host string, asked []string) (*netlifyTOML, error) {
	var file struct {
		Headers []struct {
			For    string         `toml:"for"`
			Values map[string]any `toml:"values"`
		} `toml:"headers"`
	}
	index, err := source.Read("toml", data, 0, &file)
	if err != nil {
		return nil, project.Invalid(&policy.Finding{File: name, Message: fmt.Sprintf("it cannot be read: %v", err)})
	}
	n := &netlifyTOML{file: name, readers: map[string]*headers.User{}}
	var rules bytes.Buffer
	for i, h := range file.Headers {
		for key, value := range h.Values {
			if !slices.ContainsFunc(asked, func(name string) bool { return strings.EqualFold(name, key) }) {
				continue
			}
			values, ok := value.([]any)
			if !ok {
				values = []any{value}
			}
			fmt.Fprintf(&rules, "%s\n", h.For)
			for _, v := range values {
				fmt.Fprintf(&rules, "  %s: %s\n", key, strings.Join(strings.Fields(fmt.Sprint(v)), " "))
			}
			line := index.Nearest("headers", strconv.Itoa(i), "values", key)
			n.lines = append(n.lines, slices.Repeat([]int{line}, 1+len(values))...)
		}
	}
	if len(n.lines) == 0 {
		return nil, nil
	}
	o := robotstag.Options{Target: headers.TargetNetlify, Host: host}
	for _, name := range asked {
		if n.readers[strings.ToLower(name)], err = headers.ReadUser(rules.Bytes(), headerOf(name), o); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// found returns what netlify.toml serves of a header for a file.
func (n *netlifyTOML) found(header, name string) []robotstag.Value {
	if n == nil {
		return nil
	}
	values := n.readers[strings.ToLower(header)].Found(name)
	for i := range values {
		v := &values[i]
		v.Line, v.File, v.Name = n.lines[v.Line-1], n.file, header
	}
	return values
}

// overridden reports a file whose header netlify.toml decides otherwise than the decision, which includes what it says.
func (c *compiler) overridden(h *File, d *Decided, name string) {
	values := h.netlify.found(robotstag.Name, name)
	if len(values) == 0 || !d.Role.Policed() {
		return
	}
	p := c.files.project
	served, wanted := p.Policy.Resolve(c.files.read(values)), d.Decision.Generic.Restrictions()
	switch {
	case d.Tags && p.Config.Robots.Headers.Scope == robotstag.ScopeFiles:
		// No rule of ours is wanted: its tag carries the decision.
	case d.Tags && len(d.Decision.Agents) == 0 && served.Generic.AtLeast(wanted):
		// It leaves out what allows, and the tag has that.
	case !slices.Equal(served.Header(p.Policy.Style), d.Header):
		c.note(d, "netlify-toml", policy.Error, fmt.Sprintf("netlify.toml goes before _headers and serves %q, where "+
			"%q is decided: take X-Robots-Tag out of it (line %d)",
			values[0].Text, strings.Join(d.Header, ", "), values[0].Line))
	}
}
