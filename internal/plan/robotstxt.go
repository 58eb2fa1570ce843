package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/patch"
	"metarobots/emit/robotstxt"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A RobotsFile is the robots.txt of one host.
type RobotsFile struct {
	Output
	file *robotstxt.File
	host project.Host
	ours [2]int // the lines around our block; zero for none
}

// RobotsCrawlers are those whose verdict is asked where nobody names one.
var RobotsCrawlers = []string{"googlebot", "bingbot"}

// planRobots merges the policy into each host's robots.txt, and reads the outcome as crawlers do.
func (p *planner) planRobots() (all []*RobotsFile) {
	private := p.Project.Policy.Resolve(slices.Clone(p.Project.Policy.Environment))
	for _, h := range p.Project.Hosts {
		r := &RobotsFile{host: h, Output: p.output(h.Root + "robots.txt")}
		report := func(f policy.Finding) {
			f.URL, f.File = site.URL(r.name), r.File
			p.report(f)
		}
		var more bool
		var err error
		if r.Old, more, err = p.Project.ReadRobots(r.path); err != nil {
			report(policy.Finding{ID: "robotstxt-place", Severity: policy.Error,
				Message: "it cannot be read: " + project.Reason(err)})
			continue
		}
		own := p.own(&r.Output)
		_, made := p.made[r.name] // a build that writes nothing has not published it yet
		p.marks(r.File, own)
		var findings []policy.Finding
		if more && !made && p.Project.Config.Robots.Txt.Write != "replace" { // what is written would lack the rest
			r.New = own
			report(policy.Finding{ID: "robotstxt-too-big", Severity: policy.Error, Message: fmt.Sprintf(
				"the file has more than the %d bytes that Google reads: they alone count, and it stays as it is",
				robotstxt.MaxSize)})
		} else {
			r.New, findings = p.mergeRobots(own)
			if !more { // else nobody has read what would be given back
				r.New = r.edit(nil, own, r.Old, patch.Between(own, r.New))
			}
		}
		r.file = robotstxt.Parse(r.New)
		text := marks.Read(r.New)
		r.ours = [2]int{text.At, text.Last}
		known := robotstxt.Site{Path: h.Base + "/robots.txt", Noindex: private.NoIndex(),
			Standalone: p.Project.Config.Robots.Txt.Policy.Standalone()}
		for _, pg := range p.pages {
			if file, ok := h.Serves(pg.Name); ok && pg.Role.Policed() {
				known.URLs = append(known.URLs, h.At(file))
			}
		}
		if r.New != nil {
			findings = append(findings, r.file.Check(known)...)
		}
		for i, f := range findings {
			if !slices.Contains(findings[:i], f) {
				report(f)
			}
		}
		if r.Old != nil || r.New != nil {
			all = append(all, r)
		}
	}
	return all
}

// mergeRobots merges the policy into a robots.txt; nil is none.
func (p *planner) mergeRobots(own []byte) (merged []byte, findings []policy.Finding) {
	c := &p.Project.Config.Robots.Txt
	switch none := (&robotstxt.Policy{}); {
	case c.Write == "":
		return own, nil
	case c.Write == "merge":
		merged, findings = robotstxt.Merge(own, &c.Policy)
	case c.Write == "replace" && len(c.Policy.Text()) > 0:
		merged, findings = robotstxt.Merge(nil, &c.Policy)
	case own != nil:
		merged, _ = robotstxt.Merge(own, none)
	}
	if own == nil && len(merged) == 0 {
		return nil, findings
	}
	return merged, findings
}

// RobotsFor asks the robots.txt of a page's host for the page's URL, with a query that begins with a question mark or is
// empty, and returns it; nil where there is none and everything is allowed.
func (s *Site) RobotsFor(pg *Page, query, crawler string) (robotstxt.Verdict, *RobotsFile) {
	for _, r := range s.Robots {
		if name, ok := r.host.Serves(pg.Name); ok && r.New != nil {
			return r.file.Ask(crawler, r.host.At(name)+robotstxt.Escape(query)), r
		}
	}
	return robotstxt.Verdict{Allowed: true}, nil
}

// RobotsPlace is where the rule stands that decided: the line of robots.txt, and of a rule that we put there, which may
// only be planned, the place in the policy.
func (s *Site) RobotsPlace(r *RobotsFile, v robotstxt.Verdict) policy.Origin {
	at := policy.Origin{File: r.File, Line: v.Line}
	c := &s.Project.Config.Robots.Txt
	if v.Line <= r.ours[0] || v.Line >= r.ours[1] {
		return at
	}
	rule, _, _ := strings.Cut(v.Rule, " #")
	name, pattern, _ := strings.Cut(rule, ": ")
	path := []string{"txt", "block"}
	for i, g := range c.Policy.Groups {
		patterns := g.Disallow
		if name == "Allow" {
			patterns = g.Allow
		}
		if j := slices.IndexFunc(patterns, func(p string) bool { // its weight may have been raised with stars
			return strings.TrimRight(p, "*") == strings.TrimRight(pattern, "*")
		}); j >= 0 {
			path = []string{"txt", "groups", strconv.Itoa(i), strings.ToLower(name), strconv.Itoa(j)}
		}
	}
	if path[1] == "block" && (len(c.Policy.Block) == 0 || rule != "Disallow: /") {
		return at // the owner's, said again for a crawler that has a group of its own now
	}
	if file, line := s.Project.Config.Locate(path...); line > 0 {
		at.File, at.Line = file, line
	}
	return at
}

// AskHome asks it for the home page of its host.
func (r *RobotsFile) AskHome(crawler string) robotstxt.Verdict {
	return r.file.Ask(crawler, r.host.Base+"/")
}

// Root is the host's folder from the publish root, empty for the publish root itself.
func (r *RobotsFile) Root() string { return strings.TrimSuffix(r.host.Root, "/") }

// Groups are the names of the crawlers that it treats alike: see [robotstxt.File.Groups].
func (r *RobotsFile) Groups() [][]string { return r.file.Groups() }
