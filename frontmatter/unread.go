package frontmatter

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"metarobots/policy"
)

// unread collects what keys seem to state that are not read (F3): at a level that is not read, under a name that is
// none of ours, or as one of a list of metas. Whoever knows the page compares it with what is decided there.
func (r *reader) unread(params map[string]any) { r.unreadIn(params, nil) }

// Seems returns what data that is no front matter seems to state to crawlers (F3): a list or a table of values.
func Seems(data any, o Config) []policy.Statement {
	r := reader{options: o, isData: true}
	r.unreadItem(data, nil)
	return r.result.Unread
}

// unreadIn goes through the keys of a table, which a path leads to.
func (r *reader) unreadIn(table map[string]any, path []string) {
	level := !r.isData && slices.ContainsFunc(levels, func(level []string) bool { return slices.Equal(level, path) })
	for _, written := range slices.Sorted(maps.Keys(table)) {
		at := append(slices.Clip(path), strings.ToLower(written))
		if value := table[written]; !r.accounts(at, level) {
			r.unreadValue(written, value, at)
		}
	}
}

// accounts reports whether a key is read, or a finding is about it.
func (r *reader) accounts(path []string, level bool) bool {
	key := path[len(path)-1]
	_, own := r.options.Keys[key]
	_, ownHere := r.options.Keys[strings.Join(path, ".")]
	if own || ownHere || len(path) == 1 && key == r.options.HandsDown || r.named[strings.Join(path, ".")] {
		return true
	}
	head, _, _ := strings.Cut(key, ".")
	return level && r.options.form(head) != ""
}

// unreadValue notes what one key seems to state, or goes on into its value.
func (r *reader) unreadValue(written string, value any, path []string) {
	if s, ok := r.seems(written, value, path[:len(path)-1]); ok {
		r.noteUnread(s, path)
		return
	}
	r.unreadItem(value, path)
}

// unreadItem notes what a table or a list seems to state: a meta, or keys.
func (r *reader) unreadItem(item any, path []string) {
	if table, ok := asMap(item); ok {
		if s, ok := r.metaTag(table); ok {
			r.noteUnread(s, path)
		} else if !isMeta(table) {
			r.unreadIn(table, path)
		}
		return
	}
	if _, isText := item.(string); isText {
		return
	}
	list, _ := List(item) // a meta of VitePress: [meta, {name: robots, content: noindex}]
	for i, inner := range list {
		if at := append(slices.Clip(path), strconv.Itoa(i)); !r.named[strings.Join(at, ".")] {
			r.unreadItem(inner, at)
		}
	}
}

func (r *reader) noteUnread(s policy.Statement, path []string) {
	s.Origin = r.origin(path)
	r.result.Unread = append(r.result.Unread, s)
}

// seems returns what a key with its value is most likely meant to state, if that restricts anything. parents are the
// keys around it.
func (r *reader) seems(written string, value any, parents []string) (s policy.Statement, ok bool) {
	if table, isTable := asMap(value); isTable {
		return r.metaTag(table)
	}
	if on, isTruth := Truth(value); isTruth {
		if _, isNumber := number(value); keyRestricts(written, on, isNumber, parents) {
			meant := "noindex"
			if slices.Contains(keyWords(written), "follow") {
				meant = "nofollow"
			}
			return policy.Statement{Directives: policy.Stating(meant)}, true
		}
		lower := strings.ToLower(written)
		if on && isDirectives(lower, false) {
			return policy.Statement{Directives: policy.Stating(lower)}, true
		}
		return s, false
	}
	if slices.Contains(attributes, strings.ToLower(written)) {
		return s, false
	} else if value == nil && strings.Contains(strings.ToLower(written), "robots") && !isRobotsTXT(written) {
		return policy.Statement{Directives: policy.Stating("noindex")}, true // its value may have slipped to the next line
	}
	if isDirectives(value, false) {
		return policy.Statement{Directives: directivesOf(value)}, true
	}
	text, isText := value.(string)
	if first, rest, _ := strings.Cut(text, ":"); isText && truths[strings.ToLower(strings.TrimSpace(rest))] &&
		keyRestricts(first, true, false, nil) { // noindex:true, where YAML wants a blank
		return policy.Statement{Directives: policy.Stating("noindex")}, true
	}
	if isText && strings.Contains(strings.ToLower(written), "robots") && !isRobotsTXT(written) {
		found := slices.DeleteFunc(strings.Fields(text), func(w string) bool { return !isDirectives(w, false) })
		directives := directivesOf(strings.Join(found, ", "))
		return policy.Statement{Directives: directives}, directives.Restricts()
	}
	return s, false
}

// isMeta reports whether a table is a meta of HTML, which says nothing more.
func isMeta(table map[string]any) bool {
	return Lookup(table, []string{"name"}) != nil && Lookup(table, []string{"content"}) != nil
}

// isRobotsTXT reports whether a key speaks of the file robots.txt.
func isRobotsTXT(key string) bool {
	return strings.HasSuffix(parting.Replace(strings.ToLower(key)), "txt")
}

