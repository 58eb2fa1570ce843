package config

import (
	"errors"
	"strings"

	"golang.org/x/net/idna"

	"metarobots/internal/lazyregexp"
)

// Hosts is [robots.hosts] (N11).
type Hosts struct {
	// KeepsOthersOut is others = "noindex": at every host but the site's own, all files are noindex.
	KeepsOthersOut bool
	// Own are the names of the site's own hosts, as crawlers ask for them; none means that of the
	// base URL, with and without www.
	Own []string
}

// redirectsAreTheOwners says what works where others = "redirect" would be written.
const redirectsAreTheOwners = `metarobots writes no redirects, which are the best answer where you can: on Netlify ` +
	`"https://NAME.netlify.app/* https://example.com/:splat 301!" in _redirects, on Vercel redirects with has: host in ` +
	`vercel.json, on a server a server block of its own; others = "noindex" is written for what is left`

func (d *decoder) hosts(t *table) (c Hosts) {
	words := []string{"keep", "noindex"}
	if text, _ := t.given("others").(string); strings.EqualFold(text, "redirect") {
		t.get("others", Key{Form: FormChoice, Words: words})
		d.errorf(t.at("others"), `"redirect" is not supported: %s`, redirectsAreTheOwners)
	} else {
		c.KeepsOthersOut = t.choice("others", words...) == "noindex"
	}
	c.Own = each(t, "own", Key{Form: FormList}, HostName)
	return c
}

// hostName is the name of a host as it is asked for.
var hostName = lazyregexp.New(`^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$`)

// HostName returns a host's name as browsers and crawlers ask for it: in lower case and ASCII.
func HostName(text string) (string, error) {
	host, err := idna.Lookup.ToASCII(strings.ToLower(strings.TrimSpace(text)))
	if err != nil || !hostName.MatchString(host) || len(host) > 253 {
		return "", errors.New(`"` + text + `" is not the name of a host, such as example.com`)
	}
	return host, nil
}
