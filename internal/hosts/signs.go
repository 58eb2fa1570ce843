package hosts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/disk"
)

// maxFile is how much of a file is looked at, in bytes.
const maxFile = 16 << 20

// hosting reports whether a firebase.json deploys a site, and not functions or rules alone. It is a
// [Sign.Tells].
func hosting(data []byte) bool {
	var config map[string]json.RawMessage
	return json.Unmarshal(data, &config) == nil && config["hosting"] != nil
}

// find returns the first file in a folder that is the sign, as a path from the folder; empty for
// none. One that cannot be read is none.
func (s Sign) find(folder string) string {
	files := []string{filepath.Join(folder, s.Name)}
	if strings.Contains(s.Name, "*") {
		files, _ = filepath.Glob(files[0])
	}
	for _, file := range files {
		data, err := disk.ReadFile(file, maxFile)
		if err == nil && (s.Tells == nil || s.Tells(bytes.ReplaceAll(data, []byte("\r"), nil))) {
			return filepath.ToSlash(strings.TrimPrefix(file, filepath.Clean(folder)+string(filepath.Separator)))
		}
	}
	return ""
}

// A Seen is a host, and what shows that a site is there.
type Seen struct {
	Host *Host
	By   string // the name of a variable, of the site's host, or of a file
	Weak bool   // as of the [Sign]
}

