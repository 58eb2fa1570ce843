package verify

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/internal/tables"
)

// A web answers requests without a network: handlers by scheme and host, such as
// "https://example.org".
type web struct {
	hosts map[string]http.Handler

	mu       sync.Mutex
	requests []*http.Request
	times    []time.Time // of the requests
	now, max int         // requests under way
}

func (w *web) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	w.mu.Lock()
	w.requests = append(w.requests, r)
	w.times = append(w.times, time.Now())
	w.now++
	w.max = max(w.max, w.now)
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.now--
		w.mu.Unlock()
	}()
	h, ok := w.hosts[r.URL.Scheme+"://"+r.URL.Host]
	if !ok {
		return nil, errors.New("connection refused")
	}
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case broken:
			err = fault.error
		default:
			panic(fault)
		}
	}()
	recorder := httptest.NewRecorder()
	recorder.Header()["Content-Type"] = nil // else it makes one up
	served := r.Clone(r.Context())
	served.RequestURI = r.URL.RequestURI()
	h.ServeHTTP(recorder, served)
	return recorder.Result(), nil
}

// broken is what a handler panics with that answers nothing.
type broken struct{ error }

// waits lists the times between requests, where there was any.
func (w *web) waits() (list []time.Duration) {
	for i := range w.times[1:] {
		if d := w.times[i+1].Sub(w.times[i]); d > 0 {
			list = append(list, d)
		}
	}
	return list
}

// asked lists what was asked, "GET /x"; whole with its host: "GET https://example.org/x".
func (w *web) asked() []string { return w.list((*url.URL).RequestURI) }
func (w *web) whole() []string { return w.list((*url.URL).String) }

func (w *web) list(of func(*url.URL) string) (list []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.requests {
		list = append(list, r.Method+" "+of(r.URL))
	}
	return list
}

var midsummer = time.Date(2026, 6, 21, 12, 0, 0, 0, time.UTC)

// A file is what a host answers for one path.
type file struct {
	status int
	header []string // "Name: value"
	body   string
	fault  error // it answers nothing
}

// host serves files; a path that is not among them is 404.
type host map[string]file

func (h host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := h[r.URL.RequestURI()]
	if !ok {
		f = file{status: http.StatusNotFound}
	}
	f.serve(w)
}

// ServeHTTP serves the file at each path.
func (f file) ServeHTTP(w http.ResponseWriter, _ *http.Request) { f.serve(w) }

func (f file) serve(w http.ResponseWriter) {
	if f.fault != nil {
		panic(broken{f.fault})
	}
	for _, line := range f.header {
		name, value, _ := strings.Cut(line, ":")
		w.Header().Add(name, strings.TrimPrefix(value, " "))
	}
	w.WriteHeader(max(f.status, http.StatusOK))
	_, _ = io.WriteString(w, f.body)
}

const htmlType = "Content-Type: text/html; charset=utf-8"

// page is an HTML page with a robots meta; none where content is empty.
func page(content string, header ...string) file {
	meta := ""
	if content != "" {
		meta = fmt.Sprintf("<meta name=\"robots\" content=%q />", content)
	}
	return file{header: append([]string{htmlType}, header...), body: "<!DOCTYPE html><html><head>" +
		meta + "<title>x</title></head><body></body></html>"}
}

func pdf(header ...string) file {
	return file{header: append([]string{"Content-Type: application/pdf"}, header...), body: "%PDF"}
}

// chain is a file behind so many redirects, the first at /1.
func chain(hops int, last file) host {
	files := host{fmt.Sprintf("/%d", hops+1): last}
	for i := range hops {
		files[fmt.Sprintf("/%d", i+1)] = moved(fmt.Sprintf("/%d", i+2))
	}
	return files
}

func moved(to string, header ...string) file {
	return file{status: http.StatusMovedPermanently, header: append([]string{"Location: " + to}, header...)}
}

// snapshotOf is a snapshot with a decision for each URL: a role, or X-Robots-Tag lines separated by
// |.
func snapshotOf(decisions map[string]string) *snapshot.Snapshot {
	var pages []result.Page
	for u, text := range decisions {
		p := result.Page{URL: u}
		switch text {
		case "redirect", "error", "control":
			p.Role = text
		case "":
		default:
			p.Header = strings.Split(text, " | ")
		}
		pages = append(pages, p)
	}
	return snapshot.New(&result.Summary{Settings: result.Settings{Environment: "production"}}, slices.Values(pages))
}

const origin = "https://example.org"

// options ask a web with one host.
func options(t *testing.T, h http.Handler) (AskOptions, *web) {
	t.Helper()
	return optionsAt(t, origin, h)
}

func optionsAt(t *testing.T, base string, h http.Handler) (AskOptions, *web) {
	t.Helper()
	u := mustBase(t, base)
	w := &web{hosts: map[string]http.Handler{u.Scheme + "://" + u.Host: h}}
	return AskOptions{Base: u, Transport: w, Crawlers: []string{Everyone}}, w
}

// try runs Against on midsummer, where waiting takes no time.
func try(t *testing.T, s *snapshot.Snapshot, o AskOptions) (r *Report, err error) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(midsummer))
		r, err = Against(t.Context(), s, o)
	})
	return r, err
}

// against runs Against and wants no error. A web is asked on midsummer, a real server now.
func against(t *testing.T, s *snapshot.Snapshot, o AskOptions) *Report {
	t.Helper()
	run := try
	if _, ok := o.Transport.(*web); !ok {
		run = func(t *testing.T, s *snapshot.Snapshot, o AskOptions) (*Report, error) {
			return Against(t.Context(), s, o)
		}
	}
	r := tables.Value(run(t, s, o))(t)
	for _, a := range r.Results { // a report shows a location once, in the reason or beside it
		if strings.Contains(a.Why, a.Location) && a.Elsewhere() != "" ||
			!strings.Contains(a.Why, a.Location) && a.Elsewhere() != a.Location {
			t.Errorf("%s: %q, and beside it %q of %q", a.URL, a.Why, a.Elsewhere(), a.Location)
		}
	}
	return r
}

// outcome prints results in short: "/x robots looser; …".
func outcome(results []seen.Answer) string {
	var list []string
	for _, r := range results {
		list = append(list, fmt.Sprintf("%s %s %s", r.URL, r.Crawler, r.Verdict))
	}
	return strings.Join(list, "; ")
}

// find returns the result for a URL and a crawler.
func find(t *testing.T, r *Report, url, crawler string) seen.Answer {
	t.Helper()
	i := slices.IndexFunc(r.Results, func(r seen.Answer) bool { return r.URL == url && r.Crawler == crawler })
	if i < 0 {
		t.Fatalf("no result for %s at %s: %s", crawler, url, outcome(r.Results))
	}
	return r.Results[i]
}

// serverOptions ask a server of this machine over the real transport.
func serverOptions(t *testing.T, server *httptest.Server) AskOptions {
	t.Helper()
	u := tables.Value(url.Parse(server.URL + "/"))(t)
	transport := Transport(true, 4)
	t.Cleanup(transport.CloseIdleConnections)
	return AskOptions{Base: u, Transport: transport, Crawlers: []string{Everyone}}
}

func mustBase(t *testing.T, text string) *url.URL {
	t.Helper()
	u, _, err := ParseBase(text)
	tables.Must(t, err)
	return u
}

// faults are the texts of what is wrong with a site as a whole.
func faults(r *Report, between string) string {
	var texts []string
	for _, f := range r.Summary.Errors {
		texts = append(texts, f.String())
	}
	return strings.Join(texts, between)
}
