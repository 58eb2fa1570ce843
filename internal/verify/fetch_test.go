package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"metarobots/internal/seen"
	"metarobots/internal/tables"
)

// A host that is busy is asked again, later, by all; Retry-After is obeyed up to a minute.
// https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
func TestRFC9110_RetryAfter(t *testing.T) {
	for _, test := range []struct {
		status int
		after  string
		want   []time.Duration
	}{
		{429, "", []time.Duration{time.Second, 2 * time.Second}},
		{429, "7", []time.Duration{7 * time.Second, 7 * time.Second}},
		{429, "86400", []time.Duration{time.Minute, time.Minute}},
		{429, "soon", []time.Duration{time.Second, 2 * time.Second}},
		{429, midsummer.Add(5 * time.Second).Format(http.TimeFormat), []time.Duration{5 * time.Second,
			2 * time.Second}},
		{429, midsummer.Add(-time.Hour).Format(http.TimeFormat), []time.Duration{time.Second, 2 * time.Second}},
		{503, "3", []time.Duration{3 * time.Second, 3 * time.Second}},
		{500, "", []time.Duration{time.Second, 2 * time.Second}},
	} {
		gets := 0
		o, w := options(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/x" {
				gets++
			}
			if r.URL.Path != "/x" || gets > 2 {
				host{"/x": page("noindex")}.ServeHTTP(w, r)
				return
			}
			if test.after != "" {
				w.Header().Set("Retry-After", test.after)
			}
			w.WriteHeader(test.status)
		}))
		o.Retries = 2
		res := find(t, against(t, snapshotOf(map[string]string{"/x": "noindex"}), o), "/x", Everyone)
		slept := w.waits()
		if res.Verdict != seen.Match || !slices.Equal(slept, test.want) {
			t.Errorf("%d, Retry-After %q: %s (%s), waited %v, want %v", test.status, test.after, res.Verdict, res.Why,
				slept, test.want)
		}
	}
}

// What fails for good is not tried again, and what fails for now not for ever.
func TestHouse_Retries(t *testing.T) {
	for status, want := range map[int]int{404: 1, 403: 1, 501: 1, 500: 3, 502: 3} {
		o, w := options(t, host{"/x": {status: status}})
		o.Retries = 2
		res := find(t, against(t, snapshotOf(map[string]string{"/x": ""}), o), "/x", Everyone)
		gets := strings.Count(strings.Join(w.asked(), "\n"), "GET /x")
		if res.Verdict != seen.Unreachable || gets != want {
			t.Errorf("%d: %s after %d times GET, want %d", status, res.Verdict, gets, want)
		}
	}
}

// Requests start no faster than the rate, whatever the concurrency.
func TestHouse_Rate(t *testing.T) {
	decisions := map[string]string{}
	files := host{}
	for _, name := range strings.Fields("/a /b /c /d /e /f /g /h") {
		decisions[name], files[name] = "", pdf()
	}
	o, w := options(t, files)
	o.Rate, o.Concurrency = 10, 4
	against(t, snapshotOf(decisions), o)
	if gone, least := w.times[len(w.times)-1].Sub(midsummer),
		time.Duration(len(w.requests)-1)*100*time.Millisecond; gone < least {
		t.Errorf("%d requests in %v, want at least %v", len(w.requests), gone, least)
	}
}

// No more requests are under way than are allowed, and so many are.
func TestHouse_Concurrency(t *testing.T) {
	const most = 3
	decisions := map[string]string{}
	for i := range 12 {
		decisions["/"+string(rune('a'+i))] = ""
	}
	var mu sync.Mutex
	waiting := 0
	full := make(chan struct{})
	o, w := options(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			mu.Lock()
			if waiting++; waiting == most {
				close(full)
			}
			mu.Unlock()
			<-full // all of the first requests are here at once
		}
		w.Header().Set("Content-Type", "application/pdf")
	}))
	o.Concurrency = most
	against(t, snapshotOf(decisions), o)
	if w.max != most {
		t.Errorf("%d requests at once, want %d", w.max, most)
	}
}

