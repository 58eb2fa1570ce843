package check

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"

	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// repeatedTexts reports feeds and search indexes that repeat the text of noindex pages, once: the
// first such file, its first such page and how many more there are (L5). A header could only hide
// the whole file, so it is for the owner to say what becomes of it. The files are read only if a
// page is noindex.
func repeatedTexts(s *plan.Plan) []policy.Finding {
	isLost := func(file, _ *plan.Page) bool { return !file.Decision.NoIndex() }
	r := findRepetition(s, isHiddenPage, isLost)
	if r == nil {
		return nil
	}
	return []policy.Finding{s.About(r.first, "feed-lists-noindex", policy.Note, 0, "it repeats the text of %s, which is "+
		"noindex%s%s: leave such pages out of it, or give it noindex by a rule if it is not for search engines",
		r.page.URL, byPlace(causeOf(s, r.page)), r.others())}
}

// deniedTexts reports in the same way feeds and search indexes that repeat the text of pages that
// deny AI a use, and do not deny it themselves (L5t).
func deniedTexts(s *plan.Plan) []policy.Finding {
	isDenied := func(pg *plan.Page) bool {
		return pg.File.Role == policy.RolePage && slices.Contains(pg.Decision.AI[:], policy.Denied)
	}
	isLost := func(file, page *plan.Page) bool { return len(openedUses(file, page)) > 0 }
	r := findRepetition(s, isDenied, isLost)
	if r == nil {
		return nil
	}
	uses := openedUses(r.first, r.page)
	var names []string
	for _, u := range uses {
		names = append(names, u.String())
	}
	return []policy.Finding{s.About(r.first, "feed-lists-denied", policy.Note, 0, "it repeats the text of %s, "+
		"which denies AI %s%s, and does not deny it itself%s: leave such pages out of it, or deny the same for it by a rule",
		r.page.URL, printable.JoinAnd(names), byPlace(r.page.Decision.PreferredAt(uses[0])), r.others())}
}

// openedUses are the uses by AI that are denied of a page, and not of a file that repeats it.
func openedUses(file, page *plan.Page) (uses []policy.Use) {
	for _, u := range policy.Uses {
		if page.Decision.AI[u] == policy.Denied && file.Decision.AI[u] != policy.Denied {
			uses = append(uses, u)
		}
	}
	return uses
}

// byPlace names who says something; "" if nobody knows.
func byPlace(at policy.Origin) string {
	if at.File == "" {
		return ""
	}
	return " by " + at.Place()
}

// isHiddenPage reports whether a file is a page that is noindex by more than the environment.
func isHiddenPage(pg *plan.Page) bool { return pg.File.Role == policy.RolePage && pg.Hidden() }

// A repetition is what feeds and search indexes repeat of pages with a restriction.
type repetition struct {
	isRestricted func(page *plan.Page) bool
	// isLost reports whether a file that repeats such a page lacks its restriction.
	isLost    func(file, page *plan.Page) bool
	site      *plan.Plan
	names     map[string]bool       // the last names in the paths of such pages: most items are about other pages
	hasHome   bool                  // a home page is among them, whose address may be that of a host
	file      *plan.Page            // the feed or index that is being read
	fragments int                   // how many of Pagefind's were read
	targets   map[string]*plan.Page // where items lead, by targetKey: such a page, or nil
	first     *plan.Page            // the first file that repeats a page
	page      *plan.Page            // the first page that it repeats
	pages     map[*plan.Page]bool   // all of them
	files     map[*plan.Page]bool   // that repeat any of them
	tries     map[*plan.Page]int    // items about such pages
}

// findRepetition reads all feeds and search indexes of a site; nil if none repeats a restricted
// page.
func findRepetition(
	s *plan.Plan, isRestricted func(page *plan.Page) bool, isLost func(file, page *plan.Page) bool,
) *repetition {
	cannotRepeat := func(pg *plan.Page) bool { return formOf(pg) == nil }
	files := slices.DeleteFunc(slices.Clone(s.Pages), cannotRepeat)
	if len(files) == 0 {
		return nil
	}
	r := &repetition{isRestricted: isRestricted, isLost: isLost, site: s, names: map[string]bool{},
		targets: map[string]*plan.Page{}, pages: map[*plan.Page]bool{},
		files: map[*plan.Page]bool{}, tries: map[*plan.Page]int{}}
	r.addNames()
	if len(r.names) == 0 {
		return nil
	}
	for _, pg := range files {
		r.read(pg)
	}
	if r.first == nil {
		return nil
	}
	return r
}

