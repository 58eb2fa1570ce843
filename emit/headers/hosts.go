package headers

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// everyPath are rules of which just one matches any path, where a user's block for /* is the only one that Cloudflare
// keeps of that path.
var everyPath = []string{"/", "/:any", "/:any/*"}

// placeEverywhere writes the rules of an environment that states noindex.
func (c *compiler) placeEverywhere() {
	values, block, paths := c.opt.Everywhere, c.userBlocks["/*"], []string{"/*"}
	switch bad := badValues(c.header.Name, values); {
	case bad != "":
		c.res.Report("header-value", policy.Error, 0, "", "the environment's header: %s", bad)
		return
	case len(values) == 0, block != nil && c.header.Equal(robotstag.Join(block.values), strings.Join(values, ", ")):
		return
	case block != nil:
		paths = everyPath
	}
	// What the user's rules say is a part of each file's own decision.
	for _, path := range paths {
		r := c.rule(path, values, !c.quiet)
		if r.place != nil && r.place.concerns() {
			c.front = nil
			c.res.Report("header-found", policy.Error, c.user.line(r.place.Line), "",
				"the %s of this rule stands in the way of the environment's (remove it: the environment "+
					"covers the site); every file needs a rule of its own", c.header.Name)
			return
		}
		c.front = append(c.front, r)
	}
	c.quiet = false
	for _, e := range c.user.engines {
		e.base = e.dialect.Parse(c.user.print(c.front), c.header.Name)
	}
	if slices.ContainsFunc(c.front, func(a added) bool { return a.place != nil }) {
		c.name = c.user.spell() // rules of theirs may come after it
	}
}

// previewHost stands for the preview hosts of Cloudflare Pages, which carry a noindex of their own until a matching
// rule sets X-Robots-Tag: see [robotstag.XRobotsTag].
const previewHost = "version.project.pages.dev"

// previewPaths match the preview hosts. The second one is for files in which the user has the first.
var previewPaths = []string{"https://:version.:project.pages.dev/*", "https://:branch.:project.pages.dev/*"}

// rulesPreviews reports whether full-URL rules set the header on preview hosts to something that leaves the noindex
// out: that is the user's word.
func (f *Parsed) rulesPreviews() bool {
	return slices.ContainsFunc(f.Rules, func(r Rule) bool {
		return r.Host != "" && len(r.values) > 0 && hostMatches(r.Host, previewHost) &&
			every(r.values, func(v robotstag.Value) bool { return !genericNoindex(v.Text) })
	})
}

// previews is what our rule for preview hosts says, which takes everything else away: their noindex, and all that the
// user's own rules state there, for whatever path and crawler.
func (c *compiler) previews() string {
	noindex := robotstag.Stated(c.header.Preview)[""]
	all := noindex
	for _, r := range c.cloudflare.file.Rules {
		for _, v := range r.values {
			for _, d := range robotstag.Stated(v.Text) {
				if r.Host == "" || hostMatches(r.Host, previewHost) {
					all = policy.MostRestrictive(all, d)
				}
			}
		}
	}
	if text := all.String(); text != noindex.String() && badValues(c.name, []string{text}) == "" {
		return text
	}
	return c.header.Preview
}

// elsewhere reports whether a rule is for another host than the site's.
func (c *compiler) elsewhere(r *Rule) bool { return r.Host != "" && !hostMatches(r.Host, c.opt.Host) }

// beforeHosts puts our block before the user's rules for other hosts that end the file, so that ours take nothing away
// from what these say there. A rule that itself takes away what ours say stays before them, unless it says noindex
// instead. all are our rules.
func (c *compiler) beforeHosts(all []added) {
	lines := c.user.lines
	if c.cloudflare == nil || c.netlify || len(c.opt.Everywhere) > 0 {
		return
	}
	rules := slices.SortedFunc(slices.Values(c.cloudflare.file.Rules), func(a, b Rule) int { return a.Line - b.Line })
	first := 0 // the line of the first rule that may come after ours
	for _, r := range slices.Backward(rules) {
		if !c.elsewhere(&r) || r.detaches && !slices.ContainsFunc(r.values,
			func(v robotstag.Value) bool { return genericNoindex(v.Text) }) {
			break
		}
		if len(r.values) > 0 {
			first = r.Line
		}
	}
	for first > 1 && strings.HasPrefix(lines.Lines[first-2].Trim(), "#") { // what the owner says of the rule
		first--
	}
	among := func(a added) bool { return a.place != nil && a.place.Line >= first }
	if first > 0 && first <= lines.At && !slices.ContainsFunc(all, among) {
		lines.At = first - 1
	}
}

// reportHosts reports the user's rules for other hosts, each once, and whether rules of ours after them take away what
// they set.
func (c *compiler) reportHosts(all []added) {
	if c.cloudflare == nil {
		return
	}
	takes := slices.ContainsFunc(all, func(a added) bool {
		return a.detach && a.header == c.header.Name && a.path[0] == '/'
	})
	for _, r := range c.cloudflare.file.Rules {
		line := c.user.line(r.Line)
		reported := func(f policy.Finding) bool { return f.ID == "header-host" && f.Line == line }
		switch {
		case !c.elsewhere(&r), !r.concerns(), slices.ContainsFunc(c.res.Findings, reported):
		case takes && len(r.values) > 0 && r.Line <= c.user.lines.At && !hostMatches(r.Host, previewHost):
			c.res.Report("header-host", policy.Warning, line, "", "at the host %s, our rules after it "+
				"take away what it says of some files: move it to the end of the file", r.Host)
		default:
			c.res.Report("header-host", policy.Note, line, "",
				"a rule for the host %s, which is not the site's own: kept, not counted as found", r.Host)
		}
	}
}

// genericNoindex reports whether a text forbids indexing to every crawler.
func genericNoindex(joined string) bool { return robotstag.Stated(joined)[""].NoIndex() }
