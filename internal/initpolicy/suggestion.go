package initpolicy

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"metarobots/internal/plan"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A Suggestion is something that a site's owner may want to say, and what it would hide.
type Suggestion struct {
	// Name says in short what is suggested: a key, or the addresses of a rule.
	Name string `json:"name"`
	// What says what it is about: a sentence that goes on from the number of pages.
	What string `json:"what"`
	// Lines are the configuration, a line each, without comment signs.
	Lines []string `json:"lines"`
	// Hides are the files that become noindex by it, in the order of their addresses.
	Hides Pages `json:"hides"`
	// Sign is before each line: # for a comment.
	Sign string `json:"-"`

	table string // in whose table the lines are; empty for one of their own
	key   string // of front matter, in lower case; empty for other suggestions
	line  int    // of the policy, where the lines begin
	// hidesMany: it may hide more than one page in [leastPagesEach], since the site itself says
	// what these are.
	hidesMany bool
}

// Noun counts what is hidden, in words: "1 page", "3 files". They are files if one of them is no
// HTML.
func (s *Suggestion) Noun() string {
	noun := "page"
	if slices.ContainsFunc(s.Hides, func(pg *plan.Page) bool { return !pg.File.HTML }) {
		noun = "file"
	}
	if len(s.Hides) != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", len(s.Hides), noun)
}

// Pages are shown by their addresses.
type Pages []*plan.Page

// sort sorts pages by their addresses.
func (pages Pages) sort() {
	slices.SortStableFunc(pages, func(a, b *plan.Page) int { return strings.Compare(a.URL, b.URL) })
}

// addresses are those of the pages, in their order.
func (pages Pages) addresses() (urls []string) {
	for _, pg := range pages {
		urls = append(urls, pg.URL)
	}
	return urls
}

// MarshalJSON is the list of addresses.
func (pages Pages) MarshalJSON() ([]byte, error) { return json.Marshal(pages.addresses()) }

// Addresses are those of pages, for a sentence: the first few, or with 0 all.
func (pages Pages) Addresses(most int) string {
	urls := pages.addresses()
	if most > 0 && len(urls) > most {
		urls = append(urls[:most], "…")
	}
	return strings.Join(urls, " ")
}

// suggestions are what the site gives reason to think of, before it is known what each hides.
func (s *Starter) suggestions() []*Suggestion {
	all := slices.Concat(s.groups(), s.keys(), s.oldVersions(), s.files())
	if s.headers && slices.ContainsFunc(s.plan.Pages, func(pg *plan.Page) bool { return s.plan.TwinOf(pg) != nil }) {
		all = append(all, &Suggestion{Name: "twins", table: "robots", Lines: []string{`twins = "noindex"`},
			What: "pages that are published again as text, for programs. " +
				"Or \"canonical\", which names their pages to search engines."})
	}
	return all
}

// names are the names that pages have, such as those of their sections: each once and sorted,
// without empty ones.
func (s *Starter) names(namesOf func(*plan.Page) []string) []string {
	var all []string
	for _, pg := range s.plan.Pages {
		all = append(all, namesOf(pg)...)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == "" })
}

// mayHide reports whether a header can hide a file that is no page of HTML.
func (s *Starter) mayHide(pg *plan.Page) bool { return s.headers && pg.File.Role.Policed() }

