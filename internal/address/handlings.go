package address

import (
	"strconv"
	"strings"

	"metarobots/internal/lazyregexp"
)

var htmAlso = []string{".html", ".htm"}

// Netlify serves a page at every path that can mean it: p.html at /p.html, /p and /p/, q/index.html
// at /q, /q/, /q/index and /q/index.html. Its servers are closed, and may redirect some of these
// ("pretty URLs"). Of both.html and both/index.html, its emulator serves the second at /both, its
// servers the first.
// https://github.com/netlify/cli src/utils/proxy.ts, alternativePathsFor
// https://github.com/slorber/trailing-slash-guide
var Netlify = &Handling{Host: "netlify", Name: "Netlify", extensions: htmAlso, answer: netlify, second: pageFirst}

func netlify(path string, files fileSet) (file, to string) {
	if exact := files.at(path); exact != "" {
		return exact, ""
	}
	stem := strings.TrimSuffix(path, "/")
	for _, ending := range []string{"/index.html", ".html", "/index.htm", ".htm"} {
		if file := files.at(stem + ending); file != "" {
			return file, ""
		}
	}
	return "", ""
}

// pageFirst is the page of a path, where a folder of its name may have an index.
func pageFirst(path string, files fileSet) (file string) {
	if stem := strings.TrimSuffix(path, "/"); files.at(path) == "" && stem != "" {
		return files.at(stem + ".html")
	}
	return ""
}

// barePageFirst is pageFirst where a slash at the end of a path means the folder.
func barePageFirst(path string, files fileSet) (file string) {
	if strings.HasSuffix(path, "/") {
		return ""
	}
	return pageFirst(path, files)
}

// plain serves files at their own paths, and q/index.html at /q/ too. It redirects /q there.
func plain(path string, files fileSet) (file, to string) {
	switch {
	case files.at(path) != "":
		return path[1:], ""
	case strings.HasSuffix(path, "/"):
		return files.at(path + "index.html"), ""
	case files.at(path+"/index.html") != "":
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
		answer: func(path string, files fileSet) (file, to string) {
			if bare := strings.TrimSuffix(path, "/"); bare != path && files.at(bare) != "" {
				return "", bare
			}
			return clean(path, files)
		}}
)

// GitHubPages serve files at their own paths, pages without .html too, and redirect a folder to its
// slash.
// https://github.com/slorber/trailing-slash-guide
var GitHubPages = &Handling{Host: "none", Name: "GitHub Pages", extensions: htmlOnly, answer: clean}

// clean serves files at their own paths and pages without .html too.
func clean(path string, files fileSet) (file, to string) {
	if file := files.at(path); file != "" {
		return file, ""
	} else if page := files.at(path + ".html"); page != "" && !strings.HasSuffix(path, "/") {
		return page, ""
	}
	return plain(path, files)
}

