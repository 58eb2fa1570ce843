package verify

import (
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"

	"metarobots/internal/project"
)

func TestHouse_ParseBase(t *testing.T) {
	for text, want := range map[string]string{
		"https://example.org":              "https://example.org/",
		" http://Example.org:8080/a%20b ":  "http://Example.org:8080/a%20b/",
		"https://me:secret@example.org/x/": "https://example.org/x/",
		"https://bücher.example/":          "https://b%C3%BCcher.example/",
		"http://[::1]:80":                  "http://[::1]:80/",
		"https://example.org/a%2Fb":        "https://example.org/a%2Fb/",
	} {
		u, user, err := ParseBase(text)
		if err != nil || u.String() != want || u.User != nil {
			t.Errorf("%q: %v, %v, want %s", text, u, err, want)
		}
		if password, _ := user.Password(); (password == "secret") != strings.Contains(text, "@") {
			t.Errorf("%q: user %v", text, user)
		}
	}
	for text, want := range map[string]string{
		"example.org":               `example.org: no scheme (did you mean "https://example.org"?)`,
		"example.org/x":             `did you mean "https://example.org/x"?`,
		"example.org:8080":          "scheme",
		"ftp://example.org":         `"ftp" is neither http nor https`,
		"https://":                  "names no host",
		"https:example.org":         "no scheme",
		"https://example.org/?x":    "no ?",
		"https://example.org/#x":    "no #",
		"":                          "the URL of the site is empty: no scheme",
		" \n":                       "the URL of the site is empty: no scheme",
		"https://exa mple.org":      "invalid character",
		"https://me:s/cret@example": "the URL: it is none",
		"me:secret@example.org":     "the URL: ",
		"https://xn--a-ä.example":   "idna",
	} {
		_, _, err := ParseBase(text)
		var option *project.InvalidError
		if !errors.As(err, &option) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "cret") {
			t.Errorf("%q: error %v, want %q", text, err, want)
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
	for _, want := range []string{"not negative", `unknown crawler "googelbot" (did you mean "googlebot"?)`,
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
