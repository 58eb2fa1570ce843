package plan

import (
	"cmp"
	"fmt"
	"maps"
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

// robotsCrawlers are those whose verdict is asked where nobody names one.
var robotsCrawlers = []string{"googlebot", "bingbot"}

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
	p.misplacedRobots()
	p.hiddenDirectives(private)
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

// misplacedRobots reports each robots.txt that no crawler looks for (S2). baseURL's own path is a matter of Check.
func (p *Plan) misplacedRobots() {
	for _, pg := range p.Pages {
		if path.Base(pg.Name) != "robots.txt" || slices.ContainsFunc(p.Robots, func(r *RobotsFile) bool { return r.name == pg.Name }) {
			continue
		}
		p.report(policy.Finding{ID: robotstxt.IDPlace, Severity: policy.Warning, URL: pg.URL, File: p.Published(pg.Name),
			Message: "no crawler reads it: a robots.txt counts at the root of its host alone"})
	}
}

// A disallowed is what one rule of robots.txt keeps crawlers from.
type disallowed struct {
	tally
	last     *Page // that was counted
	rule     string
	line     int
	crawlers []string
	states   string // what the first page's crawler is told
}

// disallows collects findings by the rule of robots.txt, which may stand in several groups, so that each is said once.
type disallows map[ruleOf]*disallowed

// ruleOf is a rule of one robots.txt.
type ruleOf struct {
	file *RobotsFile
	rule string
}

// add counts a page, once a rule.
func (all disallows) add(pg *Page, crawler string, v robotstxt.Verdict, r *RobotsFile, states string) {
	d := all[ruleOf{r, v.Rule}]
	if d == nil {
		d = &disallowed{rule: v.Rule, line: v.Line, states: states}
		all[ruleOf{r, v.Rule}] = d
	}
	d.line = min(d.line, v.Line)
	if d.last != pg {
		d.last = pg
		d.tally.add(pg, policy.Origin{})
	}
	if !slices.Contains(d.crawlers, crawler) {
		d.crawlers = append(d.crawlers, crawler)
	}
}

// report says each rule once, at its line.
func (all disallows) report(p *Plan, id string, severity policy.Severity, message func(d *disallowed) string) {
	for _, k := range slices.SortedFunc(maps.Keys(all), func(a, b ruleOf) int {
		return cmp.Or(strings.Compare(a.file.name, b.file.name), all[a].line-all[b].line, strings.Compare(a.rule, b.rule))
	}) {
		d := all[k]
		d.at = policy.Origin{File: k.file.File, Line: d.line}
		p.finding(&d.tally, id, severity, "%s", message(d))
	}
}

// hiddenDirectives reports what robots.txt keeps crawlers from reading: a noindex is an error, any other restriction a
// warning (S2). Each is said once for each rule.
// https://developers.google.com/search/docs/crawling-indexing/block-indexing
func (p *Plan) hiddenDirectives(private policy.Decision) {
	if private.NoIndex() {
		return // Check says it of the whole site
	}
	noindex, others := disallows{}, disallows{}
	for _, pg := range p.Pages {
		if !pg.Role.Policed() || !pg.Decision.Restricts() {
			continue
		}
		for _, told := range restricted(pg) {
			v, r := p.verdict(pg, told.Name)
			switch {
			case v.Allowed:
			case told.Directives.NoIndex():
				noindex.add(pg, told.Name, v, r, "")
			default:
				others.add(pg, told.Name, v, r, policy.Statement{Directives: told.Directives}.States())
			}
		}
	}
	noindex.report(p, robotstxt.IDHidesNoindex, policy.Error, func(d *disallowed) string {
		return fmt.Sprintf("%q keeps %s from reading the noindex of %s%s: such a page may be indexed by its links alone; allow crawling, or drop the noindex",
			d.rule, strings.Join(d.crawlers, " and "), d.first.URL, d.more())
	})
	others.report(p, robotstxt.IDHidesDirectives, policy.Warning, func(d *disallowed) string {
		return fmt.Sprintf("%q keeps %s from reading what %s%s says to crawlers (%s): they cannot obey it; allow crawling, or drop it",
			d.rule, strings.Join(d.crawlers, " and "), d.first.URL, d.more(), d.states)
	})
}

// restricted are the crawlers whose verdict matters for a page, with what each is told: those restricted by name, and the
// usual ones where everyone is.
func restricted(pg *Page) []policy.Agent {
	var all []policy.Agent
	for _, a := range pg.Decision.Agents {
		if a.Directives.Restricts() {
			all = append(all, a)
		}
	}
	if !pg.Decision.Generic.Restricts() {
		return all
	}
	usual := make([]policy.Agent, 0, len(robotsCrawlers)+len(all))
	for _, name := range robotsCrawlers {
		if !slices.ContainsFunc(all, func(a policy.Agent) bool { return a.Name == name }) {
			usual = append(usual, policy.Agent{Crawler: policy.Crawler{Name: name}, Directives: pg.Decision.Generic})
		}
	}
	return append(usual, all...)
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
		crawlers = robotsCrawlers
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
