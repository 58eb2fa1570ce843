package hosting

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/hosts"
	"metarobots/policy"
)

// leavesOut are patterns, as in [path.Match], of names that the hosts of a target do not publish if
// they are at the root of the publish folder. A web server publishes what is in its folder.
var leavesOut = map[string][]string{
	// https://github.com/netlify/cli src/commands/deploy/deploy.ts, getDeployFilesFilter
	// https://github.com/netlify/open-api go/porcelain/deploy.go, ignoreFile, for what Netlify builds
	headers.TargetNetlify: {".*", "node_modules"},
	// Pages: https://github.com/cloudflare/workers-sdk packages/wrangler/src/pages/validate.ts
	headers.TargetCloudflare: {".git", "node_modules"},
	// https://github.com/vercel/vercel packages/client/src/utils/index.ts, getVercelIgnore
	"vercel": {".git", ".hg", ".svn", "node_modules"},
	// https://github.com/aws-amplify/amplify-hosting/issues/829
	"amplify": {"node_modules"},
	// GitHub Pages: https://github.com/actions/upload-pages-artifact action.yml
	headers.TargetNone: {".git"},
}

// A publisher is a host that may publish what a run does not list.
type publisher struct {
	name string
	// leavesOut reports whether it leaves out a file or folder, by its path from the publish folder.
	leavesOut func(name string) bool
	// isSure says that files of the owner show that it publishes all else.
	isSure bool
	// instead is how its owner keeps names, %s, out of what it publishes.
	instead string
}

// ReportUnlisted reports what counts as not published, and is published by a host of the site
// (M6t), once for each host. names are the paths of such files and folders from the publish folder.
func (h *Hosting) ReportUnlisted(names []string) (found []policy.Finding) {
	for _, host := range h.publishers() {
		published := slices.DeleteFunc(slices.Clone(names), host.leavesOut)
		if len(published) == 0 {
			continue
		}
		f := policy.Finding{ID: "not-listed", Severity: policy.Note, File: h.project.Published(published[0])}
		verb := "may publish"
		if host.isSure {
			f.Severity, verb = policy.Warning, "publishes"
		}
		f.Message = fmt.Sprintf("%s %s %s, and metarobots does not list what is in there", host.name, verb,
			joined(published))
		f.Detail = ": nothing is decided for its files"
		f.Fix = ". " + fmt.Sprintf(host.instead, joined(lastNames(published)))
		found = append(found, f)
	}
	return found
}

// lastNames are the last names of some paths, each once, in the order of the paths.
func lastNames(paths []string) (names []string) {
	for _, name := range paths {
		if last := path.Base(name); !slices.Contains(names, last) {
			names = append(names, last)
		}
	}
	return names
}

// joined are some paths, one at least, as a list for messages: two, and how many others there are.
func joined(paths []string) string {
	switch len(paths) {
	case 1:
		return paths[0]
	case 2:
		return paths[0] + " and " + paths[1]
	case 3:
		return fmt.Sprintf("%s, %s and 1 other", paths[0], paths[1])
	}
	return fmt.Sprintf("%s, %s and %d others", paths[0], paths[1], len(paths)-2)
}

// publishers are the hosts of the site, by its targets. Of a host without headers nobody knows which
// it is.
func (h *Hosting) publishers() (all []publisher) {
	targets := slices.Clone(h.Targets)
	if i := slices.Index(targets, headers.TargetPortable); i >= 0 {
		targets = append(slices.Delete(targets, i, i+1), headers.TargetNetlify, headers.TargetCloudflare)
	}
	for _, target := range targets {
		p := publisher{name: hosts.Lookup(target).Name, leavesOut: matching(leavesOut[target]),
			instead: "Keep %s out of what is deployed, or have the server deny such requests"}
		switch {
		case target == headers.TargetCloudflare && h.uploadsAssets:
			p = h.workersPublisher()
		case target == "firebase" && h.firebaseIgnores != nil:
			p = publisher{name: p.name, leavesOut: matching(h.firebaseIgnores), isSure: true,
				instead: `Name %s in hosting.ignore of firebase.json, in the form "**/NAME/**"`}
		case target == headers.TargetNone:
			p.name = "a host without headers"
		}
		all = append(all, p)
	}
	return all
}

// workersPublisher is Cloudflare as it uploads static assets of a Worker: all that .assetsignore of
// their folder does not leave out.
// https://github.com/cloudflare/workers-sdk packages/workers-shared/utils/helpers.ts, createAssetsIgnoreFunction
func (h *Hosting) workersPublisher() publisher {
	data, _, _ := h.readPublished(".assetsignore") // one that is not read leaves nothing out
	var patterns []string
	for line := range strings.Lines(string(data)) {
		patterns = append(patterns, strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "/"), "/"))
	}
	return publisher{name: "Cloudflare Workers", leavesOut: matching(patterns), isSure: true,
		instead: "Name %s in .assetsignore"}
}

// matching returns a function that reports whether a path matches one of some patterns: its last
// name is matched, by the last name of the pattern in front of "/**".
func matching(patterns []string) func(name string) bool {
	return func(name string) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			pattern = strings.TrimPrefix(strings.TrimSuffix(pattern, "/**"), "**/")
			isMatch, err := path.Match(pattern, path.Base(name))
			return err == nil && isMatch
		})
	}
}
