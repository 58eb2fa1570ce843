package pages

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/internal/lazyregexp"
)

// vitepress: every Markdown file is a page at its own path (https://vitepress.dev/guide/routing);
// rewrites move some.
func vitepress(s *openedSite) {
	c := s.config
	root, _, _ := strings.Cut(c.file, ".vitepress/")
	if c.file == "" && !exists(s.options.Source, ".vitepress") {
		root = "docs"
	}
	s.publish = path.Join(root, s.publish)
	s.baseURL = c.in("sitemap").text("hostname")
	rewrites := vitepressRewrites(s.config)
	dir := path.Join(root, clean(c.text("srcDir", ".")))
	s.layout.folders = []folder{{
		dir:    dir,
		leaves: globs(dir, append(c.list("srcExclude"), "**/node_modules/**", "**/dist/**")...), // these in any case
		place:  func(c *content) { c.rewritten(rewrites) },
	}}
}

// rewritten places a file at its path, or where the first rewrite that matches moves it.
func (c *content) rewritten(rewrites []rewrite) {
	name := c.at.path() + ".md"
	for _, r := range rewrites {
		if r.from.MatchString(name) {
			name = r.from.ReplaceAllString(name, r.to)
			break
		}
	}
	c.makesMany = strings.Contains(name, "[")
	name = parameter.ReplaceAllString(strings.TrimSuffix(name, ".md"), "*")
	c.places = []string{name + ".html", name + "/index.html"}
}

type rewrite struct {
	from *regexp.Regexp
	to   string
}

// routeParameter is a part of a path, :name, severalParts is :name* and :name(.*), also where its
// marks are escaped.
var (
	routeParameter = lazyregexp.New(`:([A-Za-z_]\w*)`)
	severalParts   = lazyregexp.New(`:([A-Za-z_]\w*)(?:\\?[*+]|\\?\(\\?\.\\?[*+]\\?\))`)
)

// vitepressRewrites reads the literal rewrites: 'a.md': 'b.md', with parameters, in the order in
// which they stand.
func vitepressRewrites(c section) (all []rewrite) {
	rewrites := c.in("rewrites")
	order := slices.SortedFunc(maps.Keys(rewrites.params), func(a, b string) int {
		return cmp.Or(rewrites.line(a)-rewrites.line(b), strings.Compare(a, b))
	})
	for _, key := range order {
		to, ok := rewrites.params[key].(string)
		from := severalParts.ReplaceAllString(regexp.QuoteMeta(key), `(?P<$1>.*)`)
		pattern, err := regexp.Compile(`^` + routeParameter.ReplaceAllString(from, `(?P<$1>[^/]+?)`) + `$`)
		if err != nil || !ok { // the same parameter twice
			c.noteComputed("rewrites")
			continue
		}
		to = strings.ReplaceAll(to, "$", "$$")
		to = severalParts.ReplaceAllString(to, `$${$1}`)
		all = append(all, rewrite{pattern, routeParameter.ReplaceAllString(to, `$${$1}`)})
	}
	return all
}
