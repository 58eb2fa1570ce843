package address

import (
	"regexp"
	"strconv"
	"strings"
)

var htmAlso = []string{".html", ".htm"}

// Netlify serves a page at every path that can mean it: p.html at /p.html, /p and /p/, q/index.html
// at /q, /q/, /q/index and /q/index.html. Its servers are closed, and may redirect some of these
// ("pretty URLs"). Of both.html and both/index.html, its emulator serves the second at /both, its
// servers the first.
// https://github.com/netlify/cli src/utils/proxy.ts, alternativePathsFor
// https://github.com/slorber/trailing-slash-guide
var Netlify = &Handling{Host: "netlify", Name: "Netlify", extensions: htmAlso, answer: netlify, second: pageFirst}

func netlify(path string, has has) (file, to string) {
	if exact := has.at(path); exact != "" {
		return exact, ""
	}
	stem := strings.TrimSuffix(path, "/")
	for _, ending := range []string{"/index.html", ".html", "/index.htm", ".htm"} {
		if file := has.at(stem + ending); file != "" {
			return file, ""
		}
	}
	return "", ""
}

// pageFirst is the page of a path, where a folder of its name may have an index.
func pageFirst(path string, has has) (file string) {
	if stem := strings.TrimSuffix(path, "/"); has.at(path) == "" && stem != "" {
		return has.at(stem + ".html")
	}
	return ""
}

// barePageFirst is pageFirst where a slash at the end of a path means the folder.
func barePageFirst(path string, has has) (file string) {
	if strings.HasSuffix(path, "/") {
		return ""
	}
	return pageFirst(path, has)
}

// plain serves files at their own paths, and q/index.html at /q/ too. It redirects /q there.
func plain(path string, has has) (file, to string) {
	switch {
	case has.at(path) != "":
		return path[1:], ""
	case strings.HasSuffix(path, "/"):
		return has.at(path + "index.html"), ""
	case has.at(path+"/index.html") != "":
		return "", path + "/"
	}
	return "", ""
}

// Apache, Nginx and Caddy serve plain files with an index, unless their owner's files say
// otherwise.
// https://httpd.apache.org/docs/2.4/mod/mod_dir.html
// https://nginx.org/en/docs/http/ngx_http_index_module.html
// https://caddyserver.com/docs/caddyfile/directives/file_server
var (
	Apache = &Handling{Host: "apache", Name: "Apache", extensions: htmlOnly, answer: plain, ownServer: true}
	Nginx  = &Handling{Host: "nginx", Name: "nginx", extensions: htmlOnly, answer: plain, ownServer: true}
	Caddy  = &Handling{Host: "caddy", Name: "Caddy", extensions: htmlOnly, answer: plain, ownServer: true}
	// CaddyTries is Caddy with try_files {path} {path}.html, which its documentation shows for
	// clean URLs.
	// https://caddyserver.com/docs/caddyfile/patterns
	CaddyTries = &Handling{Host: "caddy", Name: "Caddy with try_files", extensions: htmlOnly, ownServer: true,
		answer: func(path string, has has) (file, to string) {
			if bare := strings.TrimSuffix(path, "/"); bare != path && has.at(bare) != "" {
				return "", bare
			}
			return clean(path, has)
		}}
)

// GitHubPages serve files at their own paths, pages without .html too, and redirect a folder to its
// slash.
// https://github.com/slorber/trailing-slash-guide
var GitHubPages = &Handling{Host: "none", Name: "GitHub Pages", extensions: htmlOnly, answer: clean}

// clean serves files at their own paths and pages without .html too.
func clean(path string, has has) (file, to string) {
	if file := has.at(path); file != "" {
		return file, ""
	} else if page := has.at(path + ".html"); page != "" && !strings.HasSuffix(path, "/") {
		return page, ""
	}
	return plain(path, has)
}

// GitLabPages serve pages without .html too, with and without a slash, where no folder has the
// name.
// https://docs.gitlab.com/user/project/pages/introduction/#resolving-ambiguous-urls
// https://gitlab.com/gitlab-org/gitlab-pages internal/serving/disk/reader.go
var GitLabPages = &Handling{Host: "none", Name: "GitLab Pages", extensions: htmlOnly,
	answer: func(path string, has has) (file, to string) {
		if file, to = plain(path, has); file == "" && to == "" && path != "/" {
			file = has.at(strings.TrimSuffix(path, "/") + ".html")
		}
		return file, to
	}}

