package address

import "strings"

// A Handling is how one host finds the published file for a request path, in one of the modes that
// it can be set to.
type Handling struct {
	// Host is the target of [hosts.Host] that answers so; Name is for messages: "Cloudflare Pages".
	Host, Name string
	// Fallback is the file that is served with status 200 at each path where nothing is published;
	// empty for none.
	Fallback string

	// mode is what the owner's settings are, where there are several handlings of the name.
	mode string
	// answer returns the file that is served at a decoded path with status 200, or the decoded path
	// to which the host redirects; both are empty where no published file is behind the path.
	answer func(path string, files fileSet) (file, to string)
	// second returns a file that may be served there instead of the first, where it is not known
	// which of two the host prefers; nil for none.
	second func(path string, files fileSet) (file string)
	// extensions are those of pages whose names hosts leave away.
	extensions []string
	// answersBehindSlash says that a file whose name has no dot is served behind a slash too.
	answersBehindSlash bool
	// encodes says that a path is served in its strictest encoding alone, and redirected there from
	// others.
	encodes bool
	// ownServer says that the site's owner configures the server, and may do so where nobody reads
	// it.
	ownServer bool
	// ErrorPage is a file that is served in place of the fallback, with status 404, at paths of its
	// folder and below.
	ErrorPage string
	// below is the decoded path, with no slash at its end, below which all files are published;
	// empty for the root.
	below string
}

// alternative is the file that the host may serve at a path instead of the one that it answers
// with; empty for none.
func (h *Handling) alternative(path string, files fileSet) string {
	if h.second == nil {
		return ""
	}
	return h.second(path, files)
}

// notFound is the file that is served with status 200 at a decoded path where nothing is published;
// empty for none.
func (h *Handling) notFound(path string, files fileSet) string {
	if h.Fallback == "" || !files.has(h.Fallback) || !strings.HasPrefix(path, h.below+"/") {
		return ""
	}
	for folder := path; h.ErrorPage != "" && folder != ""; {
		folder = folder[:strings.LastIndexByte(folder, '/')]
		if files.has(strings.TrimPrefix(folder+"/"+h.ErrorPage, "/")) {
			return ""
		}
	}
	return h.Fallback
}

// wayTo is how the host comes from a decoded path to a file: [Asset], [Index] or [CleanURL].
func (h *Handling) wayTo(path, file string) By {
	path = strings.TrimPrefix(path, h.below)[1:]
	if path == file {
		return Asset
	}
	bare := strings.TrimSuffix(strings.TrimSuffix(path, "/"), "index")
	for _, ending := range h.extensions {
		folder, isIndex := strings.CutSuffix(file, "index"+ending)
		if isIndex && strings.TrimSuffix(bare, "/") == strings.TrimSuffix(folder, "/") {
			return Index
		}
	}
	return CleanURL
}

// CleansHTML reports whether the host leaves .html or index away from the paths of pages.
func (h *Handling) CleansHTML() bool { return len(h.extensions) > 0 }

// Same reports whether two handlings of one host answer alike.
func (h *Handling) Same(other *Handling) bool {
	return h.Name == other.Name && h.mode == other.mode && h.Fallback == other.Fallback && h.below == other.below
}

// WithFallback is the same with a file that is served at each path where nothing is published.
func (h *Handling) WithFallback(file string) *Handling {
	other := *h
	other.Fallback = file
	return &other
}

// Below is the same with all files published below a path: "/docs". The host redirects that path to
// the slash.
func (h *Handling) Below(path string) *Handling {
	path = strings.Trim(path, "/")
	if path == "" {
		return h
	}
	other := *h
	other.below = "/" + path
	other.answer = func(path string, files fileSet) (file, to string) {
		inner, ok := strings.CutPrefix(path, other.below)
		switch {
		case inner == "" && ok:
			return "", other.below + "/"
		case !ok || inner[0] != '/':
			return "", ""
		}
		if file, to = h.answer(inner, files); to != "" {
			to = other.below + to
		}
		return file, to
	}
	return &other
}

// A fileSet is the published files of a site: it reports whether a file is one of them.
type fileSet func(file string) bool

func (f fileSet) has(file string) bool { return f(file) }

// at returns the file whose name is a decoded path, if it is published: "a/p.html" for /a/p.html.
// Else it is "", also for a path with a slash at its end, which names no file.
func (f fileSet) at(path string) (file string) {
	if len(path) > 1 && path[0] == '/' && path[len(path)-1] != '/' && f(path[1:]) {
		return path[1:]
	}
	return ""
}