// others counts the further pages and files.
func (r *repetition) others() (text string) {
	if n := len(r.pages) - 1; n > 0 {
		text = fmt.Sprintf(" (and %d more)", n)
	}
	if n := len(r.files) - 1; n > 0 {
		text += ", and " + robotstag.Count(n, "other file does", "other files do") + " the same"
	}
	return text
}

// addNames notes the restricted pages.
func (r *repetition) addNames() {
	s := r.site
	for _, pg := range s.Pages {
		if !r.isRestricted(pg) {
			continue
		}
		r.names[nameIn(pg.URL)] = true
		for _, a := range s.Sites.Of(pg.File.Name) {
			r.names[nameIn(a.Path)] = true
		}
		r.hasHome = r.hasHome || pg.File.Name == s.Project.HostOf(pg.File.Name).Root+"index.html"
	}
}

// read reads a feed or an index, which formOf knows, unless it is one of too many fragments. A file
// that cannot be read has no items.
func (r *repetition) read(pg *plan.Page) {
	if site.IsFragment(pg.File.Name) {
		if r.fragments++; r.fragments > mostFragments {
			return
		}
	}
	text, isInMemory := r.site.Source.Generated(pg.File.Name, nil)
	if !isInMemory {
		text, _ = r.site.Project.Read(r.site.Project.Path(pg.File.Name), project.MaxPage)
	}
	r.file = pg
	formOf(pg)(text, r.item)
}

// fewWords is how many words a title, a date and a line about a page have at most. More are its
// text.
const fewWords = 50

// mostTries is how many items about one page are read, which may be long. An index of sections has
// one for each.
const mostTries = 100

// item counts an item of r.file, if it repeats the text of a restricted page and the file lacks the
// restriction. hasText reports whether the item has more than a few words; it is slow, so it is
// called last.
func (r *repetition) item(href string, hasText func() bool) {
	pg := r.targetOf(href)
	if pg == nil { // most items are about pages without a restriction
		return
	}
	isCounted := r.pages[pg] && r.files[r.file]
	if isCounted || r.tries[pg] == mostTries || !r.isLost(r.file, pg) {
		return
	}
	if r.tries[pg]++; !hasText() {
		return
	}
	r.pages[pg], r.files[r.file] = true, true
	if r.first == nil {
		r.first, r.page = r.file, pg
	}
}

// nameIn is the last name in the path of an address, without the ending of a page.
func nameIn(address string) string {
	address, _, _ = strings.Cut(address, "?")
	name := path.Base("/" + strings.TrimSuffix(address, "/index.html"))
	return policy.Decoded(strings.TrimSuffix(strings.TrimSuffix(name, ".html"), ".htm"))
}

// rootedOrWhole matches an address that leads to the same page from every file of a host.
var rootedOrWhole = lazyregexp.New(`^(?:/|[A-Za-z][-+.A-Za-z0-9]*:)`)

// targetOf returns the restricted page to which an item of r.file leads; nil if the item leads to
// any other page, to none or to another site. href is as the item has it. What was found is kept in
// r.targets, since many items name one page.
func (r *repetition) targetOf(href string) *plan.Page {
	href, _, _ = strings.Cut(href, "#")
	mayBeRestricted := r.hasHome || r.names[nameIn(href)] // the home page has many names
	if !mayBeRestricted {
		return nil
	}
	key := r.targetKey(href)
	pg, isKnown := r.targets[key]
	if !isKnown {
		pg = r.findTarget(href)
		r.targets[key] = pg
	}
	return pg
}

// targetKey is the same for items that lead to the same page. A path from the root does from each
// file of a host: "de/\x00/a/" of a host that serves the folder de/. A relative one does from each
// file of a folder: "de/search\x00../a/".
func (r *repetition) targetKey(href string) string {
	file := r.file.File.Name
	if rootedOrWhole.MatchString(href) {
		return r.site.Project.HostOf(file).Root + "\x00" + href
	}
	return path.Dir(file) + "\x00" + href
}

