package config

import (
	"errors"
	"strings"

	"golang.org/x/net/idna"

	"metarobots/internal/lazyregexp"
)

// Hosts is [robots.hosts] (N11).
type Hosts struct {
	// KeepsOthersOut is others = "noindex" or "redirect": at every host but the site's own, all
	// files are noindex.
	KeepsOthersOut bool
	// SendsOthersHome is others = "redirect": besides, other hosts redirect to the site's own where
	// the file of their host can say so.
	SendsOthersHome bool
	// Own are the names of the site's own hosts, as crawlers ask for them; none means that of the
	// base URL, with and without www.
	Own []string
	// Also are other names at which the site is served, beside those that its files tell.
	Also []string
}

func (d *decoder) hosts(t *table) Hosts {
	others := t.choice("others", "keep", "noindex", "redirect")
	hostNames := Key{Form: FormList}
	return Hosts{
		KeepsOthersOut:  others == "noindex" || others == "redirect",
		SendsOthersHome: others == "redirect",
		Own:             each(t, "own", hostNames, HostName),
		Also:            each(t, "also", hostNames, HostName),
	}
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
