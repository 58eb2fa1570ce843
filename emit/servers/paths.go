package servers

import (
	"strings"

	"metarobots/emit/robotstag"
)

// serving says where a host serves files beside their own paths, and an index at its folder's: a folder's index
// without the slash, and pages without .html.
type serving struct{ slashless, clean bool }

// paths are the decoded request paths of a published file: those that are certainly its own, and those that are if no
// other file takes them.
func (s serving) paths(file string) (own, maybe []string) {
	own = []string{"/" + file}
	slash := strings.LastIndexByte(own[0], '/') + 1
	folder, index := own[0][:slash], own[0][slash:] == "index.html"
	if index {
		own = append(own, folder)
	}
	if index && s.slashless && folder != "/" {
		maybe = append(maybe, folder[:slash-1])
	}
	if page, ok := strings.CutSuffix(own[0], ".html"); ok && s.clean && (!index || s.slashless && folder != "/") {
		maybe = append(maybe, page)
	}
	return own, maybe
}

func (s serving) all(file string) []string {
	own, maybe := s.paths(file)
	return append(own, maybe...)
}

type claim struct {
	want int
	// shared says that two files that are not the same to the caller may be served there.
	shared bool
}

// claims finds out whose each request path is. Of two files that certainly have one the last gets it.
func (s serving) claims(base string, wants []robotstag.Want, same func(i, j int) bool) map[string]claim {
	all := make(map[string]claim, 2*len(wants))
	guesses := make(map[string]claim)
	for i := range wants {
		own, maybe := s.paths(wants[i].Path)
		for _, path := range own {
			all[base+path] = claim{want: i}
		}
		for _, path := range maybe {
			other, taken := guesses[base+path]
			guesses[base+path] = claim{i, taken && (other.shared || !same(other.want, i))}
		}
	}
	for path, c := range guesses {
		if _, taken := all[path]; !taken {
			all[path] = c
		}
	}
	return all
}
