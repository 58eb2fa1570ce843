package pages

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/source"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// docusaurus sets s.layout for a site of Docusaurus, as one of [layouts]. Docs, blog and pages are
// plugins, each with a folder of content and a route, the first part of its URLs. The configuration
// names them in two places: under plugins, where one kind may occur several times with an id each,
// and in the options of a preset, which has one of each kind. A plugin that both name counts once.
// https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs
func docusaurus(s *openedSite) {
	i18n := s.config.in("i18n")
	plugins := &docusaurusPlugins{site: s, i18n: i18n, defaultLocale: i18n.text("defaultLocale", "en"),
		translations: clean(i18n.text("path", "i18n")), isAdded: map[string]bool{}}
	plugins.addListed()
	plugins.addOfPreset()
}

// docusaurusPlugins adds plugins of content to the layout of a site.
type docusaurusPlugins struct {
	site          *openedSite
	i18n          section // of the configuration, about languages
	defaultLocale string  // whose pages have no locale in their URLs
	translations  string  // the folder of all translations
	// isAdded has the plugins that are there, by [docusaurusPluginName].
	isAdded map[string]bool
}

// addListed adds the plugins of content under plugins: ["a", ["b", {options}]].
func (p *docusaurusPlugins) addListed() {
	config := p.site.config
	// In the flat list "a", "b", {options}, nil, what follows a name is its options. Else it is
	// another name or the nil, which add takes for no options.
	list := append(flat(config.get("plugins")), nil)
	for i, element := range list {
		name, _ := element.(string)
		if name == source.Computed {
			config.noteComputed("plugins")
		} else if found := docusaurusContent.FindStringSubmatch(name); found != nil {
			kind, options := found[1], list[i+1]
			p.add(kind, options)
		}
	}
}

// addOfPreset adds the plugins of the preset: [["classic", {docs: {options}, blog: false}]], where
// false leaves a plugin out. Without a preset all three kinds are added with their defaults: better
// a folder too many than content that nobody reads.
func (p *docusaurusPlugins) addOfPreset() {
	preset := p.site.config.part(p.site.classicOptions())
	for _, kind := range []string{"docs", "blog", "pages"} {
		if options := preset.get(kind); options != false {
			p.add(kind, options)
		}
	}
}

// add adds a plugin of a kind, "docs", once for each language of the site, unless one of its kind
// and id is there. value is its options; anything else than a map means that it has none.
func (p *docusaurusPlugins) add(kind string, value any) {
	options := p.site.config.part(value)
	name := docusaurusPluginName(kind, options)
	if p.isAdded[name] {
		return
	}
	p.isAdded[name] = true
	p.site.addDocusaurusPlugin(kind, options, docusaurusLanguage{})
	for _, locale := range p.i18n.list("locales") {
		if locale != p.defaultLocale {
			dir := p.i18n.in("localeConfigs").in(locale).text("path", locale)
			p.site.addDocusaurusPlugin(kind, options,
				docusaurusLanguage{locale: locale, dir: path.Join(p.translations, dir, name)})
		}
	}
}

// docusaurusPluginName is the name of a plugin by its kind and id, which the folder of its
// translations has: "docusaurus-plugin-content-docs-api", or "docusaurus-plugin-content-docs" with
// the id "default".
func docusaurusPluginName(kind string, options section) string {
	name := "docusaurus-plugin-content-" + kind + "-" + options.text("id", "default")
	return strings.TrimSuffix(name, "-default")
}

// classicOptions are the options of the preset "classic", which adds the plugins of content. If no
// preset has that name, they are the first options of any, since it may be called by a path; nil if
// there are none.
func (s *openedSite) classicOptions() (options any) {
	list := append(flat(s.config.get("presets")), nil) // see addListed
	for i, element := range list {
		name, _ := element.(string)
		_, isMap := element.(map[string]any)
		switch {
		case name == source.Computed:
			s.config.noteComputed("presets")
		case classicPreset.MatchString(name):
			return list[i+1]
		case isMap && options == nil:
			options = element
		}
	}
	return options
}

// classicPreset matches "classic", "@docusaurus/classic" and "@docusaurus/preset-classic".
var classicPreset = lazyregexp.New(`(?:^|/)(?:preset-)?classic$`)

// docusaurusContent finds the kind in the name of a plugin of content:
// "@docusaurus/plugin-content-docs", "content-docs".
var docusaurusContent = lazyregexp.New(`(?:plugin-)?content-(docs|blog|pages)$`)

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