// Amplify and Azure are hosts whose servers are closed, and whose documentation leaves open at
// which of its paths a page is served. Azure's trailingSlash redirects some of them, by its
// documentation, and is reported not to.
// https://learn.microsoft.com/azure/static-web-apps/configuration#trailing-slash
// https://github.com/Azure/static-web-apps/issues/1017
// https://docs.aws.amazon.com/amplify/latest/userguide/redirects.html
var (
	Amplify = &Handling{Host: "amplify", Name: "AWS Amplify", extensions: htmlOnly, answer: cleanOrNot, second: barePageFirst}
	Azure   = &Handling{Host: "azure", Name: "Azure Static Web Apps", extensions: htmlOnly, answer: cleanOrNot,
		second: barePageFirst}
	// AzureSlashes is Azure with trailingSlash = "always", which serves p.html at /p/.
	AzureSlashes = &Handling{Host: "azure", Name: "Azure Static Web Apps", extensions: htmlOnly, mode: "always",
		answer: every, second: barePageFirst}
)

// cleanOrNot serves an index with and without a slash, and a page with and without its ending. The
// home page is at / alone.
func cleanOrNot(path string, has has) (file, to string) {
	if path == "/index" || has.at(path) == "" && strings.HasSuffix(path, "/") {
		return has.at(path + "index.html"), ""
	}
	return every(path, has)
}

// every serves a page at each of the paths that hosts may give it.
func every(path string, has has) (file, to string) {
	stem := strings.TrimSuffix(path, "/")
	for _, file := range []string{path, stem + "/index.html"} {
		if file := has.at(file); file != "" {
			return file, ""
		}
	}
	if stem == "" {
		return "", ""
	}
	return has.at(stem + ".html"), ""
}

// Every finds the file of a path in each of the ways that hosts know, and redirects nothing. Exact
// finds the file that has the path alone. They are for the destinations of rewrites.
var (
	Every = &Handling{extensions: htmlOnly, answer: every, second: pageFirst}
	Exact = &Handling{answer: func(path string, has has) (file, to string) { return has.at(path), "" }}
)

// A Slash says what a host does with the slash at the end of a page's path, as "trailingSlash" of
// vercel.json and firebase.json do.
type Slash string

const (
	SlashUnset Slash = ""      // the host's default
	SlashAdded Slash = "true"  // /p is redirected to /p/
	SlashCut   Slash = "false" // /p/ is redirected to /p
)

// modeOf tells the modes of Firebase Hosting and Vercel apart.
func modeOf(cleanURLs bool, slash Slash) string {
	return strconv.FormatBool(cleanURLs) + " " + string(slash)
}

// Firebase returns how Firebase Hosting serves a site with "cleanUrls" and "trailingSlash" of
// firebase.json.
// https://github.com/firebase/superstatic src/middleware/files.js
func Firebase(cleanURLs bool, slash Slash) *Handling {
	return &Handling{Host: "firebase", Name: "Firebase Hosting", extensions: htmlOnly, mode: modeOf(cleanURLs, slash),
		answer: func(path string, has has) (file, to string) { return firebase(path, has, cleanURLs, slash) }}
}