// findTarget is targetOf for an item without an answer in r.targets. A relative path is from the
// folder of r.file, or from the one above, as MkDocs and others have it in
// search/search_index.json: the first of the two at which there is a restricted page counts.
func (r *repetition) findTarget(href string) *plan.Page {
	file := r.file.File.Name
	sources := []string{file} // names of files that may have the link
	if !rootedOrWhole.MatchString(href) {
		const anyName = "x"
		sources = append(sources, path.Join(path.Dir(file), "..", anyName))
	}
	for _, source := range sources {
		to, isOnSite := r.site.Project.ResolveLink(source, href, project.UnknownIsOurs)
		if !isOnSite {
			continue
		}
		if pg := r.site.Served(to); pg != nil && r.isRestricted(pg) {
			return pg
		}
	}
	return nil
}

// A form reads the text of a file of its kind, and calls item for each of its items: with the
// address that the item names, as written there and empty if it names none, and with a function
// that reports whether the item repeats more of the page than a few words. That function is called
// only for an address that matters, since it reads the whole item.
type form func(text []byte, item func(href string, hasText func() bool))

// formOf returns how a file lists pages with their texts; nil for one that does not, and for copies
// of single pages.
func formOf(pg *plan.Page) form {
	f := &pg.File
	switch {
	case f.HTML || f.CopyOf != "" || !f.Role.Policed():
		return nil
	case site.IsFragment(f.Name):
		return fragment
	case site.IsIndex(f.Name):
		return objects
	case f.IsFeed():
		return feed
	}
	return nil
}

// The parts of an item of RSS or Atom.
// https://www.rssboard.org/rss-specification, https://www.rfc-editor.org/rfc/rfc4287
var (
	itemLink  = lazyregexp.New(`<link(?:\s[^>]*)?>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]+)`)
	entryLink = lazyregexp.New(`<link\s[^>]*>`)
	hrefOf    = lazyregexp.New(`\shref\s*=\s*["']([^"']*)["']`)
	itemText  = lazyregexp.New(`(?s)<(?:content:encoded|content|description|summary)(?:\s[^>]*)?>` +
		`(.*?)</(?:content:encoded|content|description|summary)>`)
)

// feed is the [form] of RSS and Atom. It searches for the parts of items instead of parsing XML,
// since crawlers take feeds that are not well formed. An item is what is between <item, or else
// <entry, and the next one.
func feed(text []byte, item func(href string, hasText func() bool)) {
	begin := []byte("<item")
	if !bytes.Contains(text, begin) {
		begin = []byte("<entry")
	}
	_, rest, hasMore := bytes.Cut(text, begin)
	for hasMore {
		var entry []byte
		entry, rest, hasMore = bytes.Cut(rest, begin)
		item(linkOf(entry), func() bool { return entryHasText(entry) })
	}
}

// linkOf is the address that an item of a feed names: in RSS the text of its link, in Atom the href
// of the first link that is an alternate, which one without rel is too; empty for none.
func linkOf(entry []byte) string {
	if m := itemLink.FindSubmatch(entry); m != nil {
		return html.UnescapeString(string(m[1]))
	}
	for _, link := range entryLink.FindAll(entry, -1) {
		isAlternate := !bytes.Contains(link, []byte("rel=")) || bytes.Contains(link, []byte("alternate"))
		if m := hrefOf.FindSubmatch(link); m != nil && isAlternate {
			return html.UnescapeString(string(m[1]))
		}
	}
	return ""
}

// entryHasText reports whether an item of a feed has more than a few words in one of its texts.
func entryHasText(entry []byte) bool {
	for _, m := range itemText.FindAllSubmatch(entry, -1) {
		text := strings.NewReplacer("<![CDATA[", "", "]]>", "").Replace(string(m[1]))
		if hasText(html.UnescapeString(text)) {
			return true
		}
	}
	return false
}

// tag matches a tag of HTML.
var tag = lazyregexp.New(`<[^<>]*>`)

// hasText reports whether a text, with tags or without, has more than a few words.
func hasText(text string) bool {
	return len(strings.Fields(tag.ReplaceAllString(text, " "))) > fewWords
}

