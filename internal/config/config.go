package config

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A Config is the owner's configuration, read and checked: the schema of docs/semantics.md, C. Its defaults stand in
// defaults.toml.
type Config struct {
	Site   Site
	Robots Robots
	// Findings are what a reader of the configuration should know and is no error.
	Findings []policy.Finding
	// Locate finds a key below [robots] or [params.metarobots].
	Locate Locate
}

// Site is [site], which stands in a policy file alone.
type Site struct {
	// Source is the site's folder, relative to the policy file's.
	Source string
	// Destination is the publish folder, relative to the source; empty for the generator's own.
	Destination string
	// Generator is auto or the name of a generator.
	Generator string
	// Content says where content lies and where it is published, for generators other than Hugo; nil where it says
	// nothing.
	Content *site.Content
	// TrustTemplate is content.trust = "template": what page metadata says goes before what the path and the content
	// tell (M8).
	TrustTemplate bool
	// Environment names the policy's environment where nothing else does (E2).
	Environment string
	// ProductionBranch makes Cloudflare's branch variables decisive (E2).
	ProductionBranch string
}

// Robots is [robots] of a policy file, or [params.metarobots] of Hugo's configuration.
type Robots struct {
	// Default is the default line, for every HTML file; Agents what some crawlers are told beside it.
	Default, Agents []policy.Statement
	// PageOverrides is page = "overrides" (L1).
	PageOverrides bool
	// ReplaceFound is found = "replace".
	ReplaceFound bool
	Style        policy.Style
	// KeepErrorPages is errorPages = "keep" (L3).
	KeepErrorPages bool
	// CleanRedirects is redirects = "clean" (L4).
	CleanRedirects bool
	// OwnResources is resources = "own" (L5).
	OwnResources bool
	// FrontMatter says which keys of front matter are read, and names the crawlers.
	FrontMatter  frontmatter.Options
	Environments map[string]Environment
	Visibility   policy.Visibility
	Rules        []policy.Rule
	Headers      Headers
	Txt          RobotsTxt
	Links        *Links
	Suppress     []Suppression
	Baseline     Baseline
	// FilterSitemap is sitemap.filter (S1).
	FilterSitemap bool
	// GuardNoindex is guard.noindex, a share from 0 to 1 (S3).
	GuardNoindex float64
}

// An Environment is what the configuration says of one environment.
type Environment struct {
	// Statements are empty where the environment states nothing.
	Statements []policy.Statement
}

//go:embed defaults.toml
var defaultsTOML string

// Defaults returns the text of the defaults: a policy file that says what one without keys means.
func Defaults() string { return defaultsTOML }

// kinds that Hugo gives its pages.
var kinds = []string{"home", "page", "section", "taxonomy", "term"}

// readSite reads [site].
func (d *decoder) site(t *table) Site {
	defer t.done()
	content := t.table("content")
	return Site{
		Source:           t.text("source"),
		Destination:      t.text("destination"),
		Generator:        t.choice("generator", generatorNames...),
		TrustTemplate:    content.choice("trust", "both", "template") == "template",
		Content:          d.content(content),
		Environment:      strings.ToLower(t.text("environment")),
		ProductionBranch: t.text("productionBranch"),
	}
}

// generatorNames are what generator may say.
var generatorNames = []string{"auto", "hugo", "html", "astro", "docusaurus", "eleventy", "hexo", "jekyll", "mkdocs",
	"pelican", "vitepress"}

var placeholder = regexp.MustCompile(`:\w+`)

// content reads [site.content].
func (d *decoder) content(t *table) *site.Content {
	defer t.done()
	c := &site.Content{Folders: t.names("folders", true), Exclude: d.globs(t, "exclude"),
		Permalinks: map[string]string{}, Manifest: t.text("manifest"), Fallback: t.boolean("fallback")}
	permalink := func(table *table, key string) string {
		text := table.text(key)
		if text != "" && !strings.HasPrefix(text, "/") {
			d.errorf(table.at(key), "%q is no URL of this site: it begins with a slash", text)
		}
		for _, name := range placeholder.FindAllString(text, -1) {
			if name = name[1:]; !slices.Contains(site.Placeholders, name) {
				d.unknownName(table.at(key), "placeholder", name, site.Placeholders)
			}
		}
		return text
	}
	c.Pattern = permalink(t, "pattern")
	permalinks := t.table("permalinks")
	for _, dir := range permalinks.keys() {
		c.Permalinks[dir] = permalink(permalinks, dir)
	}
	if len(c.Folders) == 0 && c.Pattern == "" && len(c.Permalinks) == 0 && len(c.Exclude) == 0 && c.Manifest == "" &&
		!c.Fallback {
		return nil
	}
	return c
}

