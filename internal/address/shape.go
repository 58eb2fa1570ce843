package address

import (
	"slices"
	"strings"
)

// Most files have the same addresses as any other file of their shape: hosts serve a/index.html and
// b/index.html alike, unless another file or a route of the owner's is in the way. The addresses of
// one file of each shape are found by asking the hosts, and written again for the others. A file is
// asked path by path where that may be wrong: where a file of nearly the same name is published, a
// route is about one of its paths, or its name is spelled in several ways.

// A shape is how the name of a file ends, by which hosts decide where they serve it.
type shape int

const (
	odd    shape = iota // a name of its own kind
	index_              // q/index.html
	page                // p.html
	asset               // x.pdf
	shapes
)

// shapeOf returns the shape of a file, and its name from the host's root without the ending that
// the shape has.
func shapeOf(file string) (s shape, stem string) {
	for i := range len(file) {
		// A name with other characters than those that are never encoded, and the slash, is spelled in several ways.
		if c := file[i]; !bareInComponent[c] {
			return odd, ""
		}
	}
	name := file[strings.LastIndexByte(file, '/')+1:]
	stem, isHTML := strings.CutSuffix(file, ".html")
	folder, isIndex := strings.CutSuffix(stem, "/index")
	last := strings.TrimSuffix(stem, "/index")
	last = last[strings.LastIndexByte(last, '/')+1:]
	switch {
	case strings.HasPrefix(file, ".well-known/"), isHTML && (strings.Contains(last, ".") || last == "index"):
		// Some hosts have rules of their own for these.
	case isIndex && isHTML && folder != "":
		return index_, folder
	case isHTML && name != "index.html" && name != ".html":
		return page, stem
	case !isHTML && strings.Contains(name, ".") && !strings.HasSuffix(name, ".htm"):
		return asset, file
	}
	return odd, ""
}

// samples are files of each shape; "~" is their stem.
var samplesOfShapes = [shapes]string{index_: "~/index.html", page: "~.html", asset: "~.x"}

// learnShapes finds the addresses of a file of each shape.
func (s *Site) learnShapes() {
	plain := &Site{handlings: s.handlings}
	for shape := index_; shape < shapes; shape++ {
		of := plain.ask(samplesOfShapes[shape])
		_, stem := shapeOf(samplesOfShapes[shape])
		for i := range of {
			path, to := strings.TrimPrefix(of[i].Path, "/"+stem), strings.TrimPrefix(of[i].To, "/"+stem)
			if path == of[i].Path || of[i].To != "" && to == of[i].To {
				of = nil // hosts that put something before the path
				break
			}
			of[i].Path = path
			if of[i].To != "" {
				of[i].To = "~" + to // what is left of it may be nothing
			}
		}
		s.byShape[shape] = of
		s.servedByShape[shape] = len(of)
		if i := slices.IndexFunc(of, func(a Address) bool { return !a.Serves() }); i >= 0 {
			s.servedByShape[shape] = i
		}
		for _, h := range append([]*Handling{Every}, s.handlings...) {
			for _, form := range h.forms(samplesOfShapes[shape]) {
				if path := strings.TrimPrefix(form, "/"+stem); !slices.Contains(s.near[shape], path) {
					s.near[shape] = append(s.near[shape], path)
				}
			}
		}
	}
}

// alike returns the addresses of a file as those of its shape, as [Site.Of] or [Site.Serving] do;
// ok is false where the hosts have to be asked.
func (s *Site) alike(file string, redirects bool) (all []Address, ok bool) {
	shape, stem := shapeOf(file)
	of := s.byShape[shape]
	if of == nil || len(s.crowded) > 0 && s.crowded[base(file)] {
		return nil, false
	}
	for _, path := range s.near[shape] {
		if len(s.indexes) > 0 && s.isRouted("/"+stem+path) {
			return nil, false
		}
	}
	if !redirects {
		of = of[:s.servedByShape[shape]]
	}
	whole := "/" + file
	ending := whole[1+len(stem):]
	all = slices.Clone(of)
	for i := range all {
		a := &all[i]
		if strings.HasPrefix(ending, a.Path) { // most paths are the beginning of the file's own: no string is made
			a.Path = whole[:1+len(stem)+len(a.Path)]
		} else {
			a.Path = "/" + stem + a.Path
		}
		if a.To != "" {
			a.To = "/" + stem + a.To[1:]
		} else {
			a.File = file
		}
	}
	return all, true
}

// atShape returns the file to which a path leads, and whether a host serves it there, if that is
// one of the paths of its shape. ok is false where the hosts have to be asked; then file and served
// mean nothing.
func (s *Site) atShape(path string) (file string, served, ok bool) {
	if s.crowded == nil { // the names of the files are not known
		return "", false, false
	}
	switch file = path[1:]; {
	case strings.HasSuffix(path, "/"):
		file += "index.html"
	case !strings.HasSuffix(path, ".html") && !s.published(file):
		file += ".html"
	}
	shape, stem := shapeOf(file)
	of := s.byShape[shape]
	if of == nil || !s.published(file) || len(s.crowded) > 0 && s.crowded[base(file)] {
		return "", false, false
	}
	for _, a := range of {
		if len(s.routes) > 0 && s.isRouted("/"+stem+a.Path) {
			return "", false, false
		}
		if len(path) == 1+len(stem)+len(a.Path) && strings.HasSuffix(path, a.Path) {
			served, ok = a.To == "", true
		}
	}
	return file, served, ok
}

// isRouted reports whether a route may take a path, or may lead there.
func (s *Site) isRouted(path string) bool {
	for _, x := range s.indexes {
		if x.isAbout(path) {
			return true
		}
	}
	return false
}

// base is a name without all that hosts may leave away or add: files of one base may take each
// other's paths.
func base(name string) string {
	for {
		cut := name
		for _, ending := range []string{".html", ".htm", "/index", "/"} {
			cut = strings.TrimSuffix(cut, ending)
		}
		if cut == "index" {
			cut = ""
		}
		if cut == name {
			return cut
		}
		name = cut
	}
}

// crowdedBases are the bases that several names have.
func crowdedBases(names []string) map[string]bool {
	seen, crowded := make(map[string]bool, len(names)), map[string]bool{}
	for _, name := range names {
		b := base(name)
		if seen[b] {
			crowded[b] = true
		}
		seen[b] = true
	}
	return crowded
}

// NewPublished makes a site as [New] does, of files that are known by their names from the host's
// root.
func NewPublished(names []string, routes []*Route, handlings ...*Handling) *Site {
	published := make(map[string]bool, len(names))
	for _, name := range names {
		published[name] = true
	}
	s := New(nil, routes, handlings...)
	s.published = func(file string) bool { return published[file] }
	s.crowded = crowdedBases(names)
	return s
}

// isAbout reports whether a route may take a path, or may lead there.
func (x *index) isAbout(path string) bool {
	bare := strings.TrimSuffix(path, "/")
	if len(x.exact[path])+len(x.decoded[path])+len(x.loose[bare])+len(x.ends[path]) > 0 {
		return true
	}
	return slices.ContainsFunc(x.heads, func(head string) bool { return strings.HasPrefix(path, head) })
}
