package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// X16h, X16i: of a deployed site, a URL that is gone is removed, and one that no crawler reads has
// the reason as its value. What robots.txt disallows is newly disallowed, and in no other list.
func TestHouse_DiffNamesURLsThatNobodyReads(t *testing.T) {
	t.Parallel()
	const page = "<!doctype html><title>x</title>"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		folder, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		before := folder == "before"
		switch {
		case folder == "robots.txt":
			w.Write([]byte("User-agent: *\nDisallow: /after/shut\n"))
		case name == "sitemap.xml":
			w.Write([]byte("<urlset>"))
			for _, path := range []string{"", "gone", "late", "broken", "moved", "shut"} {
				w.Write([]byte("<url><loc>http://" + r.Host + "/" + folder + "/" + path + "</loc></url>"))
			}
			w.Write([]byte("</urlset>"))
		case !before && name == "gone", before && name == "late":
			w.WriteHeader(http.StatusGone)
		case !before && name == "broken":
			w.WriteHeader(http.StatusForbidden)
		case !before && name == "moved":
			http.Redirect(w, r, "https://elsewhere.example/", http.StatusMovedPermanently)
		default:
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte(page))
		}
	}))
	defer server.Close()
	stdout, stderr, code := runCommand(t, "diff", "--json", "--allow-private", "--rate", "0", server.URL+"/before/",
		server.URL+"/after/")
	type change struct{ URL, Is string }
	var found struct {
		NewlyNoindex, Changed, Added, Removed []change
		Fetches                               []struct {
			Allowed bool
			URLs    []string
		}
	}
	if err := json.Unmarshal([]byte(stdout), &found); err != nil || code != exitFailed {
		t.Fatalf("exit code %d, %v: %s%s", code, err, stdout, stderr)
	}
	is := map[string]string{}
	for _, c := range slices.Concat(found.NewlyNoindex, found.Changed) {
		is[c.URL] = c.Is
	}
	if is["/broken"] != "unreachable" || is["/moved"] != "redirect" || is["/shut"] != "" ||
		len(found.Fetches) != 1 || found.Fetches[0].Allowed || !slices.Equal(found.Fetches[0].URLs, []string{"/shut"}) ||
		len(found.Removed) != 1 || found.Removed[0].URL != "/gone" || len(found.Added) != 1 || found.Added[0].URL != "/late" {
		t.Errorf("%+v\n%s", found, stderr)
	}

	file := filepath.Join(t.TempDir(), "decided.json")
	tables.Must(t, os.WriteFile(file, []byte(`{"version": 1, "environment": "production", "policy": "",`+
		` "decisions": {"open": {}}, "pages": {"/": "open", "/shut": "open"}}`), 0o644))
	stdout, stderr, _ = runCommand(t, "diff", "--json", "--allow-private", "--rate", "0", file, server.URL+"/after/")
	if strings.Contains(stdout, "/shut") ||
		!strings.Contains(stderr, "warning: not compared, because robots.txt disallows it: /shut\n") {
		t.Errorf("%s%s", stdout, stderr)
	}
}
