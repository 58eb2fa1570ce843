package pages

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/internal/source"
)

// docusaurus: docs, blog and pages are plugins, each with a folder and a route; there may be several of one.
// https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs
func docusaurus(g *Generator, c *config, l *layout) error {
	l.fallback = true
	i18n := c.values.in("i18n")
	locale, translations := i18n.text("defaultLocale", "en"), clean(i18n.text("path", "i18n"))
	locales := slices.DeleteFunc(i18n.list("locales"), func(name string) bool { return name == locale })
	for _, p := range docusaurusPlugins(c) {
		p.folders(g, c, l, "", "")
		for _, locale := range locales {
			dir := i18n.in("localeConfigs").in(locale).text("path", locale)
			p.folders(g, c, l, locale, path.Join(translations, dir, p.name()))
		}
	}
	return nil
}

// A docusaurusPlugin is one instance of docs, blog or pages, with its options.
type docusaurusPlugin struct {
	options              section
	kind, id, dir, route string
}

// name is the folder of its translations.
func (p *docusaurusPlugin) name() string {
	return strings.TrimSuffix("docusaurus-plugin-content-"+p.kind+"-"+p.id, "-default")
}

// docusaurusPlugins are those of the preset, or of the list of plugins, with the options that are literal.
func docusaurusPlugins(c *config) (all []docusaurusPlugin) {
	add := func(kind string, options any) {
		p := docusaurusPlugin{options: c.values.part(options), kind: kind}
		dir, route := kind, kind
		if kind == "pages" {
			dir, route = "src/pages", ""
		}
		p.id, p.dir = p.options.text("id", "default"), clean(p.options.text("path", dir))
		p.route = p.options.text("routeBasePath", route)
		if !slices.ContainsFunc(all, func(other docusaurusPlugin) bool { return other.name() == p.name() }) {
			all = append(all, p)
		}
	}
	plugins, _ := c.values.get("plugins").([]any)
	for _, plugin := range plugins {
		list, _ := plugin.([]any)
		if len(list) == 0 {
			list = []any{plugin}
		}
		name, _ := list[0].(string)
		if name == source.Computed {
			c.values.miss("plugins")
		} else if m := docusaurusContent.FindStringSubmatch(name); m != nil {
			add(m[1], append(list, nil)[1])
		}
	}
	// The options of a preset stand under the plugin's name; false leaves the plugin out.
	presets := c.values.part(firstMap(c.values.get("presets")))
	for _, kind := range []string{"docs", "blog", "pages"} {
		if options := presets.get(kind); options != false {
			add(kind, options)
		}
	}
	return all
}

var docusaurusContent = regexp.MustCompile(`(?:plugin-)?content-(docs|blog|pages)$`)

// firstMap is the first map in lists.
func firstMap(value any) map[string]any {
	if of, ok := value.(map[string]any); ok {
		return of
	}
	list, _ := value.([]any)
	for _, e := range list {
		if m := firstMap(e); m != nil {
			return m
		}
	}
	return nil
}

// folders adds those of a plugin in one language, whose translations lie in a folder; the default one has neither.
func (p *docusaurusPlugin) folders(g *Generator, c *config, l *layout, locale, translations string) {
	names := map[string]func(*content) []string{"docs": docusaurusDoc, "blog": docusaurusPost,
		"pages": docusaurusPage}[p.kind]
	add := func(dir, translated, route string, left bool) {
		if locale != "" {
			dir = path.Join(translations, translated)
		}
		l.folders = append(l.folders, folder{dir: dir, extensions: g.Extensions, skip: docusaurusSkip,
			leaves: func(string) bool { return left }, language: locale, collection: p.kind, drafts: []string{"draft"},
			place: func(c *content) {
				for _, name := range names(c) {
					c.places = append(c.places, filesAt(path.Join("/", locale, p.route, route, name))...)
				}
			}})
	}
	if p.kind != "docs" {
		add(p.dir, "", "", false)
		return
	}
	var versions []string // the newest first
	prefix := strings.TrimPrefix(p.id+"_", "default_")
	data, _ := c.readFile(prefix+"versions.json", maxConfig)
	json.Unmarshal(data, &versions)
	last, only := p.options.text("lastVersion", append(versions, "current")[0]), p.options.list("onlyIncludeVersions")
	for _, name := range append([]string{"current"}, versions...) {
		dir, translated, route := prefix+"versioned_docs/version-"+name, "version-"+name, name
		if name == "current" {
			dir, translated, route = p.dir, name, "next"
		}
		if name == last {
			route = ""
		}
		left := name == "current" && !p.options.boolean("includeCurrentVersion", true) ||
			only != nil && !slices.Contains(only, name)
		add(dir, translated, p.options.in("versions").in(name).text("path", route), left && len(versions) > 0)
	}
}

// docusaurusSkip leaves out what the plugins leave out by default: names with a leading underscore, tests.
func docusaurusSkip(file string, _ bool) bool {
	base := path.Base(file)
	return base[0] == '_' || strings.Contains(base, ".test.")
}

// numberedName is a name with a number before it, which is in no URL; noNumber is a date or a version, whose is.
// https://docusaurus.io/docs/sidebar/autogenerated#using-number-prefixes
// https://github.com/facebook/docusaurus/blob/v3.10.2/packages/docusaurus-plugin-content-docs/src/numberPrefix.ts
var (
	numberedName = regexp.MustCompile(`^\d+\s*[-_.]+\s*([^-_.\s].*)$`)
	noNumber     = regexp.MustCompile(`^\d+[-_.]\d+`)
)

// docusaurusDoc: numbers before names are left out, unless numberPrefixParser is false, id and slug replace the name,
// an index stands for its folder. https://docusaurus.io/docs/create-doc
func docusaurusDoc(c *content) (names []string) {
	parts := strings.Split(c.rel(), "/")
	for range 2 {
		dir, base, slug := path.Join(parts[:len(parts)-1]...), parts[len(parts)-1], c.matter.text("slug")
		switch {
		case strings.HasPrefix(slug, "/"):
			dir = slug
		case slug == "" && (folderIndex.MatchString(base) || dir != "" && strings.EqualFold(base, path.Base(dir))):
		default:
			dir = path.Join(dir, cmp.Or(slug, c.matter.text("id"), base))
		}
		names = append([]string{dir}, names...)
		for i, name := range parts {
			if m := numberedName.FindStringSubmatch(name); m != nil && !noNumber.MatchString(name) {
				parts[i] = m[1]
			}
		}
	}
	return names
}

// docusaurusPage: the slug, or the path.
func docusaurusPage(c *content) []string { return []string{cmp.Or(c.matter.text("slug"), c.indexed())} }

// datedPost is a post's path: folders, a date in one part or in several, which goes before them in the URL as it is
// written, and a name, or none. https://docusaurus.io/docs/blog#blog-post-date
// https://github.com/facebook/docusaurus/blob/v3.10.2/packages/docusaurus-plugin-content-blog/src/blogUtils.ts
var datedPost = regexp.MustCompile(`^(.*)(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(.*?)(?:/index)?$`)

// docusaurusPost: the slug, or the date and the name.
func docusaurusPost(c *content) []string {
	if slug := c.matter.text("slug"); slug != "" {
		return []string{slug}
	}
	if m := datedPost.FindStringSubmatch(c.rel()); m != nil {
		return []string{strings.ReplaceAll(m[2], "-", "/") + "/" + m[1] + m[3]}
	}
	return []string{strings.TrimSuffix(c.rel(), "/index")}
}