// GitLabPages serve pages without .html too, with and without a slash, where no folder has the
// name.
// https://docs.gitlab.com/user/project/pages/introduction/#resolving-ambiguous-urls
// https://gitlab.com/gitlab-org/gitlab-pages internal/serving/disk/reader.go
var GitLabPages = &Handling{Host: "none", Name: "GitLab Pages", extensions: htmlOnly,
	answer: func(path string, files fileSet) (file, to string) {
		if file, to = plain(path, files); file == "" && to == "" && path != "/" {
			file = files.at(strings.TrimSuffix(path, "/") + ".html")
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
	Amplify = &Handling{Host: "amplify", Name: "AWS Amplify", extensions: htmlOnly, answer: cleanOrNot,
		second: barePageFirst}
	Azure = &Handling{Host: "azure", Name: "Azure Static Web Apps", extensions: htmlOnly, answer: cleanOrNot,
		second: barePageFirst}
	// AzureSlashes is Azure with trailingSlash = "always", which serves p.html at /p/.
	AzureSlashes = &Handling{Host: "azure", Name: "Azure Static Web Apps", extensions: htmlOnly, mode: "always",
		answer: every, second: barePageFirst}
)

// cleanOrNot serves an index with and without a slash, and a page with and without its ending. The
// home page is at / alone.
func cleanOrNot(path string, files fileSet) (file, to string) {
	if path == "/index" || files.at(path) == "" && strings.HasSuffix(path, "/") {
		return files.at(path + "index.html"), ""
	}
	return every(path, files)
}

// every serves a page at each of the paths that hosts may give it.
func every(path string, files fileSet) (file, to string) {
	stem := strings.TrimSuffix(path, "/")
	for _, file := range []string{path, stem + "/index.html"} {
		if file := files.at(file); file != "" {
			return file, ""
		}
	}
	if stem == "" {
		return "", ""
	}
	return files.at(stem + ".html"), ""
}

// Every finds the file of a path in each of the ways that hosts know, and redirects nothing. Exact
// finds the file that has the path alone. They are for the destinations of rewrites.
var (
	Every = &Handling{extensions: htmlOnly, answer: every, second: pageFirst}
	Exact = &Handling{answer: func(path string, files fileSet) (file, to string) { return files.at(path), "" }}
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
		answer: (&firebase{cleanURLs, slash}).answer}
}

// A firebase is a mode of Firebase Hosting.
type firebase struct {
	cleanURLs bool
	slash     Slash
}

// answer finds the file of a decoded path, or where Firebase redirects it to; both are empty where
// it finds none. The first that is published decides: the file of the path's own name, the index of
// the folder of that name, and with cleanURLs the page of that name.
//
//	published               path           SlashUnset        SlashAdded  SlashCut
//	q/index.html            /q             to /q/, or        to /q/      served
//	                                       cleanURLs: served
//	                        /q/            served            served      to /q
//	p.html, cleanURLs       /p             served            to /p/      served
//	                        /p/            nothing           served      to /p
//	                        /p.html        to /p             to /p/      to /p
//	q/index.html, cleanURLs /q/index.html  to /q             to /q/      to /q
func (f *firebase) answer(path string, files fileSet) (file, to string) {
	if exact := files.at(path); exact != "" {
		stem, isHTML := strings.CutSuffix(path, ".html")
		if !f.cleanURLs || !isHTML {
			return exact, ""
		}
		return "", f.cleanPath(stem)
	}
	if index := files.at(strings.TrimSuffix(path, "/") + "/index.html"); index != "" {
		return f.folder(path, index)
	}
	if !f.cleanURLs {
		return "", ""
	}
	return f.page(path, files)
}

// cleanPath is where a page's path without its ending leads: /p for the stem /p, and /q for the
// stem /q/index, with a slash behind it if the mode adds one.
func (f *firebase) cleanPath(stem string) string {
	stem = strings.TrimSuffix(stem, "/index")
	if f.slash == SlashAdded {
		return stem + "/"
	}
	return orRoot(stem)
}

// folder serves the index of a folder at the folder's path, or redirects to the one with a slash or
// without.
func (f *firebase) folder(path, index string) (file, to string) {
	bare, hasSlash := strings.CutSuffix(path, "/")
	addsSlash := f.slash == SlashAdded || f.slash == SlashUnset && !f.cleanURLs
	switch {
	case addsSlash && !hasSlash:
		return "", path + "/"
	case f.slash == SlashCut && hasSlash && path != "/":
		return "", bare
	}
	return index, ""
}

// page serves a page at its path without .html, or redirects to the one with a slash or without. It
// is asked with cleanURLs alone, for a path where neither a file of that name nor an index is
// published. The page may be one of the name index: /q/index redirects to /q.
func (f *firebase) page(path string, files fileSet) (file, to string) {
	bare, hasSlash := strings.CutSuffix(path, "/")
	stem := bare
	if f.slash == SlashUnset {
		stem = path // with its slash, if it has one: for /p/ the file would be p/.html
	}
	page := files.at(stem + ".html")
	switch {
	case page == "":
		return "", ""
	case f.slash == SlashCut && hasSlash:
		return "", orRoot(bare)
	case f.slash == SlashAdded && !hasSlash:
		return "", strings.TrimSuffix(path, "/index") + "/"
	case strings.HasSuffix(stem, "/index"):
		return "", orRoot(strings.TrimSuffix(stem, "/index"))
	}
	return page, ""
}

// Vercel returns how Vercel serves a site with "cleanUrls" and "trailingSlash" of vercel.json.
// Without "trailingSlash" it serves a page with and without one. Its redirects do not ask whether
// the file is there.
// https://vercel.com/docs/project-configuration#cleanurls
// https://github.com/vercel/vercel packages/routing-utils/src/superstatic.ts, convertCleanUrls, convertTrailingSlash
func Vercel(cleanURLs bool, slash Slash) *Handling {
	h := &Handling{Host: "vercel", Name: "Vercel", extensions: htmlOnly, mode: modeOf(cleanURLs, slash),
		answersBehindSlash: slash == SlashAdded,
		answer:             func(path string, files fileSet) (file, to string) { return vercel(path, files, cleanURLs, slash) }}
	if cleanURLs {
		h.second = barePageFirst
	}
	return h
}

// vercel finds the file of a decoded path, or where Vercel redirects it to; both are empty where it
// finds none.
func vercel(path string, files fileSet, cleanURLs bool, slash Slash) (file, to string) {
	if to := vercelRedirect(path, cleanURLs, slash); to != "" {
		return "", to
	}
	bare, hasSlash := strings.CutSuffix(path, "/") // "" for the root, which is no file's name
	// With SlashAdded a file without an extension is at /LICENSE/, to which /LICENSE is redirected.
	if exact := files.at(bare); exact != "" && (!hasSlash || slash == SlashAdded) {
		return exact, ""
	} else if index := files.at(bare + "/index.html"); index != "" {
		return index, ""
	} else if cleanURLs && bare != "" {
		return files.at(bare + ".html"), ""
	}
	return "", ""
}

// vercelRedirect returns the decoded path to which Vercel redirects a decoded path, whatever files
// there are; "" for none: then [vercel] looks for a file. cleanURLs and slash are the owner's
// settings. That of cleanURLs goes first, and adds or cuts the slash too.
func vercelRedirect(path string, cleanURLs bool, slash Slash) (to string) {
	if cleanURLs {
		if to = vercelCleanURL(path, slash); to != "" {
			return to
		}
	}
	return vercelTrailingSlash(path, slash)
}

// vercelCleanURL is convertCleanUrls: where a path goes that names a page with its ending, or an
// index; "" for any other path.
//
//	/p.html and /p.html/                    /p, or /p/ with SlashAdded
//	/q/index.html, /q/index and /q/index/   /q, or /q/ with SlashAdded
//	/index.html and /index                  /
func vercelCleanURL(path string, slash Slash) (to string) {
	bare := strings.TrimSuffix(path, "/")
	withoutHTML, isHTML := strings.CutSuffix(bare, ".html")
	clean, isIndex := strings.CutSuffix(withoutHTML, "/index")
	if !isHTML && !isIndex {
		return ""
	}
	if slash == SlashAdded && clean != "/" { // "/" is what is left of /.html
		clean += "/"
	}
	return orRoot(clean)
}

// vercelTrailingSlash is convertTrailingSlash: where a path goes with its slash cut or added; "" if
// it is right as it is.
//
//	SlashUnset   any path                               ""
//	SlashCut     /p/                                    /p
//	SlashAdded   /p                                     /p/
//	             /a.png/                                /a.png
//	             /a.png, and all below /.well-known/    ""
//	any          /                                      ""
func vercelTrailingSlash(path string, slash Slash) (to string) {
	bare, hasSlash := strings.CutSuffix(path, "/")
	isRoot := bare == ""
	name := bare[strings.LastIndexByte(bare, '/')+1:]
	switch {
	case isRoot || slash == SlashUnset:
		return ""
	case slash == SlashCut && hasSlash:
		return bare
	case slash == SlashCut, strings.HasPrefix(path, "/.well-known/"):
		return ""
	// From here on, slash is SlashAdded.
	case hasSlash && vercelExtension.MatchString(name):
		return bare
	case !hasSlash && !strings.Contains(name, "."):
		return bare + "/"
	}
	return ""
}

// vercelExtension matches a file's name that has an extension: a.png, and not .well-known.
var vercelExtension = lazyregexp.New(`.\.\w+$`)

// orRoot is the path, or the root where nothing is left of it.
func orRoot(path string) string {
	if path == "" {
		return "/"
	}
	return path
}