// groups suggest values of [robots.visibility]: for lists that repeat other pages, for sections
// whose names say that they hold legal notices or are not for the public, and for feeds. What hides
// no page of the site is taken out again by [Starter.weigh]. Each is a line such as
//
//	archives.tags = false
//	sections.drafts = "noindex, nofollow"
func (s *Starter) groups() (all []*Suggestion) {
	const hidden, closed = "false", `"noindex, nofollow"` // false is "noindex, follow"
	add := func(group, name, value, what string) {
		key := group + "." + toml.Key{name}.String()
		all = append(all, &Suggestion{Name: key, What: what, Lines: []string{key + " = " + value},
			table: "robots.visibility"})
	}
	for _, name := range s.names(func(pg *plan.Page) []string { return pg.File.Taxonomies }) {
		add("archives", name, hidden, "lists of "+name+". They repeat other pages.")
	}
	add("archives", "paginated", hidden,
		"page 2 and on of lists. If nothing else links to older pages, crawlers need these to find them.")
	for _, name := range s.names(func(pg *plan.Page) []string { return []string{pg.File.Facts.Section} }) {
		switch {
		case slices.Contains(known().Closed, strings.ToLower(name)): // internal, private …
			add("sections", name, closed,
				"section "+name+". The name suggests that it is not public.")
		case groupOf(name) == legal:
			add("sections", name, hidden, "section "+name+". The name suggests legal notices.")
		}
	}
	formats := s.names(s.formatOfOutput)
	for _, feed := range []string{"atom", "rss"} {
		if slices.Contains(formats, feed) {
			add("formats", feed, hidden,
				"feeds. They repeat pages, and feed readers ignore noindex. Not for a podcast's feed.")
		}
	}
	return all
}

// formatOfOutput is the format of a file that is another form of a page, in lower case; none if it
// is no such file, or if the host serves no headers, which alone can hide one.
func (s *Starter) formatOfOutput(pg *plan.Page) []string {
	if !s.headers || pg.File.Role != policy.RoleOutput {
		return nil
	}
	return []string{strings.ToLower(pg.File.Facts.Format)}
}

// keys suggest keys of front matter that say "hide" in other words than those that count. Whether a
// page has one is seen when the suggestion is weighed.
func (s *Starter) keys() (all []*Suggestion) {
	for _, name := range known().Keys {
		all = append(all, &Suggestion{Name: "front matter " + name, table: "robots.frontmatter",
			key: strings.ToLower(name), Lines: []string{toml.Key{name}.String() + ` = "noindex"`},
			What: "front matter has " + name + ", which says nothing to crawlers by itself."})
	}
	return all
}

// files suggest rules for single files: pages that have to be there or that serve a visit, lists
// for language models, what the site's own search reads, and documents that search engines list
// beside pages. The names in names.toml tell them, except those of lists: llms.txt, llms-full.txt.
func (s *Starter) files() (all []*Suggestion) {
	for _, group := range []struct {
		what   string // for the comment of the suggestion
		isPart func(*plan.Page) bool
	}{
		{"legal notices and the like, to judge by the names.",
			func(pg *plan.Page) bool { return isPageOf(pg, legal) }},
		{"searches, logins and the like, to judge by the names.",
			func(pg *plan.Page) bool { return isPageOf(pg, service) }},
		{"lists of the pages for language models, and their texts.", func(pg *plan.Page) bool {
			return site.IsLLMs(pg.File.Name) && s.mayHide(pg)
		}},
		{"data of the site's own search, to judge by the names.", func(pg *plan.Page) bool {
			return !pg.File.HTML && s.mayHide(pg) && isSearchData(pg)
		}},
	} {
		isOther := func(pg *plan.Page) bool { return !group.isPart(pg) }
		pages := slices.DeleteFunc(slices.Clone(s.plan.Pages), isOther)
		all = append(all, rule(group.what, addresses(pages))...)
	}
	endings := s.names(func(pg *plan.Page) []string {
		ending := strings.TrimPrefix(path.Ext(pg.File.Name), ".")
		if s.mayHide(pg) && slices.Contains(known().Documents, strings.ToLower(ending)) {
			return []string{ending}
		}
		return nil
	})
	return append(all, documents(endings)...)
}

// isPageOf reports whether a page's address says that it is of a group: /imprint/ is legal. Lists
// and the home page are of none, nor is a page of a section that has a suggestion of its own, or
// another output of a page.
func isPageOf(pg *plan.Page, group string) bool {
	isList := slices.Contains([]string{"home", "taxonomy", "term"}, pg.File.Facts.Kind)
	isFirstOutput := pg.File.Role == policy.RolePage && pg.File.Of == nil
	return isFirstOutput && !isList && groupOf(atRoot(pg)) == group &&
		groupOf(pg.File.Facts.Section) != legal
}