// attributes are keys whose value is one of HTML, of links most often: rel: nofollow.
var attributes = []string{"rel", "class", "classes", "classname", "target"}

// directivesOf are those of a text, or of a list of texts.
func directivesOf(value any) (all policy.Directives) {
	list, ok := List(value)
	if !ok {
		list = []any{value}
	}
	for _, item := range list {
		text, _ := item.(string)
		reading, _ := policy.Parse(text, policy.Own)
		all = policy.MostRestrictive(all, reading.Directives)
	}
	return all
}

// metaTag reads a meta that is written as a table: {name: robots, content: noindex}, also in attrs.
func (r *reader) metaTag(table map[string]any) (s policy.Statement, ok bool) {
	for _, place := range []string{"attrs", "attributes", "props"} {
		if inner, isTable := asMap(Lookup(table, []string{place})); isTable {
			table = inner
		}
	}
	name, _ := Lookup(table, []string{"name"}).(string)
	content := Lookup(table, []string{"content"})
	if name == "" || !isDirectives(content, false) {
		return s, false
	}
	switch r.options.form(strings.ToLower(name)) {
	case FormDirectives:
	case FormCrawler:
		s.Crawler = strings.ToLower(name)
	default:
		return s, false
	}
	s.Directives = directivesOf(content)
	return s, true
}

// The words of a key that speak of search engines, and those that turn its meaning round.
var (
	// engines speak of indexing or of crawlers, whatever is beside them.
	engines = []string{"indexing", "indexed", "indexable", "indexation", "crawl", "crawling", "crawlable", "crawler",
		"crawlers", "robots", "robot", "searchengine", "searchengines", "serp", "serps"}
	// vendors do so as the last word, or before one of results.
	vendors = []string{"google", "googlebot", "bing", "bingbot", "yahoo", "duckduckgo", "yandex", "baidu"}
	results = []string{"search", "index", "bot", "crawler", "crawlers", "results", "result"}
	// denials say that a true value restricts.
	denials = []string{"no", "not", "non", "dont", "block", "blocked", "exclude", "excluded", "hide", "hidden",
		"disallow", "disallowed", "prevent", "deny", "denied", "disable", "disabled", "skip", "forbid", "omit", "remove",
		"without", "avoid", "stop", "suppress", "ban", "banned", "opt"}
	// permits say so of a false one, before "index", which may be the list of a section otherwise.
	permits = []string{"allow", "allowed", "should", "can", "permit", "let", "enable", "enabled", "do"}
	// around are the keys below which index and follow are what crawlers may do.
	around = []string{"seo", "robots", "robot", "meta", "metadata", "search", "google", "crawlers", "indexing",
		"searchengines", "html_meta"}
)

// keyRestricts reports whether a key with a boolean value is most likely meant to restrict crawlers: noIndex: true,
// allow_indexing: false, exclude_from_google: true. What is as likely something else does not: index: 3,
// isIndex: false, search_index: false, disable_google_analytics: true.
func keyRestricts(written string, on, isNumber bool, parents []string) bool {
	words, whole := keyWords(written), parting.Replace(strings.ToLower(written))
	if strings.Contains(whole, "noindex") && !strings.Contains(whole, "txt") {
		return on // a word that means nothing else, whatever is written around it
	}
	denies := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(denials, w) })
	if slices.Contains(words, "txt") {
		return false // robots.txt is a file
	}
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(engines, w) }) {
		return on == denies
	}
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		if slices.Contains(vendors, w) && denies && (next == "" || slices.Contains(results, next)) {
			return on
		}
	}
	verb := slices.Index(words, "index")
	if verb < 0 {
		verb = slices.Index(words, "follow")
	}
	switch {
	case verb < 0 || verb > 0 && words[verb-1] == "search":
		return false
	case denies && verb == len(words)-1:
		return on
	case slices.ContainsFunc(words, func(w string) bool { return slices.Contains(permits, w) }):
		return !on && !isNumber
	}
	below := slices.ContainsFunc(parents, func(p string) bool {
		return slices.Contains(around, p) || strings.Contains(parting.Replace(p), "robot")
	})
	return len(words) == 1 && below && !on && !isNumber
}

// keyWords are the words of a key, in lower case: parted by capitals and by signs. "search engines" is one word, and so
// is "index" behind "no".
func keyWords(key string) (words []string) {
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	var before rune
	for _, c := range key {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			end()
		case unicode.IsUpper(c) && unicode.IsLower(before):
			end()
			word.WriteRune(c)
		default:
			word.WriteRune(c)
		}
		before = c
	}
	end()
	var parted []string
	for i, w := range words {
		rest, denied := strings.CutPrefix(w, "no")
		switch {
		case denied && slices.Contains([]string{"index", "indexing", "robots", "robot", "crawl", "google"}, rest):
			parted = append(parted, "no", rest)
		case strings.HasPrefix(w, "engine") && i > 0 && words[i-1] == "search":
			parted[len(parted)-1] = "searchengine"
		default:
			parted = append(parted, w)
		}
	}
	return parted
}
