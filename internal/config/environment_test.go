package config

import (
	"fmt"
	"strings"
	"testing"

	"metarobots/policy"
)

// getenv reads "KEY=value KEY=value".
func getenv(text string) func(string) string {
	vars := map[string]string{}
	for field := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(field, "=")
		vars[key] = value
	}
	return func(key string) string { return vars[key] }
}

// E2, E3: the policy's environment, what chose it, and what it states. -e is written first, [site] and environments as
// configuration.
func TestEnvironment(t *testing.T) {
	const (
		main  = "[site]\nproductionBranch = \"main\"\n"
		named = "[robots.environments]\nuat = \"nosnippet\"\nlive = true\nPreview = \"noai\"\nproduction = \"noml\"\n"
	)
	for _, c := range []struct {
		flag, env, config string
		want              string // name (by): states
		finding           bool
	}{
		// Nothing is said.
		{"", "", "", "production (the default): ", false},
		// -e, then Hugo's variables, then [site] environment.
		{"staging", "HUGO_ENVIRONMENT=production HUGO_ENV=test", "[site]\nenvironment = \"dev\"\n",
			"staging (-e): noindex, nofollow", false},
		{"", "HUGO_ENVIRONMENT=staging HUGO_ENV=production", "[site]\nenvironment = \"production\"\n",
			"staging (HUGO_ENVIRONMENT): noindex, nofollow", false},
		{"", "HUGO_ENV=test", "", "test (HUGO_ENV): noindex, nofollow", false},
		{"", "", "[site]\nenvironment = \"Staging\"\n", "staging (site.environment): noindex, nofollow", false},
		{"PRODUCTION", "", "", "production (-e): ", false}, // names ignore case
		{"Deploy-Preview", "", "", "deploy-preview (-e): noindex, nofollow", false},
		// Netlify: with NETLIFY=true alone.
		{"", "NETLIFY=true CONTEXT=production", "", "production (Netlify's CONTEXT): ", false},
		{"", "NETLIFY=true CONTEXT=deploy-preview", "", "deploy-preview (Netlify's CONTEXT): noindex, nofollow", false},
		{"", "NETLIFY=TRUE CONTEXT=Branch-Deploy", "", "branch-deploy (Netlify's CONTEXT): noindex, nofollow", false},
		{"", "NETLIFY=true CONTEXT=dev", "", "dev (Netlify's CONTEXT): noindex, nofollow", false},
		{"", "NETLIFY=true CONTEXT=preview-server", "", "preview-server (Netlify's CONTEXT): noindex, nofollow", false},
		{"", "CONTEXT=deploy-preview", "", "production (the default): ", false},
		{"", "NETLIFY=false CONTEXT=deploy-preview", "", "production (the default): ", false},
		{"", "NETLIFY=true", "", "production (the default): ", false},
		// Vercel.
		{"", "VERCEL_ENV=preview", "", "preview (VERCEL_ENV): noindex, nofollow", false},
		{"", "VERCEL_ENV=Production", "", "production (VERCEL_ENV): ", false},
		{"", "VERCEL_ENV=development", "", "development (VERCEL_ENV): noindex, nofollow", false},
		// Cloudflare: only with productionBranch.
		{"", "CF_PAGES=1 CF_PAGES_BRANCH=feature", "", "production (the default): ", false},
		{"", "CF_PAGES=1 CF_PAGES_BRANCH=feature", main, "preview (CF_PAGES_BRANCH): noindex, nofollow", false},
		{"", "CF_PAGES=1 CF_PAGES_BRANCH=main", main, "production (CF_PAGES_BRANCH): ", false},
		// branches do not ignore case
		{"", "CF_PAGES=1 CF_PAGES_BRANCH=Main", main, "preview (CF_PAGES_BRANCH): noindex, nofollow", false},
		{"", "WORKERS_CI=1 WORKERS_CI_BRANCH=feature", main, "preview (WORKERS_CI_BRANCH): noindex, nofollow", false},
		{"", "WORKERS_CI=1 WORKERS_CI_BRANCH=main", main, "production (WORKERS_CI_BRANCH): ", false},
		{"", "WORKERS_CI_BRANCH=feature", "", "production (the default): ", false},
		// The host says preview and another of these says production: both apply, with a finding.
		{"production", "NETLIFY=true CONTEXT=deploy-preview", "", "production (-e): noindex, nofollow", true},
		{"", "HUGO_ENVIRONMENT=production NETLIFY=true CONTEXT=branch-deploy", "",
			"production (HUGO_ENVIRONMENT): noindex, nofollow", true},
		{"", "HUGO_ENV=production VERCEL_ENV=preview", "", "production (HUGO_ENV): noindex, nofollow", true},
		{"", "CF_PAGES_BRANCH=feature", main + "environment = \"production\"\n",
			"production (site.environment): noindex, nofollow", true},
		{"live", "VERCEL_ENV=preview", named, "live (-e): noai", true},
		// Otherwise what was said holds alone.
		{"staging", "VERCEL_ENV=production", "", "staging (-e): noindex, nofollow", false},
		{"staging", "VERCEL_ENV=preview", "", "staging (-e): noindex, nofollow", false},
		{"production", "VERCEL_ENV=production", "", "production (-e): ", false},
		{"preview", "VERCEL_ENV=preview", "", "preview (-e): noindex, nofollow", false},
		// What is configured replaces what is built in.
		{"uat", "", named, "uat (-e): nosnippet", false},
		{"UAT", "", named, "uat (-e): nosnippet", false},
		{"live", "", named, "live (-e): ", false},
		{"", "", named, "production (the default): noml", false},
		{"", "VERCEL_ENV=preview", named, "preview (VERCEL_ENV): noai", false},
		{"staging", "", "[robots.environments]\nstaging = true\n", "staging (-e): ", false},
		{"production", "VERCEL_ENV=preview", "[robots.environments]\npreview = true\n", "production (-e): ", false},
	} {
		name := fmt.Sprintf("-e %q, %q, %q", c.flag, c.env, c.config)
		config, err := parse(c.config)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := config.Choose(c.flag, getenv(c.env))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var states []string
		for _, s := range got.Statements {
			states = append(states, s.States())
			if s.Crawler != "" || s.Origin.Layer != policy.LayerEnvironment {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if text := fmt.Sprintf("%s (%s): %s", got.Name, got.By, strings.Join(states, "; ")); text != c.want {
			t.Errorf("%s\n got %s\nwant %s", name, text, c.want)
		}
		if (len(got.Findings) == 1) != c.finding || c.finding && got.Findings[0].Severity != policy.Warning {
			t.Errorf("%s: findings %v", name, got.Findings)
		}
	}
}

// E3: any other name is a configuration error that prints the two lines to choose from.
func TestEnvironment_UnknownName(t *testing.T) {
	for _, c := range []struct{ flag, env, config, message string }{
		{"prod", "", "", "\tprod = true\nor not,\n\tprod = \"noindex, nofollow\""},
		{"Prod", "", "", "from -e"},
		{"", "HUGO_ENVIRONMENT=live", "", "from HUGO_ENVIRONMENT"},
		{"", "", "[site]\nenvironment = \"a b\"\n", `"a b" = true`}, // a line that TOML takes
		{"", "VERCEL_ENV=custom", "", "from VERCEL_ENV"},
		{"production", "NETLIFY=true CONTEXT=custom", "", "from Netlify's CONTEXT"},
	} {
		config, err := parse(c.config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := config.Choose(c.flag, getenv(c.env)); err == nil || !strings.Contains(err.Error(), c.message) ||
			!strings.Contains(err.Error(), "[robots.environments]") {
			t.Errorf("%v: %v, want %q in it", c, err, c.message)
		}
	}
}

// L7: the clock is --now, SOURCE_DATE_EPOCH, or the system's.
func TestClock(t *testing.T) {
	for _, c := range []struct{ now, env, want, fault string }{
		{"2026-09-21", "", "2026-09-21T00:00:00Z", ""},
		{"2026-09-21T10:00:00+02:00", "SOURCE_DATE_EPOCH=0", "2026-09-21T08:00:00Z", ""},
		{"25 Jun 2010 15:00:00 PST", "", "2010-06-25T23:00:00Z", ""},
		{"", "SOURCE_DATE_EPOCH=1600000000", "2020-09-13T12:26:40Z", ""},
		{"", "SOURCE_DATE_EPOCH=0", "1970-01-01T00:00:00Z", ""},
		{"soon", "", "", "--now: "},
		{"2026-02-30", "", "", "calendar"},
		{"", "SOURCE_DATE_EPOCH=today", "", "SOURCE_DATE_EPOCH"},
		{"", "SOURCE_DATE_EPOCH=1.5", "", "SOURCE_DATE_EPOCH"},
		{"", "SOURCE_DATE_EPOCH=99999999999999999999", "", "SOURCE_DATE_EPOCH"},
	} {
		got, err := Now(c.now, getenv(c.env))
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%v: %v", c, err)
			}
			continue
		}
		if err != nil || got.Format("2006-01-02T15:04:05Z07:00") != c.want {
			t.Errorf("%v: %v (%v)", c, got, err)
		}
	}
	if now, err := Now("", getenv("")); err != nil || now.Year() < 2026 || now.Location().String() != "UTC" {
		t.Errorf("%v (%v)", now, err)
	}
}
