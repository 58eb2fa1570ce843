package verify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"metarobots/emit/robotstxt"
)

// robots is what a host's robots.txt says.
type robots struct {
	file *robotstxt.File // nil where there is none: everything is allowed
	down string          // why it cannot be had, so that crawlers stay away altogether
	note string          // something odd about it
}

// fetchRobots reads the robots.txt of a host.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1
func (f *fetcher) fetchRobots(ctx context.Context, base *url.URL) (*robots, error) {
	at := &url.URL{Scheme: base.Scheme, Host: base.Host, Path: "/robots.txt"}
	p, astray, err := f.follow(ctx, at, robotstxt.MaxSize)
	if err != nil {
		return nil, err
	}
	r := &robots{}
	switch {
	case astray != nil:
		r.note = fmt.Sprintf("robots.txt: %v: it is taken for none", astray)
	case p.status/100 == 2:
		r.file = robotstxt.Parse(p.body)
	case p.status >= 500, p.status == http.StatusTooManyRequests:
		// Google takes 429 for an error of the server.
		// https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec#http-status-codes
		r.down = fmt.Sprintf("robots.txt answers %d", p.status)
	}
	return r, nil
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
	v := r.file.Ask(crawler, u.RequestURI())
	if v.Allowed {
		return ""
	}
	return fmt.Sprintf("robots.txt:%d: %s", v.Line, v.Rule)
}

// maxFileHops are the redirects that are followed to a robots.txt or a sitemap. Behind them there is none.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.2
const maxFileHops = 5

// follow asks for a file and goes where redirects lead on its host; astray says why they lead to nothing. Up to limit
// bytes are read of an answer that has the file.
func (f *fetcher) follow(ctx context.Context, at *url.URL, limit int64) (p *response, astray, err error) {
	host := at
	for hop := 0; ; hop++ {
		p, err = f.get(ctx, http.MethodGet, at, func(p *response) int64 {
			if p.status/100 != 2 {
				return 0
			}
			return limit
		})
		if err != nil || !p.redirects() {
			return p, nil, err
		}
		to, err := location(at, p.header)
		switch {
		case err != nil:
			return p, err, nil
		case !sameHost(to, host):
			return p, fmt.Errorf("it leads to %s, which is another host and not asked", to), nil
		case hop == maxFileHops:
			return p, fmt.Errorf("it leads on %d times", hop+1), nil
		}
		at = to
	}
}

// location is where a redirect leads, without the user that it may hold.
func location(from *url.URL, header http.Header) (*url.URL, error) {
	text := header.Get("Location")
	if text == "" {
		return nil, errors.New("a redirect without a location")
	}
	to, err := from.Parse(text)
	if err != nil {
		return nil, errors.New("a redirect to what is no URL")
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	return to, nil
}
