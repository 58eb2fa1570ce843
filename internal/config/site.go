package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"metarobots/internal/lazyregexp"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Site is [site], which stands in a policy file alone.
type Site struct {
	// Source is the site's folder, relative to the policy file's.
	Source string
	// Destination is the publish folder, relative to the source; empty for the generator's own.
	Destination string
	// BaseURL is the URL of the site's root, as -b; empty for the generator's own.
	BaseURL string
	// Generator is auto or the name of a generator.
	Generator string
	// Content says where content lies and where it is published, for generators other than Hugo;
	// nil where it says nothing.
	Content *site.Content
	// TrustTemplate is content.trust = "template": what page metadata says goes before what the
	// path and the content tell (M8).
	TrustTemplate bool
	// Environment names the policy's environment where nothing else does (E2).
	Environment string
	// ProductionBranch makes Cloudflare's branch variables decisive (E2).
	ProductionBranch string
}

// generatorNames are what generator may say.
var generatorNames = []string{"auto", "hugo", "html", "astro", "docusaurus", "eleventy", "hexo", "jekyll", "mkdocs",
	"pelican", "vitepress", "vuepress"}

func (d *decoder) site(t *table) Site {
	content := t.table("content")
	return Site{
		Source:           t.text("source", Key{}),
		Destination:      t.text("destination", Key{}),
		BaseURL:          d.baseURL(t),
		Generator:        t.choice("generator", generatorNames...),
		TrustTemplate:    content.choice("trust", "both", "template") == "template",
		Content:          d.content(content),
		Environment:      strings.ToLower(t.text("environment", Key{})),
		ProductionBranch: t.text("productionBranch", Key{}),
	}
}

func (d *decoder) baseURL(t *table) string {
	text := t.text("baseURL", Key{})
	if err := CheckBaseURL(text); err != nil {
		d.errorf(t.at("baseURL"), "%v", err)
	}
	return text
}

// CheckBaseURL returns an error for what is no address of a site's root, with its host; empty is
// none.
func CheckBaseURL(text string) error {
	if text == "" || isURL(text) && !strings.ContainsAny(text, "# \t\r\n") {
		return nil
	}
	if better := policy.NearURL(text); better != "" {
		return fmt.Errorf("%q is not a URL of the web (did you mean %s?)", text, better)
	}
	return fmt.Errorf("%q is not a URL with a host: want one such as https://example.org/", text)
}

// isURL reports whether a text is a whole URL, as of a page.
func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

func (d *decoder) content(t *table) *site.Content {
	c := &site.Content{Folders: t.list("folders", Key{Form: FormList}),
		FoldersAt: d.origin(t.at("folders"), 0), Exclude: t.globs("exclude", Key{}),
		Pattern: d.permalink(t, "pattern"), Permalinks: map[string]string{}, Manifest: t.text("manifest", Key{}),
		Fallback: t.boolean("fallback")}
	permalinks := t.table("permalinks")
	for _, p := range permalinks.names(Key{}) {
		c.Permalinks[p.name] = d.permalink(permalinks, p.name)
	}
	if len(c.Folders) == 0 && c.Pattern == "" && len(c.Permalinks) == 0 && len(c.Exclude) == 0 && c.Manifest == "" &&
		!c.Fallback {
		return nil
	}
	return c
}

var placeholder = lazyregexp.New(`:\w+`)

func (d *decoder) permalink(t *table, key string) string {
	text := t.text(key, Key{})
	if text != "" && !strings.HasPrefix(text, "/") {
		d.errorf(t.at(key), "%q is not a URL of this site: it begins with a slash", text)
	}
	for _, name := range placeholder.FindAllString(text, -1) {
		if name = name[1:]; !slices.Contains(site.Placeholders, name) {
			d.errorf(t.at(key), "%s", policy.Unknown("placeholder", name, site.Placeholders))
		}
	}
	return text
}