// documents suggest a rule for all files with some endings, as written and without the dot: the
// glob /**/*.pdf, or /**/*.{docx,pdf}. There is none without an ending.
func documents(endings []string) []*Suggestion {
	ending := strings.Join(endings, ",")
	switch len(endings) {
	case 0:
		return nil
	case 1:
	default:
		ending = "{" + ending + "}"
	}
	return rule(`documents, which search engines list like pages. To match one folder: "/press/**/*.pdf".`,
		[]string{"/**/*." + ending})
}

// isSearchData reports whether a file is called as the data of a search. index.json is one for the
// whole site, or for a language: elsewhere it is any folder's data.
func isSearchData(pg *plan.Page) bool {
	name := strings.ToLower(pg.File.Name)
	if path.Base(name) == "index.json" {
		return name == "index.json" || name == strings.ToLower(pg.File.Facts.Language)+"/index.json"
	}
	name = stamp().ReplaceAllString(name, "$1")
	return slices.ContainsFunc(known().SearchData, func(end string) bool { return strings.HasSuffix("/"+name, end) })
}

// stamp matches the time or the sum that a build puts into the name of a file, as Docusaurus'
// plugin does in lunr-index-1795964932025.json. The next build puts another.
var stamp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-[0-9a-f]{8,}(\.\w+)$`) })

// addressOf is a glob for a file: its address, with * in place of a stamp in the name of a search's
// data.
func addressOf(pg *plan.Page) (match string, ok bool) {
	match = pg.File.Path.URL
	if _, ok := tomlText(match); !ok || strings.ContainsAny(match, "*{}") {
		return "", false
	}
	if !pg.File.HTML && isSearchData(pg) {
		match = stamp().ReplaceAllString(match, "-*$1")
	}
	return match, true
}

// atRoot is the address of a page below the root of the site or of its language, without slashes
// and .html. Deeper down a name is a subject: /plugins/search/ is about searching.
func atRoot(pg *plan.Page) string {
	name := strings.TrimSuffix(strings.Trim(pg.File.Path.URL, "/"), ".html")
	return strings.TrimPrefix(name, strings.ToLower(pg.File.Facts.Language)+"/")
}

// few is how many addresses a rule names one by one, except pages at the root.
const few = 8

// addresses are globs that match pages. Either all pages are HTML, or none. The globs are addresses
// or, for more than a [few] files that are no HTML, the last parts of these at any depth. An
// address that is no glob of itself is left out.
func addresses(pages []*plan.Page) (match []string) {
	for _, pg := range pages {
		if address, ok := addressOf(pg); ok {
			match = append(match, address)
		}
	}
	if len(match) > few && !pages[0].File.HTML {
		for i, url := range match {
			match[i] = "/**/" + path.Base(url)
			if strings.HasSuffix(url, "/") {
				match[i] += "/"
			}
		}
	}
	slices.Sort(match)
	return slices.Compact(match)
}

// rule is a suggested rule for files; none without a glob.
func rule(what string, match []string) []*Suggestion {
	if len(match) == 0 {
		return nil
	}
	name := match[0]
	if len(match) > 1 {
		name += fmt.Sprintf(" and %d more", len(match)-1)
	}
	quoted := make([]string, len(match))
	for i, m := range match {
		quoted[i], _ = tomlText(m)
	}
	list := strings.Join(quoted, ", ")
	if len(list) >= 64 {
		list = "\n  " + strings.Join(quoted, ",\n  ") + ",\n"
	}
	lines := strings.Split("[[robots.rules]]\nmatch  = ["+list+"]\nrobots = \"noindex\"", "\n")
	return []*Suggestion{{Name: "rule " + name, What: what, Lines: lines}}
}

// tomlText quotes a text. ok is false if it has characters that Go's quotes write in another way
// than TOML's.
func tomlText(text string) (quoted string, ok bool) {
	return strconv.Quote(text), utf8.ValidString(text) &&
		strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}
