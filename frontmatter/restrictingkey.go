package frontmatter

import (
	"slices"
	"strings"
	"unicode"
)

// Which keys with a truth value seem to restrict crawlers (F3a).
//
// An author writes allow_indexing: false, which no theme and no code of ours reads. The page is
// indexed, and its author believes that it is not. So a warning names such a key. But a key is only
// a name: exclude_from_search may be about the search box of the site, and index: false about a
// menu. A warning about one of these would teach people to ignore all of them. So a key counts if
// its words can hardly mean anything else, and no other key does. Nothing is restricted by it in
// either case: whoever knows the page compares the warning with what is decided there.
//
// A value is true or false as [Truth] reads it, so that yes, "off" and 0 are values too. A key is
// read as its words, in lower case: allowIndex, allow-index and "Allow Index" are all allow, index.
// A denial is a word such as no, block, hide or exclude; a permission one such as allow or should.
// The first rule that applies to the words decides:
//
//	1  "noindex" is in the key, however it is spelled, and "txt" is not: true restricts
//	2  the word txt: nothing does; robots.txt is a file
//	3  a word for crawlers or indexing (robots, crawlable, indexing):
//	   with a denial true restricts, else false
//	4  a denial, and a vendor (google) as the last word or before one such as search or bot:
//	   true restricts
//	5  a denial, and index or follow as the last word: true restricts
//	6  a permission, and index or follow: false restricts, but not the number 0
//	7  index or follow alone, below a key such as seo, robots or meta: false restricts, but not 0
//
// Rules 5 to 7 do not apply to an index or a follow behind the word search: the search box has it.
// Of index and follow in one key, index counts. Rules 6 and 7 leave out numbers, because such a key
// may count something: index: 0 is a place in a list.
//
//	restricts                          rule   does not                          why
//	noIndex: true                      1      noIndex: false                    it allows
//	noindex_meta: true                 1      enableRobotsTXT: false            2, the file is meant
//	allow_indexing: false              3      allow_indexing: true              3, it allows
//	blockRobots: true                  3      searchable: false                 the search box
//	exclude_from_google: true          4      exclude_from_search: true         the search box
//	hideFromGoogleSearch: true         4      disable_google_analytics: true    not before search
//	no_google: true                    4      google_analytics: false           no denial
//	disable_index: true                5      isIndex: false                    it says what a page is
//	allowIndex: false                  6      search_index: false               the search box
//	seo: {index: false}                7      nav: {index: false}               the menu
//	meta: {follow: no}                 7      seo: {index: 0}                   a number
//	xrobots: {index: false}            7      follow_us: false                  not alone

// The words that the rules above are about.
var (
	// crawlerWords speak of indexing or of crawlers, whatever is beside them (rule 3).
	crawlerWords = []string{"indexing", "indexed", "indexable", "indexation", "crawl", "crawling",
		"crawlable", "crawler", "crawlers", "robots", "robot", "searchengine", "searchengines", "serp",
		"serps"}
	// vendors do so as the last word, or before one of results (rule 4).
	vendors = []string{"google", "googlebot", "bing", "bingbot", "yahoo", "duckduckgo", "yandex",
		"baidu"}
	results = []string{"search", "index", "bot", "crawler", "crawlers", "results", "result"}
	// denials say that a true value restricts (rules 3 to 5).
	denials = []string{"no", "not", "non", "dont", "block", "blocked", "exclude", "excluded", "hide",
		"hidden", "disallow", "disallowed", "prevent", "deny", "denied", "disable", "disabled", "skip",
		"forbid", "omit", "remove", "without", "avoid", "stop", "suppress", "ban", "banned", "opt"}
	// permits say that a false value restricts (rule 6).
	permits = []string{"allow", "allowed", "should", "can", "permit", "let", "enable", "enabled", "do"}
	// around are the keys below which index and follow are what crawlers may do (rule 7).
	around = []string{"seo", "robots", "robot", "meta", "metadata", "search", "google", "crawlers",
		"indexing", "searchengines", "html_meta"}
)

// keyRestricts reports whether a key with a truth value is most likely meant to restrict crawlers,
// by the rules above. written is the key as it is spelled. isTrue says what the value means, and
// isNumber that it is written as 0 or 1; parents are the keys around it, in lower case.
// seemsByTruth asks it of keys that nobody reads, and isUnspaced of a text such as "noindex:true".
func keyRestricts(written string, isTrue, isNumber bool, parents []string) bool {
	switch restrictingValueOf(written, parents) {
	case valueTrue:
		return isTrue
	case valueFalse:
		return !isTrue
	case valueFalseWord:
		return !isTrue && !isNumber
	}
	return false
}

