package servers

import "strings"

// The forms of a file are the decoded request paths that the compiler writes rules
// for: those that are certainly its own, and those that it has if no other file
// takes them. The proof has its own: see [model].

// plainForms are those on a host without clean URLs: the file's own, and for an
// index its folder's.
func plainForms(path string) (own, maybe []string) {
	url := "/" + path
	if folder, ok := strings.CutSuffix(url, "/index.html"); ok {
		return []string{url[:len(folder)+1], url}, nil
	}
	return []string{url}, nil
}

// caddyForms adds the path without .html, at which a try_files serves a page:
// the map sees the path as it was asked for.
func caddyForms(path string) (own, maybe []string) {
	own, _ = plainForms(path)
	if clean, ok := strings.CutSuffix("/"+path, ".html"); ok && len(own) == 1 {
		maybe = []string{clean}
	}
	return own, maybe
}

// folderForms are those on a host that serves a folder's index without the slash
// too.
func folderForms(path string) (own, maybe []string) {
	own, _ = plainForms(path)
	if folder := strings.TrimSuffix(own[0], "/"); len(own) == 2 && folder != "" {
		maybe = append(maybe, folder)
	}
	return own, maybe
}

// cleanForms are those where pages are served without .html as well.
func cleanForms(path string) (own, maybe []string) {
	own, maybe = folderForms(path)
	if page, ok := strings.CutSuffix("/"+path, ".html"); ok && page != "/index" {
		maybe = append(maybe, page)
	}
	return own, maybe
}

// formsOf are those of a host whose owner chooses.
func formsOf(clean bool) func(path string) (own, maybe []string) {
	if clean {
		return cleanForms
	}
	return folderForms
}
