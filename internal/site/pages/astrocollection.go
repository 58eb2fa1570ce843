package pages

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"metarobots/policy"
)

// An astroCollection is a folder of entries.
type astroCollection struct {
	name string
	// base is the folder, from the site's; known: the configuration says it.
	base  string
	known bool
	// found takes the files below it that its loader finds, left those of them that it leaves out; nil for a pattern that
	// is not understood, which may find any.
	found, left []*regexp.Regexp
	// prefixes are the folders below base in which it finds all.
	prefixes []string
	// legacy: it has no loader, and what begins with an underscore is none of it.
	// https://docs.astro.build/en/guides/upgrade-to/v5/#legacy-v20-content-collections-api
	legacy bool
}

// astroCollections are the collections that src/content.config names, and the folders of src/content; computed tells of
// those whose folder is not known.
// https://docs.astro.build/en/reference/content-loader-reference/#glob-loader
func astroCollections(root, src string) (all []astroCollection, computed []policy.Finding, err error) {
	c := &config{root: root}
	var names []string
	for _, ext := range []string{".ts", ".mjs", ".js", ".mts"} {
		names = append(names, path.Join(src, "content.config"+ext), path.Join(src, "content", "config"+ext))
	}
	if err := c.open(names...); err != nil {
		return nil, nil, err
	}
	p := c.program
	exported := map[string]string{} // names of collections by those of the variables that hold them
	collections := p.block("collections")
	for name, at := range collections.entries {
		if collections[at].kind == word && collections.ends(at+1) {
			exported[collections[at].text] = name
		}
	}
	for i, t := range p {
		if t.kind != word || t.text != "defineCollection" || !p.is(i+1, "(") {
			continue
		}
		k, what := astroCollection{}, ""
		if i > 1 && (p.is(i-1, "=") || p.is(i-1, ":")) {
			k.name = p[i-2].text
		}
		if name := exported[k.name]; name != "" {
			k.name = name
		}
		if what = k.read(p.inside(i+1), p); what != "" {
			computed = append(computed, policy.Finding{ID: "config-computed", Severity: policy.Warning, File: c.file, Line: t.line,
				Message: what + " of the collection " + k.name + " is computed, and a configuration is read, never run: what its entries say does not count, unless [site.content] folders says where they lie, or their template hands them over"})
		}
		if k.known || what != "" {
			all = append(all, k)
		}
		computed = append(computed, k.listed(p.inside(i+1), root)...)
	}
	entries, _ := os.ReadDir(joined(root, path.Join(src, "content")))
	for _, e := range entries {
		base := path.Join(src, "content", e.Name())
		loaded := func(k astroCollection) bool {
			to, _ := k.leads(base)
			return to && below(base, k.base)
		}
		if e.IsDir() && !slices.ContainsFunc(all, loaded) {
			all = append(all, astroCollection{name: e.Name(), base: base, known: true, legacy: true})
		}
	}
	return all, computed, nil
}

// read reads what stands in the brackets of a collection's definition. It returns what of it is computed.
func (k *astroCollection) read(definition, of program) (computed string) {
	if i := definition.next(0); !definition.is(i, "{") {
		return "the definition"
	} else {
		definition = definition.inside(i)
	}
	at := definition.find("loader")
	if at == 0 {
		if slices.ContainsFunc(definition, func(t token) bool { return t.kind == word && t.text == "loader" }) || spreads(definition) {
			return "the loader"
		}
		return "" // its folder is that of its name
	}
	if definition[at].kind == word && definition.is(at+1, "(") && definition[at].text == "file" {
		return "" // it holds no files of entries
	}
	if definition[at].text != "glob" || !definition.is(at+1, "(") {
		return "the loader"
	}
	options := definition.inside(at + 1)
	if i := options.next(0); !options.is(i, "{") {
		return "the folder"
	} else {
		options = options.inside(i)
	}
	switch base := options.find("base"); {
	case base > 0:
		text, ok := options.constant(base, of)
		if !ok {
			return "the folder"
		}
		k.base = clean(text)
	case spreads(options) || slices.ContainsFunc(options, func(t token) bool { return t.kind == word && t.text == "base" }):
		return "the folder"
	}
	k.known = true
	patterns, known := options.list("pattern")
	if known != literal {
		return ""
	}
	for _, s := range patterns {
		s = strings.TrimPrefix(s, "./")
		negated := strings.HasPrefix(s, "!")
		pattern, ok := wildcard(strings.TrimPrefix(s, "!"))
		switch {
		case !ok && negated: // what it leaves out is not known: it may leave out nothing
		case !ok:
			k.found, k.left, k.prefixes = nil, nil, nil
			return ""
		case negated:
			k.left = append(k.left, pattern)
		default:
			k.found = append(k.found, pattern)
			k.prefixes = append(k.prefixes, steady(s))
		}
	}
	return ""
}

