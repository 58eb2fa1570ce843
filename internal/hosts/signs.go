package hosts

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/disk"
)

// maxFile is how much of a file is looked at, in bytes.
const maxFile = 16 << 20

// hosting reports whether a firebase.json deploys a site, and not functions or rules alone.
func hosting(data []byte) bool {
	var config map[string]json.RawMessage
	return json.Unmarshal(data, &config) == nil && config["hosting"] != nil
}

// find returns the first file in a folder that is the sign, from there; empty for none.
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

// Seen is a host and what shows that a site is there: a variable, the name of its host, or a file.
type Seen struct {
	Host *Host
	By   string
	Weak bool
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

// builds returns a variable of the host's that is set, empty for none.
func (h *Host) builds(getenv func(string) string) string {
	for _, v := range h.Variables {
		if getenv(v) != "" {
			return v
		}
	}
	return ""
}

// Auto is what target "auto" means: the host on which we run, or whose file is in the site's folder, if that reads what
// a build writes; else both that read _headers.
func Auto(getenv func(string) string, folder string) string {
	byFile := headers.TargetPortable
	for _, h := range Table {
		if h.File == "" || h.Committed {
			continue
		} else if h.builds(getenv) != "" {
			return h.Target
		}
		found := func(s Sign) bool { return s.Auto && s.find(folder) != "" }
		if byFile == headers.TargetPortable && slices.ContainsFunc(h.Signs, found) {
			byFile = h.Target
		}
	}
	return byFile
}

// Deaf names the host on which a site is by all signs and which does not read _headers: by the variables of the
// build, the name of its host, and files in its folders. ok is false if there is none, or one that does.
func Deaf(getenv func(string) string, name string, folders ...string) (deaf Seen, ok bool) {
	var all []Seen
	for _, h := range Table {
		if by := h.builds(getenv); by != "" {
			all = append(all, Seen{Host: h, By: by})
		} else if h.Serves(name) {
			all = append(all, Seen{Host: h, By: name})
		}
	}
	all = append(all, InFolders(folders...)...)
	if len(all) == 0 || slices.ContainsFunc(all, func(s Seen) bool { return s.Host.File == HeadersFile }) {
		return Seen{}, false
	}
	return all[0], true
}

// Environment is what a host's own variables say of the environment, where they are decisive, and which does. A branch
// is only if the one of production is known.
func Environment(getenv func(string) string, production string) (name, by string) {
	for _, h := range Table {
		name = strings.ToLower(getenv(h.Context.Name))
		switch {
		case h.Context.Name == "" || name == "":
		case h.Context.If == "":
			return name, h.Context.Name
		case strings.EqualFold(getenv(h.Context.If), "true"):
			return name, h.Name + "'s " + h.Context.Name
		}
	}
	switch _, by, branch := Branch(getenv); {
	case production == "" || branch == "":
		return "", ""
	case branch == production:
		return "production", by
	default:
		return "preview", by
	}
}

// Branch is the host that builds a branch, the variable that names the branch, and its name. The last two are empty
// where the host should name one and does not.
func Branch(getenv func(string) string) (host, by, branch string) {
	for _, h := range Table {
		for _, v := range h.Branches {
			if branch = getenv(v); branch != "" {
				return h.Name, v, branch
			}
		}
		if len(h.Branches) > 0 && h.builds(getenv) != "" {
			host = h.Name
		}
	}
	return host, "", ""
}
