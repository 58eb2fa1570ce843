package frontmatter

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"metarobots/policy"
)

// findUnread collects what keys seem to state that are not read (F3): at a level that is not read,
// under a name that is none of ours, or as one of a list of metas. Whoever knows the page compares
// it with what is decided there.
func (r *reader) findUnread(params map[string]any) { r.unreadIn(params, nil) }

// Seems returns what data that is no front matter seems to state to crawlers (F3): a list or a
// table of values.
func Seems(data any, o Config) []policy.Statement {
	r := reader{options: o, isData: true}
	r.unreadItem(data, nil) // from the top
	return r.result.Unread
}

// unreadIn goes through the keys of a table, which a path leads to.
func (r *reader) unreadIn(table map[string]any, path []string) {
	level := !r.isData && slices.ContainsFunc(levels,
		func(level []string) bool { return slices.Equal(level, path) })
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
	if own || ownHere || len(path) == 1 && key == r.options.HandsDown ||
		r.named[strings.Join(path, ".")] {
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

// noteUnread adds to the result what a key seems to state, with the key's place.
func (r *reader) noteUnread(s policy.Statement, path []string) {
	s.Origin = r.origin(path)
	r.result.Unread = append(r.result.Unread, s)
}

// seems returns what a key with its value is most likely meant to state, if that restricts
// anything; ok is false if it seems to state nothing. unreadValue asks it of keys that nobody
// reads, for a warning (F3). written is the key as it is spelled; parents are the keys around it,
// in lower case.
//
//	seo: {name: robots, content: noindex}   noindex     a table: see metaTag
//	ai_training: false                      AI          see deniesAI; not in data (Seems), where it
//	                                                    may set up something else
//	allow_indexing: false                   noindex     a truth value: see seemsByTruth
//	visibility: "noindex, nofollow"         both        any other value: see seemsByText
func (r *reader) seems(written string, value any, parents []string) (s policy.Statement, ok bool) {
	if table, isTable := asMap(value); isTable {
		return r.metaTag(table)
	}
	if _, denied := deniesAI(written, value); !denied.IsZero() && !r.isData {
		return policy.Statement{AI: denied}, true
	}
	var directives policy.Directives
	if isTrue, isTruth := Truth(value); isTruth {
		_, isNumber := number(value) // index: 1 may be a place in a menu
		directives = seemsByTruth(written, isTrue, isNumber, parents)
	} else {
		directives = seemsByText(written, value)
	}
	return policy.Statement{Directives: directives}, !directives.IsZero()
}

// seemsByTruth returns the restriction that a key with a truth value seems to state: by what its
// words mean (keyRestricts), or because the key is a directive and true. It is zero for none.
//
//	allow_indexing: false   noindex        noarchive: true    noarchive
//	allow_follow: false     nofollow       noarchive: false   none
func seemsByTruth(written string, isTrue, isNumber bool, parents []string) policy.Directives {
	isMeant := keyRestricts(written, isTrue, isNumber, parents)
	switch {
	case isMeant && slices.Contains(keyWords(written), "follow"):
		return policy.Stating("nofollow")
	case isMeant:
		return policy.Stating("noindex")
	case isTrue && isDirectives(written):
		return policy.Stating(written)
	}
	return policy.Directives{}
}

// seemsByText returns the restriction that a key seems to state with a value that is neither a
// table nor a truth value: a text, a list, or none (nil). It is zero for nothing.
//
//	rel: nofollow                     nothing     it is about links
//	page_robots:                      noindex     its value may be lost on the next line
//	visibility: "noindex, nofollow"   both        see isDirectives
//	seo: "noindex:true"               noindex     a blank is missing after the colon
//	my_robots: please noindex this    noindex     the words that are directives
//	style: please noindex this        nothing     only a key for robots is read word by word
func seemsByText(written string, value any) policy.Directives {
	lower := strings.ToLower(written)
	isForRobots := strings.Contains(lower, "robots") && !isRobotsTXT(written)
	text, isText := value.(string)
	switch {
	case slices.Contains(attributes, lower): // of HTML, such as rel
		return policy.Directives{}
	case value == nil && isForRobots:
		return policy.Stating("noindex")
	case isDirectives(value): // which restrict, and nothing else is in it
		return directivesOf(value)
	case isText && isUnspaced(text):
		return policy.Stating("noindex")
	case isText && isForRobots:
		isOther := func(word string) bool { return !isDirectives(word) }
		found := slices.DeleteFunc(strings.Fields(text), isOther)
		return directivesOf(strings.Join(found, ", "))
	}
	return policy.Directives{}
}

// isUnspaced reports whether a text is a key that restricts and a value that is true, without the
// blank that YAML wants between them: noindex:true.
func isUnspaced(text string) bool {
	key, value, _ := strings.Cut(text, ":")
	isTrue := truths[strings.ToLower(strings.TrimSpace(value))]
	return isTrue && keyRestricts(key, true, false, nil)
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
	if name == "" || !isDirectives(content) {
		return s, false
	}
	switch r.options.form(strings.ToLower(name)) {
	case FormDirectives: // for everyone
	case FormCrawler:
		s.Crawler = strings.ToLower(name)
	default:
		return s, false
	}
	s.Directives = directivesOf(content)
	return s, true
}
