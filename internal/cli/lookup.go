package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"metarobots/frontmatter"
	"metarobots/internal/address"
	"metarobots/internal/disk"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// lookup finds the pages that an argument names: a URL at which hosts serve one or from which they redirect to it, a path
// from the publish root, a published file or a content file, or else all in the folder that it is. at is the path of a
// URL, from the publish root.
func lookup(s *plan.Plan, name string) (found []*plan.Page, at string, err error) {
	paths, at := pathsOf(s.Project, name)
	addressed := pagesAt(s, at)
	if found = pagesNamed(s, paths, at, addressed); len(found) == 0 {
		found = pagesBelow(s, paths)
	}
	if len(found) == 0 {
		found = addressed
	}
	if len(found) > 0 {
		return found, at, nil
	}
	why := cmp.Or(unpublished(s.Project, name), redirectedAway(s, at), elsewhere(s.Project, name), withheld(s, at))
	if why != "" {
		return nil, at, invalidf("%s: %s", name, why)
	}
	return nil, at, invalidf("%s: no published file or page has this URL or name%s", name, suggest(s, paths))
}

// pagesNamed are the pages that hosts serve at the path of a URL, of those to which it leads, and further ones whose URL or
// file is one of the paths.
func pagesNamed(s *plan.Plan, paths []string, at string, addressed []*plan.Page) (found []*plan.Page) {
	for _, pg := range addressed { // a rule may lead there from any path
		isAt := func(a address.Address) bool { return a.Path == at }
		if slices.ContainsFunc(s.Sites.Of(pg.File.Name), isAt) {
			found = append(found, pg)
		}
	}
	for _, pg := range s.Pages {
		isName := func(path string) bool {
			return path != "" && (path == pg.URL || path == pg.File.Path.URL || path == pg.File.Path.File ||
				path == pg.File.Source)
		}
		if !slices.Contains(found, pg) && slices.ContainsFunc(paths, isName) {
			found = append(found, pg)
		}
	}
	return found
}

// pagesBelow are the pages in a folder that has one of the paths, of what is published or of content files.
func pagesBelow(s *plan.Plan, paths []string) (found []*plan.Page) {
	for _, pg := range s.Pages {
		isAbove := func(path string) bool {
			folder := strings.TrimSuffix(path, "/") + "/"
			return folder != "/" && (strings.HasPrefix(pg.URL, folder) || strings.HasPrefix(pg.File.Source, folder))
		}
		if slices.ContainsFunc(paths, isAbove) {
			found = append(found, pg)
		}
	}
	return found
}

// elsewhere says of a name that means nothing on this site what it is, and how that is explained; empty if nothing is known
// of it.
func elsewhere(p *project.Project, name string) string {
	hosts := hostsOf(p)
	isOne := func(host string) bool {
		return slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, host) })
	}
	host, _, _ := strings.Cut(name, "/")
	info, err := os.Stat(project.Absolute(p.Options.WorkDir, name))
	switch {
	case isElsewhere(p, name):
		u, _ := url.Parse(name)
		return fmt.Sprintf("this is another host than the site's (%s): metarobots explain %s says what the site has at this "+
			"path; explained alone, the deployed site is asked", strings.Join(hosts, ", "), pathOf(u))
	case host != "" && isOne(host):
		return "a URL begins with its scheme (did you mean https://" + name + "?)"
	case err == nil && info.IsDir():
		return "this folder is no part of the site; the publish folder is named by -d: metarobots explain -d " + name + " URL"
	}
	return ""
}

// hostsOf are the names of the site's hosts that are known.
func hostsOf(p *project.Project) (hosts []string) {
	for _, h := range p.Hosts {
		if h.URL.Host != "" {
			hosts = append(hosts, h.URL.Host)
		}
	}
	return hosts
}