// forms are the decoded paths at which the host may answer with a file, or redirect to it, whatever
// else is published: [Site.ask] asks the host about each. Those of a page that loses its ending are
// in [formsOfPage]. Any other file has the path of its name, and on some hosts that with a slash
// behind it, if the name has no dot.
func (h *Handling) forms(file string) []string {
	path := h.below + "/" + file
	for _, ending := range h.extensions { // none on a host without clean URLs
		if stem, isPage := strings.CutSuffix(path, ending); isPage {
			return formsOfPage(stem, ending)
		}
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	if h.answersBehindSlash && !strings.Contains(name, ".") {
		return []string{path, path + "/"}
	}
	return []string{path}
}

// formsOfPage are the paths at which some host that leaves an ending away answers with a page. stem
// is the page's decoded path without the ending. The last ones only hosts like Workers use, which
// in some of their modes redirect /p.html to /p/, and serve q/index.html at /q/index/ too:
//
//	stem       ending
//	/q/p       .html    /q/p /q/p/ /q/p.html              /q/p/index /q/p/index.html
//	/q/index   .html    /q/ /q /q/index.html /q/index     /q/index/ /q.html
//	/index     .html    / /index.html /index              /index/
//	/q/        .html    /q/.html /q/.html/                /q/
func formsOfPage(stem, ending string) []string {
	path, folder := stem+ending, stem[:strings.LastIndexByte(stem, '/')+1]
	hasNoName, isIndex := stem == folder, stem == folder+"index"
	withoutSlash := strings.TrimSuffix(folder, "/")
	switch {
	case hasNoName:
		return []string{folder, path, path + "/"}
	case isIndex && withoutSlash == "": // the home page: its folder has no path without the slash
		return []string{folder, path, stem, stem + "/"}
	case isIndex:
		return []string{folder, withoutSlash, path, stem, stem + "/", withoutSlash + ending}
	default:
		return []string{stem, stem + "/", path, stem + "/index", stem + "/index.html"}
	}
}

var htmlOnly = []string{".html"}

// CloudflarePages serves p.html at /p and q/index.html at /q/, and redirects their other paths
// there.
// https://github.com/cloudflare/workers-sdk packages/pages-shared/asset-server/handler.ts, generateResponse
//
// Where no 404.html is published, neither in the folder of a path nor above, it serves the home
// page there.
var CloudflarePages = &Handling{Host: "cloudflare", Name: "Cloudflare Pages", extensions: htmlOnly, answer: pages,
	Fallback: "index.html", ErrorPage: "404.html"}

// pages is [Handling.answer] of Cloudflare Pages, for a decoded path: what generateResponse does.
// Both results are empty if it finds nothing. At the path of a published file and at one with a
// slash at its end, [pagesAtFile] and [pagesAtFolder] decide. At any other the first row that fits
// does:
//
//	published        path        answer
//	anything         /q/index    to /q/, even if nothing is there
//	p.html           /p          p.html
//	q/index.html     /q          to /q/
func pages(path string, files fileSet) (file, to string) {
	if strings.HasSuffix(path, "/") {
		return pagesAtFolder(path, files)
	}
	if exact := files.at(path); exact != "" {
		return pagesAtFile(exact, path, files)
	}
	if folder, isIndex := strings.CutSuffix(path, "/index"); isIndex {
		return "", folder + "/"
	}
	if page := files.at(path + ".html"); page != "" {
		return page, ""
	}
	if index := files.at(path + "/index.html"); index != "" {
		return "", path + "/"
	}
	return "", ""
}

// pagesAtFile is pages for the path of a published file. The first row that fits decides:
//
//	published        path             answer
//	q/index.html     /q/index.html    to /q/
//	.html            /.html           .html, since without the ending nothing is left
//	p.html, p        /p.html          p.html, since /p is the path of p
//	p.html           /p.html          to /p
//	x.pdf            /x.pdf           x.pdf
func pagesAtFile(name, path string, files fileSet) (file, to string) {
	stem, isHTML := strings.CutSuffix(path, ".html")
	folder, isIndex := strings.CutSuffix(stem, "/index")
	switch {
	case isHTML && isIndex:
		return "", folder + "/"
	case isHTML && stem != "/" && files.at(stem) == "":
		return "", stem
	default:
		return name, ""
	}
}

// pagesAtFolder is pages for a path with a slash at its end. The first row that fits decides:
//
//	published      path        answer
//	q/index.html   /q/         q/index.html
//	anything       /q/index/   to /q/, even if nothing is there
//	p.html         /p/         to /p
func pagesAtFolder(path string, files fileSet) (file, to string) {
	if index := files.at(path + "index.html"); index != "" {
		return index, ""
	}
	if folder, isIndex := strings.CutSuffix(path, "/index/"); isIndex {
		return "", folder + "/"
	}
	if stem := strings.TrimSuffix(path, "/"); files.at(stem+".html") != "" {
		return "", stem
	}
	return "", ""
}
