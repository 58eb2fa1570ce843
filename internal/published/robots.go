// Package published reads a plan as others do once it is published: what each robots.txt says of a
// URL and where that is stated, and what the vendors of AI do with it, whatever was decided. It
// reads a deployed site in the same way.
//
//	robots      who may fetch a page, by which line
//	answers     what each vendor of AI does with a page
//	signals     what is published about AI that no vendor documents to obey
//	deployed    the last two of one URL of a deployed site
//
// # Words of this package
//
//   - An address represents a page on a host if it is the one that its canonical link names, or the
//     shortest (U4). A robots.txt is asked about the paths of these addresses alone.
//   - The planned robots.txt of a file is that of its host in the plan. Crawlers read none of it if
//     the site is below the root of its host, and some hosts put a block of rules before it
//     (Managed): then it is behind that block.
//   - A vendor is the operator of crawlers with a documented use by AI. An [Answer] is what one of
//     them does; a reading is what it is made from.
//   - A [Signal] is a statement about AI that changes no answer, since nobody documents to obey it.
package published

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
	"metarobots/internal/seen"
)

// A Question is asked of the robots.txt that crawlers read for a page, by the addresses that
// represent it (U4).
type Question struct {
	// Robots is that robots.txt; nil if there is none, and everything is allowed.
	Robots *plan.RobotsFile
	page   *plan.Page
	host   seen.Host
	paths  []string // request paths from the root of the host
}

// QuestionAbout is the question about a page.
func QuestionAbout(s *plan.Plan, pg *plan.Page) Question {
	q := Question{Robots: readRobots(s, pg), page: pg}
	if q.Robots != nil {
		q.host = seen.Host{Folder: "/" + q.Robots.Host.Root, Robots: q.Robots.File}
		q.paths = pathsToAsk(s, pg, q.Robots.File)
	}
	return q
}

// asRead is the same question of the robots.txt as crawlers read it: behind the block that the host
// puts before it, also if the site has none.
func (q Question) asRead(s *plan.Plan) Question {
	planned := q.host.Robots
	if q.Robots != nil {
		q.host.Robots = q.Robots.Behind
	} else {
		q.host.Robots = planned.Behind(s.Project.Config.Robots.Txt.Managed)
	}
	if q.host.Robots != planned { // the rules of the block may tell other addresses apart
		q.paths = pathsToAsk(s, q.page, q.host.Robots)
	}
	return q
}

// Ask returns whether a crawler may fetch the page with a query, which begins with a question mark
// or is empty. at is the address that decides, as an encoded path from the publish root. The place
// is in the policy if that states the rule for the page.
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

// Fetch asks whether a crawler may fetch a page with a query: see [Question.Ask].
func Fetch(s *plan.Plan, pg *plan.Page, query, crawler string) seen.Fetch {
	f, _ := QuestionAbout(s, pg).Ask(query, crawler)
	return f
}

// FetchAt asks whether a crawler may fetch a path from the publish root, encoded and with its
// query. It does not matter whether anything is published there.
func FetchAt(s *plan.Plan, path, crawler string) seen.Fetch {
	robots, at := plan.RobotsAt(s, path)
	if robots == nil {
		return seen.Fetch{Crawler: crawler, Allowed: true}
	}
	host := seen.Host{Folder: "/" + robots.Host.Root, Robots: robots.File}
	f, _ := host.Fetch(crawler, at)
	return f
}

// robotsOf is the planned robots.txt of a file; nil if there is none.
func robotsOf(s *plan.Plan, pg *plan.Page) *plan.RobotsFile {
	for _, r := range s.HostFiles.Robots {
		if _, ok := r.Host.Serves(pg.File.Name); ok && r.Change.New != nil {
			return r
		}
	}
	return nil
}

// pathsToAsk are the request paths for which a robots.txt is asked about a page: those that
// represent it, on each host that may serve the site. If no rule tells the addresses of the page
// apart, and hardly one does, the page's URL alone is enough.
func pathsToAsk(s *plan.Plan, pg *plan.Page, robots *robotstxt.File) (paths []string) {
	host, addresses, file := s.Site(pg.File.Name)
	url := host.At(file)
	if addresses == nil {
		return []string{url}
	}
	hasOneSpelling := len(addresses.Routes()) == 0 && !strings.ContainsAny(url, respelled)
	if hasOneSpelling && robots.Alike(stem(url)) {
		return []string{url}
	}
	for _, path := range s.Sites.Representatives(pg) {
		paths = append(paths, host.Base+"/"+strings.TrimPrefix(path[1:], host.Root))
	}
	return paths
}

// respelled are characters of URLs for which hosts and crawlers have other spellings.
const respelled = "%[]|;:@=&+,$*"

// stem is what all addresses of a page begin with: "/a" for "/a/", "/a.html" and "/a/index.html".
func stem(url string) string {
	for _, ending := range []string{"/index.html", "/index.htm", ".html", ".htm", "/"} {
		if rest, ok := strings.CutSuffix(url, ending); ok {
			return rest
		}
	}
	return url
}
