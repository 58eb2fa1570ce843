package initpolicy

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metarobots/internal/disk"
	"metarobots/internal/plan"
)

// A sign is a file that tells which host serves the site.
type sign struct {
	target string // of [robots.headers]; none for a host that serves no headers of ours
	file   string // for messages
}

// maxFile is how much of a file is looked at, in bytes.
const maxFile = 64 << 20

// A hint is a file that a host reads, by its name.
type hint struct {
	name, target string
	// tells reports whether its contents are about a site of pages; nil takes the name for enough.
	tells func(data []byte) bool
}

// hints stand in the site's folder or in the working folder.
//
//   - https://docs.netlify.com/build/configure-builds/file-based-configuration/
//   - https://developers.cloudflare.com/workers/wrangler/configuration/
//   - https://vercel.com/docs/project-configuration
//   - https://firebase.google.com/docs/hosting/full-config
//   - https://docs.aws.amazon.com/amplify/latest/userguide/build-settings.html
//   - https://learn.microsoft.com/azure/static-web-apps/configuration
var hints = []hint{
	{"netlify.toml", "netlify", nil},
	{"wrangler.toml", "cloudflare", nil},
	{"wrangler.json", "cloudflare", nil},
	{"wrangler.jsonc", "cloudflare", nil},
	{"vercel.json", "vercel", nil},
	{"firebase.json", "firebase", hosting},
	{"amplify.yml", "amplify", nil},
	{"customHttp.yml", "amplify", nil},
	{"staticwebapp.config.json", "azure", nil},
	{"nginx.conf", "nginx", nil},
	{"Caddyfile", "caddy", nil},
	{".gitlab-ci.yml", "none", gitlabPages.Match},
}

// publishedHints are files of the publish folder, or of one that is copied there.
var publishedHints = []hint{
	{"_routes.json", "cloudflare", nil},
	{"staticwebapp.config.json", "azure", nil},
	{".htaccess", "apache", nil},
}

// gitlabPages is the job that publishes at GitLab Pages, which serve no headers of the site's own.
// https://docs.gitlab.com/user/project/pages/
var gitlabPages = regexp.MustCompile(`(?m)^pages:`)

// hosting reports whether a firebase.json deploys a site, and not functions or rules alone.
func hosting(data []byte) bool {
	var config map[string]json.RawMessage
	return json.Unmarshal(data, &config) == nil && config["hosting"] != nil
}

// signs looks for files of hosts: in folders, the site's and the working one, and among the published files.
func signs(folders []string, published func(name string) bool, short func(string) string) (found []sign) {
	add := func(target, file string) {
		if s := (sign{target, file}); !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	for _, folder := range folders {
		for _, h := range hints {
			file := filepath.Join(folder, h.name)
			data, err := disk.ReadFile(file, maxFile)
			if err == nil && (h.tells == nil || h.tells(data)) {
				add(h.target, short(file))
			}
		}
		for _, file := range plan.PagesWorkflows(folder) {
			add("none", short(file))
		}
	}
	for _, h := range publishedHints {
		if published(h.name) {
			add(h.target, h.name)
		}
	}
	return found
}

// targets are the hosts of the signs, each once.
func targets(signs []sign) []string { return unique(signs, func(s sign) string { return s.target }) }

// files lists the files of signs for a sentence.
func files(signs []sign) string {
	return strings.Join(unique(signs, func(s sign) string { return s.file }), ", ")
}

func unique(signs []sign, of func(sign) string) (names []string) {
	for _, s := range signs {
		if name := of(s); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// agreed is the one target for all hosts, empty where there is none. Netlify and Cloudflare read the same file, and one
// can be made that is right for both.
func agreed(targets []string) string {
	switch {
	case len(targets) == 1:
		return targets[0]
	case len(targets) == 2 && slices.Contains(targets, "cloudflare") && slices.Contains(targets, "netlify"):
		return "portable"
	}
	return ""
}

// branchOf is the default branch at the host of the repository around a folder, which Cloudflare takes for production
// unless it is told another one; main where no clone says it.
// https://git-scm.com/docs/gitrepository-layout
// https://developers.cloudflare.com/pages/configuration/branch-build-controls/
func branchOf(folder string) string {
	head, err := disk.ReadFile(filepath.Join(folder, ".git", "refs", "remotes", "origin", "HEAD"), maxFile)
	if up := filepath.Dir(folder); err != nil && up != folder {
		return branchOf(up)
	}
	if name, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/remotes/origin/"); ok {
		return name
	}
	return "main"
}