// docusaurusKinds are the plugins, with the folder and the route of each by default, and the names
// of its pages there.
var docusaurusKinds = map[string]struct {
	dir, route string
	names      func(*content) []string
}{"docs": {"docs", "docs", docusaurusDoc}, "blog": {"blog", "blog", docusaurusPost},
	"pages": {"src/pages", "", docusaurusPage}}

// A docusaurusLanguage is a language of a site. The zero value is the default one: its content lies
// in the folders of the plugins, and its pages have no locale in their URLs.
type docusaurusLanguage struct {
	locale string // the first part of its URLs
	// dir is where the translations of a plugin lie: "i18n/de/docusaurus-plugin-content-docs".
	dir string
}

// addDocusaurusPlugin adds to s.layout the folders of one plugin in one language: one of a blog or
// of pages, one for each version of docs.
func (s *openedSite) addDocusaurusPlugin(kind string, options section,
	language docusaurusLanguage) {
	of := docusaurusKinds[kind]
	base := options.text("routeBasePath", of.route)
	add := func(d docusaurusFolder) {
		dir := d.dir
		if language.locale != "" {
			dir = path.Join(language.dir, d.translated)
		}
		s.layout.folders = append(s.layout.folders, folder{dir: dir, skip: docusaurusSkip, leaves: d.leaves,
			language: language.locale, collection: kind, drafts: []string{"draft"},
			place: func(c *content) {
				for _, name := range of.names(c) {
					url := path.Join("/", language.locale, base, d.route, name)
					c.places = append(c.places, filesAt(url)...)
				}
			}})
	}
	if kind == "docs" {
		all := s.docusaurusVersions(options)
		for _, version := range all {
			add(version)
		}
		s.addVersions(all, path.Join(language.locale, base))
	} else {
		add(docusaurusFolder{dir: clean(options.text("path", of.dir))})
	}
}

// addVersions adds the versions of docs that are published below a route, if there are several.
func (s *openedSite) addVersions(all []docusaurusFolder, route string) {
	var published []versions.Version
	latest, list := "", ""
	for _, f := range all {
		if f.leaves != nil { // left out
			continue
		}
		name := f.version
		if list = f.list; f.isLatest {
			latest = name
		} else if name == "current" { // what is not released yet
			name = "next"
		}
		folder := strings.TrimPrefix(path.Join("/", route, f.route)+"/", "/")
		published = append(published, versions.Version{Name: name, Folder: strings.TrimPrefix(folder, "/")})
	}
	if len(published) > 1 {
		group := versions.NewGroup(policy.Origin{File: s.short(list)}, published, latest)
		s.versions.groups = append(s.versions.groups, group)
	}
}

// A docusaurusFolder is a folder of a plugin.
type docusaurusFolder struct {
	// version is the name of a version of docs, list the file that names it, and isLatest says that
	// readers are led to it. All are empty for other plugins.
	version, list string
	isLatest      bool
	dir           string        // in the default language, from the site's folder
	translated    string        // below the folder of translations into another language
	route         string        // the part of a version in URLs, behind the plugin's
	leaves        []policy.Glob // what is not published; nil for nothing
}

// docusaurusVersions are the folders of the versions of docs, by the options of their plugin. In
// versions.json are the names of those that are released; "current" is what is worked on. With
// ["2.0", "1.0"] there:
//
//	version   folder                         URLs
//	current   docs                           /docs/next/
//	2.0       versioned_docs/version-2.0     /docs/, since it is the latest
//	1.0       versioned_docs/version-1.0     /docs/1.0/
//
// Without that file, current is the only version and, unless lastVersion names another, the latest.
// The options say otherwise by lastVersion, which is the latest then; versions, where one may have
// a path of its own in URLs; and onlyIncludeVersions and includeCurrentVersion, by which versions
// are not published: these have folders all the same, in which everything is left out.
//
// https://docusaurus.io/docs/versioning
func (s *openedSite) docusaurusVersions(options section) (folders []docusaurusFolder) {
	const current = "current"
	prefix := "" // a second plugin of docs puts its id before each name: "api_versions.json"
	if id := options.text("id", "default"); id != "default" {
		prefix = id + "_"
	}
	list := prefix + "versions.json"
	released := s.docusaurusReleases(list)
	only := options.list("onlyIncludeVersions") // nil for all
	isLeftOut := func(version string) bool {
		omitsCurrent := version == current && !options.boolean("includeCurrentVersion", true)
		return only != nil && !slices.Contains(only, version) || omitsCurrent
	}
	newest := current
	if published := slices.DeleteFunc(slices.Clone(released), isLeftOut); len(published) > 0 {
		newest = published[0]
	}
	latest := options.text("lastVersion", newest)
	for _, version := range append([]string{current}, released...) {
		f := docusaurusFolder{version: version, list: list, isLatest: version == latest,
			dir: prefix + "versioned_docs/version-" + version, translated: "version-" + version}
		route := version
		if version == current {
			f.dir = clean(options.text("path", docusaurusKinds["docs"].dir))
			f.translated, route = current, "next"
		}
		if f.isLatest {
			route = ""
		}
		f.route = options.in("versions").in(version).text("path", route)
		// A lone current is published whatever the options say.
		if len(released) > 0 && isLeftOut(version) {
			f.leaves = everything
		}
		folders = append(folders, f)
	}
	return folders
}