// robots reads [robots].
func (d *decoder) robots(t *table) Robots {
	defer t.done()
	var c Robots
	d.crawlers(t)
	value, path, _ := t.get("default")
	c.Default = d.line(value, path)
	if !t.given["default"] {
		for i := range c.Default { // nobody wrote it: no file, no line
			c.Default[i].Origin.File, c.Default[i].Origin.Line = "", 0
		}
	}
	c.PageOverrides = t.choice("page", "restricts", "overrides") == "overrides"
	c.ReplaceFound = t.choice("found", "merge", "replace") == "replace"
	c.Style.KeepRedundant = t.choice("redundant", "drop", "keep") == "keep"
	c.Style.None = t.boolean("none")
	c.KeepErrorPages = t.choice("errorPages", "omit", "keep") == "keep"
	c.CleanRedirects = t.choice("redirects", "keep", "clean") == "clean"
	c.OwnResources = t.choice("resources", "inherit", "own") == "own"
	d.keys.Expiry = t.boolean("expiry")
	c.Agents = d.agents(t.table("agents"), policy.LayerDefault)
	c.Environments = d.environments(t.table("environments"))
	c.Visibility = d.visibility(t.table("visibility"))
	c.Rules = d.rules(t.tables("rules"))
	d.frontMatter(t.table("frontmatter"))
	c.Headers = d.headers(t.table("headers"))
	c.Txt = d.robotsTxt(t.table("txt"))
	c.Links = d.links(t.table("links"))
	c.Baseline = d.baseline(t.table("baseline"))
	c.Suppress = d.suppressions(t.tables("suppress"))
	if t.former("silence", "suppress") {
		c.Suppress = append(c.Suppress, d.suppressions(t.tables("silence"))...)
	}
	sitemap := t.table("sitemap")
	c.FilterSitemap = sitemap.boolean("filter")
	sitemap.done()
	guard := t.table("guard")
	c.GuardNoindex = guard.share("noindex")
	guard.done()
	c.FrontMatter = d.keys
	return c
}

func (d *decoder) crawlers(t *table) {
	names := t.names("crawlers", true)
	for i, name := range names {
		if reason := policy.NoCrawler(name); reason != "" {
			d.errorf(append(t.at("crawlers"), strconv.Itoa(i)), "%s", reason)
		}
	}
	d.keys.Crawlers = policy.KnownCrawlers(names...)
}

// line reads the default: directives in any form but true and false, whose meaning here would be anyone's guess.
func (d *decoder) line(value any, path []string) []policy.Statement {
	if on, ok := frontmatter.Truth(value); ok {
		d.errorf(path, "%v says nothing of directives: write \"\" for no default or \"noindex, nofollow\"", on)
		return nil
	}
	return d.directives(value, path, policy.LayerDefault)
}

// agents reads a table of crawlers.
func (d *decoder) agents(t *table, layer policy.Layer) []policy.Statement {
	var statements []policy.Statement
	for _, name := range t.keys() {
		statements = append(statements, d.crawler(name, t.values[strings.ToLower(name)], t.at(name), layer)...)
	}
	return statements
}

func (d *decoder) environments(t *table) map[string]Environment {
	environments := map[string]Environment{}
	for _, name := range t.keys() {
		value, path := t.values[strings.ToLower(name)], t.at(name)
		var e Environment
		if on, ok := frontmatter.Truth(value); ok {
			if !on {
				d.errorf(path, "false says nothing: write %s = true (states nothing) or %s = \"noindex, nofollow\"",
					name, name)
			}
		} else {
			e.Statements = d.directives(value, path, policy.LayerEnvironment)
		}
		environments[strings.ToLower(name)] = e
	}
	return environments
}

func (d *decoder) visibility(t *table) (v policy.Visibility) {
	defer t.done()
	v.Kinds = d.visible(t.table("kinds"), kinds)
	v.Archives = d.visible(t.table("archives"), nil)
	v.Types = d.visible(t.table("types"), nil)
	v.Sections = d.visible(t.table("sections"), nil)
	v.Languages = d.visible(t.table("languages"), nil)
	v.Formats = d.visible(t.table("formats"), nil)
	for i, a := range v.Archives {
		if strings.EqualFold(a.Name, "paginated") {
			v.Paginated = &a
			v.Archives = slices.Delete(v.Archives, i, i+1)
			break
		}
	}
	return v
}

