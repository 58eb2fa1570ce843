package verify

import (
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"

	"metarobots/internal/project"
	"metarobots/internal/tables"
)

func TestHouse_ParseBase(t *testing.T) {
	for _, c := range tables.Read(t, "testdata/bases.txt") {
		u, user, err := ParseBase(c["text"])
		if c["fault"] != "" {
			var option *project.InvalidError
			if !errors.As(err, &option) || !strings.Contains(err.Error(), c["fault"]) || strings.Contains(err.Error(), "cret") {
				t.Errorf("%q: error %v, want %q", c["text"], err, c["fault"])
			}
			continue
		}
		if err != nil || u.String() != c["url"] || u.User != nil {
			t.Errorf("%q: %v, %v, want %s", c["text"], u, err, c["url"])
		}
		if password, _ := user.Password(); (password == "secret") != strings.Contains(c["text"], "@") {
			t.Errorf("%q: user %v", c["text"], user)
		}
	}
}

// A password never comes back in an error, nor in what the URL prints.
func FuzzHouse_PasswordsAreNotShown(f *testing.F) {
	f.Add("https", "me", "example.org/x")
	f.Add("http", "", "[::1")
	f.Add("ht tp", "%", "%zz")
	f.Fuzz(func(t *testing.T, scheme, name, rest string) {
		const secret = "qqsecretqq"
		if strings.Contains(scheme+name+rest, "qq") {
			return
		}
		u, _, err := ParseBase(scheme + "://" + name + ":" + secret + "@" + rest)
		if err != nil {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("error %v", err)
			}
			return
		}
		if u.User != nil || u.Host == "" || !strings.HasSuffix(u.Path, "/") {
			t.Errorf("%#v", u)
		}
		if again, _, err := ParseBase(u.String()); err != nil || again.String() != u.String() {
			t.Errorf("%s is read as %v, %v", u, again, err)
		}
	})
}

// What is wrong with options is told at once, and values of headers are not shown.
func TestHouse_OptionsAreChecked(t *testing.T) {
	o, w := options(t, host{})
	o.Rate = math.NaN()
	o.Crawlers = []string{"googelbot", "google-extended", "what ever", "mycrawler", "robots"}
	o.Header = http.Header{"Bad Name": {"x"}, "Host": {"x"}, "range": {"x"}, "X-Token": {"secret\r\nX: y"}}
	_, err := Against(t.Context(), snapshotOf(nil), o)
	var option *project.InvalidError
	if !errors.As(err, &option) {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{"must not be negative", `unknown crawler "googelbot" (did you mean "googlebot"?)`,
		"google-extended is only a name in robots.txt: headers and tags have no effect on it",
		`"what ever" is not the name`,
		`"Bad Name" is not the name of a header`, "the header Host cannot be set", "the header range cannot be set",
		"the header X-Token holds a control character"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "mycrawler") || len(w.requests) > 0 {
		t.Errorf("error %v, asked %q", err, w.asked())
	}
}
