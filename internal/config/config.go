// Package config reads and checks the owner's configuration: [site] and [robots] of the policy file
// metarobots.toml, or [params.metarobots] of Hugo's configuration. Every fault is collected with
// its line, so that the owner sees all of them at once.
//
// Words of this package:
//
//	decoder        reads one configuration and collects its faults (errs); a value with a fault is left
//	               out, and no run goes on with it
//	table          one table of it: text, boolean, names … read a key, or its default, and mark it as
//	               known; has tells whether the owner has set it. Keys that nobody reads are faults.
//	path           the keys from the top to one, {"robots", "guard", "allow"}; t.at(key) makes it
//	Key            what a key may hold, for checks and for the schemas; Key{} is any text
//	Locate         finds the file and the line of a path; the line is 0 if only the file is known
//	Home           a place of configuration beside the policy file: Hugo's own
//	environment    production, preview …: what each states, and which one a run is for (Chosen)
//	Private        said of an environment that is noindex; Preview if it is no production either
//	statement      directives with their place
//	host           what serves the site, such as Netlify: its variables name a branch or an environment
//	               of it; in [robots.hosts] and in links a host name, "www.example.com"
//	header rule    [[robots.headers.rules]]: lines for the files that it selects, as links or under set
package config

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
	"metarobots/frontmatter"
	"metarobots/policy"
)

// A Config is the owner's configuration, read and checked: the schema of docs/semantics.md, C. Its
// defaults stand in defaults.toml.
type Config struct {
	Site   Site
	Robots Robots
	// Findings are what a reader of the configuration should know and is no error.
	Findings []policy.Finding
	// Locate finds a key below [robots] or [params.metarobots].
	Locate Locate
}

// Robots is [robots] of a policy file, or [params.metarobots] of Hugo's configuration.
type Robots struct {
	// Policy is what decisions need, without the environment and the time (see [Config.Policy]).
	Policy    policy.Policy
	Unpoliced Unpoliced
	// Twins is [robots] twins (H7).
	Twins Twins
	// FrontMatter says which keys of front matter are read, and names the crawlers.
	FrontMatter frontmatter.Config
	// Environments are what the configuration says of each; none where one states nothing.
	Environments map[string][]policy.Statement
	Versions     Versions
	// VisibilityMayBeEmpty is visibility.allowEmpty: names of nothing are meant.
	VisibilityMayBeEmpty bool
	Headers              Headers
	Txt                  RobotsTxt
	AI                   AI
	Links                *Links
	Suppress             []Suppression
	Baseline             Baseline
	Sitemap              Sitemap
	Guard                Guard
}

// Sitemap is [robots.sitemap]: what sitemaps do not list (S1).
type Sitemap struct {
	// OmitsHidden is filter: no sitemap lists noindex pages, redirects and error pages.
	OmitsHidden bool
	// Except are pages that no sitemap lists, although they may be indexed.
	Except policy.Globs
	// OmitsDisallowed is disallowed = "drop": no sitemap lists what robots.txt keeps search engines
	// from.
	OmitsDisallowed bool
}

// Unpoliced says what becomes of pages that have no policy: error pages (L3) and redirects (L4).
type Unpoliced struct {
	ErrorPages ErrorPages
	// CleanRedirects is redirects = "clean".
	CleanRedirects bool
}

// LosesTags reports whether a page of a role is to have no robots tags.
func (u *Unpoliced) LosesTags(role policy.Role) bool {
	return role == policy.RoleError && !u.ErrorPages.Keep || role == policy.RoleRedirect && u.CleanRedirects
}

// ErrorPages says what error pages are, and what becomes of them (L3).
type ErrorPages struct {
	// Keep is errorPages = "keep": their bytes stay.
	Keep bool
	// Match and Except are [robots.errorPaths]: which pages are error pages beside those that their
	// names tell, and which are none.
	Match, Except policy.Globs
}

// Guard is [robots.guard] (S3).
type Guard struct {
	// Noindex is the share of pages, from 0 to 1, that may be noindex.
	Noindex float64
	// Allow lets more of them pass.
	Allow bool
	// Except are pages that do not count: archives.
	Except policy.Globs
}

// Twins is what files get that publish a page again as text: a word of [robots] twins, empty for
// auto.
type Twins struct {
	Gets   string
	Origin policy.Origin
}

