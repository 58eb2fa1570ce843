//go:build e2e && law

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

func TestTry(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("N"))
	seed, _ := strconv.Atoi(os.Getenv("SEED"))
	what := os.Getenv("ENGINE")
	folder := t.TempDir()
	var e *lawEngine
	target, settings := "", map[string]string{}
	switch what {
	case "pages":
		s := &standing{engine: "pages", folder: folder}
		e = &lawEngine{name: "pages", host: "cloudflare", serve: s.serve, fragile: what == "netlify" || what == "superstatic"}
		target, settings = `"cloudflare"`, map[string]string{"wrangler.toml": "pages_build_output_dir = \"public\"\n"}
	case "netlify":
		s := &standing{engine: "netlify", owners: "netlify.toml", folder: folder}
		e = &lawEngine{name: "netlify", host: "netlify", serve: s.serve, fragile: what == "netlify" || what == "superstatic"}
		target = `"netlify"`
	case "superstatic":
		s := &standing{engine: "superstatic", owners: "firebase.json", folder: folder}
		e = &lawEngine{name: "superstatic", host: "firebase", serve: s.serve, fragile: what == "netlify" || what == "superstatic"}
		target = `"firebase"`
	case "workers":
		s := &standing{engine: "workers", owners: "wrangler.jsonc", folder: folder}
		e = &lawEngine{name: "workers", host: "cloudflare", serve: s.serve, fragile: what == "netlify" || what == "superstatic"}
		target = `"cloudflare"`
	case "apache":
		e = webEngine(webServers[0], "apache", "")
		target = `"apache"`
	case "nginx":
		e = webEngine(webServers[1], "nginx", "")
		target = `"nginx"`
	case "caddy":
		e = webEngine(webServers[2], "caddy"+os.Getenv("CADDY"), map[string]string{"": "", " with try_files": webServers[2].clean}[os.Getenv("CADDY")])
		target = `"caddy"`
	}
	c := &tally{}
	e.before = what != "nginx" && what != "caddy"
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(seed+i), 1))
		if what == "superstatic" {
			settings["firebase.json"] = one(r, `{"hosting": {"public": "public"}}`, `{"hosting": {"public": "public", "cleanUrls": true}}`,
				`{"hosting": {"public": "public", "cleanUrls": true, "trailingSlash": true}}`, `{"hosting": {"public": "public", "cleanUrls": true, "trailingSlash": false}}`,
				`{"hosting": {"public": "public", "trailingSlash": false}}`)
		}
		if what == "workers" {
			settings["wrangler.jsonc"] = fmt.Sprintf("{\n // assets\n \"name\": \"x\", \"compatibility_date\": \"2026-01-01\", \"assets\": {\"directory\": \"public\", \"html_handling\": \"%s\", \"not_found_handling\": \"%s\"}\n}\n",
				one(r, "auto-trailing-slash", "force-trailing-slash", "drop-trailing-slash", "none"), one(r, "none", "404-page", "single-page-application"))
		}
		s := randomSite(r, target, fmt.Sprint(what, " ", seed+i), settings)
		if what != "netlify" {
			delete(s.files, "netlify.toml")
		}
		start := time.Now()
		a := apply(t, s)
		mid := time.Now()
		holds(t, e, a, c)
		if c.wrong > 0 && os.Getenv("KEEP") != "" {
			for name, text := range a.after {
				write(t, os.Getenv("KEEP")+"/"+name, text)
			}
			for name, text := range s.files {
				write(t, os.Getenv("KEEP")+"-before/"+name, text)
			}
			return
		}
		if os.Getenv("TIMES") != "" {
			t.Logf("%d: apply %v, ask %v", seed+i, mid.Sub(start), time.Since(mid))
		}
	}
	c.log(t, what)
}
