package verify

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// HEAD is believed where it says what was decided, and in nothing else: whatever it lacks, has too much of or refuses,
// GET says.
func TestHouse_HeadIsBelievedWhereItSaysWhatWasDecided(t *testing.T) {
	const tag = "X-Robots-Tag: noindex"
	kind := []string{"Content-Type: application/pdf"}
	with := append(slices.Clone(kind), tag)
	for _, test := range []struct {
		name, path, decided string
		head, get           file
		want                Verdict
		note                string
		gets                int
	}{
		{"GET alone has it", "/x.pdf", "noindex", file{header: kind}, file{header: with}, Match,
			"HEAD says no X-Robots-Tag, GET X-Robots-Tag: noindex", 1},
		{"HEAD alone has it", "/x.pdf", "noindex", file{header: with}, file{header: kind}, Match, "", 0},
		{"neither has it", "/x.pdf", "noindex", file{header: kind}, file{header: kind}, Looser, "", 1},
		{"HEAD alone has what was not decided", "/x.pdf", "", file{header: with}, file{header: kind}, Match,
			"HEAD says X-Robots-Tag: noindex, GET no X-Robots-Tag", 1},
		{"HEAD is not allowed", "/x.pdf", "noindex", file{status: 405}, file{header: with}, Match,
			"HEAD answers 405, GET 200", 1},
		{"HEAD is not known", "/x.pdf", "noindex", file{status: 501}, file{header: with}, Match,
			"HEAD answers 501, GET 200", 1},
		{"HEAD is not found", "/x.pdf", "", file{status: 404}, file{header: kind}, Match, "HEAD answers 404, GET 200",
			1},
		{"only HEAD is found", "/x.pdf", "noindex", file{header: kind}, file{status: 404}, Unreachable,
			"HEAD answers 200, GET 404", 1},
		{"HEAD leads away", "/x.pdf", "noindex", moved("https://login.example/"), file{header: with}, Match,
			"HEAD answers 301, GET 200", 1},
		{"HEAD leads to another page", "/x.pdf", "noindex", moved("/y"), file{header: with}, Match,
			"HEAD answers 301, GET 200", 1},
		{"GET leads away", "/x.pdf", "noindex", file{header: kind}, moved("https://login.example/"), Redirected,
			"HEAD answers 200, GET 301", 1},
		{"a redirect that was decided", "/x", "redirect", moved("/y"), moved("/y"), Match, "", 1},
		{"a page that HEAD takes for a file", "/x.html", "", file{header: kind}, page("noindex"), Stricter, "", 1},
		{"a folder's page that HEAD takes for a file", "/x/", "", file{header: kind}, page("noindex"), Stricter, "", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			get := test.get
			get.head = &test.head
			o, w := options(t, host{test.path: get, "/y": page("")})
			res := find(t, against(t, site(map[string]string{test.path: test.decided}), o), test.path, Everyone)
			if res.Verdict != test.want || !strings.Contains(strings.Join(res.Notes, "; "), test.note) {
				t.Errorf("%s (%s), notes %q; want %s, %q", res.Verdict, res.Why, res.Notes, test.want, test.note)
			}
			gets := 0
			for _, request := range w.requests {
				if request.Header.Get("Range") != "" {
					t.Errorf("%s asks for a part: some answer that with other headers", request.URL)
				}
				if request.Method == http.MethodGet && request.URL.Path != "/robots.txt" {
					gets++
				}
			}
			if gets != test.gets {
				t.Errorf("asked %q, want GET %d times", w.asked(), test.gets)
			}
		})
	}
}

// What is no HTML is asked whole and not read: its headers are enough, however long it is.
func TestHouse_WhatIsNoHTMLIsNotRead(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/endless.pdf":
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodHead:
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("X-Robots-Tag", "noindex")
			for block := make([]byte, 64<<10); ; {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}
	}))
	defer server.Close()
	o := serverOptions(t, server)
	o.Timeout = 20 * time.Second
	if res := find(t, against(t, site(map[string]string{"/endless.pdf": "noindex"}), o), "/endless.pdf",
		Everyone); res.Verdict != Match {
		t.Errorf("%+v", res)
	}
}