// visible reads one group of visibility: false, true or directives by name.
func (d *decoder) visible(t *table, known []string) []policy.Visible {
	var entries []policy.Visible
	for _, name := range t.keys() {
		value, path := t.values[strings.ToLower(name)], t.at(name)
		if known != nil && !slices.Contains(known, strings.ToLower(name)) {
			d.unknownName(path, "kind", name, known)
			continue
		}
		file, line := d.locate(path...)
		e := policy.Visible{Name: name, Origin: policy.Origin{Layer: policy.LayerVisibility, File: file, Line: line,
			Key: frontmatter.KeyName(path)}}
		if on, ok := frontmatter.Truth(value); !ok {
			e.Statements = d.directives(value, path, policy.LayerVisibility)
		} else if !on {
			e.Statements = []policy.Statement{{Directives: policy.NoIndexFollow(), Origin: e.Origin}}
		}
		entries = append(entries, e)
	}
	return entries
}

// origin is the place of a key.
func (d *decoder) origin(path []string) policy.Origin {
	file, line := d.locate(path...)
	return policy.Origin{File: file, Line: line, Key: frontmatter.KeyName(path)}
}

func (d *decoder) unknownName(path []string, what, name string, known []string) {
	hint := cmp.Or(policy.DidYouMean(name, known), "; known are "+strings.Join(known, ", "))
	d.errorf(path, "unknown %s %q%s", what, name, hint)
}

func (d *decoder) rules(tables []*table) []policy.Rule {
	var rules []policy.Rule
	for _, t := range tables {
		r := policy.Rule{Origin: d.origin(t.path)}
		r.Origin.Layer = policy.LayerRule
		r.Match = d.globs(t, "match")
		r.Except = d.globs(t, "except")
		if value, path, ok := t.get("robots"); ok {
			r.Statements = d.directives(value, path, policy.LayerRule)
		}
		r.Statements = append(r.Statements, d.agents(t.table("agents"), policy.LayerRule)...)
		r.Narrowing = policy.Narrowing{Kinds: t.names("kinds", true), Types: t.names("types", true),
			Sections: t.names("sections", true), Languages: t.names("languages", true),
			Formats: t.names("formats", true)}
		for i, k := range r.Narrowing.Kinds {
			if !slices.Contains(kinds, strings.ToLower(k)) {
				d.unknownName(append(t.at("kinds"), fmt.Sprint(i)), "kind", k, kinds)
			}
		}
		r.AllowEmpty = t.boolean("allowEmpty")
		t.done()
		if value, at, ok := t.get("match"); !ok {
			d.errorf(t.path, "a rule needs match, a list of globs")
		} else if list, ok := value.([]any); ok && len(list) == 0 {
			d.errorf(at, "a rule needs at least one glob: this one selects nothing")
		}
		_, said := t.values["robots"]
		if _, told := t.values["agents"]; !said && !told {
			d.errorf(t.path, "a rule needs robots or agents: it says nothing")
		}
		rules = append(rules, r)
	}
	return rules
}

func (d *decoder) globs(t *table, key string) []policy.Glob {
	var globs []policy.Glob
	for i, text := range t.names(key, false) {
		g, err := policy.ParseGlob(text)
		if err != nil {
			d.errorf(append(t.at(key), fmt.Sprint(i)), "%v", err)
			continue
		}
		globs = append(globs, g)
	}
	return globs
}

// frontMatter reads [robots.frontmatter]: directives or "ignore" by key.
func (d *decoder) frontMatter(t *table) {
	keys := map[string]frontmatter.Key{}
	for _, name := range t.keys() {
		lower := strings.ToLower(name)
		value, path := t.values[lower], t.at(name)
		if m, ok := value.(map[string]any); ok { // seo.hidden without quotes is a table in TOML
			d.errorf(path, "a key with a dot is quoted: \"%s.%s\"", name,
				strings.Join(slices.Sorted(maps.Keys(m)), "|"))
			continue
		}
		if s, ok := value.(string); ok && strings.EqualFold(strings.TrimSpace(s), "ignore") {
			keys[lower] = frontmatter.Key{Ignore: true}
			continue
		}
		if _, ok := frontmatter.Truth(value); ok {
			d.errorf(path, "%v says nothing: write the directives that true states, or \"ignore\"", value)
			continue
		}
		var readings []policy.Reading
		for _, s := range d.directives(value, path, policy.LayerPage) {
			readings = append(readings, policy.Reading{Crawler: s.Crawler, Directives: s.Directives, Embed: s.Embed})
		}
		keys[lower] = frontmatter.Key{Readings: readings}
	}
	d.keys.Keys = keys
}

