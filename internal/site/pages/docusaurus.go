package pages

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/internal/source"
	"metarobots/policy"
)

// docusaurus: docs, blog and pages are plugins, each with a folder and a route; there may be several of one.
// https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs
func docusaurus(s *generated) {
	i18n := s.config.values.in("i18n")
	locale, translations := i18n.text("defaultLocale", "en"), clean(i18n.text("path", "i18n"))
	locales := slices.DeleteFunc(i18n.list("locales"), func(name string) bool { return name == locale })
	for _, p := range docusaurusPlugins(s.config.values) {
		p.folders(s, "", "")
		for _, locale := range locales {
			dir := i18n.in("localeConfigs").in(locale).text("path", locale)
			p.folders(s, locale, path.Join(translations, dir, p.name()))
		}
	}
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
func docusaurusPlugins(c section) (all []docusaurusPlugin) {
	dirs, routes := map[string]string{"pages": "src/pages"}, map[string]string{"docs": "docs", "blog": "blog"}
	add := func(kind string, options any) {
		p := docusaurusPlugin{options: c.part(options), kind: kind}
		p.id, p.dir = p.options.text("id", "default"), clean(p.options.text("path", cmp.Or(dirs[kind], kind)))
		p.route = p.options.text("routeBasePath", routes[kind])
		if !slices.ContainsFunc(all, func(other docusaurusPlugin) bool { return other.name() == p.name() }) {
			all = append(all, p)
		}
	}
	plugins := append(flat(c.get("plugins")), nil) // names, each with its options behind it, or none
	for i, plugin := range plugins {
		name, _ := plugin.(string)
		if name == source.Computed {
			c.miss("plugins")
		} else if m := docusaurusContent.FindStringSubmatch(name); m != nil {
			add(m[1], plugins[i+1])
		}
	}
	// The options of a preset stand under the plugin's name; false leaves the plugin out.
	presets := flat(c.get("presets"))
	isOptions := func(value any) bool { _, ok := value.(map[string]any); return ok }
	of := c.part(append(presets, nil)[max(0, slices.IndexFunc(presets, isOptions))])
	for _, kind := range []string{"docs", "blog", "pages"} {
		if options := of.get(kind); options != false {
			add(kind, options)
		}
	}
	return all
}

var docusaurusContent = regexp.MustCompile(`(?:plugin-)?content-(docs|blog|pages)$`)

// flat are the elements of a list and of lists in it.
func flat(value any) (all []any) {
	list, ok := value.([]any)
	if !ok {
		return []any{value}
	}
	for _, e := range list {
		all = append(all, flat(e)...)
	}
	return all
}

// folders adds those of a plugin in one language, whose translations lie in a folder; the default one has neither.
func (p *docusaurusPlugin) folders(s *generated, locale, translations string) {
	names := map[string]func(*content) []string{"docs": docusaurusDoc, "blog": docusaurusPost,
		"pages": docusaurusPage}[p.kind]
	add := func(dir, translated, route string, left []policy.Glob) {
		if locale != "" {
			dir = path.Join(translations, translated)
		}
		s.layout = append(s.layout, folder{dir: dir, skip: docusaurusSkip,
			leaves: left, language: locale, collection: p.kind, drafts: []string{"draft"},
			place: func(c *content) {
				for _, name := range names(c) {
					c.places = append(c.places, filesAt(path.Join("/", locale, p.route, route, name))...)
				}
			}})
	}
	if p.kind != "docs" {
		add(p.dir, "", "", nil)
		return
	}
	var versions []string // the newest first
	prefix := strings.TrimPrefix(p.id+"_", "default_")
	data, _ := s.readFile(prefix+"versions.json", maxConfig)
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
		var left []policy.Glob
		if name == "current" && !p.options.boolean("includeCurrentVersion", true) && len(versions) > 0 ||
			only != nil && !slices.Contains(only, name) && len(versions) > 0 {
			left = everything
		}
		add(dir, translated, p.options.in("versions").in(name).text("path", route), left)
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

func docusaurusPost(c *content) []string {
	if slug := c.matter.text("slug"); slug != "" {
		return []string{slug}
	}
	if m := datedPost.FindStringSubmatch(c.rel()); m != nil {
		return []string{strings.ReplaceAll(m[2], "-", "/") + "/" + m[1] + m[3]}
	}
	return []string{strings.TrimSuffix(c.rel(), "/index")}
}
