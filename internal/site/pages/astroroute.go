package pages

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An astroRoute is a page with parameters in its name.
type astroRoute struct {
	file string // from the site's folder
	path string // src/pages left out, without the extension: blog/[...slug]
	// index: it is the index of its folder.
	index bool
	// collections are those that it names to the letter.
	collections []string
	// sure: its last parameter is an entry's own name; likely: that parameter is called so.
	sure, likely bool
	urls         *regexp.Regexp
}

var (
	getCollection = regexp.MustCompile("getCollection\\(\\s*['\"`]([^'\"`]+)['\"`]")
	ofEntry       = regexp.MustCompile(`params:\s*\{[^}]*(?:\b\w+\.(?:id|slug)\b|:\s*id\s*[,}])|params:\s*\{\s*id\s*[,}]`)
	parameter     = regexp.MustCompile(`\[(\.\.\.)?([^\]]+)\]`)
)

// astroRoutes finds the pages with parameters, those first whose parameter is sure, and the files of all others by their paths. Endpoints
// are none, unless they are published as pages: what they make of an entry is another form of it, as its image.
// https://docs.astro.build/en/guides/endpoints/
func astroRoutes(base, pages string) (routes []astroRoute, fixed map[string]string) {
	fixed = map[string]string{}
	filepath.WalkDir(base, func(file string, entry os.DirEntry, err error) error {
		if err != nil || file == base {
			return nil
		}
		if strings.HasPrefix(entry.Name(), "_") {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		rel, _ := filepath.Rel(base, file)
		rel = filepath.ToSlash(rel)
		ext := path.Ext(rel)
		name := strings.TrimSuffix(rel, ext)
		if !entry.Type().IsRegular() {
			return nil
		}
		if !strings.Contains(name, "[") {
			fixed[strings.TrimSuffix("/"+name, "/index")] = file
			return nil
		}
		switch ext {
		case ".astro", ".html":
		case ".js", ".ts", ".mjs", ".mts":
			if path.Ext(name) != ".html" {
				return nil
			}
			name = strings.TrimSuffix(name, ".html")
		default:
			return nil // Markdown is content itself
		}
		r := astroRoute{file: path.Join(pages, rel), path: name, index: path.Base(name) == "index"}
		text := firstLines(file)
		for _, m := range getCollection.FindAllStringSubmatch(text, -1) {
			r.collections = append(r.collections, m[1])
		}
		all := parameter.FindAllStringSubmatch(name, -1)
		if last := all[len(all)-1][2]; !r.archive(last) {
			r.sure = ofEntry.MatchString(text)
			r.likely = last == "slug" || last == "id" || last == "path"
		}
		r.urls = r.pattern()
		routes = append(routes, r)
		return nil
	})
	slices.SortStableFunc(routes, func(a, b astroRoute) int {
		switch {
		case a.sure == b.sure:
			return strings.Compare(a.path, b.path)
		case a.sure:
			return -1
		}
		return 1
	})
	return routes, fixed
}

// archive reports whether a route lists entries by a term or a number: it names their collection too.
func (r *astroRoute) archive(last string) bool {
	return archives[last] != "" || counts(last) || slices.ContainsFunc(strings.Split(r.path, "/"), func(s string) bool { return archives[s] != "" })
}

// counts reports whether a parameter is the number of a page, as paginate() wants it to be called.
// https://docs.astro.build/en/reference/routing-reference/#paginate
func counts(parameter string) bool { return strings.Contains(strings.ToLower(parameter), "page") }

// names reports whether the route names a collection.
func (r *astroRoute) names(collection string) bool { return slices.Contains(r.collections, collection) }

// shows reports whether the route may show the entries of a collection: it names that, or none, and somebody else gives it
// its entries.
func (r *astroRoute) shows(collection string) bool {
	return (r.sure || r.likely) && (len(r.collections) == 0 || r.names(collection))
}

// pattern matches the paths of the pages that the route makes.
func (r *astroRoute) pattern() *regexp.Regexp {
	name := strings.TrimSuffix("/"+r.path, "/index")
	pattern, at := "", 0
	for _, m := range parameter.FindAllStringSubmatchIndex(name, -1) {
		before := name[at:m[0]]
		if m[2] >= 0 && strings.HasSuffix(before, "/") { // a rest may be nothing
			pattern += regexp.QuoteMeta(strings.TrimSuffix(before, "/")) + `(?:/.*)?`
		} else {
			pattern += regexp.QuoteMeta(before) + `[^/]+`
		}
		at = m[1]
	}
	return regexp.MustCompile(`^` + pattern + regexp.QuoteMeta(name[at:]) + `$`)
}

// routed is the path of the route that makes a page, as those of [astroSite.fixed] are written.
func routed(name string) string {
	return strings.TrimSuffix("/"+strings.TrimSuffix(name, ".html"), "/index")
}

// shown reports whether a page may show an entry of a collection, as far as what makes it tells: a page without parameters
// names the collection, and goes before every route; so does one of the routes at its path, or names none.
// https://docs.astro.build/en/guides/routing/#route-priority-order
func (s *astroSite) shown(name, collection string) bool {
	url := routed(name)
	if file := s.fixed[url]; file != "" {
		text := firstLines(file)
		return slices.ContainsFunc([]string{"'", `"`, "`"}, func(quote string) bool { return strings.Contains(text, quote+collection+quote) })
	}
	made := false
	for _, r := range s.routes {
		if r.urls.MatchString(url) {
			if made = true; len(r.collections) == 0 || r.names(collection) {
				return true
			}
		}
	}
	return !made
}

// spoken is a route below a parameter for the language, with the entry that lies in the folder of one.
// https://docs.astro.build/en/recipes/i18n/#use-collections-for-translated-content
func spoken(route, id string) (url string, ok bool) {
	language, rest, _ := strings.Cut(id, "/")
	all := parameter.FindAllStringSubmatchIndex(route, -1)
	if !languageFolder.MatchString(language) || len(all) < 2 {
		return "", false
	}
	for _, m := range all[:len(all)-1] {
		switch route[m[4]:m[5]] {
		case "lang", "language", "locale":
			return expandedRoute(route[:m[0]]+language+route[m[1]:], rest), true
		}
	}
	return "", false
}

// lists tells of a page by the routes that may make it: whether a number at the end of its path counts the pages of a list.
// known: there is such a route, or one whose last parameter, a part of the path, names something else, or a file of that
// name.
func (s *astroSite) lists(name string) (is, known bool) {
	url := routed(name)
	if s.fixed[url] != "" {
		return false, true
	}
	for _, r := range s.routes {
		if !r.urls.MatchString(url) {
			continue
		}
		last := path.Base(strings.TrimSuffix(r.path, "/index"))
		if m := parameter.FindStringSubmatch(last); m != nil && counts(m[2]) {
			return true, true
		} else if m != nil && m[1] == "" {
			known = true
		}
	}
	return false, known
}

// expandedRoute puts a value in the place of the last parameter of a route and * in that of the others.
func expandedRoute(route, value string) string {
	if rest, ok := strings.CutSuffix("/"+route, "/index"); ok {
		route = strings.TrimPrefix(rest, "/")
	}
	all := parameter.FindAllStringIndex(route, -1)
	for i := len(all) - 1; i >= 0; i-- {
		put := "*"
		if i == len(all)-1 {
			put = value
		}
		route = route[:all[i][0]] + put + route[all[i][1]:]
	}
	return "/" + route
}