// An interrupt ends the run with what is known.
func TestHouse_Interrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o, _ := options(t, host{"/a": page(""), "/b": page(""), "/c": page("")})
	o.Progress = func(done, of int) {
		if done == 1 {
			cancel()
		}
	}
	r, err := Against(ctx, snapshotOf(map[string]string{"/a": "", "/b": "", "/c": ""}), o)
	if s := r.Summary; !errors.Is(err, context.Canceled) || !s.Interrupted || s.Asked != 1 || s.Left != 2 ||
		s.Match != 1 || len(r.Results) != 1 {
		t.Errorf("error %v, %+v", err, s)
	}
	r, err = Against(ctx, snapshotOf(map[string]string{"/a": ""}), o)
	if !errors.Is(err, context.Canceled) || len(r.Results) != 0 || r.Summary.Left != 1 {
		t.Errorf("error %v, %+v", err, r.Summary)
	}
}

// A host that does not answer is an error of its own, and every URL is unreachable.
func TestHouse_HostDown(t *testing.T) {
	o, w := options(t, host{})
	w.hosts = nil
	o.Retries = 1
	r, err := try(t, snapshotOf(map[string]string{"/a": "", "/b": "noindex"}), o)
	if !errors.Is(err, ErrDown) || err.Error() != "the host cannot be reached: example.org: connection refused" {
		t.Errorf("error %v", err)
	}
	if got := outcome(r.Results); got != "/a robots unreachable; /b robots unreachable" ||
		r.Results[0].Why != "connection refused" {
		t.Errorf("%s", got)
	}
	if len(w.requests) != 4 {
		t.Errorf("asked %q", w.asked())
	}
}

// https://developers.google.com/search/docs/crawling-indexing/googlebot: of 15 MB that Google's crawlers read, decoded,
// Googlebot reads 2. What stands behind them is not said for sure: it counts where it restricts too
// much, and only there.
func TestGoogle_TwoMegabytesAreReadForSure(t *testing.T) {
	const tag = len("<meta name=robots content=noindex>")
	start := len("<!DOCTYPE html><title>x</title><p>")
	for _, test := range []struct {
		fill    int
		decided string
		want    seen.Verdict
		why     string
		noted   bool
	}{
		{fill: maxSearch - start - tag, decided: "noindex", want: seen.Match},
		{fill: maxSearch - start - tag + 1, decided: "noindex", want: seen.Looser, why: "not within the first 2 MB"},
		{fill: maxSearch, decided: "index, follow", want: seen.Stricter, why: "noindex by"},
		{fill: maxPage - 100, decided: "index, follow", want: seen.Stricter, why: "noindex by"},
		{fill: maxPage + 1, decided: "noindex", want: seen.Looser, why: "noindex missing; neither", noted: true},
	} {
		body := "<!DOCTYPE html><title>x</title><p>" + strings.Repeat(" ", test.fill) + "<meta name=robots content=noindex>"
		o, _ := options(t, host{"/x": {header: []string{htmlType}, body: body}})
		res := find(t, against(t, snapshotOf(map[string]string{"/x": test.decided}), o), "/x", Everyone)
		if res.Verdict != test.want || !strings.HasPrefix(res.Why, test.why) || (len(res.Notes) > 0) != test.noted {
			t.Errorf("after %d bytes: %s (%s), notes %q", test.fill, res.Verdict, res.Why, res.Notes)
		}
	}
}

// What is sent goes to the host alone, and not in the clear where it was given for https.
func TestHouse_SecretsStayWithTheHost(t *testing.T) {
	o, w := options(t, host{"/x": moved("http://example.org/x"), "/y": page("")})
	w.hosts["http://example.org"] = host{"/x": page("")}
	o.User = url.UserPassword("me", "secret")
	o.Header = http.Header{"X-Token": {"secret"}}
	o.Sender.UserAgent = "check/1"
	r := against(t, snapshotOf(map[string]string{"/x": "", "/y": ""}), o)
	if r.Failed(true) {
		t.Errorf("%+v", r)
	}
	for _, request := range w.requests {
		_, password, _ := request.BasicAuth()
		sent := password == "secret" && request.Header.Get("X-Token") == "secret"
		if sent != (request.URL.Scheme == "https") || request.UserAgent() != "check/1" {
			t.Errorf("%s: headers %v", request.URL, request.Header)
		}
	}
}