// isElsewhere reports whether an argument is a URL of another host than those of the site that are known.
func isElsewhere(p *project.Project, arg string) bool {
	u, err := url.Parse(arg)
	hosts := hostsOf(p)
	return err == nil && isURL(arg) && u.Host != "" && len(hosts) > 0 &&
		!slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, u.Host) })
}

// pathOf is what a URL has behind its host.
func pathOf(u *url.URL) string { return cmp.Or(u.EscapedPath(), "/") + queryOf(u.String()) }

// isPublishFolder reports whether a name is that of the folder that is published.
func isPublishFolder(p *project.Project, name string) bool {
	at := project.Absolute(p.Options.WorkDir, name)
	info, err := os.Stat(at)
	return name != "/" && err == nil && info.IsDir() && filepath.Clean(at) == filepath.Clean(p.Settings.Publish)
}

// pagesAt are the pages to which a path from the publish root leads; of hosts that differ, each one's.
func pagesAt(s *plan.Plan, at string) (all []*plan.Page) {
	if at == "" {
		return nil
	}
	for name := range s.Sites.Leads(at) {
		if pg := s.Page(name); pg != nil && !slices.Contains(all, pg) {
			all = append(all, pg)
		}
	}
	return all
}

// redirectedAway says which rule of the owner's sends a path to what is no page of the site; empty for none.
func redirectedAway(s *plan.Plan, at string) string {
	if at == "" {
		return ""
	}
	for _, a := range s.Sites.At(at) {
		if a.Route != nil && a.To != "" {
			return fmt.Sprintf("%s redirects it to %s", policy.Place(a.Route.Origin.File, a.Route.Origin.Line), a.To)
		}
	}
	return ""
}

// queryOf is that of a URL, or of its path, on the command line, with its question mark; empty for none.
func queryOf(name string) string {
	u, err := url.Parse(name)
	if err != nil || u.RawQuery == "" && !u.ForceQuery {
		return ""
	}
	return "?" + u.RawQuery
}

// suggest names the URL or file closest to one that is not there.
func suggest(s *plan.Plan, paths []string) string {
	var names []string
	for _, pg := range s.Pages {
		names = append(names, pg.URL, pg.File.Path.File, pg.File.Source)
	}
	for _, path := range paths {
		if n := policy.Near(path, names); n != "" && len(path) <= 60 {
			return " (did you mean " + n + "?)"
		}
	}
	return ""
}

// pathsOf returns what a name on the command line may mean: a path from the publish root, or a content file. at is the
// encoded path of a URL.
func pathsOf(p *project.Project, name string) (paths []string, at string) {
	u, err := url.Parse(name)
	if whole := err == nil && u.Host != ""; whole || strings.HasPrefix(name, "/") {
		to, ok := p.Leads("", name, project.IsOurs)
		switch {
		case ok:
			at = to
			paths = append(paths, to, policy.Decoded(to))
		case whole:
			return nil, "" // a page of another site
		case err == nil:
			at = u.EscapedPath()
		}
	}
	file := project.Absolute(p.Options.WorkDir, name)
	if rel, err := filepath.Rel(p.Settings.Publish, file); err == nil && filepath.IsLocal(rel) {
		paths = append(paths, "/"+filepath.ToSlash(rel))
		if rel == "." {
			paths = append(paths, "/")
		}
	}
	name = filepath.ToSlash(name)
	return append(paths, p.Short(file), name, "/"+name, "/"+strings.Trim(name, "/")+"/"), at // /posts/a for /posts/a/
}

