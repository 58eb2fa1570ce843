package verify

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// How much of a body is read, decoded.
const (
	// maxPage is how much of a file Google's crawlers read unless they say otherwise. The head would do, but a robots
	// meta in the body counts too (M2).
	// https://developers.google.com/crawling/docs/crawlers-fetchers/overview-google-crawlers
	maxPage = 15 << 20
	// maxSearch is how much of it Googlebot reads for the search. What restricts behind it is not said for sure.
	// https://developers.google.com/search/docs/crawling-indexing/googlebot
	maxSearch = 2 << 20
	// maxSitemap is how long a sitemap may be. https://www.sitemaps.org/protocol.html#index
	maxSitemap = 50 << 20
)

// A response is one answer, its body read as far as it was wanted.
type response struct {
	status int
	header http.Header
	body   []byte
	read   bool // the body was asked for
	cut    bool // the body goes on
}

// redirects reports whether an answer leads elsewhere. 300 and 304 do not.
func (p *response) redirects() bool {
	switch p.status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// A fetcher sends requests.
type fetcher struct {
	*Options
	pace    *pacer
	outages *outages
}

// body says how much of an answer's body is to be read; nil for nothing.
type body func(*response) int64

// get sends a request, and again where it failed for now: HEAD only where the host asks for time, since GET comes next.
func (f *fetcher) get(ctx context.Context, method string, u *url.URL, want body, more ...string) (*response, error) {
	for try := 0; ; try++ {
		if err := f.outages.gone(u); err != nil {
			return nil, err
		}
		if err := f.pace.wait(ctx); err != nil {
			return nil, err
		}
		p, err := f.once(ctx, method, u, want, more)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var status int
		var header http.Header
		if err == nil {
			status, header = p.status, p.header
		}
		busy := status == http.StatusTooManyRequests
		failed := err != nil && passes(err) || status >= 500 && status != http.StatusNotImplemented
		if again := busy || failed && method != http.MethodHead; !again || try >= f.Retries {
			f.outages.record(u, status, err)
			return p, err
		}
		wait := backoff(try, header, f.Clock.Now())
		if busy || status == http.StatusServiceUnavailable {
			f.pace.hold(wait)
		}
		if err := f.Clock.Sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// within is a context that ends after the time for one request.
func (f *fetcher) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.Timeout > 0 {
		return context.WithTimeout(ctx, f.Timeout)
	}
	return context.WithCancel(ctx)
}

// once sends one request. more are further headers, name and value in turn.
func (f *fetcher) once(ctx context.Context, method string, u *url.URL, want body, more []string) (*response, error) {
	ctx, cancel := f.within(ctx)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, u.String(), nil)
	if err != nil {
		return nil, err
	}
	// A secret that was given for https does not go over http.
	if f.Base != nil && sameHost(u, f.Base) && (u.Scheme == "https" || f.Base.Scheme == "http") {
		for name, values := range f.Header {
			request.Header[http.CanonicalHeaderKey(name)] = values
		}
		if f.User != nil {
			password, _ := f.User.Password()
			request.SetBasicAuth(f.User.Username(), password)
		}
	}
	if request.Header.Get("Accept") == "" {
		request.Header.Set("Accept", "*/*")
	}
	request.Header.Set("Accept-Encoding", "gzip")
	request.Header.Set("User-Agent", f.UserAgent)
	for i := 0; i+1 < len(more); i += 2 {
		request.Header.Set(more[i], more[i+1])
	}
	answer, err := f.Transport.RoundTrip(request)
	if err != nil {
		return nil, f.explain(err)
	}
	defer answer.Body.Close()
	p := &response{status: answer.StatusCode, header: answer.Header}
	if method == http.MethodHead || want == nil {
		return p, nil
	}
	limit := want(p)
	if limit <= 0 {
		return p, nil
	}
	p.read = true
	if p.body, err = read(answer, limit+1); err != nil {
		return nil, f.explain(err)
	}
	if int64(len(p.body)) > limit {
		p.body, p.cut = p.body[:limit], true
	}
	return p, nil
}

// read returns the decoded body of an answer, up to a limit.
func read(answer *http.Response, limit int64) ([]byte, error) {
	var b io.Reader = answer.Body
	for _, coding := range codings(answer.Header) {
		var err error
		switch coding {
		case "gzip", "x-gzip":
			b, err = gzip.NewReader(b)
		case "deflate":
			b, err = inflate(b)
		default:
			return nil, fmt.Errorf("the answer is encoded as %q, which nobody asked for", coding)
		}
		if err == io.EOF {
			return nil, nil // nothing at all, as a 304 has
		}
		if err != nil {
			return nil, fmt.Errorf("the answer is no %s: %w", coding, err)
		}
	}
	return io.ReadAll(io.LimitReader(b, limit))
}

// codings are the encodings of a body, the outermost first.
// https://www.rfc-editor.org/rfc/rfc9110#field.content-encoding
func codings(header http.Header) (names []string) {
	for _, line := range header.Values("Content-Encoding") {
		for name := range strings.SplitSeq(line, ",") {
			if name = strings.ToLower(strings.TrimSpace(name)); name != "" && name != "identity" {
				names = append([]string{name}, names...)
			}
		}
	}
	return names
}

// inflate reads deflate in either of its two forms: with the frame of zlib, as the standard says, or bare, as some send
// it.
func inflate(r io.Reader) (io.Reader, error) {
	head := make([]byte, 2)
	n, err := io.ReadFull(r, head)
	if err != nil {
		return nil, io.EOF
	}
	all := io.MultiReader(bytes.NewReader(head[:n]), r)
	if head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(all)
	}
	return flate.NewReader(all), nil
}

// passes reports whether a failed request may succeed when it is sent again.
func passes(err error) bool {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, ErrPrivate), errors.As(err, &certificate):
		return false
	case errors.As(err, &dns):
		return dns.IsTemporary || dns.IsTimeout
	}
	return true
}

// A fetchError is a failed request in words of ours.
type fetchError struct {
	text string
	err  error
}

func (e *fetchError) Error() string { return e.text }
func (e *fetchError) Unwrap() error { return e.err }

// explain says in few words why a request failed.
func (f *fetcher) explain(err error) error {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var op *net.OpError
	var call *os.SyscallError
	text := err.Error()
	switch {
	case errors.Is(err, ErrPrivate):
		if errors.As(err, &op) {
			text = op.Err.Error()
		}
	case errors.As(err, &certificate):
		text = "the certificate of the host does not hold: " + certificate.Err.Error()
	case errors.As(err, &dns):
		text = "its name cannot be resolved: " + dns.Err
	case timedOut(err):
		text = "no answer in time"
		if f.Timeout > 0 {
			text = fmt.Sprintf("no answer within %v", f.Timeout)
		}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		text = "the answer breaks off"
	case errors.As(err, &call):
		text = call.Err.Error()
	case errors.As(err, &op):
		text = op.Err.Error()
	}
	return &fetchError{text, err}
}