// The real transport against a server of this machine. Bodies come as they are, or as gzip, which
// alone is asked for; nothing is kept from an answer to the next request; what is no HTML is not
// read, however long it is.
func TestHouse_Transport(t *testing.T) {
	body := page("noindex").body
	var odd atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Cookies())+len(r.Header["Referer"]) > 0 || r.Header.Get("Accept-Encoding") != "gzip" {
			odd.Add(1)
		}
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		w.Header().Set("Content-Type", "text/html")
		text := body
		switch name := strings.TrimPrefix(r.URL.Path, "/"); name {
		case "robots.txt":
			w.WriteHeader(http.StatusNotFound)
		case "gzip", "deflate", "identity":
			if w.Header().Set("Content-Encoding", name); name == "gzip" {
				text = packed(body)
			}
		case "no-gzip":
			w.Header().Set("Content-Encoding", "gzip")
		case "header":
			w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
		case "broken":
			w.Header().Set("Content-Length", "1000")
		case "untyped":
			w.Header()["Content-Type"] = nil
		case "endless":
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("X-Robots-Tag", "noindex")
			for block := make([]byte, 64<<10); ; {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}
		_, _ = io.WriteString(w, text)
	}))
	defer server.Close()
	wants := map[string]string{"/gzip": "", "/identity": "", "/untyped": "", "/endless": "",
		"/deflate": `the answer is encoded as "deflate", which was not requested`, "/no-gzip": "the answer is not gzip",
		"/header": "server response headers exceeded", "/broken": "the answer breaks off"}
	decisions := map[string]string{}
	for path := range wants {
		decisions[path] = "noindex"
	}
	o := serverOptions(t, server)
	o.Concurrency, o.Timeout = 4, 20*time.Second
	r := against(t, snapshotOf(decisions), o)
	for path, want := range wants {
		res := find(t, r, path, Everyone)
		if (res.Verdict == seen.Match) != (want == "") || !strings.Contains(res.Why, want) {
			t.Errorf("%s: %s (%s), want %q", path, res.Verdict, res.Why, want)
		}
	}
	if odd.Load() != 0 {
		t.Errorf("%d requests with cookies, or for other encodings", odd.Load())
	}
}

// A request that is not answered ends, and is told as that.
func TestHouse_Timeout(t *testing.T) {
	o, _ := options(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/x" {
			<-r.Context().Done()
			panic(broken{r.Context().Err()})
		}
	}))
	o.Timeout = 10 * time.Millisecond
	o.Retries = 1
	res := find(t, against(t, snapshotOf(map[string]string{"/x": ""}), o), "/x", Everyone)
	if res.Verdict != seen.Unreachable || res.Why != "no answer within 10ms" {
		t.Errorf("%+v", res)
	}
}

// handshakeTimeout is a time-out of the transport's own, as net/http has one for TLS.
type handshakeTimeout struct{}

func (handshakeTimeout) Error() string   { return "net/http: TLS handshake timeout" }
func (handshakeTimeout) Timeout() bool   { return true }
func (handshakeTimeout) Temporary() bool { return true }

// A time-out of connecting names the time that connecting has, if a request has more.
func TestHouse_TimeoutOfConnecting(t *testing.T) {
	for fault, text := range map[error]string{
		&net.OpError{Op: "dial", Err: context.DeadlineExceeded}: "no answer within 15s",
		handshakeTimeout{}:       "no answer within 15s",
		context.DeadlineExceeded: "no answer within 1m0s",
	} {
		o, _ := options(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/x" {
				panic(broken{fault})
			}
		}))
		o.Timeout, o.Retries = time.Minute, 0
		res := find(t, against(t, snapshotOf(map[string]string{"/x": ""}), o), "/x", Everyone)
		if res.Verdict != seen.Unreachable || res.Why != text {
			t.Errorf("%+v, want %q", res, text)
		}
	}
}

// A certificate that nobody vouches for is told as such.
func TestHouse_Certificates(t *testing.T) {
	server := httptest.NewUnstartedServer(host{"/x": page("")})
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	o := serverOptions(t, server)
	o.Retries = 2
	start := time.Now()
	r, err := Against(t.Context(), snapshotOf(map[string]string{"/x": ""}), o)
	if !errors.Is(err, ErrDown) || !strings.Contains(err.Error(), "the host's certificate is not valid: x509:") {
		t.Errorf("error %v", err)
	}
	if took := time.Since(start); took > firstBackoff || find(t, r, "/x", Everyone).Verdict != seen.Unreachable {
		t.Errorf("waited %v, %+v", took, r.Results)
	}
}

