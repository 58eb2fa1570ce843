package verify

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/project"
)

// maxFileHops are the redirects that are followed to a robots.txt or a sitemap. Behind them there is none.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.2
const maxFileHops = 5

// file asks for a file, up to limit bytes of it, and follows redirects to it. An error with an answer says why these
// lead to nothing.
func (f *fetcher) file(ctx context.Context, s *server, at *url.URL, limit int64) (*response, error) {
	return follow(at, maxFileHops, func(path []*url.URL) (*response, error) {
		return f.get(ctx, s, path[len(path)-1], func(string) int64 { return limit })
	})
}

// readFiles reads the robots.txt of a host, which also shows whether the host answers, and its tdmrep.json where one is
// expected; one that is not there or cannot be read reserves nothing. The error is the context's, or that of an address
// that may not be requested.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1
func (r *run) readFiles(ctx context.Context, s *server) error {
	at := &url.URL{Scheme: s.base.Scheme, Host: s.base.Host}
	p, err := r.fetcher.file(ctx, s, at.JoinPath("/robots.txt"), robotstxt.MaxSize)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p == nil:
		// It may be robots.txt alone that does not answer.
		if _, s.down = r.fetcher.get(ctx, s, s.base, nil); s.down == nil {
			s.shut = "robots.txt: " + err.Error()
		} else if errors.Is(s.down, ErrPrivate) {
			return project.Invalid(fmt.Errorf("%v: %s: %w: use --allow-private to request it anyway", ErrDown, s.base.Host,
				s.down))
		}
	case err != nil:
		host := ""
		if len(r.servers) > 1 {
			host = s.base.Host + ": "
		}
		r.warn("%srobots.txt: %v: it is taken for none", host, err)
	case p.status/100 == 2:
		s.files.Robots = robotstxt.Parse(p.body)
	case p.status >= 500, p.status == http.StatusTooManyRequests:
		// Google takes 429 for an error of the server.
		// https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec#http-status-codes
		s.shut = fmt.Sprintf("robots.txt answers %d", p.status)
	}
	if r.tdmrep && s.down == nil {
		p, err := r.fetcher.file(ctx, s, at.JoinPath(robotstxt.TDMRepPath), robotstxt.MaxSize)
		if err == nil && p.status/100 == 2 {
			s.files.TDMRep, _ = robotstxt.ParseTDMRep(p.body)
		}
	}
	return ctx.Err()
}

// ban says why the host's robots.txt disallows a URL to a crawler. It is empty if the URL is allowed.
func (s *server) ban(crawler string, u *url.URL) string {
	if s.shut != "" {
		return s.shut + ": crawlers stay away from the whole host"
	}
	if crawler == Everyone {
		crawler = "*"
	}
	if s.files.Robots != nil {
		if v := s.files.Robots.Ask(crawler, u.RequestURI()); !v.Allowed {
			return fmt.Sprintf("robots.txt:%d: %s", v.Line, v.Rule)
		}
	}
	return ""
}

// undenied says what of AI the snapshot's robots.txt, or its tdmrep.json, denies at a URL and that of the host does
// not; "" for nothing.
func (t *target) undenied() string {
	path := "/" + strings.TrimPrefix(t.name, t.root.folder)
	lost := t.root.files.Lost(path, t.root.server.files, t.at.EscapedPath())
	if lost == "" || t.root.server.shut != "" {
		return ""
	}
	return "no longer denied to AI: " + lost
}