// keys are those under which the objects of search indexes and feeds name their pages, and
// longestKey is how many bytes the longest has.
var keys = strings.Fields("url uri href permalink relpermalink location link path id ref loc u")

const longestKey = len("relpermalink")

// objects reads JSON: each object that names a page under one of the keys is an item. It searches
// for the keys instead of parsing the text, since most items are about pages that do not matter.
// Only an object whose text is asked for is read whole.
func objects(text []byte, item func(href string, hasText func() bool)) {
	for next := 0; ; {
		behindKey := bytes.Index(text[next:], []byte(`":`))
		if behindKey < 0 {
			return
		}
		end := next + behindKey
		next = end + len(`":`)
		earliest := max(0, end-longestKey-len(`"`))
		quote := bytes.LastIndexByte(text[earliest:end], '"')
		if quote < 0 { // a longer key is none of these
			continue
		}
		begin := earliest + quote + len(`"`)
		if !slices.Contains(keys, strings.ToLower(string(text[begin:end]))) {
			continue
		}
		if href, isString := stringAt(text[next:]); isString {
			item(href, func() bool { return hasText(objectAround(text, begin)) })
		}
	}
}

// longestAddress is how many bytes an address may have, with its quotes and what is before it.
const longestAddress = 4096

// stringAt reads the JSON string with which a text begins, behind blanks; false if it begins with
// something else, or with a string that does not end in time.
func stringAt(text []byte) (value string, isString bool) {
	text = bytes.TrimLeft(text[:min(len(text), longestAddress)], " \t\r\n")
	if len(text) == 0 || text[0] != '"' {
		return "", false
	}
	end := bytes.IndexByte(text[1:], '"') + 1 // 0 if there is no second quote
	hasEscapes := bytes.IndexByte(text[:end], '\\') >= 0
	if !hasEscapes {
		return string(text[min(1, end):end]), end > 0
	}
	err := json.NewDecoder(bytes.NewReader(text)).Decode(&value)
	return value, err == nil
}

// mostBraces is how many opening braces before a key are tried, because some may be part of a text.
const mostBraces = 100

// objectAround joins the texts of the object that has a key, in any order; key is where the key is.
// It is empty if the object cannot be read. A brace before the key does not open that object if
// what it opens is no object, or ends before the key.
func objectAround(text []byte, key int) string {
	brace := key
	for range mostBraces {
		if brace = bytes.LastIndexByte(text[:brace], '{'); brace < 0 {
			return ""
		}
		var object map[string]any
		d := json.NewDecoder(bytes.NewReader(text[brace:]))
		if d.Decode(&object) != nil || brace+int(d.InputOffset()) < key {
			continue
		}
		var all []string
		for _, value := range object {
			if text, ok := value.(string); ok {
				all = append(all, text)
			}
		}
		return strings.Join(all, " ")
	}
	return ""
}

// mostFragments is how many fragments are read. They are named by hashes, so the first ones are of
// any pages.
const mostFragments = 1000

// unpackers unpack fragments. A site has as many fragments as pages, so unpackers are used again.
var unpackers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// fragment is the [form] of what Pagefind keeps of one page: JSON behind a mark, packed. The
// address comes first, `{"url":"/a/","content":"…"}`, so only the begin is unpacked if nobody asks
// for the text.
// https://pagefind.app/docs/
func fragment(text []byte, item func(href string, hasText func() bool)) {
	z := unpackers.Get().(*gzip.Reader)
	defer unpackers.Put(z)
	if z.Reset(bytes.NewReader(text)) != nil { // it is not packed, so it is no fragment
		return
	}
	begin := make([]byte, 1024)
	n, _ := io.ReadFull(z, begin)
	begin = bytes.TrimPrefix(begin[:n], []byte("pagefind_dcd"))
	objects(begin, func(href string, _ func() bool) { // which would see the begin of the text alone
		item(href, func() bool {
			rest, _ := io.ReadAll(io.LimitReader(z, project.MaxPage))
			var page struct{ Content string }
			return json.Unmarshal(append(begin, rest...), &page) == nil && hasText(page.Content)
		})
	})
}