// defaulted is a table whose missing keys have their defaults.
func (d *decoder) defaulted(path []string, m, defaults map[string]any) *table {
	t := d.table(path, withDefaults(m, defaults))
	t.given = map[string]bool{}
	for key := range m {
		t.given[strings.ToLower(key)] = true
	}
	return t
}

// withDefaults returns m with what it leaves out, or leaves empty as YAML can, taken from the defaults, tables key by
// key. Keys are compared without regard to case; a key that stands twice stays so, for table to report.
func withDefaults(m, defaults map[string]any) map[string]any {
	merged := map[string]any{}
	given := map[string]bool{}
	for key, value := range m {
		if value == nil {
			continue
		}
		lower := strings.ToLower(key)
		given[lower] = true
		for d, below := range defaults {
			if strings.ToLower(d) != lower {
				continue
			}
			t, ok := value.(map[string]any)
			if below, isTable := below.(map[string]any); ok && isTable {
				value = withDefaults(t, below)
			}
		}
		merged[key] = value
	}
	for key, value := range defaults {
		if !given[strings.ToLower(key)] {
			merged[key] = value
		}
	}
	return merged
}

// A Home is one place in which configuration stands.
type Home struct {
	Values map[string]any // [robots] or [params.metarobots]; nil where it says nothing
	Path   []string       // what its keys start with: robots, or params metarobots
	Locate Locate
}

// Parse reads [site] and [robots] of a policy file and [params.metarobots] of a generator. Where both [robots]
// and the latter stand, that is an error which names both.
func Parse(file map[string]any, fileAt Locate, generator *Home) (*Config, error) {
	var defaults map[string]any
	if _, err := toml.Decode(defaultsTOML, &defaults); err != nil {
		panic("defaults.toml: " + err.Error())
	}
	if fileAt == nil {
		fileAt = func(...string) (string, int) { return "", 0 }
	}
	d := &decoder{locate: fileAt}
	top := d.table(nil, file)
	section := func(key string, m any) *table {
		values, ok := m.(map[string]any)
		if m != nil && !ok {
			d.errorf([]string{key}, "%v is no table", m)
		}
		return d.defaulted([]string{key}, values, defaults[key].(map[string]any))
	}
	site, _, _ := top.get("site")
	robots, robotsPath, hasRobots := top.get("robots")
	top.done()
	c := &Config{Site: d.site(section("site", site))}
	robotsTable := section("robots", robots)
	if generator != nil && generator.Values != nil {
		if hasRobots {
			f1, l1 := fileAt(robotsPath...)
			f2, l2 := generator.Locate(generator.Path...)
			d.errs = append(d.errs, &Error{f1, l1, "[robots] stands here and [params.metarobots] at " +
				strings.TrimSuffix(Place(f2, l2), ": ") +
				": keep one of them, or move yours to Hugo's own configuration, which goes before a theme's"})
		} else {
			d.locate = generator.Locate
			robotsTable = d.defaulted(generator.Path, generator.Values, defaults["robots"].(map[string]any))
		}
	}
	c.Robots = d.robots(robotsTable)
	c.Findings = d.findings
	at := d.locate
	c.Locate = func(path ...string) (string, int) { return at(append(slices.Clone(robotsTable.path), path...)...) }
	return c, d.err()
}

// Policy makes the values that decisions need.
func (c *Config) Policy(e Chosen, now time.Time) *policy.Policy {
	r := &c.Robots
	return &policy.Policy{
		Default:       append(append([]policy.Statement{}, r.Default...), r.Agents...),
		Environment:   e.Statements,
		Visibility:    r.Visibility,
		Rules:         r.Rules,
		PageOverrides: r.PageOverrides,
		ReplaceFound:  r.ReplaceFound,
		OwnResources:  r.OwnResources,
		Style:         r.Style,
		Crawlers:      r.FrontMatter.Crawlers,
		Now:           now,
	}
}
