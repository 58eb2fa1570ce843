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
					"covers the site)", c.header.Name).Detail = "; every file needs a rule of its own"
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
// from what these say there. A rule that itself takes away what ours say stays before them, unless it says something
// instead: noindex, if it is about X-Robots-Tag. all are our rules.
func beforeHosts(compilers []*compiler, all []added) {
	lines := compilers[0].user.lines
	if compilers[0].cloudflare == nil || compilers[0].netlify || len(compilers[0].opt.Everywhere) > 0 {
		return
	}
	last, said := 0, []int(nil) // the lines of the last rule that stays before ours, and of those that say something
	for _, c := range compilers {
		instead := func(r *Rule) bool {
			return len(r.values) > 0 &&
				(c.header.Preview == "" || genericNoindex(robotstag.Join(r.values)))
		}
		for _, r := range c.cloudflare.file.Rules {
			if !c.elsewhere(&r) || r.detaches && !instead(&r) {
				last = max(last, r.Line)
			} else if len(r.values) > 0 {
				said = append(said, r.Line)
			}
		}
	}
	said = slices.DeleteFunc(said, func(line int) bool { return line <= last || line > lines.At })
	if len(said) == 0 {
		return
	}
	first := slices.Min(said)
	for first > 1 && strings.HasPrefix(lines.Lines[first-2].Trim(), "#") { // what the owner says of the rule
		first--
	}
	if !slices.ContainsFunc(all, func(a added) bool { return a.place != nil && a.place.Line >= first }) {
		lines.At = first - 1
	}
}

// reportHosts reports the user's rules for other hosts, each once, and whether rules of ours after them take away what
// they set.
func reportHosts(compilers []*compiler, all []added) {
	first := compilers[0]
	if first.cloudflare == nil {
		return
	}
	// Of two values that are whole, the second counts.
	takes := func(c *compiler) bool {
		return slices.ContainsFunc(all, func(a added) bool {
			return a.header == c.header.Name && a.path[0] == '/' && (a.detach || !c.header.Join && c.header.Preview == "")
		})
	}
	how := "move it to the end of the file"
	if first.netlify { // which would read a rule behind ours as lines of ours
		how = "with targets = [\"cloudflare\"], ours go before those that end the file"
	}
	for i, r := range first.cloudflare.file.Rules {
		if !first.elsewhere(&r) {
			continue
		}
		concerned, taken := false, false
		for _, c := range compilers {
			r := &c.cloudflare.file.Rules[i]
			concerned = concerned || r.concerns()
			preview := c.header.Preview != "" && hostMatches(r.Host, previewHost) // see [compiler.previews]
			taken = taken || len(r.values) > 0 && !preview && takes(c)
		}
		line := first.user.line(r.Line)
		switch {
		case taken && r.Line <= first.user.lines.At:
			first.res.Report("header-host", policy.Warning, line, "", "at the host %s, our rules after it "+
				"take away what it says of some files: %s", r.Host, how)
		case concerned:
			first.res.Report("header-host", policy.Note, line, "",
				"a rule for the host %s, which is not the site's own: kept, not counted as found", r.Host)
		}
	}
}

// genericNoindex reports whether a text forbids indexing to every crawler.
func genericNoindex(joined string) bool { return robotstag.Stated(joined)[""].NoIndex() }
