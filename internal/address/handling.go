package address

import "strings"

// A Handling is how one host finds the published file for a request path, in one of the modes that it can be set to.
type Handling struct {
	// Host is the target of [hosts.Host] that answers so; Name is for messages: "Cloudflare Pages".
	Host, Name string
	// Fallback is the file that is served with status 200 at each path where nothing is published; empty for none.
	Fallback string

	// answer returns the file that is served at a decoded path with status 200, or the decoded path to which the host
	// redirects.
	answer func(path string, has has) (file, to string)
	// extensions are those of pages whose names hosts leave away.
	extensions []string
	// encodes says that a path is served in its strictest encoding alone, and redirected there from others.
	encodes bool
}

// has reports whether a file is published.
type has func(file string) bool

// at returns the file of a decoded path if it is published, else nothing.
func (h has) at(path string) string {
	if len(path) > 1 && path[0] == '/' && path[len(path)-1] != '/' && h(path[1:]) {
		return path[1:]
	}
	return ""
}

// forms are the decoded paths at which the host may answer with a file, or redirect to it.
func (h *Handling) forms(file string) []string {
	path := "/" + file
	folder := path[:strings.LastIndexByte(path, '/')+1]
	name := path[len(folder):]
	for _, ending := range h.extensions {
		stem, ok := strings.CutSuffix(path, ending)
		switch {
		case !ok:
		case stem == folder: // Workers serve .html at /
			return []string{folder, path}
		case name == "index"+ending && folder == "/":
			return []string{folder, path, stem, stem + "/"}
		case name == "index"+ending:
			// Workers redirect /x.html to /x/, and serve x/index.html at /x/index/ too in one of their modes.
			return []string{folder, folder[:len(folder)-1], path, stem, stem + "/", folder[:len(folder)-1] + ending}
		default: // x.html may be redirected to from /x/index and /x/index.html, on Workers
			return []string{stem, stem + "/", path, stem + "/index", stem + "/index.html"}
		}
	}
	return []string{path}
}

var htmlOnly = []string{".html"}

// CloudflarePages serves p.html at /p and q/index.html at /q/, and redirects their other paths there.
// https://github.com/cloudflare/workers-sdk packages/pages-shared/asset-server/handler.ts, generateResponse
var CloudflarePages = &Handling{Host: "cloudflare", Name: "Cloudflare Pages", extensions: htmlOnly, answer: pages}

func pages(path string, has has) (file, to string) {
	stem, isHTML := strings.CutSuffix(path, ".html")
	switch page := has.at(path + ".html"); {
	case strings.HasSuffix(path, "/"):
		if index := has.at(path + "index.html"); index != "" {
			return index, ""
		} else if folder, ok := strings.CutSuffix(path, "/index/"); ok {
			return "", folder + "/"
		} else if has.at(strings.TrimSuffix(path, "/")+".html") != "" {
			return "", strings.TrimSuffix(path, "/")
		}
		return "", ""
	case has.at(path) != "" && isHTML && strings.HasSuffix(stem, "/index"):
		return "", strings.TrimSuffix(stem, "index")
	case has.at(path) != "" && isHTML && has.at(stem) == "" && stem != "/":
		return "", stem
	case has.at(path) != "":
		return path[1:], ""
	case strings.HasSuffix(path, "/index"):
		return "", strings.TrimSuffix(path, "index")
	case page != "":
		return page, ""
	case has.at(path+"/index.html") != "":
		return "", path + "/"
	}
	return "", ""
}
