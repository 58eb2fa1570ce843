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
	oddShape   shape = iota // any other name: its addresses are always asked for
	indexShape              // q/index.html
	pageShape               // p.html
	assetShape              // x.pdf
	shapes                  // how many there are
)

// shapeOf returns the shape of a file, and its stem: the name from the host's root without the
// ending that the shape has. An asset has none to lose; of an odd file the stem is "".
//
//	q/r/index.html  indexShape  q/r
//	q/p.html        pageShape   q/p
//	q/x.pdf         assetShape  q/x.pdf
//
// Odd is every name that some host treats otherwise than all others of its ending:
//
//	q/a b.html               it has several spellings
//	.well-known/x.json       Vercel never redirects it
//	q/a.b.html               to Vercel a.b has an extension already
//	q/index/index.html       Workers take q/index for an index again
//	index.html, q/.html      without the ending nothing is left
//	LICENSE                  without a dot, Vercel serves it behind a slash
//	q/x.htm                  Netlify takes it for a page, other hosts for an asset
func shapeOf(file string) (s shape, stem string) {
	if !hasOneSpelling(file) || strings.HasPrefix(file, ".well-known/") {
		return oddShape, ""
	}
	name := file[strings.LastIndexByte(file, '/')+1:]
	stem, isHTML := strings.CutSuffix(file, ".html")
	if !isHTML {
		if !strings.Contains(name, ".") || strings.HasSuffix(name, ".htm") {
			return oddShape, ""
		}
		return assetShape, file
	}
	folder, isIndex := strings.CutSuffix(stem, "/index")
	page := folder[strings.LastIndexByte(folder, '/')+1:] // r of q/r/index.html, p of q/p.html
	switch {
	case page == "" || page == "index" || strings.Contains(page, "."):
		return oddShape, ""
	case isIndex:
		return indexShape, folder
	}
	return pageShape, stem
}

// hasOneSpelling reports whether every client writes the path of a file alike, since no character
// of it is ever encoded.
func hasOneSpelling(file string) bool {
	for i := range len(file) {
		if c := file[i]; !bareInComponent[c] {
			return false
		}
	}
	return true
}

// samplesOfShapes has a file of each shape. Its stem is "~"; of the asset, which has no ending to
// lose, it is the whole name.
var samplesOfShapes = [shapes]string{indexShape: "~/index.html", pageShape: "~.html",
	assetShape: "~.x"}

// learnShapes finds the addresses of a file of each shape, and sets byShape, servedByShape and
// near. On CloudflarePages it learns of pageShape, whose sample is ~.html:
//
//	byShape        {Path: "", File: "~.html"}, {Path: "/", To: "~"}, {Path: ".html", To: "~"} …
//	servedByShape  1, for the first
//	near           "", "/", ".html", "/index", "/index.html"
//
// From these, addressLike makes the addresses of a/b.html: /a/b, and /a/b/ and /a/b.html,
// which redirect.
func (s *Site) learnShapes() {
	plain := &Site{handlings: s.handlings} // without routes: each file of a shape has its own
	for shape := indexShape; shape < shapes; shape++ {
		sample := samplesOfShapes[shape]
		_, stem := shapeOf(sample)
		addresses := endings(plain.ask(sample), "/"+stem)
		s.byShape[shape] = addresses
		s.servedByShape[shape] = len(addresses)
		if i := slices.IndexFunc(addresses, func(a Address) bool { return !a.Serves() }); i >= 0 {
			s.servedByShape[shape] = i
		}
		for _, h := range append([]*Handling{Every}, s.handlings...) {
			for _, form := range h.forms(sample) {
				ending := strings.TrimPrefix(form, "/"+stem)
				if !slices.Contains(s.near[shape], ending) {
					s.near[shape] = append(s.near[shape], ending)
				}
			}
		}
	}
}

// endings cuts the path of a stem off the paths of addresses, also where they redirect to; there a
// "~" stays for it, since an empty To would mean no redirect. They are nil if one of the paths does
// not begin with the stem's: a host has all files below a folder ([Handling.Below]).
func endings(addresses []Address, stem string) []Address {
	for i := range addresses {
		a := &addresses[i]
		ending, isBelow := strings.CutPrefix(a.Path, stem)
		if !isBelow {
			return nil
		}
		a.Path = ending
		if a.To == "" {
			continue
		}
		ending, isBelow = strings.CutPrefix(a.To, stem)
		if !isBelow {
			return nil
		}
		a.To = "~" + ending
	}
	return addresses
}