// InFolders returns the hosts whose files are in folders, each with each of the files.
func InFolders(folders ...string) (all []Seen) {
	for _, h := range Table {
		for _, sign := range h.Signs {
			for _, folder := range folders {
				s := Seen{h, sign.find(folder), sign.Weak}
				if s.By != "" && !slices.Contains(all, s) {
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// variable returns the first variable that is set, which shows that the host builds the site; empty
// if it does not.
func (b *Build) variable(getenv func(string) string) string {
	for _, name := range b.Variables {
		if getenv(name) != "" {
			return name
		}
	}
	return ""
}

// isForCloudflare reports whether a _headers file of a site has a rule that Cloudflare alone reads,
// and no file shows that Netlify reads it too. The file is one that is published, or that a build
// publishes.
func isForCloudflare(folder, publish string) bool {
	if isOnNetlify := (Sign{Name: "netlify.toml"}).find(folder) != ""; isOnNetlify {
		return false
	}
	sign := Sign{Name: HeadersFile, Tells: headers.IsForCloudflare}
	return slices.ContainsFunc([]string{publish, folder, filepath.Join(folder, "static"), filepath.Join(folder, "public")},
		func(from string) bool { return sign.find(from) != "" })
}

// Auto is what target "auto" means: the host that builds the site or, if none does, the first whose
// file is in the site's folder, if that host reads what a build writes; else the only one that
// reads all of the site's _headers, and else both that read the file. publish is the folder that is
// published.
func Auto(getenv func(string) string, folder, publish string) string {
	byFile := ""
	for _, h := range Table {
		if h.File == "" || h.Committed {
			continue
		}
		if h.Build.variable(getenv) != "" {
			return h.Target
		}
		isThere := func(s Sign) bool { return s.Auto && s.find(folder) != "" }
		if byFile == "" && slices.ContainsFunc(h.Signs, isThere) {
			byFile = h.Target
		}
	}
	if byFile == "" && isForCloudflare(folder, publish) {
		return headers.TargetCloudflare
	}
	return cmp.Or(byFile, headers.TargetPortable)
}

// IgnoresHeadersFile returns a host on which the site is by all signs, and which does not read
// _headers. The signs are the variables of the build, the name of the site's host, and files in its
// folders. ok is false if there are none, or if one is of a host that reads the file.
func IgnoresHeadersFile(getenv func(string) string, name string, folders ...string) (host Seen, ok bool) {
	all := allSigns(getenv, name, folders)
	readsHeadersFile := func(s Seen) bool { return s.Host.File == HeadersFile }
	if len(all) == 0 || slices.ContainsFunc(all, readsHeadersFile) {
		return Seen{}, false
	}
	return all[0], true
}

// allSigns are the hosts that build the site, to which its host's name belongs, and whose files are
// in its folders.
func allSigns(getenv func(string) string, name string, folders []string) (all []Seen) {
	for _, h := range Table {
		if by := h.Build.variable(getenv); by != "" {
			all = append(all, Seen{Host: h, By: by})
		} else if h.Serves(name) {
			all = append(all, Seen{Host: h, By: name})
		}
	}
	return append(all, InFolders(folders...)...)
}

// Contradicts returns a host on which the site is by all signs but weak ones, as in
// [IgnoresHeadersFile], if none of the targets is for it. ok is false if there are no signs, or if
// one is of a host that a target names.
func Contradicts(targets []string, getenv func(string) string, name string, folders ...string) (host Seen, ok bool) {
	all := slices.DeleteFunc(allSigns(getenv, name, folders), func(s Seen) bool { return s.Weak })
	isNamed := func(s Seen) bool {
		isFor := func(target string) bool {
			return target == s.Host.Target || target == headers.TargetPortable && s.Host.File == HeadersFile
		}
		return slices.ContainsFunc(targets, isFor)
	}
	if len(all) == 0 || slices.ContainsFunc(all, isNamed) {
		return Seen{}, false
	}
	return all[0], true
}

// Environment is what the variables of a host say of the environment: its name, and which variable
// says it; empty if none does. A host that only names the branch says it if production is the
// branch of production, and not "".
func Environment(getenv func(string) string, production string) (name, by string) {
	for _, h := range Table {
		context := h.Build.Context
		name = strings.ToLower(getenv(context.Name))
		switch {
		case context.Name == "" || name == "":
		case context.If == "":
			return name, context.Name
		case strings.EqualFold(getenv(context.If), "true"):
			return name, h.Name + "'s " + context.Name
		}
	}
	_, by, branch := Branch(getenv)
	switch {
	case production == "" || branch == "":
		return "", ""
	case branch == production:
		return "production", by
	}
	return "preview", by
}

// Branch is the host that builds a branch, the variable that names the branch, and its name. The
// last two are empty if the host should name one and does not; all are, if no host that names
// branches builds the site.
func Branch(getenv func(string) string) (host, by, branch string) {
	for _, h := range Table {
		for _, name := range h.Build.Branches {
			if branch = getenv(name); branch != "" {
				return h.Name, name, branch
			}
		}
		if len(h.Build.Branches) > 0 && h.Build.variable(getenv) != "" {
			host = h.Name
		}
	}
	return host, "", ""
}

// pipelineBranches are variables of pipelines that build for any host. The first that is set names
// the branch; that of a pull request comes before a name such as "12/merge".
// https://docs.github.com/actions/reference/workflows-and-actions/variables
// https://docs.gitlab.com/ci/variables/predefined_variables/
// https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/
// https://circleci.com/docs/reference/variables/
// https://learn.microsoft.com/azure/devops/pipelines/build/variables
var pipelineBranches = []string{"GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME",
	"CI_COMMIT_BRANCH", "BITBUCKET_BRANCH", "CIRCLE_BRANCH", "BUILD_SOURCEBRANCHNAME"}

// PipelineBranch is the branch that a pipeline builds, and the variable that names it; empty
// without one. A tag is no branch.
func PipelineBranch(getenv func(string) string) (by, branch string) {
	for _, name := range pipelineBranches {
		branch = getenv(name)
		isTag := name == "GITHUB_REF_NAME" && getenv("GITHUB_REF_TYPE") == "tag"
		if branch != "" && !isTag {
			return name, branch
		}
	}
	return "", ""
}

// UnreadContext is a variable that names an environment other than production and does not count,
// because the variable needs is not "true" beside it; empty without one.
func UnreadContext(getenv func(string) string) (name, value, needs string) {
	for _, h := range Table {
		context := h.Build.Context
		if context.If == "" || strings.EqualFold(getenv(context.If), "true") {
			continue
		}
		if value = getenv(context.Name); value != "" && !strings.EqualFold(value, "production") {
			return context.Name, value, context.If
		}
	}
	return "", "", ""
}
