package headers

import (
	"slices"

	"metarobots/emit/robotstag"
)

// The preview hosts of Cloudflare Pages, *.*.pages.dev, carry a noindex of their own. The first X-Robots-Tag of a
// matching rule replaces it (https://github.com/cloudflare/workers-sdk packages/pages-shared/asset-server/handler.ts).

// previewHost stands for all preview hosts.
const previewHost = "version.project.pages.dev"

// previewPaths match the preview hosts. The second one is for files in which the user has the first.
var previewPaths = []string{"https://:version.:project.pages.dev/*", "https://:branch.:project.pages.dev/*"}

// rulesPreviews reports whether full-URL rules set X-Robots-Tag on preview hosts
// to something that leaves the noindex out.
func (f *File) rulesPreviews() bool {
	return slices.ContainsFunc(f.Rules, func(r Rule) bool {
		hs := r.robots()
		return r.Host != "" && len(hs) > 0 && hostMatches(r.Host, previewHost) &&
			!slices.ContainsFunc(hs, func(h Header) bool { return genericNoindex(h.Value) })
	})
}

// genericNoindex reports whether a text forbids indexing to every crawler.
func genericNoindex(joined string) bool {
	set := robotstag.Statements(joined)
	return set[robotstag.Statement{Directive: "noindex"}] || set[robotstag.Statement{Directive: "none"}]
}

// preview returns the block that keeps a preview host's noindex. It takes everything else away: after a value for one
// crawler, a noindex that is merely appended would be read as that crawler's. Where the user's rules give previews
// another value, that is their word.
func (c *compiler) preview() (o ours, ok bool) {
	if c.cloudflare().file.rulesPreviews() {
		return o, false
	}
	for _, path := range previewPaths {
		if c.rivals[path] == nil {
			return ours{path: path, name: Name, detach: true, before: []string{"noindex"}}, true
		}
	}
	return o, false
}
