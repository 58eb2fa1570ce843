package verify

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"metarobots/emit/robotstxt"
)

// robots is what a host's robots.txt says.
type robots struct {
	status int
	file   *robotstxt.File // nil where there is none: everything is allowed
	down   string          // why it cannot be had, so that crawlers stay away altogether
	note   string          // something odd about it
}

// maxRobotsHops are the redirects that are followed to a robots.txt. After them there is none.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.2
const maxRobotsHops = 5

// fetchRobots reads the robots.txt of a host.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1
func (f *fetcher) fetchRobots(ctx context.Context, base *url.URL) (*robots, error) {
	at := &url.URL{Scheme: base.Scheme, Host: base.Host, Path: "/robots.txt"}
	for hop := 0; ; hop++ {
		p, err := f.get(ctx, http.MethodGet, at, func(p *response) int64 {
			if p.status/100 != 2 {
				return 0
			}
			return robotstxt.MaxSize
		})
		if err != nil {
			return nil, err
		}
		r := &robots{status: p.status}
		switch {
		case p.redirects():
			to, err := location(at, p.header)
			switch {
			case err != nil:
				r.note = fmt.Sprintf("robots.txt: %v: it is taken for none", err)
			case !sameHost(to, base):
				r.note = fmt.Sprintf("robots.txt leads to %s, which is another host and not asked: it is taken for none", to)
			case hop == maxRobotsHops:
				r.note = fmt.Sprintf("robots.txt leads on %d times: it is taken for none", hop+1)
			default:
				at = to
				continue
			}
		case p.status/100 == 2:
			r.file = robotstxt.Parse(p.body)
		case p.status >= 500, p.status == http.StatusTooManyRequests:
			// Google takes 429 for an error of the server.
			// https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec#http-status-codes
			r.down = fmt.Sprintf("robots.txt answers %d", p.status)
		}
		return r, nil
	}
}

// ban says why a crawler may not fetch a URL; empty where it may.
func (r *robots) ban(crawler string, u *url.URL) string {
	switch {
	case r.down != "":
		return r.down + ": crawlers stay away from the whole host"
	case r.file == nil:
		return ""
	case crawler == Everyone:
		crawler = "*"
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	v := r.file.Ask(crawler, path)
	if v.Allowed {
		return ""
	}
	return fmt.Sprintf("robots.txt:%d: %s", v.Line, v.Rule)
}

// location is where a redirect leads, without the user that it may hold.
func location(from *url.URL, header http.Header) (*url.URL, error) {
	text := header.Get("Location")
	if text == "" {
		return nil, fmt.Errorf("a redirect without a location")
	}
	to, err := from.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("a redirect to what is no URL")
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	return to, nil
}
