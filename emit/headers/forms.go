package headers

import (
	"strings"

	"metarobots/emit/robotstag"
)

// Forms returns the percent-encoded request paths at which the dialect's host answers for a published file: served with
// status 200, redirected with a redirect to one of the served. The path is from the publish root, slash-separated and
// decoded: "posts/a/index.html".
//
// On Cloudflare p.html is served at /p and q/index.html at /q/, and the other spellings are redirected there
// (html_handling "auto-trailing-slash"). Netlify serves every spelling. Its emulator matches rules with the file's own
// path, its servers may with the path as requested: both must be right.
//
// A name with one of [ ] | ; : @ = & + , $ has two spellings, and both count as served: Cloudflare Pages serve both,
// Workers redirect the raw one to the encoded one (https://github.com/cloudflare/workers-sdk
// packages/workers-shared/asset-worker), Netlify's emulator knows the raw one and its servers are closed.
func Forms(d *Dialect, publishPath string) (served, redirected []string) {
	path := "/" + publishPath
	served, redirected = d.forms(encode(path, bareInURL))
	if strings.ContainsAny(path, bareInURL[len(bareInComponent):]) {
		s, r := d.forms(encode(path, bareInComponent))
		served, redirected = append(served, s...), append(redirected, r...)
	}
	return served, redirected
}

// forms is [Forms] of an encoded path with its leading slash.
func (d *Dialect) forms(path string) (served, redirected []string) {
	name := strings.LastIndexByte(path, '/') + 1
	stem, html := strings.CutSuffix(path, ".html")
	all := make([]string, 0, 4)
	switch {
	case path[name:] == "index.html":
		all = append(all, path[:name])
		if name > 1 {
			all = append(all, path[:name-1])
		}
		if d.redirects {
			all = append(all, stem)
		}
	case html && len(stem) > name:
		all = append(all, stem, stem+"/")
	}
	all = append(all, path)
	if d.redirects {
		return all[:1:1], all[1:]
	}
	return all, nil
}

// The characters that stay as they are, besides letters and digits: as encodeURIComponent leaves them (and the slash),
// and as a URL parser does. ^ is encoded, since Cloudflare's rules must spell it %5E.
const (
	bareInComponent = "-_.~!*'()/"
	bareInURL       = bareInComponent + "[]|;:@=&+,$"
)

func encode(path, bare string) string { return robotstag.Encode(path, bare, robotstag.Upper) }