// knownShape returns the shape of a file whose addresses are those of the shape's sample, and the
// file's stem. ok is false if hosts may treat this file otherwise, and have to be asked
// ([Site.ask]): it has an odd name, another file or a route is about one of its paths, or the site
// does not know shapes, as one made with [New] of files whose names are not known.
// [Site.learnShapes] has an example.
func (s *Site) knownShape(file string) (shape shape, stem string, ok bool) {
	shape, stem = shapeOf(file)
	isKnown := s.byShape[shape] != nil // false for an odd shape, and if the site does not know shapes
	return shape, stem, isKnown && !s.isCrowded(file) && !s.isRoutedNear(shape, stem)
}

// isRoutedNear reports whether a route may decide at one of the paths that a file of a shape, with
// this stem, may have on some host.
func (s *Site) isRoutedNear(shape shape, stem string) bool {
	if hasRoutes := len(s.indexes) > 0; !hasRoutes { // as most sites: no path has to be made
		return false
	}
	return slices.ContainsFunc(s.near[shape], func(ending string) bool { return s.isRouted("/" + stem + ending) })
}

// addressLike returns the address of a file that is like one of its shape's sample, from which
// [endings] has cut the stem. Of the file a/b.html, with the stem a/b:
//
//	{Path: "", File: "~.html"}   {Path: "/a/b", File: "a/b.html"}
//	{Path: "/", To: "~"}         {Path: "/a/b/", To: "/a/b"}
func addressLike(a Address, file, stem string) Address {
	path, lengthOfStem, ending := "/"+file, len("/")+len(stem), a.Path
	if hasEnding := strings.HasPrefix(path[lengthOfStem:], ending); hasEnding {
		a.Path = path[:lengthOfStem+len(ending)] // without making another string
	} else {
		a.Path = "/" + stem + ending
	}
	if redirectsTo, isRedirect := strings.CutPrefix(a.To, "~"); isRedirect {
		a.To = "/" + stem + redirectsTo
	} else {
		a.File = file
	}
	return a
}

// isCrowded reports whether another file has the base of a file: then it may take its paths.
func (s *Site) isCrowded(file string) bool { return len(s.crowded) > 0 && s.crowded[base(file)] }

// knowsNames reports whether the site was made with the names of its files ([NewPublished]).
// Another one has no list of crowded bases, not even an empty one.
func (s *Site) knowsNames() bool { return s.crowded != nil }

// atShape returns the file to which an encoded request path leads, if that is one of the paths of
// its shape, and whether a host serves the file there; if not, the hosts redirect to where it is
// served. So [Site.Leads] and [Site.Redirects] need not ask the hosts, for the links of nearly
// every page.
//
// ok is false if the hosts have to be asked; then file and served mean nothing. They have to be
// asked at every path with a percent-encoding, since the name that is made of it here is odd, and
// if a route may decide at any path of the shape, since a redirect from this one may lead there.
func (s *Site) atShape(path string) (file string, served, ok bool) {
	if !s.knowsNames() {
		return "", false, false
	}
	file = s.fileByLooks(path)
	shape, stem := shapeOf(file)
	ofSample := s.byShape[shape]
	if ofSample == nil || !s.published(file) || s.isCrowded(file) {
		return "", false, false
	}
	for _, a := range ofSample {
		ending := a.Path
		if len(s.routes) > 0 && s.isRouted("/"+stem+ending) {
			return "", false, false
		}
		// path is "/", stem and this ending: stem was made of path, so it has not to be compared.
		if len(path) == len("/")+len(stem)+len(ending) && strings.HasSuffix(path, ending) {
			served, ok = a.To == "", true
		}
	}
	return file, served, ok
}

// fileByLooks returns the file that a path means by its looks, which need not be published:
// q/index.html for /q/, p.html for /p, if no file is called p, and p.html for /p.html.
func (s *Site) fileByLooks(path string) string {
	file := path[len("/"):]
	switch {
	case strings.HasSuffix(path, "/"):
		return file + "index.html"
	case strings.HasSuffix(path, ".html") || s.published(file):
		return file
	}
	return file + ".html"
}

// isRouted reports whether a route of any host may take an encoded path, or may lead there.
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
