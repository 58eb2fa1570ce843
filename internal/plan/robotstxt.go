package plan

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/result"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A RobotsFile is the robots.txt of one host.
type RobotsFile struct {
	// Root is the host's folder from the publish root, empty for the publish root itself.
	Root string
	Output

	name string // from the publish root
	file *robotstxt.File
}

// RobotsCrawlers are those whose verdict is asked where nobody names one.
var RobotsCrawlers = []string{"googlebot", "bingbot"}

// planRobots merges the policy into each host's robots.txt, and reads the outcome as crawlers do.
func (p *Plan) planRobots() {
	c := &p.project.Config.Robots.Txt
	private := p.project.Policy.Resolve(slices.Clone(p.project.Policy.Environment))
	for _, root := range p.project.roots() {
		name := path.Join(root, "robots.txt")
		r := &RobotsFile{Root: root, name: name, Output: Output{File: p.Published(name), path: p.path(name)}}
		var more bool
		var err error
		if r.Old, more, err = p.project.readRobots(r.path); err != nil {
			p.report(policy.Finding{ID: robotstxt.IDPlace, Severity: policy.Error, URL: site.URL(name), File: r.File, Message: fmt.Sprintf("it cannot be read: %s", reason(err))})
			continue
		}
		own := p.ownBytes(name, r.Old)
		p.marks(r.File, own)
		r.New = own
		write := c.Write
		if _, made := p.made[name]; more && !made && write != "replace" {
			write = "" // what is written would lack the rest
			p.report(policy.Finding{ID: robotstxt.IDTooBig, Severity: policy.Error, URL: site.URL(name), File: r.File,
				Message: fmt.Sprintf("the file has more than the %d bytes that Google reads: they alone count, and it stays as it is", robotstxt.MaxSize)})
		}
		var findings []policy.Finding
		switch none := (&robotstxt.Policy{}); write {
		case "":
		case "merge":
			r.New, findings = robotstxt.Merge(own, &c.Policy)
		case "replace":
			if text := c.Policy.Text(); len(text) > 0 {
				r.New, findings = robotstxt.Merge(nil, &c.Policy)
			} else {
				r.New, _ = robotstxt.Merge(own, none)
			}
		default:
			if own != nil {
				r.New, _ = robotstxt.Merge(own, none)
			}
		}
		if own == nil && len(r.New) == 0 {
			r.New = nil
		}
		r.file = robotstxt.Parse(r.New)
		known := robotstxt.Site{Path: p.project.base(root) + "/robots.txt", Noindex: private.NoIndex()}
		for _, pg := range p.Pages {
			if file, ok := strings.CutPrefix(pg.Name, withSlash(root)); ok && pg.Role.Policed() {
				known.URLs = append(known.URLs, p.project.base(root)+site.URL(file))
			}
		}
		if r.New != nil {
			findings = append(findings, r.file.Check(known)...)
		}
		for i, f := range findings {
			if !slices.Contains(findings[:i], f) {
				f.URL, f.File = site.URL(name), r.File
				p.report(f)
			}
		}
		p.Robots = append(p.Robots, r)
	}
	p.Robots = slices.DeleteFunc(p.Robots, func(r *RobotsFile) bool { return r.Old == nil && r.New == nil })
}

// ownBytes are the bytes of a published file as the site's own sources give it, where published is what stands there: a
// build that writes nothing has not published it yet.
func (p *Plan) ownBytes(name string, published []byte) []byte {
	if made, ok := p.made[name]; ok {
		return made
	}
	return published
}

// verdict asks the robots.txt of a page's host; without one everything is allowed.
func (p *Plan) verdict(pg *Page, crawler string) (robotstxt.Verdict, *RobotsFile) {
	for _, r := range p.Robots {
		if name, ok := strings.CutPrefix(pg.Name, withSlash(r.Root)); ok && r.New != nil {
			return r.file.Ask(crawler, p.project.base(r.Root)+site.URL(name)), r
		}
	}
	return robotstxt.Verdict{Allowed: true}, nil
}

// RobotsTxt are the verdicts of robots.txt on a page, for the named crawlers or, without any, for the usual ones.
func (p *Plan) RobotsTxt(pg *Page, crawlers []string) []result.Verdict {
	if len(crawlers) == 0 {
		crawlers = RobotsCrawlers
	}
	var verdicts []result.Verdict
	for _, crawler := range crawlers {
		v, r := p.verdict(pg, crawler)
		verdict := result.Verdict{Crawler: crawler, Allowed: v.Allowed, Line: v.Line, Rule: v.Rule}
		if v.Line > 0 {
			verdict.File = r.File
		}
		verdicts = append(verdicts, verdict)
	}
	return verdicts
}