// State adds to a twin what the owner states of twins.
func (t Twins) State(twin *policy.Subject) {
	if t.Gets == "noindex" {
		twin.IsPageItsOwn = true
		twin.Page = policy.Union(twin.Page, []policy.Statement{{Directives: policy.Stating(t.Gets), Origin: t.Origin}})
	}
}

// canonical is the rule for the header that names the page of a twin.
func (t Twins) canonical() HeaderRule {
	link := robotstag.Link{Target: "{page}", Rel: "canonical", Text: `<{page}>; rel="canonical"`}
	return HeaderRule{Twins: true, Lines: []HeaderLine{{Name: robotstag.LinkName, Value: link.Text, Link: link,
		Origin: t.Origin}}}
}

//go:embed defaults.toml
var defaultsTOML string

// kinds that Hugo gives its pages.
var kinds = []string{"home", "page", "section", "taxonomy", "term"}

// A Home is one place in which configuration stands.
type Home struct {
	Values map[string]any // [robots] or [params.metarobots]; nil where it says nothing
	Path   []string       // what its keys start with: robots, or params metarobots
	Locate Locate
}

// NoHome is the home of a generator whose configuration is not read, or says nothing.
var NoHome *Home

func nowhere(...string) (string, int) { return "", 0 }

// Parse reads [site] and [robots] of a policy file and [params.metarobots] of a generator. Where
// both [robots] and the latter stand, that is an error which names both.
func Parse(file map[string]any, fileAt Locate, generator *Home) (*Config, error) {
	var defaults map[string]any
	if _, err := toml.Decode(defaultsTOML, &defaults); err != nil {
		panic("defaults.toml: " + err.Error())
	}
	if fileAt == nil {
		fileAt = nowhere
	}
	d := &decoder{locate: fileAt}
	top := d.table(nil, file, defaults)
	c := &Config{Site: d.site(top.table("site"))}
	robots := top.table("robots")
	if generator != NoHome && generator.Values != nil {
		if top.has("robots") {
			d.errorf(robots.path, "it is defined here, and [params.metarobots] at %s: keep one of them, or move "+
				"yours to Hugo's own configuration, which goes before a theme's",
				policy.Place(generator.Locate(generator.Path...)))
		} else {
			d.locate = generator.Locate
			robots = d.table(generator.Path, generator.Values, robots.defaults)
		}
	}
	c.Robots = d.robots(robots)
	c.Findings = d.findings
	at := d.locate
	d.unread()
	c.Locate = func(path ...string) (string, int) { return at(append(slices.Clone(robots.path), path...)...) }
	return c, d.err()
}

// Keys returns every key that the decoder reads, sorted by path.
func Keys() []Key {
	d := &decoder{locate: nowhere, described: map[string]Key{}}
	top := d.table(nil, nil, nil)
	d.site(top.table("site"))
	d.robots(top.table("robots"))
	var keys []Key
	for _, path := range slices.Sorted(maps.Keys(d.described)) {
		keys = append(keys, d.described[path])
	}
	return keys
}

