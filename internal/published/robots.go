// Package published reads a plan as others do once it is published: what each robots.txt says of a URL and where that
// is stated, and what the vendors of AI do with it, whatever was decided.
package published

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
	"metarobots/internal/seen"
)

// A Question is asked of the robots.txt that crawlers read for a page, by the addresses that represent it (U4).
type Question struct {
	// Robots is that robots.txt; nil if there is none, and everything is allowed.
	Robots *plan.RobotsFile
	page   *plan.Page
	host   seen.Host
	paths  []string // request paths from the root of the host
}

// About is a question about a page.
func About(s *plan.Plan, pg *plan.Page) Question {
	q := Question{Robots: readRobots(s, pg), page: pg}
	if q.Robots != nil {
		q.host = seen.Host{Folder: "/" + q.Robots.Host.Root, Robots: q.Robots.File}
		q.paths = asked(s, pg, q.Robots.File)
	}
	return q
}

// behind is the same question where the host puts its block before each robots.txt.
func (q Question) behind(s *plan.Plan) Question {
	alone := q.host.Robots
	if q.Robots != nil {
		q.host.Robots = q.Robots.Behind
	} else {
		q.host.Robots = alone.Behind(s.Project.Config.Robots.Txt.Managed)
	}
	if q.host.Robots != alone { // its rules may tell other addresses apart
		q.paths = asked(s, q.page, q.host.Robots)
	}
	return q
}

// Ask returns whether a crawler may fetch the page with a query, which begins with a question mark or is empty. at is the
// address that decides, as an encoded path from the publish root.
func (q Question) Ask(query, crawler string) (f seen.Fetch, at string) {
	if f, at = q.host.Fetch(crawler, q.pathsWith(query)...); f.Rule == "" {
		return f, cmp.Or(at, q.page.URL)
	}
	if origin, ok := q.page.StatedFor(f.Source, f.Allowed); ok {
		f.File, f.Line = origin.File, origin.Line
	}
	return f, at
}

// pathsWith are the request paths with a query.
func (q Question) pathsWith(query string) []string {
	if query == "" {
		return q.paths
	}
	paths := slices.Clone(q.paths)
	for i := range paths {
		paths[i] += robotstxt.Escape(query)
	}
	return paths
}

// Fetch asks about a page.
func Fetch(s *plan.Plan, pg *plan.Page, query, crawler string) seen.Fetch {
	f, _ := About(s, pg).Ask(query, crawler)
	return f
}

// FetchAt asks about a path from the publish root, encoded and with its query, whether anything is published there or not.
func FetchAt(s *plan.Plan, path, crawler string) seen.Fetch {
	for _, r := range s.Robots {
		below, ok := strings.CutPrefix(path, "/"+r.Host.Root)
		if ok && r.Change.New != nil {
			host := seen.Host{Folder: "/" + r.Host.Root, Robots: r.File}
			f, _ := host.Fetch(crawler, r.Host.Base+"/"+below)
			return f
		}
	}
	return seen.Fetch{Crawler: crawler, Allowed: true}
}

// robotsOf is the robots.txt of a file's host, nil where there is none.
func robotsOf(s *plan.Plan, pg *plan.Page) *plan.RobotsFile {
	for _, r := range s.Robots {
		if _, ok := r.Host.Serves(pg.File.Name); ok && r.Change.New != nil {
			return r
		}
	}
	return nil
}

// asked are the request paths for which a robots.txt is asked about a page: those that stand for it, on each host that
// may serve the site. Its URL is enough if no rule tells the addresses of the page apart, as hardly one does.
func asked(s *plan.Plan, pg *plan.Page, robots *robotstxt.File) (paths []string) {
	host, addresses, file := s.Site(pg.File.Name)
	url := host.At(file)
	if addresses == nil || len(addresses.Routes()) == 0 && !strings.ContainsAny(url, respelled) && robots.Alike(stem(url)) {
		return []string{url}
	}
	for _, path := range s.Sites.Representatives(pg) {
		paths = append(paths, host.Base+"/"+strings.TrimPrefix(path[1:], host.Root))
	}
	return paths
}

// respelled are characters of URLs for which hosts and crawlers have other spellings.
const respelled = "%[]|;:@=&+,$*"

// stem is what all addresses of a page begin with.
func stem(url string) string {
	for _, ending := range []string{"/index.html", "/index.htm", ".html", ".htm", "/"} {
		if rest, ok := strings.CutSuffix(url, ending); ok {
			return rest
		}
	}
	return url
}