// Without leave no connection is made to an address that is not public, whatever name led there, a
// snapshot's included.
func TestHouse_PrivateAddressesAreRefused(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	tables.Must(t, err)
	transport := Transport(false, 1)
	defer transport.CloseIdleConnections()
	o := AskOptions{Transport: transport, Retries: 2}
	for _, name := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
		base := "http://" + name + ":" + port + "/"
		for _, o.Base = range []*url.URL{nil, mustBase(t, base)} {
			start := time.Now()
			_, err := Against(t.Context(), madeFor(map[string]string{"/": base}, map[string]string{"/x": ""}), o)
			if !errors.Is(err, ErrPrivate) || time.Since(start) > firstBackoff {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
	if asked.Load() != 0 {
		t.Errorf("%d requests came through", asked.Load())
	}
}

// https://www.iana.org/assignments/iana-ipv4-special-registry, iana-ipv6-special-registry
func TestIANA_PublicAddresses(t *testing.T) {
	for _, text := range strings.Fields(`0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
		172.31.255.255 192.0.0.1 192.0.2.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 240.0.0.1
		255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 2002:808:808::
		2002:a00:1:: 3fff::1 5f00::1 fc00::1 fd12::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 ::127.0.0.1`) {
		if isPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s counts as public", text)
		}
	}
	for _, text := range strings.Fields("1.1.1.1 8.8.8.8 93.184.215.14 100.63.255.255 100.128.0.1 172.15.0.1 " +
		"172.32.0.1 192.0.1.1 198.17.0.1 2606:4700::1111 2a00:1450:4001::1 ::ffff:8.8.8.8 64:ff9b::808:808") {
		if !isPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s does not count as public", text)
		}
	}
	if isPublic(netip.Addr{}) || checkAddress("nonsense") == nil {
		t.Error("no address counts as public")
	}
}

// No address that the standard library knows to be special counts as public.
func FuzzIANA_SpecialAddressesAreNotPublic(f *testing.F) {
	f.Add([]byte{127, 0, 0, 1})
	f.Add([]byte("\x20\x02\x0a\x00\x00\x01aaaaaaaaaa"))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		special := a.Unmap().IsPrivate() || a.Unmap().IsLoopback() || a.Unmap().IsLinkLocalUnicast() ||
			a.IsMulticast() || a.IsUnspecified() || a.Unmap().IsMulticast()
		if special && isPublic(a) {
			t.Errorf("%s counts as public", a)
		}
	})
}

// A host that falls silent is not waited for a thousand times: the rest is unreachable, which the
// report says as a whole too. One that answers now and then is asked to the end.
func TestHouse_AHostThatFallsSilent(t *testing.T) {
	decisions := map[string]string{}
	for i := range 100 {
		decisions[fmt.Sprintf("/%02d", i)] = ""
	}
	for name, silent := range map[string]func(http.ResponseWriter){
		"429": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"503":       func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) },
		"no answer": func(w http.ResponseWriter) { panic(broken{context.DeadlineExceeded}) },
		"nobody listens": func(w http.ResponseWriter) {
			panic(broken{&net.OpError{Op: "dial", Err: errors.New("refused")}})
		},
		"a broken answer": nil,
	} {
		for _, always := range []bool{true, false} {
			var asked atomic.Int64
			o, w := options(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch n := asked.Add(1); {
				case r.URL.Path == "/robots.txt", r.URL.Path < "/20":
					page("").serve(w)
				case !always && n%5 == 0:
					page("").serve(w)
				case silent == nil:
					page("", "Content-Encoding: br").serve(w)
				default:
					silent(w)
				}
			}))
			r := against(t, snapshotOf(decisions), o)
			given := len(w.requests) < 100
			if given != (always && silent != nil) || (len(r.Summary.Errors) > 0) != given {
				t.Errorf("%s, always %t: %d requests, errors %q", name, always, len(w.requests), r.Summary.Errors)
			}
			if !r.Failed(false) || r.Summary.Match < 20 || r.Summary.Match+r.Summary.Unreachable != 100 {
				t.Errorf("%s: %+v", name, r.Summary)
			}
			if last := find(t, r, "/99", Everyone); given && !strings.HasPrefix(last.Why,
				"not requested: 10 requests in a row were not served (") {
				t.Errorf("%s: %s", name, last.Why)
			}
		}
	}
}