// A restrictingValue is the value with which a key is most likely meant to restrict crawlers.
type restrictingValue int

const (
	noValue        restrictingValue = iota // the key is about something else
	valueTrue                              // noindex_meta: true
	valueFalse                             // allow_indexing: false, allow_indexing: 0
	valueFalseWord                         // allowIndex: false, but not allowIndex: 0
)

// restrictingValueOf applies the rules above to the words of a key, which is given as it is
// spelled, with the keys around it in lower case.
func restrictingValueOf(written string, parents []string) restrictingValue {
	words := keyWords(written)
	joined := parting.Replace(strings.ToLower(written)) // noindex for No-Index: see parting
	denies := haveOneOf(words, denials)
	switch {
	case strings.Contains(joined, "noindex") && !strings.Contains(joined, "txt"): // rule 1
		return valueTrue
	case slices.Contains(words, "txt"): // rule 2
		return noValue
	case haveOneOf(words, crawlerWords) && denies: // rule 3: blockRobots: true
		return valueTrue
	case haveOneOf(words, crawlerWords): // rule 3: allow_indexing: false
		return valueFalse
	case denies && nameVendor(words): // rule 4
		return valueTrue
	}
	verb := slices.Index(words, "index")
	if verb < 0 {
		verb = slices.Index(words, "follow")
	}
	hasVerb := verb >= 0
	switch {
	case !hasVerb || verb > 0 && words[verb-1] == "search": // the search box has it
		return noValue
	case denies && verb == len(words)-1: // rule 5
		return valueTrue
	case haveOneOf(words, permits): // rule 6
		return valueFalseWord
	case len(words) == 1 && areAboutCrawlers(parents): // rule 7
		return valueFalseWord
	}
	return noValue
}

// haveOneOf reports whether one of some words is in a list.
func haveOneOf(words, list []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
}

// nameVendor reports whether the words of a key name a vendor's search, and no other service of it.
func nameVendor(words []string) bool {
	for i, w := range words {
		isSearch := i+1 == len(words) || slices.Contains(results, words[i+1])
		if slices.Contains(vendors, w) && isSearch {
			return true
		}
	}
	return false
}

// areAboutCrawlers reports whether one of the keys around another is about crawlers.
func areAboutCrawlers(parents []string) bool {
	return slices.ContainsFunc(parents, func(p string) bool {
		return slices.Contains(around, p) || strings.Contains(parting.Replace(p), "robot")
	})
}

// keyWords are the words of a key, in lower case, as the rules above know them:
//
//	allowIndex, allow-index, "Allow Index"   allow, index
//	SEOIndex                                 seoindex, since capitals in a row are one word
//	noindex_meta                             no, index, meta
//	hideFromSearchEngines                    hide, from, searchengine
//	noFollow, nofollow                       no, follow and nofollow
func keyWords(key string) (words []string) {
	for _, w := range splitKey(key) {
		what, isDenied := strings.CutPrefix(w, "no")
		last := len(words) - 1
		switch {
		case isDenied && slices.Contains(deniedInOne, what):
			words = append(words, "no", what)
		case strings.HasPrefix(w, "engine") && last >= 0 && words[last] == "search":
			words[last] = "searchengine"
		default:
			words = append(words, w)
		}
	}
	return words
}

// deniedInOne are what keys deny in one word, such as norobots. Of follow the one word is nofollow,
// which is the name of a directive, and is read as one.
var deniedInOne = []string{"index", "indexing", "robots", "robot", "crawl", "google"}

// splitKey parts a key at each sign, and before a capital behind a small letter, and writes its
// words in lower case.
func splitKey(key string) (words []string) {
	var word strings.Builder
	endWord := func() {
		if word.Len() > 0 {
			words = append(words, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	var before rune
	for _, c := range key {
		isSign := !unicode.IsLetter(c) && !unicode.IsDigit(c)
		if isSign || unicode.IsUpper(c) && unicode.IsLower(before) {
			endWord()
		}
		if !isSign {
			word.WriteRune(c)
		}
		before = c
	}
	endWord()
	return words
}