// withheld says which content file would be published at a path of the site and is not, and why, with the line; empty if
// no file is known.
func withheld(s *plan.Plan, at string) string {
	pages, ok := s.Map.(site.Withholder)
	if !ok || at == "" {
		return ""
	}
	name := strings.TrimPrefix(policy.Decoded(at), "/")
	names := []string{name, name + ".html", strings.TrimSuffix(name, "/") + "/index.html"}
	if strings.HasSuffix("/"+name, "/") {
		names = []string{name + "index.html"}
	}
	files, err := pages.Withheld(names)
	if err != nil { // it says nothing of what is published
		return ""
	}
	var texts []string
	for _, file := range files {
		short := s.Project.Short(file)
		reasons, _ := whyHidden(s.Project, file)
		for i, r := range reasons {
			reasons[i].text = policy.Placed(short, r.line, r.text)
		}
		texts = append(texts, cmp.Or(joined(reasons), "no page was published from "+short))
	}
	if len(texts) == 0 {
		return ""
	}
	return "nothing is published here: " + strings.Join(texts, ", ")
}

// A hiding is a reason why a content file has no page, with the line that states it; 0 if that is the file's name.
type hiding struct {
	text string
	line int
}

func joined(reasons []hiding) string {
	var texts []string
	for _, r := range reasons {
		texts = append(texts, r.text)
	}
	return strings.Join(texts, ", ")
}

// unpublished says why a content file has no page, as far as its front matter shows; empty where the name is no file.
func unpublished(p *project.Project, name string) string {
	const no = "no page was published from it"
	reasons, err := whyHidden(p, name)
	switch {
	case errors.Is(err, errNoFile):
		return ""
	case err != nil:
		return fmt.Sprintf("%s (%v)", no, err)
	}
	for i, r := range reasons {
		if r.line > 0 {
			reasons[i].text = fmt.Sprintf("%s (line %d)", r.text, r.line)
		}
	}
	return strings.TrimSuffix(no+": "+joined(reasons), ": ")
}

// errNoFile is the error of a name that no file has.
var errNoFile = errors.New("no file has this name")

// whyHidden says what in the front matter of a content file, or in its name, keeps its page from being published.
func whyHidden(p *project.Project, name string) (reasons []hiding, err error) {
	data, err := disk.ReadFile(project.Absolute(p.Options.WorkDir, name), project.MaxPage)
	if err != nil {
		return nil, errNoFile
	}
	doc, err := frontmatter.Parse(data, "...") // some generators close it so
	if err != nil {
		return nil, err
	}
	hasDate := false
	for _, key := range slices.Sorted(maps.Keys(doc.Params)) {
		hasDate = hasDate || strings.EqualFold(key, "date")
		if reason := hidden(key, doc.Params[key], p.Policy.Now); reason != "" {
			reasons = append(reasons, hiding{reason, doc.Index.Line(key)})
		}
	}
	if day := datedName.FindString(filepath.Base(name)); day != "" && !hasDate {
		if at, err := time.Parse(time.DateOnly, day); err == nil && at.After(p.Policy.Now) {
			reasons = append(reasons, hiding{"the date in its name, " + day + ", is still to come", 0})
		}
	}
	if slices.Contains(strings.Split(filepath.ToSlash(name), "/"), "_drafts") {
		reasons = append(reasons, hiding{"its folder is one of drafts, _drafts", 0})
	}
	return reasons, nil
}

// datedName matches the date with which the names of posts begin.
var datedName = lazyregexp.New(`^\d{4}-\d{2}-\d{2}`)

// hidden says why a key of front matter keeps a page from being published; empty where it does not.
func hidden(key string, value any, now time.Time) string {
	at, err := frontmatter.Date(value)
	on, isFlag := frontmatter.Truth(value)
	text, _ := value.(string)
	is := func(names ...string) bool { return slices.Contains(names, strings.ToLower(key)) }
	switch {
	case is("draft") && isFlag && on, is("status") && strings.EqualFold(text, "draft"):
		return "it is a draft"
	case is("published") && isFlag && !on:
		return "it says published: false"
	case err != nil:
		return ""
	case is("published", "publishdate", "pubdate", "date") && at.After(now):
		return fmt.Sprintf("its %s, %s, is still to come", key, at.Format(time.DateOnly))
	case is("expirydate", "unpublishdate") && at.Before(now):
		return "it expired on " + at.Format(time.DateOnly)
	}
	return ""
}
