// Package published reads a plan as others do once it is published: what each robots.txt says of a URL and where that
// is stated, and what the vendors of AI do with it, whatever was decided.
package published

import (
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
)

// Crawlers are those whose verdict is asked where nobody names one.
var Crawlers = []string{"googlebot", "bingbot"}

// A Question is asked of the robots.txt that crawlers read for a page, by the addresses that stand for it (U4).
type Question struct {
	robots *plan.RobotsFile // nil where there is none, and everything is allowed
	url    string
	paths  []string // request paths from the root of the host
}

// About is a question about a page.
func About(s *plan.Plan, pg *plan.Page) Question {
	q := Question{robots: readRobots(s, pg), url: pg.URL}
	if q.robots != nil {
		q.paths = asked(s, pg, q.robots.File)
	}
	return q
}

// Ask returns whether a crawler may fetch the page with a query, which begins with a question mark or is empty: it may not
// if one of the addresses is disallowed. at is the address that decides, as an encoded path from the publish root, and r
// the robots.txt; nil where there is none.
func (q Question) Ask(query, crawler string) (v robotstxt.Access, at string, r *plan.RobotsFile) {
	if q.robots == nil {
		return robotstxt.Access{Allowed: true}, q.url, nil
	}
	v, i := ask(q.robots.File, q.paths, query, crawler)
	return v, "/" + q.robots.Host.Root + q.paths[i][1:], q.robots
}

// Robots asks about a page.
func Robots(s *plan.Plan, pg *plan.Page, query, crawler string) (v robotstxt.Access, r *plan.RobotsFile) {
	v, _, r = About(s, pg).Ask(query, crawler)
	return v, r
}

// ask asks for each of some request paths, and returns the answer for the first that is disallowed, else for the first.
func ask(robots *robotstxt.File, paths []string, query, crawler string) (v robotstxt.Access, of int) {
	for i, path := range paths {
		is := robots.Ask(crawler, path+robotstxt.Escape(query))
		if i == 0 || !is.Allowed {
			v, of = is, i
		}
		if !v.Allowed {
			break
		}
	}
	return v, of
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
