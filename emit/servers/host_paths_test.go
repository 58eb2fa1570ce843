package servers

import (
	"maps"
	"strings"

	"metarobots/emit/robotstag"
)

// pathModel says where a host serves files beside their own paths, and an index at its folder's: a
// folder's index without the slash, pages without .html, and an index without it too.
type pathModel struct{ slashless, clean, index bool }

// paths are the decoded request paths of a published file: those that are certainly its own, and
// those that are if no other file takes them.
func (s pathModel) paths(file string) (own, maybe []string) {
	own = []string{"/" + file}
	slash := strings.LastIndexByte(own[0], '/') + 1
	folder, index := own[0][:slash], own[0][slash:] == "index.html"
	if index {
		own = append(own, folder)
	}
	if index && s.slashless && folder != "/" {
		maybe = append(maybe, folder[:slash-1])
	}
	if page, ok := strings.CutSuffix(own[0], ".html"); ok && s.clean && (!index || s.index && folder != "/") {
		maybe = append(maybe, page)
	}
	return own, maybe
}

// owners finds out which of the wants' files is served at each request path. Of two that certainly
// have one the last gets it. same says that two files want the same.
func (s pathModel) owners(base string, wants []robotstag.Want, same func(i, j int) bool) map[string]int {
	all, guesses := make(map[string]int, 2*len(wants)), make(map[string]int, 3*len(wants))
	for i := range wants {
		own, maybe := s.paths(wants[i].Path)
		for _, path := range own {
			all[base+path] = i
		}
		for _, path := range maybe {
			other, taken := guesses[base+path]
			guesses[base+path] = i
			if taken && (other == disputed || !same(other, i)) {
				guesses[base+path] = disputed
			}
		}
	}
	maps.Copy(guesses, all)
	return guesses
}

// pathsOf are the paths at which the host of a target's file serves a site.
func pathsOf(target string, file []byte) pathModel {
	switch target {
	case "apache", "nginx":
		return pathModel{}
	case "caddy":
		return pathModel{clean: true}
	}
	isAny := target == "azure" || target == "amplify"
	d, err := ruleLists[target].open(begun(target, file))
	isClean := isAny || err == nil && member(d.holder, "cleanUrls") == true
	return pathModel{slashless: true, clean: isClean, index: isAny}
}
