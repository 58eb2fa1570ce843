package servers

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/policy"
)

// serving is how a host serves the files of a site.
type serving struct {
	site *address.Site
	// dependsOnSetting says that a setting of the host decides which of a file's paths are served
	// and which redirected. A rule is then for the file's own path and its folder's in any case:
	// the next deployment may have another setting.
	dependsOnSetting bool
	// omitsIndexName says that there is no rule for /q/index: Caddy serves the index there with a
	// setting of its owner's alone, and nobody links to it.
	omitsIndexName bool
}

// unconfigured is how a host serves that nobody has configured, with each file as if it were the
// only one.
func unconfigured(handlings ...*address.Handling) serving {
	return serving{site: address.New(nil, nil, handlings...),
		omitsIndexName: handlings[0] == address.Caddy}
}

// paths are the decoded request paths at which the host answers with a published file, each once;
// the rules of ours for the file name these. source is that of [robotstag.Want]: "" for the file's
// own addresses, else the source of the owner's rewrite by which alone it is asked for. If the
// host's setting decides ([serving].dependsOnSetting), they are also those at which it may answer
// by another setting: of docs/index.html /docs/index.html, /docs/ and, if the site lists it, /docs.
func (s *serving) paths(file, source string) (paths []string) {
	folder, isIndex := strings.CutSuffix("/"+file, "/index.html")
	isForAnySetting := s.dependsOnSetting && source == ""
	if isForAnySetting {
		paths = append(paths, "/"+file)
	}
	if isForAnySetting && isIndex {
		paths = append(paths, folder+"/")
	}
	for _, a := range s.site.Of(file) { // those that serve it, and those that redirect to such a one
		path := policy.Decoded(a.Path)
		isServed := robotstag.IsFor(source, &a) // false for one that redirects
		isOmitted := s.omitsIndexName && isIndex && path == folder+"/index"
		mayBeServed := isForAnySetting && isIndex && path == folder // by another setting
		counts := isServed && !isOmitted || mayBeServed
		if counts && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// disputed is the owner of a path at which one of several files may be served, and these want
// different things.
const disputed = -1

// owners finds out which of the wants' files is served at each request path, below a base: their
// numbers by the path. A disputed path has the owner disputed, and its rivals are all the wants
// whose files may be served there. same says whether two wants need the same, so that they are no
// rivals: then the first is the owner.
func (s *serving) owners(base string, wants []robotstag.Want, same func(i, j int) bool) (
	owners map[string]int, rivals map[string][]int) {
	owners, rivals = make(map[string]int, 3*len(wants)), map[string][]int{}
	for i := range wants {
		for _, path := range s.paths(wants[i].Path, wants[i].Source) {
			url := base + path
			other, taken := owners[url]
			switch {
			case !taken:
				owners[url] = i
			case other == disputed:
				rivals[url] = append(rivals[url], i)
			case !same(other, i):
				owners[url], rivals[url] = disputed, []int{other, i}
			}
		}
	}
	return owners, rivals
}
