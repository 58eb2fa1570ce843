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
	config, added := s.config, map[string]bool{}
	i18n := config.in("i18n")
	defaultLocale := i18n.text("defaultLocale", "en")
	translations := clean(i18n.text("path", "i18n")) // the folder of all translations
	// add adds the plugin of a kind with its options, a map, once for each language, unless one of its kind
	// and id is there.
	add := func(kind string, value any) {
		options := config.part(value) // without keys if value is no map
		id := options.text("id", "default")
		// The folder of a plugin's translations; that of the default id leaves the id out.
		folder := strings.TrimSuffix("docusaurus-plugin-content-"+kind+"-"+id, "-default")
		if added[folder] {
			return
		}
		added[folder] = true
		s.addDocusaurusPlugin(kind, options, docusaurusLanguage{})
		for _, locale := range i18n.list("locales") {
			if locale != defaultLocale {
				dir := i18n.in("localeConfigs").in(locale).text("path", locale)
				s.addDocusaurusPlugin(kind, options,
					docusaurusLanguage{locale: locale, dir: path.Join(translations, dir, folder)})
			}
		}
	}
	// plugins: ["a", ["b", {options}]]. In the flat list, what follows a name is its options, or another
	// name, or the nil at the end; part takes the latter two for no options.
	plugins := append(flat(config.get("plugins")), nil)
	for i, plugin := range plugins {
		name, _ := plugin.(string)
		if name == source.Computed {
			config.noteComputed("plugins")
		} else if kind := docusaurusContent.FindStringSubmatch(name); kind != nil {
			add(kind[1], plugins[i+1])
		}
	}
	// presets: [["classic", {docs: {options}, blog: false}]]; false leaves a plugin out. Without a preset all
	// three kinds are added with their defaults: better a folder too many than content that nobody reads.
	preset := config.part(s.classicOptions())
	for _, kind := range []string{"docs", "blog", "pages"} {
		if options := preset.get(kind); options != false {
			add(kind, options)
		}
	}
}

// classicOptions are the options of the preset "classic", which adds the plugins of content. If no preset has
// that name, they are the first options of any, since it may be called by a path; nil if there are none.
func (s *openedSite) classicOptions() (options any) {
	presets := append(flat(s.config.get("presets")), nil)
	for i, preset := range presets {
		name, _ := preset.(string)
		_, isMap := preset.(map[string]any)
		switch {
		case name == source.Computed:
			s.config.noteComputed("presets")
		case classicPreset.MatchString(name):
			return presets[i+1]
		case isMap && options == nil:
			options = preset
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

// docusaurusKinds are the plugins, with the folder and the route of each by default, and the names of its pages there.
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
		s.layout = append(s.layout, folder{dir: dir, skip: docusaurusSkip, leaves: d.leaves,
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
		s.versions = append(s.versions, versions.NewGroup(policy.Origin{File: s.short(list)}, published, latest))
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

// docusaurusVersions are the folders of the versions of docs. Without versions.json there is one,
// "current". With ["2.0", "1.0"] there:
//
//	version   folder                         URLs
//	current   docs                           /docs/next/
//	2.0       versioned_docs/version-2.0     /docs/, since it is the latest
//	1.0       versioned_docs/version-1.0     /docs/1.0/
//
// https://docusaurus.io/docs/versioning
func (s *openedSite) docusaurusVersions(options section) (folders []docusaurusFolder) {
	var names []string // the newest first
	// A second plugin of docs puts its id before each name: "api_versions.json".
	prefix := strings.TrimPrefix(options.text("id", "default")+"_", "default_")
	data, _ := s.readFile(prefix+"versions.json", maxConfig)
	json.Unmarshal(data, &names)
	only := options.list("onlyIncludeVersions") // nil for all
	isLeftOut := func(version string) bool { return only != nil && !slices.Contains(only, version) }
	latest := options.text("lastVersion", append(slices.DeleteFunc(slices.Clone(names), isLeftOut), "current")[0])
	for _, version := range append([]string{"current"}, names...) {
		f := docusaurusFolder{version: version, list: prefix + "versions.json", isLatest: version == latest,
			dir: prefix + "versioned_docs/version-" + version, translated: "version-" + version}
		route := version
		if version == "current" {
			f.dir, f.translated = clean(options.text("path", docusaurusKinds["docs"].dir)), version
			route = "next"
		}
		if version == latest {
			route = ""
		}
		f.route = options.in("versions").in(version).text("path", route)
		if len(names) > 0 && (isLeftOut(version) ||
			version == "current" && !options.boolean("includeCurrentVersion", true)) {
			f.leaves = everything
		}
		folders = append(folders, f)
	}
	return folders
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
	numberedName = lazyregexp.New(`^\d+\s*[-_.]+\s*([^-_.\s].*)$`)
	noNumber     = lazyregexp.New(`^\d+[-_.]\d+`)
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
var datedPost = lazyregexp.New(`^(.*)(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(.*?)(?:/index)?$`)

func docusaurusPost(c *content) []string {
	if slug := c.matter.text("slug"); slug != "" {
		return []string{slug}
	}
	if m := datedPost.FindStringSubmatch(c.rel()); m != nil {
		return []string{strings.ReplaceAll(m[2], "-", "/") + "/" + m[1] + m[3]}
	}
	return []string{strings.TrimSuffix(c.rel(), "/index")}
}
