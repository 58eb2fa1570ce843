package plan

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/disk"
	"metarobots/internal/project"
)

// unheard are hosts that read no _headers, the target to name for each, and what tells that the site is there: a file
// in the site's folder, the working folder or among the published ones, or the end of its host name.
var unheard = []struct{ host, target, file, domain string }{
	{"GitHub Pages", headers.TargetNone, "CNAME", ".github.io"},
	{"GitLab Pages", headers.TargetNone, "", ".gitlab.io"},
	{"Vercel", "vercel", "vercel.json", ".vercel.app"},
	{"Firebase Hosting", "firebase", "firebase.json", ".web.app"},
	{"Azure Static Web Apps", "azure", "staticwebapp.config.json", ".azurestaticapps.net"},
}

// githubPages is a step of a workflow that publishes at GitHub Pages, which send no headers of a site's own.
// https://github.com/actions/deploy-pages, https://github.com/peaceiris/actions-gh-pages
var githubPages = regexp.MustCompile(`(?m)^[\s-]*uses:\s*["']?(?:actions/deploy-pages|peaceiris/actions-gh-pages|` +
	`JamesIves/github-pages-deploy-action)@`)

// PagesWorkflows are the workflows of a repository that publish at GitHub Pages.
func PagesWorkflows(folder string) (files []string) {
	all, _ := filepath.Glob(filepath.Join(folder, ".github", "workflows", "*.y*ml"))
	for _, file := range all {
		data, err := disk.ReadFile(file, project.MaxConfig)
		if err == nil && githubPages.MatchString(strings.ReplaceAll(string(data), "\r", "")) {
			files = append(files, file)
		}
	}
	return files
}

// Unheard names the host on which the site lies by all signs and which reads no _headers, where that is what is written
// and nobody asked for it; sign is what told, and target what to name. Empty where there is no sign.
func (s *Site) Unheard() (host, target, sign string) {
	named := slices.ContainsFunc(s.Project.Config.Robots.Headers.Targets, func(t string) bool { return t != "auto" })
	if named || s.autoTarget() != headers.TargetPortable ||
		project.Exists(filepath.Join(s.Project.Source, "netlify.toml")) {
		return "", "", ""
	}
	folders := []string{s.Project.Source, s.Project.Options.WorkDir, s.Project.Settings.Publish}
	for _, u := range unheard {
		for _, folder := range folders {
			if info, err := os.Stat(filepath.Join(folder, u.file)); u.file != "" && err == nil && !info.IsDir() {
				return u.host, u.target, u.file
			}
		}
		if name := s.Project.Main.URL.Hostname(); strings.HasSuffix(name, u.domain) {
			return u.host, u.target, name
		}
	}
	for _, folder := range folders[:2] {
		for _, file := range PagesWorkflows(folder) {
			return unheard[0].host, unheard[0].target, s.Project.Short(file)
		}
	}
	return "", "", ""
}