// docusaurusReleases returns the versions that a versions.json names, the newest first; nil if
// there is no such file. Docusaurus refuses to build a site whose versions.json is no list of names; here
// one that cannot be read counts as no file, and is among the unread lists.
func (s *openedSite) docusaurusReleases(file string) (names []string) {
	data, err := s.readFile(file, maxConfig) // nil and no error if it is not there
	if err == nil && data != nil {
		err = json.Unmarshal(data, &names)
	}
	if err != nil {
		at := policy.Origin{File: s.short(file)}
		s.versions.unread = append(s.versions.unread, versions.Unread{At: at, Err: err})
	}
	return names
}

// docusaurusSkip leaves out what the plugins leave out by default: names with a leading underscore,
// tests.
func docusaurusSkip(file string, _ bool) bool {
	base := path.Base(file)
	return base[0] == '_' || strings.Contains(base, ".test.")
}

// numberedName is a name with a number before it, which is in no URL; noNumber is a date or a
// version, whose is.
// https://docusaurus.io/docs/sidebar/autogenerated#using-number-prefixes
// https://github.com/facebook/docusaurus/blob/v3.10.2/packages/docusaurus-plugin-content-docs/src/numberPrefix.ts
var (
	numberedName = lazyregexp.New(`^\d+\s*[-_.]+\s*([^-_.\s].*)$`)
	noNumber     = lazyregexp.New(`^\d+[-_.]\d+`)
)

// docusaurusDoc: the path without the numbers before names, and then with them, which the option
// numberPrefixParser, which is not read, may keep. https://docusaurus.io/docs/create-doc
func docusaurusDoc(c *content) []string {
	written := strings.Split(c.at.path(), "/")
	withoutNumbers := slices.Clone(written)
	for i, name := range written {
		if m := numberedName.FindStringSubmatch(name); m != nil && !noNumber.MatchString(name) {
			withoutNumbers[i] = m[1]
		}
	}
	return []string{c.docusaurusRoute(withoutNumbers), c.docusaurusRoute(written)}
}

// docusaurusRoute is where a doc is published that has the path of these parts: id and slug replace
// the name; an index or README, and a file with its folder's name, is the page of its folder unless
// it has a slug.
func (c *content) docusaurusRoute(parts []string) string {
	dir, base, slug := path.Join(parts[:len(parts)-1]...), parts[len(parts)-1], c.matter.text("slug")
	isNamedAsFolder := dir != "" && strings.EqualFold(base, path.Base(dir))
	switch {
	case strings.HasPrefix(slug, "/"):
		return slug
	case slug == "" && (folderIndex.MatchString(base) || isNamedAsFolder):
		return dir
	}
	return path.Join(dir, cmp.Or(slug, c.matter.text("id"), base))
}

// docusaurusPage: the slug, or the path.
func docusaurusPage(c *content) []string {
	return []string{cmp.Or(c.matter.text("slug"), c.at.indexed())}
}

// datedPost is a post's path: folders, a date in one part or in several, which goes before them in
// the URL as it is written, and a name, or none. https://docusaurus.io/docs/blog#blog-post-date
// https://github.com/facebook/docusaurus/blob/v3.10.2/packages/docusaurus-plugin-content-blog/src/blogUtils.ts
var datedPost = lazyregexp.New(`^(.*)(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(.*?)(?:/index)?$`)

// docusaurusPost: the slug, or the date as folders and the name: 2024-01-31-a is at 2024/01/31/a.
func docusaurusPost(c *content) []string {
	if slug := c.matter.text("slug"); slug != "" {
		return []string{slug}
	}
	if m := datedPost.FindStringSubmatch(c.at.path()); m != nil {
		return []string{strings.ReplaceAll(m[2], "-", "/") + "/" + m[1] + m[3]}
	}
	return []string{strings.TrimSuffix(c.at.path(), "/index")}
}