func firebase(path string, has has, cleanURLs bool, slash Slash) (file, to string) {
	hasSlash := strings.HasSuffix(path, "/")
	withSlash, without := strings.TrimSuffix(path, "/")+"/", strings.TrimSuffix(path, "/")
	if exact := has.at(path); exact != "" {
		stem, isHTML := strings.CutSuffix(path, ".html")
		if !cleanURLs || !isHTML {
			return exact, ""
		}
		if stem = strings.TrimSuffix(stem, "/index"); slash == SlashAdded {
			stem += "/"
		}
		return "", orRoot(stem)
	}
	if index := has.at(withSlash + "index.html"); index != "" {
		switch {
		case slash == SlashUnset && !hasSlash && !cleanURLs, slash == SlashAdded && !hasSlash:
			return "", withSlash
		case slash == SlashCut && hasSlash && path != "/":
			return "", orRoot(without)
		}
		return index, ""
	}
	page := path + ".html"
	if hasSlash && slash != SlashUnset {
		page = without + ".html"
	}
	if !cleanURLs || has.at(page) == "" {
		return "", ""
	}
	switch {
	case slash == SlashCut && hasSlash:
		return "", orRoot(without)
	case slash == SlashAdded && !hasSlash:
		return "", strings.TrimSuffix(path, "/index") + "/"
	case strings.HasSuffix(page, "/index.html"):
		return "", orRoot(strings.TrimSuffix(page, "/index.html"))
	}
	return has.at(page), ""
}

// Vercel returns how Vercel serves a site with "cleanUrls" and "trailingSlash" of vercel.json.
// Without "trailingSlash" it serves a page with and without one. Its redirects do not ask whether
// the file is there.
// https://vercel.com/docs/project-configuration#cleanurls
// https://github.com/vercel/vercel packages/routing-utils/src/superstatic.ts, convertCleanUrls, convertTrailingSlash
func Vercel(cleanURLs bool, slash Slash) *Handling {
	h := &Handling{Host: "vercel", Name: "Vercel", extensions: htmlOnly, mode: modeOf(cleanURLs, slash),
		slashes: slash == SlashAdded,
		answer:  func(path string, has has) (file, to string) { return vercel(path, has, cleanURLs, slash) }}
	if cleanURLs {
		h.second = barePageFirst
	}
	return h
}

// vercel finds the file of a decoded path, or where Vercel redirects it to.
func vercel(path string, has has, cleanURLs bool, slash Slash) (file, to string) {
	if to := vercelRedirect(path, cleanURLs, slash); to != "" {
		return "", to
	}
	bare, hasSlash := strings.CutSuffix(path, "/") // "" for the root, which is no file's name
	// With SlashAdded a file without an extension is at /LICENSE/, to which /LICENSE is redirected.
	if exact := has.at(bare); exact != "" && (!hasSlash || slash == SlashAdded) {
		return exact, ""
	} else if index := has.at(bare + "/index.html"); index != "" {
		return index, ""
	} else if cleanURLs && bare != "" {
		return has.at(bare + ".html"), ""
	}
	return "", ""
}

// vercelRedirect returns where Vercel redirects a path to, whatever files there are; "" for
// nowhere.
//
//	cleanURLs    /p.html and /p.html/                  /p, or /p/ with SlashAdded
//	             /q/index.html and /q/index            /q, or /q/ with SlashAdded
//	SlashCut     /p/                                   /p
//	SlashAdded   /p                                    /p/
//	             /a.png/                               /a.png
//	             /a.png, the root and /.well-known/…   nowhere
func vercelRedirect(path string, cleanURLs bool, slash Slash) (to string) {
	bare, hasSlash := strings.CutSuffix(path, "/")
	withoutHTML, isHTML := strings.CutSuffix(bare, ".html")
	clean, isIndex := strings.CutSuffix(withoutHTML, "/index")
	name := bare[strings.LastIndexByte(bare, '/')+1:]
	getsNoSlash := bare == "" || strings.HasPrefix(path, "/.well-known/")
	switch {
	case cleanURLs && (isHTML || isIndex):
		if slash == SlashAdded && clean != "/" { // "/" is what is left of /.html
			clean += "/"
		}
		return orRoot(clean)
	case slash == SlashCut && hasSlash && bare != "":
		return bare
	case slash == SlashAdded && hasSlash && !getsNoSlash && vercelExtension.MatchString(name):
		return bare
	case slash == SlashAdded && !hasSlash && !getsNoSlash && !strings.Contains(name, "."):
		return bare + "/"
	}
	return ""
}

// vercelExtension matches a file's name that has an extension: a.png, and not .well-known.
var vercelExtension = regexp.MustCompile(`.\.\w+$`)

// orRoot is the path, or the root where nothing is left of it.
func orRoot(path string) string {
	if path == "" {
		return "/"
	}
	return path
}