// listed tells of a file that file() loads whose entries seem to state something: which pages they are is not known.
// https://docs.astro.build/en/reference/content-loader-reference/#file-loader
func (k *astroCollection) listed(definition program, root string) []policy.Finding {
	for i, t := range definition {
		if t.kind != word || t.text != "file" || !definition.is(i+1, "(") {
			continue
		}
		at := definition.next(i + 2)
		if at >= len(definition) || definition[at].kind != text {
			continue
		}
		name := clean(definition[at].text)
		data := firstLines(joined(root, name))
		if m := statingKey.FindStringSubmatchIndex(data); m != nil {
			return []policy.Finding{{ID: "config-computed", Severity: policy.Warning, File: name, Line: 1 + strings.Count(data[:m[2]], "\n"),
				Message: data[m[2]:m[3]] + " of an entry of the collection " + k.name + " does not count: file() loads it, and which page shows it is not known, unless its template hands it over"}}
		}
	}
	return nil
}

// statingKey finds one of the keys of front matter that authors use most, in any form of data.
var statingKey = regexp.MustCompile(`(?im)(?:^|[\s{,"'])(robots|googlebot|no_?index|nofollow|robotsnoindex|unlisted)["']?\s*[:=]`)

// spreads reports whether an object takes keys from elsewhere.
func spreads(p program) bool {
	depth := 0
	if len(p) > 0 {
		depth = p[0].depth
	}
	for i := range p {
		if p[i].depth == depth && p.is(i, ".") && p.is(i+1, ".") && p.is(i+2, ".") {
			return true
		}
	}
	return false
}

var embedded = regexp.MustCompile(`\$\{\s*(\w+)\s*\}`)

// constant returns the text at token i, which may be made of constants of the program that p is a part of.
func (p program) constant(i int, of program) (string, bool) {
	if s, end, ok := p.joined(i); ok && p.ends(end) {
		return s, true
	}
	if !p.ends(i + 1) {
		return "", false
	}
	switch t := p[i]; t.kind {
	case word:
		return of.named(t.text)
	case computed:
		ok := t.text != ""
		s := embedded.ReplaceAllStringFunc(t.text, func(name string) string {
			s, known := of.named(embedded.FindStringSubmatch(name)[1])
			ok = ok && known
			return s
		})
		return s, ok && !strings.Contains(s, "${")
	}
	return "", false
}

// named returns the text of a constant that is declared outside of all brackets.
func (p program) named(constant string) (string, bool) {
	for i, t := range p {
		if t.kind != word || t.text != "const" || t.depth > 0 || i+2 >= len(p) || p[i+1].text != constant {
			continue
		}
		at := i + 2
		if p.is(at, ":") { // its type
			at += 2
		}
		if !p.is(at, "=") {
			return "", false
		}
		s, end, ok := p.joined(p.next(at + 1))
		return s, ok && p.ends(end)
	}
	return "", false
}

// holding returns whether a collection holds a file, for several of them.
func holding(file string) func(astroCollection) bool {
	return func(k astroCollection) bool { return k.holds(file) }
}

// rel is the path of a file of the site's folder below the collection's.
func (k *astroCollection) rel(file string) (string, bool) {
	if !k.known || !below(file, k.base) || file == k.base {
		return "", false
	}
	return strings.TrimPrefix(strings.TrimPrefix(file, k.base), "/"), true
}

// holds reports whether a file is an entry.
func (k *astroCollection) holds(file string) bool {
	rel, ok := k.rel(file)
	if !ok {
		return false
	}
	matches := func(p *regexp.Regexp) bool { return p.MatchString(rel) }
	switch {
	case k.legacy:
		return !strings.HasPrefix(rel, "_") && !strings.Contains(rel, "/_") && !strings.HasPrefix(path.Base(k.base), "_")
	case k.found == nil:
		return true
	}
	return slices.ContainsFunc(k.found, matches) && !slices.ContainsFunc(k.left, matches)
}

// leads reports whether the way to entries goes through a folder, and whether they may lie in it.
func (k *astroCollection) leads(dir string) (to, in bool) {
	if dir == "." {
		dir = ""
	}
	if !k.known || !below(dir, k.base) {
		return k.known && below(k.base, dir), false
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(dir, k.base), "/")
	for _, prefix := range k.prefixes {
		in = in || below(rel, prefix)
		to = to || in || below(prefix, rel)
	}
	return to || k.prefixes == nil, in || k.prefixes == nil
}

// id is the name of an entry: what its front matter says, or its path, each part of it a slug.
func (k *astroCollection) id(c *content) string {
	if slug := c.text("slug"); slug != "" {
		return slug
	}
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(c.file, k.base), "/"), c.ext)
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = githubSlug(parts[i])
	}
	return strings.TrimSuffix(strings.Join(parts, "/"), "/index")
}
