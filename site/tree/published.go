package tree

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metarobots/site"
)

// published are the files of a publish folder.
type published struct {
	html  []string // of pages, sorted
	all   map[string]bool
	below map[string]int // HTML files in or below a folder, its own index.html left out
}

// readPublished lists the publish folder. What cannot be read is left for the run itself to report.
func readPublished(dir string) *published {
	var names []string
	var list func(rel string)
	list = func(rel string) {
		entries, _ := os.ReadDir(filepath.Join(dir, filepath.FromSlash(rel)))
		for _, e := range entries {
			name := path.Join(rel, e.Name())
			switch {
			case e.IsDir():
				list(name)
			case e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0:
				names = append(names, name)
			}
		}
	}
	list("")
	return publishedOf(names)
}

func publishedOf(names []string) *published {
	p := &published{all: map[string]bool{}, below: map[string]int{}}
	for _, name := range names {
		p.all[name] = true
		if site.IsHTML(name) {
			p.html = append(p.html, name)
		}
	}
	slices.Sort(p.html)
	for _, name := range p.html {
		dir := path.Dir(name)
		if path.Base(name) == "index.html" && dir != "." {
			dir = path.Dir(dir)
		}
		for dir != "." {
			p.below[dir]++
			dir = path.Dir(dir)
		}
	}
	return p
}

// named are the files at which a URL may be published: /x/ at x/index.html; /x there too, at x.html, or at x.
func named(url string) []string {
	url, _, _ = strings.Cut(url, "?")
	name := strings.TrimPrefix(path.Clean("/"+url), "/")
	switch ext := strings.ToLower(path.Ext(name)); {
	case name == "" || strings.HasSuffix(url, "/"):
		return []string{path.Join(name, "index.html")}
	case ext == ".html" || ext == ".htm" || ext == ".xhtml":
		return []string{name}
	}
	return []string{name + "/index.html", name + ".html", name}
}

// urls are the files of several URLs, in their order.
func urls(all ...string) (names []string) {
	for _, url := range all {
		names = append(names, named(url)...)
	}
	return names
}

// match returns the pages whose names a place with * matches.
func (p *published) match(place string) (names []string) {
	parts := strings.Split(place, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	pattern := regexp.MustCompile(`^` + strings.ReplaceAll(strings.Join(parts, `[^/]*`), `[^/]*[^/]*`, `.+`) + `$`)
	for _, name := range p.html {
		if pattern.MatchString(name) {
			names = append(names, name)
		}
	}
	return names
}
