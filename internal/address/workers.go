package address

import (
	"cmp"
	"strings"
)

// Workers returns how Cloudflare Workers serve static assets with a mode of assets.html_handling;
// an empty one is "auto-trailing-slash". It is nil for an unknown mode.
// https://github.com/cloudflare/workers-sdk packages/workers-shared/asset-worker/src/handler.ts, getIntent
func Workers(mode string) *Handling {
	h := &Handling{Host: "cloudflare", Name: "Cloudflare Workers", extensions: htmlOnly, encodes: true}
	h.mode = cmp.Or(mode, "auto-trailing-slash")
	switch h.mode {
	case "auto-trailing-slash":
		h.answer = (&trailing{page: "", folder: "/"}).answer
	case "force-trailing-slash":
		h.answer = (&trailing{page: "/", folder: "/"}).answer
	case "drop-trailing-slash":
		h.answer = (&trailing{page: "", folder: ""}).answer
	case "none":
		h.extensions = nil
		h.answer = func(path string, has has) (file, to string) { return has.at(path), "" }
	default:
		return nil
	}
	return h
}

// trailing is a mode that gives pages one path: what follows the name of a page, and of a folder
// with an index.
type trailing struct{ page, folder string }

func (t *trailing) answer(path string, has has) (file, to string) {
	return t.find(path, has, true)
}

// find is getIntent: what is served at a path, or where that is redirected. Without redirects it
// says only what is served.
func (t *trailing) find(path string, has has, redirects bool) (file, to string) {
	exact := has.at(path)
	// redirect returns a destination if the file is published and would be served there, and
	// nothing is there itself: safeRedirect.
	redirect := func(of, destination string) string {
		if !redirects || has.at(destination) != "" {
			return ""
		}
		if served, _ := t.find(destination, has, false); served == "" || served != has.at(of) {
			return ""
		}
		return destination
	}
	// first returns the first destination to which there is a redirect, of pairs of a file and a
	// destination.
	first := func(pairs ...[2]string) string {
		for _, p := range pairs {
			if to := redirect(p[0], p[1]); to != "" {
				return to
			}
		}
		return ""
	}
	home := func(folder string) string { // the path of a folder's index
		if folder == "" {
			return "/"
		}
		return folder + t.folder
	}
	switch {
	case strings.HasSuffix(path, "/index"):
		folder := strings.TrimSuffix(path, "/index")
		if exact != "" {
			return exact, ""
		}
		index, page := [2]string{path + ".html", home(folder)}, [2]string{folder + ".html", folder + t.page}
		if t.folder == "" && folder != "" {
			to = first(page, index)
		} else if t.folder == "" {
			to = first(index)
		} else {
			to = first(index, page)
		}
	case strings.HasSuffix(path, "/index.html"):
		folder := strings.TrimSuffix(path, "/index.html")
		if to = redirect(path, home(folder)); to == "" && exact != "" && t.folder == "" && folder != "" {
			return exact, "" // /foo.html is served at the path of its folder
		} else if to == "" && (t.folder != "" || folder != "") {
			to = redirect(folder+".html", folder+t.page)
		}
	case path == "/":
		if index := has.at("/index.html"); index != "" {
			return index, ""
		}
	case strings.HasSuffix(path, "/"):
		stem := strings.TrimSuffix(path, "/")
		index, page := has.at(path+"index.html"), has.at(stem+".html")
		switch {
		case t.folder == "":
			to = first([2]string{stem + ".html", stem}, [2]string{stem + "/index.html", stem})
		case index != "":
			return index, ""
		case t.page == "/" && page != "":
			return page, ""
		case t.page == "":
			to = redirect(stem+".html", stem)
		}
	case strings.HasSuffix(path, ".html"):
		stem := strings.TrimSuffix(path, ".html")
		if to = redirect(path, stem+t.page); to == "" && exact != "" && t.page == "/" {
			return exact, "" // /foo/index.html is served at /foo/
		} else if to == "" {
			to = redirect(stem+"/index.html", stem+t.folder)
		}
	}
	if to != "" {
		return "", to
	}
	page, index := has.at(path+".html"), has.at(path+"/index.html")
	switch {
	case exact != "":
		return exact, ""
	case page != "" && t.page == "":
		return page, ""
	case page != "":
		if to = redirect(path+".html", path+"/"); to != "" {
			return "", to
		}
	}
	switch {
	case index != "" && t.folder == "":
		return index, ""
	case index != "":
		return "", redirect(path+"/index.html", path+"/")
	}
	return "", ""
}
