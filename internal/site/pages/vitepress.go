package pages

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/policy"
)

// vitepressConfigs below the folder that holds .vitepress.
var vitepressConfigs = []string{".vitepress/config.mjs", ".vitepress/config.js", ".vitepress/config.ts",
	".vitepress/config.mts",
	".vitepress/config/index.mjs", ".vitepress/config/index.js", ".vitepress/config/index.ts",
	".vitepress/config/index.mts"}

// vitepress: every Markdown file is a page at its own path; rewrites move some.
// https://vitepress.dev/guide/routing https://vitepress.dev/reference/site-config
var vitepress = profile{
	name: "vitepress",
	configs: append(vitepressConfigs[:len(vitepressConfigs):len(vitepressConfigs)],
		inside("docs", vitepressConfigs)...),
	module: "vitepress", beside: []string{".vitepress", "docs/.vitepress"},
	layout: func(c *config) (layout, error) {
		c.follow()
		c.program = c.program.without("vite", "vue", "markdown", "themeConfig") // an outDir in there is theirs
		root, _, _ := strings.Cut(c.file, ".vitepress/")
		if c.file == "" && !exists(c.root, ".vitepress") {
			root = "docs"
		}
		root = clean(root)
		l := layout{publish: path.Join(root, clean(c.text("outDir", ".vitepress/dist"))), fallback: true}
		if sitemap := c.program.block("sitemap"); sitemap != nil {
			l.baseURL = c.from(sitemap, "hostname", "")
		}
		excluded := globs(c.list("srcExclude"))
		rewrites := vitepressRewrites(c)
		always := globs([]string{"**/node_modules/**", "**/dist/**"}) // left out whatever srcExclude says
		l.folders = []folder{{
			files: files{dir: path.Join(root, clean(c.text("srcDir", "."))), extensions: []string{".md"},
				leaves: func(rel string) bool { return matches(always, rel) || matches(excluded, rel) }},
			place: func(c *content) { c.rewritten(rewrites) },
		}}
		return l, nil
	},
}

// rewritten places a file at its path, or where the first rewrite that matches moves it.
func (c *content) rewritten(rewrites []rewrite) {
	name := c.rel() + ".md"
	for _, r := range rewrites {
		if r.from.MatchString(name) {
			name = r.from.ReplaceAllString(name, r.to)
			break
		}
	}
	name = strings.TrimSuffix(name, ".md")
	if strings.Contains(name, "[") {
		c.many = true
		name = parameter.ReplaceAllString(name, "*")
	}
	c.places = []string{name + ".html", name + "/index.html"}
}

// globs reads patterns of a configuration as far as they are globs; what is none excludes nothing.
func globs(patterns []string) (all []policy.Glob) {
	for _, pattern := range patterns {
		if g, err := policy.ParseGlob("/" + strings.TrimPrefix(pattern, "/")); err == nil {
			all = append(all, g)
		}
	}
	return all
}

// matches reports whether one of the globs matches a path.
func matches(all []policy.Glob, rel string) bool {
	return slices.ContainsFunc(all, func(g policy.Glob) bool { return g.Match(policy.PathOf(rel)) })
}

// inside puts a folder before names.
func inside(dir string, names []string) []string {
	below := make([]string, len(names))
	for i, name := range names {
		below[i] = path.Join(dir, name)
	}
	return below
}

// A rewrite moves the pages of a source path.
type rewrite struct {
	from *regexp.Regexp
	to   string
}

var (
	routeParameter = regexp.MustCompile(`:([A-Za-z_]\w*)(\*|\+|\(\.[*+]\))?|\(\.\*\)`)
	escapedParam   = regexp.MustCompile(`:[A-Za-z_]\w*(?:\\\*|\\\+|\\\(\\\.(?:\\\*|\\\+)\\\))?`)
)

// vitepressRewrites reads the literal rewrites: 'a.md': 'b.md', with :name for a part of a path and :name* or :name(.*)
// for several.
func vitepressRewrites(c *config) (all []rewrite) {
	if at := c.program.find("rewrites"); at > 0 && c.program.inside(at) == nil {
		c.unread = append(c.unread, "rewrites")
	}
	block := c.program.block("rewrites")
	for key, at := range block.entries {
		if block[at].kind != text {
			c.unread = append(c.unread, "rewrites")
			continue
		}
		from := escapedParam.ReplaceAllStringFunc(regexp.QuoteMeta(key), func(p string) string {
			m := routeParameter.FindStringSubmatch(strings.ReplaceAll(p, `\`, ""))
			if m[2] != "" {
				return `(?P<` + m[1] + `>.*)`
			}
			return `(?P<` + m[1] + `>[^/]+?)`
		})
		pattern, err := regexp.Compile(`^` + from + `$`)
		if err != nil { // the same parameter twice
			c.unread = append(c.unread, "rewrites")
			continue
		}
		to := strings.ReplaceAll(block[at].text, "$", "$$")
		all = append(all, rewrite{pattern, routeParameter.ReplaceAllString(to, `$${$1}`)})
	}
	return all
}