// robots reads [robots], or [params.metarobots]. The order matters twice: the crawlers come first,
// because all directives may name one, and d.keys, what front matter may say, is complete before
// the table of front matter's own keys, whose directives are read by it. The rest is in the order
// of the reference configuration, config.toml, in which messages list known keys. The first word of
// a choice is no default: defaults.toml has the defaults.
func (d *decoder) robots(t *table) Robots {
	var c Robots
	d.keys.Crawlers = policy.KnownCrawlers(each(t, "crawlers", Key{Form: FormList}, crawlerName)...)
	c.Policy.Default = d.defaultStatements(t)
	c.Policy.PageOverrides = t.choice("page", "restricts", "overrides") == "overrides"
	c.Policy.ReplaceFound = t.choice("found", "merge", "replace") == "replace"
	c.Policy.Style.KeepRedundant = t.choice("redundant", "drop", "keep") == "keep"
	c.Policy.Style.None = t.boolean("none")
	c.Unpoliced.ErrorPages = readErrorPages(t)
	c.Unpoliced.CleanRedirects = t.choice("redirects", "keep", "clean") == "clean"
	c.Policy.IgnoresOwners = t.choice("resources", "inherit", "own") == "own"
	c.Twins = d.twins(t)
	d.keys.Expiry = t.boolean("expiry")
	c.Policy.Default = append(c.Policy.Default, d.agents(t.table("agents"), policy.LayerDefault)...)
	c.AI, c.Policy.AI = d.ai(t.table("ai"))
	c.Policy.NoAI = slices.Contains(c.AI.Carriers, robotstxt.NoAI)
	c.Environments = d.environments(t.table("environments"))
	visibility := t.table("visibility")
	c.VisibilityMayBeEmpty = visibility.boolean("allowEmpty")
	var ofVersions []policy.Visible // by visibility.versions, which is no group of names
	c.Versions, ofVersions = d.versions(t.table("versions"), visibility)
	c.Policy.Visibility = append(d.visibility(visibility), ofVersions...)
	c.Policy.Rules = policy.NewRules(d.rules(t)...)
	d.keys.Keys = d.frontMatter(t.table("frontmatter"))
	c.Headers = d.headers(t.table("headers"))
	c.Headers.Hosts = d.hosts(t.table("hosts")) // names of hosts: which are the site's own
	if c.Twins.Gets == "canonical" {            // first, because a later rule's counts (H3)
		c.Headers.Rules = slices.Insert(c.Headers.Rules, 0, c.Twins.canonical())
	}
	c.Txt = d.robotsTxt(t.table("txt"))
	c.Txt.Lists = t.values("crawlerLists") // names of files
	c.Links = d.links(t.table("links"))
	c.Baseline = d.baseline(t.table("baseline"))
	c.Suppress = d.suppressions(t)
	c.Sitemap = readSitemap(t.table("sitemap"))
	c.Guard = readGuard(t.table("guard"))
	c.FrontMatter = d.keys
	return c
}

// readErrorPages reads the keys of [robots] about error pages.
func readErrorPages(t *table) ErrorPages {
	keeps := t.choice("errorPages", "omit", "keep") == "keep"
	paths := t.table("errorPaths")
	return ErrorPages{Keep: keeps, Match: paths.globs("match", Key{}), Except: paths.globs("except", Key{})}
}

// twins reads the key twins of [robots]; zero for auto.
func (d *decoder) twins(t *table) Twins {
	word := t.choice("twins", "auto", "as page", "canonical", "noindex")
	if word == "auto" {
		return Twins{}
	}
	return Twins{Gets: word, Origin: d.origin(t.at("twins"), policy.LayerRule)}
}

func readSitemap(t *table) Sitemap {
	return Sitemap{OmitsHidden: t.boolean("filter"), Except: t.globs("except", Key{}),
		OmitsDisallowed: t.choice("disallowed", "keep", "drop") == "drop"}
}

func readGuard(t *table) Guard {
	return Guard{Noindex: t.number("noindex", "number from 0 to 1", FormShare),
		Allow: t.boolean("allow"), Except: t.globs("except", Key{})}
}

// crawlerName is the name of a crawler that the owner adds to those that are known, or an error
// that says what else it is the name of.
func crawlerName(name string) (string, error) {
	if reason := policy.NoCrawler(name); reason != "" {
		return "", errors.New(reason)
	}
	return name, nil
}

// defaultStatements reads the key default of [robots]: directives in any form but true and false,
// whose meaning here would be anyone's guess.
func (d *decoder) defaultStatements(t *table) []policy.Statement {
	v, _ := t.get("default", Key{})
	const toEveryone = ""
	statements := d.directives(v, FormWords, policy.LayerDefault, toEveryone)
	if slices.ContainsFunc(statements, func(s policy.Statement) bool { return !s.AI.IsZero() }) {
		d.errorf(v.path, "preferences about AI are for everyone and for all files: write them in [robots.ai], in an "+
			"environment, in visibility or in a rule")
	}
	for i := range statements {
		if !t.has("default") { // the built-in one is in no file of the owner's
			statements[i].Origin.File, statements[i].Origin.Line = "", 0
		}
	}
	return statements
}

func (d *decoder) agents(t *table, layer policy.Layer) (statements []policy.Statement) {
	for _, to := range t.names(Key{Words: policy.KnownCrawlers().Names(), Open: true}) {
		statements = append(statements, d.crawler(to, layer)...)
	}
	return statements
}

