package verify

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"metarobots/emit/robotstxt"
	"metarobots/internal/seen"
)

// asGPTBot are options by which requests are sent under the name of GPTBot, which an edge serves as
// the handler says.
func asGPTBot(t *testing.T, edge, others http.Handler) (AskOptions, *web) {
	t.Helper()
	o, w := options(t, refusing("GPTBot", edge, others))
	o.Crawlers, o.Sender.Borrowed, o.Retries, o.Timeout = []string{"gptbot"}, "GPTBot", 2, 30*time.Second
	return o, w
}

// X25q: what an edge refuses to a borrowed name is not verified for that crawler, and no error.
func TestHouse_AnEdgeRefusesTheNameThatIsBorrowed(t *testing.T) {
	const open = "User-agent: GPTBot\nAllow: /\n"
	for _, c := range []struct {
		name string
		edge http.Handler
		want string
	}{
		{"401", file{status: 401}, "refuses a client that calls itself GPTBot (401)"},
		{"403", file{status: 403}, "refuses a client that calls itself GPTBot (403)"},
		{"406", file{status: 406}, "refuses a client that calls itself GPTBot (406)"},
		{"429", file{status: 429}, "refuses a client that calls itself GPTBot (429)"},
		{"no answer", http.HandlerFunc(hang), "gives no answer within 30s to a client that calls itself GPTBot"},
		{"a challenge", page("", "Cf-Mitigated: challenge"),
			"refuses a client that calls itself GPTBot (200, cf-mitigated: challenge)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, _ := asGPTBot(t, c.edge, serving(text200(open)))
			r := against(t, built(open), o)
			want := []string{"https://example.org/: the edge " + c.want +
				", and robots.txt lets it in: 3 URLs are not verified for it"}
			if !slices.Equal(r.Summary.Warnings, want) || r.Failed(true) || len(r.Results) > 0 || r.Refused != 3 ||
				r.Summary.Left != 0 {
				t.Errorf("%+v %s", r.Summary, outcome(r.Results))
			}
		})
	}
}

// X25q: robots.txt is judged by what our own name gets, and pages that the edge serves are
// verified.
func TestHouse_ARefusedRobotsTxtIsJudgedByWhatOthersGet(t *testing.T) {
	const private = "User-agent: *\nDisallow: /private/\n"
	edge := serving(file{status: 403})
	o, _ := asGPTBot(t, edge, serving(text200(private)))
	r := against(t, built(private), o)
	want := []string{"https://example.org/robots.txt: the edge refuses a client that calls itself GPTBot (403); what it " +
		"answers to another name counts here"}
	if !slices.Equal(r.Summary.Warnings, want) || r.Failed(true) || r.Summary.Match != 3 {
		t.Errorf("%+v %s", r.Summary, outcome(r.Results))
	}
	o, _ = asGPTBot(t, edge, serving(text200("User-agent: *\nDisallow:\n")))
	if r = against(t, built(private), o); !strings.Contains(faults(r, ""), "may now fetch /private/") {
		t.Errorf("what others get differs from the build: %q", faults(r, ""))
	}
}

// X25q: what an edge refuses to every name is an error, as it is without a borrowed name.
func TestHouse_WhatIsRefusedToEveryNameIsUnreachable(t *testing.T) {
	const open = "User-agent: GPTBot\nAllow: /\n"
	files := serving(text200(open))
	files["/docs/"] = file{status: 403}
	o, _ := asGPTBot(t, files, files)
	r := against(t, built(open), o)
	if got := find(t, r, "/docs/", "gptbot"); got.Verdict != seen.Unreachable || len(r.Summary.Warnings) > 0 {
		t.Errorf("%+v %q", got, r.Summary.Warnings)
	}
}

// X18i: a host that answers nobody is given up under a borrowed name too.
func TestHouse_AHostThatAnswersNoNameIsGivenUp(t *testing.T) {
	decisions := map[string]string{}
	for i := range 20 {
		decisions[fmt.Sprintf("/%02d/", i)] = ""
	}
	silent := http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		if in.URL.Path != "/robots.txt" {
			hang(out, in)
		}
	})
	o, _ := asGPTBot(t, silent, silent)
	r := against(t, snapshotOf(decisions), o)
	if !strings.Contains(faults(r, ""), "10 requests in a row were not served") || len(r.Summary.Warnings) > 0 {
		t.Errorf("%+v", r.Summary)
	}
}

// X25q: ten refusals in a row are enough, and each URL that is left is counted. A refusal is not
// repeated.
func TestHouse_ARefusedNameIsTriedTenTimes(t *testing.T) {
	files, decisions := host{}, map[string]string{}
	for i := range 40 {
		at := fmt.Sprintf("/%02d/", i)
		files[at], decisions[at] = page(""), ""
	}
	o, w := asGPTBot(t, file{status: 429}, files)
	s := snapshotOf(decisions)
	s.Robots = robotstxt.PerHost{"/": nil}
	r := against(t, s, o)
	borrowed := slices.DeleteFunc(slices.Clone(w.requests), func(in *http.Request) bool {
		return !strings.Contains(in.UserAgent(), "GPTBot")
	})
	const retries, overHTTP = 2, 1
	if r.Refused != 40 || len(borrowed) != maxUnserved+retries+overHTTP || r.Failed(true) {
		t.Errorf("%d requests for GPTBot, %+v", len(borrowed), r.Summary)
	}
}
