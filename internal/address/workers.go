package address

import (
	"cmp"
	"strings"
)

// Workers returns how Cloudflare Workers serve static assets with a mode of assets.html_handling;
// "" is the default, "auto-trailing-slash". It is nil for an unknown mode.
// https://github.com/cloudflare/workers-sdk packages/workers-shared/asset-worker/src/handler.ts, getIntent
func Workers(mode string) *Handling {
	h := &Handling{Host: "cloudflare", Name: "Cloudflare Workers", extensions: htmlOnly, encodes: true}
	h.mode = cmp.Or(mode, "auto-trailing-slash")
	switch h.mode {
	case "auto-trailing-slash":
		h.answer = (&trailing{pageEnd: "", folderEnd: "/"}).answer
	case "force-trailing-slash":
		h.answer = (&trailing{pageEnd: "/", folderEnd: "/"}).answer
	case "drop-trailing-slash":
		h.answer = (&trailing{pageEnd: "", folderEnd: ""}).answer
	case "none":
		h.extensions = nil
		h.answer = func(path string, files fileSet) (file, to string) { return files.at(path), "" }
	default:
		return nil
	}
	return h
}

// A trailing is a mode that gives each page one path. The fields are what that path has at its end.
//
//	mode                  pageEnd  folderEnd  p.html is at  q/index.html is at
//	auto-trailing-slash   ""       "/"        /p            /q/
//	force-trailing-slash  "/"      "/"        /p/           /q/
//	drop-trailing-slash   ""       ""         /p            /q
//
// With force-trailing-slash, q/index.html is also served at /q/index/, as the page q/index.
type trailing struct{ pageEnd, folderEnd string }

// answer is [Handling.answer] of such a mode.
func (t *trailing) answer(path string, files fileSet) (file, to string) {
	return (&workersSearch{mode: t, files: files, redirects: true}).find(path)
}

// A workersSearch is getIntent with one mode, for the files of one site.
type workersSearch struct {
	mode  *trailing
	files fileSet
	// redirects is false where the destination of a redirect is tried: a second redirect does not
	// count there.
	redirects bool
}

// find returns what is served at a decoded path, or where that is redirected; both are empty where
// nothing is found. A path by one of the names of a page comes first: that page's one path is
// tried, and the file of that name only where no redirect leads there.
func (s *workersSearch) find(path string) (file, to string) {
	switch {
	case path == "/":
		file = s.files.at("/index.html")
	case strings.HasSuffix(path, "/index"):
		file, to = s.atIndex(strings.TrimSuffix(path, "/index"))
	case strings.HasSuffix(path, "/index.html"):
		file, to = s.atIndexHTML(strings.TrimSuffix(path, "/index.html"))
	case strings.HasSuffix(path, "/"):
		file, to = s.atSlash(strings.TrimSuffix(path, "/"))
	case strings.HasSuffix(path, ".html"):
		file, to = s.atHTML(strings.TrimSuffix(path, ".html"))
	}
	if file == "" && to == "" {
		return s.atName(path)
	}
	return file, to
}

// A home is the path of a page's file, such as /p.html, with the one path that the mode gives it.
type home struct{ file, path string }

// homeOfPage is the home of STEM.html.
func (s *workersSearch) homeOfPage(stem string) home {
	return home{stem + ".html", stem + s.mode.pageEnd}
}

// homeOfIndex is the home of FOLDER/index.html. The site's own folder is "".
func (s *workersSearch) homeOfIndex(folder string) home {
	return home{folder + "/index.html", cmp.Or(folder+s.mode.folderEnd, "/")}
}

// redirect returns the path of the first of these homes to which there is a redirect; "" if there
// is none: safeRedirect. There is one to /p of /p.html if
//
//   - no file is named p, which would be served at /p;
//   - p.html is published;
//   - find, without redirects, serves p.html at /p, and not another page.
func (s *workersSearch) redirect(homes ...home) (to string) {
	if !s.redirects {
		return ""
	}
	direct := &workersSearch{mode: s.mode, files: s.files}
	for _, h := range homes {
		if s.files.at(h.path) != "" {
			continue
		}
		if served, _ := direct.find(h.path); served != "" && served == s.files.at(h.file) {
			return h.path
		}
	}
	return ""
}

// atIndex is find for FOLDER/index: the file of that name, or a redirect to the home of the index,
// or of the page FOLDER.html. Without folderEnd both have one path, at which the page goes first.
func (s *workersSearch) atIndex(folder string) (file, to string) {
	if exact := s.files.at(folder + "/index"); exact != "" {
		return exact, ""
	}
	switch {
	case s.mode.folderEnd != "":
		return "", s.redirect(s.homeOfIndex(folder), s.homeOfPage(folder))
	case folder != "":
		return "", s.redirect(s.homeOfPage(folder), s.homeOfIndex(folder))
	}
	return "", s.redirect(s.homeOfIndex(folder))
}

// atIndexHTML is find for FOLDER/index.html: a redirect to its home, or if that is another page's,
// the file itself, or a redirect to that page.
func (s *workersSearch) atIndexHTML(folder string) (file, to string) {
	if to = s.redirect(s.homeOfIndex(folder)); to != "" {
		return "", to
	}
	exact, isHome := s.files.at(folder+"/index.html"), folder == ""
	switch {
	case s.mode.folderEnd == "" && !isHome && exact != "":
		return exact, "" // the path of the folder is taken: FOLDER.html is served there
	case s.mode.folderEnd == "" && isHome:
		return "", ""
	}
	return "", s.redirect(s.homeOfPage(folder))
}

// atSlash is find for STEM/, of any stem except the root's "": the home of an index with folderEnd,
// and of a page with pageEnd.
func (s *workersSearch) atSlash(stem string) (file, to string) {
	index, page := s.files.at(stem+"/index.html"), s.files.at(stem+".html")
	switch {
	case s.mode.folderEnd == "":
		return "", s.redirect(s.homeOfPage(stem), s.homeOfIndex(stem))
	case index != "":
		return index, ""
	case s.mode.pageEnd == "/":
		return page, ""
	}
	return "", s.redirect(s.homeOfPage(stem))
}

// atHTML is find for STEM.html, unless that is an index: a redirect to its home, or if that is
// another page's, the file itself, or a redirect to the index of the folder STEM.
func (s *workersSearch) atHTML(stem string) (file, to string) {
	if to = s.redirect(s.homeOfPage(stem)); to != "" {
		return "", to
	}
	if exact := s.files.at(stem + ".html"); exact != "" && s.mode.pageEnd == "/" {
		return exact, "" // the page's path is taken: STEM/index.html is served there
	}
	return "", s.redirect(s.homeOfIndex(stem))
}

// atName is find for any path, if none of the functions above has an answer: by the names of the
// files that it can mean.
func (s *workersSearch) atName(path string) (file, to string) {
	exact := s.files.at(path)
	page, index := s.files.at(path+".html"), s.files.at(path+"/index.html")
	switch {
	case exact != "":
		return exact, ""
	case page != "" && s.mode.pageEnd == "":
		return page, ""
	case page != "":
		if to = s.redirect(s.homeOfPage(path)); to != "" {
			return "", to
		}
	}
	switch {
	case index != "" && s.mode.folderEnd == "":
		return index, ""
	case index != "":
		return "", s.redirect(s.homeOfIndex(path))
	}
	return "", ""
}