func (d *decoder) environments(t *table) map[string][]policy.Statement {
	environments := map[string][]policy.Statement{}
	for _, e := range t.names(Key{Words: Environments(), Open: true}) {
		statements := d.directives(e, FormEnvironment, policy.LayerEnvironment, "")
		if on, _ := frontmatter.Truth(e.value); on || len(statements) > 0 { // an empty value does not make it public
			environments[strings.ToLower(e.name)] = statements
		}
	}
	return environments
}

func (d *decoder) visibility(t *table) (entries []policy.Visible) {
	for _, group := range []struct {
		name string
		as   Key
	}{{"kinds", Key{Words: kinds}}, {"archives", Key{Words: []string{"paginated"}, Open: true}}, {"types", Key{}},
		{"sections", Key{}}, {"languages", Key{}}, {"formats", Key{}}} {
		for _, e := range t.table(group.name).names(group.as) {
			statements := d.directives(e, FormDirectives, policy.LayerVisibility, "")
			if on, ok := frontmatter.Truth(e.value); ok && !on {
				statements[0].Directives = policy.Stating("noindex, follow")
			}
			if as := group.as; as.Words != nil && !as.Open && !slices.Contains(as.Words, strings.ToLower(e.name)) {
				d.errorf(e.path, "%s", policy.Unknown("kind", e.name, as.Words))
				continue
			}
			entries = append(entries, policy.Visible{Group: group.name, Name: e.name, Statements: statements,
				Origin: d.origin(e.path, policy.LayerVisibility)})
		}
	}
	return entries
}

func (d *decoder) rules(robots *table) (rules []policy.Rule) {
	for _, t := range robots.tables("rules", Key{Required: "match", OneOf: []string{"robots", "agents", "ai"}},
		"a rule needs match, a list of globs") {
		r := d.selector(t)
		robots, _ := t.get("robots", Key{})
		ai, _ := t.get("ai", Key{Form: FormPreferences})
		r.Statements = slices.Concat(d.directives(robots, FormDirectives, policy.LayerRule, ""),
			d.agents(t.table("agents"), policy.LayerRule), d.preferences(ai.value, ai.path, policy.LayerRule))
		mistyped := policy.Near("robots", slices.Collect(maps.Keys(t.keys))) != ""
		if !mistyped && !t.has("agents") && !t.has("ai") {
			d.errorf(t.path, "this rule has no effect: add robots, agents or ai")
		}
		rules = append(rules, r)
	}
	return rules
}

// selector reads what a rule selects.
func (d *decoder) selector(t *table) policy.Rule {
	r := policy.Rule{Origin: d.origin(t.path, policy.LayerRule), Match: t.globs("match", Key{NotEmpty: true}),
		Except: t.globs("except", Key{})}
	if list, ok := t.given("match").([]any); ok && len(list) == 0 {
		d.errorf(t.at("match"), "a rule needs at least one glob: this one selects nothing")
	}
	r.Narrowing = policy.Narrowing{"kinds": words(t, "kinds", "kind", kinds)}
	for _, group := range policy.NarrowingGroups[1:] {
		r.Narrowing[group] = t.list(group, Key{Form: FormList})
	}
	maps.DeleteFunc(r.Narrowing, func(_ string, names []string) bool { return len(names) == 0 })
	r.AllowEmpty = t.boolean("allowEmpty")
	return r
}

// frontMatter reads [robots.frontmatter]: directives or "ignore" by key.
func (d *decoder) frontMatter(t *table) map[string]frontmatter.Key {
	keys := map[string]frontmatter.Key{}
	for _, k := range t.names(Key{}) {
		lower, text := strings.ToLower(k.name), fmt.Sprint(k.value)
		if below, ok := k.value.(map[string]any); ok { // seo.hidden without quotes is a table in TOML
			d.errorf(k.path, `a key with a dot is quoted: "%s.%s"`, k.name,
				strings.Join(slices.Sorted(maps.Keys(below)), "|"))
		} else if strings.EqualFold(strings.TrimSpace(text), "ignore") {
			keys[lower] = frontmatter.Key{Ignore: true}
		} else {
			keys[lower] = frontmatter.Key{Statements: d.directives(k, FormKey, policy.LayerPage, "")}
		}
	}
	return keys
}

// Policy is what decisions need, in an environment and at a time.
func (c *Config) Policy(e Chosen, now time.Time) *policy.Policy {
	p := c.Robots.Policy
	p.Environment, p.Crawlers, p.Now = e.Statements, c.Robots.FrontMatter.Crawlers, now
	return &p
}
