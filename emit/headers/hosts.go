package headers

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// everyPath are rules of which just one matches any path, where a user's block for /* is the only one that Cloudflare
// keeps of that path.
var everyPath = []string{"/", "/:any", "/:any/*"}

// placeEverywhere writes the rule of an environment that states noindex.
func (c *compiler) placeEverywhere() {
	values, block := c.opt.Everywhere, c.userBlocks["/*"]
	wanted, bad := strings.Join(values, ", "), badValues(c.header.Name, values)
	switch {
	case bad != "":
		c.res.Report("header-value", policy.Error, 0, "", "the environment's header: %s", bad)
		return
	case len(values) == 0, block != nil && c.header.Equal(robotstag.Join(block.values), wanted):
		return
	}
	// What the user's rules say is a part of each file's own decision.
	taken := func(path string) bool { return c.userBlocks[path] != nil }
	both := func(e *engine) bool { return e.file.at(block.Line) != nil }
	switch {
	case block == nil:
		c.front = []added{*c.rule("/*", values, !c.quiet)}
	case !c.netlify && !block.concerns() && !slices.ContainsFunc(everyPath, taken):
		for _, path := range everyPath {
			c.front = append(c.front, *c.rule(path, values, !c.quiet))
		}
	default:
		inside := c.around(block, wanted, values)
		if inside == nil || !every(c.user.engines, both) {
			c.res.Report("header-found", policy.Error, c.user.line(block.Line), "",
				"the %s of this rule stands in the way of the environment's (remove it: the environment "+
					"covers the site); every file needs a rule of its own", c.header.Name)
			return
		}
		c.front = []added{*inside}
	}
	c.quiet = false
	for _, e := range c.user.engines {
		e.base = e.dialect.Parse(c.user.print(c.front), c.header.Name)
	}
	if c.front[0].place != nil { // rules of theirs may come after it
		c.spell()
	}
}

// A host name as a rule can have it: lower case, no port, nothing that a pattern would take for more.
var hostRE = regexp.MustCompile(`^[0-9a-z]([-0-9a-z]*[0-9a-z])?(\.[0-9a-z]([-0-9a-z]*[0-9a-z])?)+$`)

// placeHosts writes one rule for each of the other hosts. They come after the rules for paths and take away what those
// brought.
func (c *compiler) placeHosts() {
	hosts := slices.Sorted(maps.Keys(c.opt.Hosts))
	if len(hosts) == 0 || len(c.opt.Everywhere) > 0 {
		return
	}
	if c.netlify {
		c.res.Report("header-host", policy.Warning, 0, "",
			"only target cloudflare can say a header for a host name: %s %s none", strings.Join(hosts, ", "),
			map[bool]string{true: "gets", false: "get"}[len(hosts) == 1])
		return
	}
	c.res.Hosts = make(map[string][]string)
	for _, host := range hosts {
		values, path := c.opt.Hosts[host], "https://"+host+"/*"
		bad := badValues(c.header.Name, values)
		switch {
		case !hostRE.MatchString(host):
			bad = "it is not a host name in lower case, without scheme and port"
		case c.opt.Host != "" && host == hostname(c.opt.Host):
			bad = "it is the site's own host"
		case len(values) == 0:
			bad = "no value is given"
		case bad == "" && c.userBlocks[path] != nil:
			bad = "the site's own rule for it stands in the way (remove it: the configuration covers the host)"
		}
		if bad != "" {
			c.res.Report("header-host", policy.Error, 0, "", "the header for the host %s: %s", host, bad)
			continue
		}
		c.hosts = append(c.hosts, *c.rule(path, values, true))
		c.res.Hosts[host] = values
	}
}

// previewHost stands for the preview hosts of Cloudflare Pages, which carry a noindex of their own until a matching rule
// sets X-Robots-Tag: see [robotstag.XRobotsTag].
const previewHost = "version.project.pages.dev"

// previewPaths match the preview hosts. The second one is for files in which the user has the first.
var previewPaths = []string{"https://:version.:project.pages.dev/*", "https://:branch.:project.pages.dev/*"}

// rulesPreviews reports whether full-URL rules set the header on preview hosts to something that leaves the noindex out:
// that is the user's word.
func (f *File) rulesPreviews() bool {
	return slices.ContainsFunc(f.Rules, func(r Rule) bool {
		return r.Host != "" && len(r.values) > 0 && hostMatches(r.Host, previewHost) &&
			every(r.values, func(v robotstag.Value) bool { return !genericNoindex(v.Text) })
	})
}

// genericNoindex reports whether a text forbids indexing to every crawler.
func genericNoindex(joined string) bool { return robotstag.Stated(joined)[""].NoIndex() }
