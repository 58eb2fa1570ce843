package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A CrawlerList is a list of crawlers of AI vendors that an owner keeps beside the table.
type CrawlerList struct {
	// Crawlers are those whose purpose the table does not know, by name. Each has a purpose.
	Crawlers []*Crawler
	// Unclear are the names of those whose function tells no purpose: they count as AITraining.
	Unclear []string
	// Engines are the names of search engines' crawlers, which are not among Crawlers.
	Engines []string
	// Unusable are names that no group of robots.txt can have.
	Unusable []string
}

// listedPurposes are beginnings of words that tell the purpose of a crawler in what a list says of
// its function: the first that is there counts.
var listedPurposes = []struct {
	purpose Purpose
	words   []string
}{
	{"", []string{"undocumented", "unclear"}},
	{AITraining, []string{"train", "scrap", "llm", "dataset", "data provider", "data collection",
		"machine learning"}},
	{AISearch, []string{"search"}},
	{AIUser, []string{"assistant", "agent", "user", "answer", "prompt"}},
}

// ReadCrawlerList reads a list in the form of robots.json of ai.robots.txt: an object with a member
// for each crawler, which says its operator, its function, and whether it respects robots.txt. It
// returns an error if the text has another form, or names nobody. "The table" is that of this
// program, crawlers.json. It goes before a list: if it has a purpose of a crawler, that counts.
// What becomes of each name in the list:
//
//	NewBot                  Crawlers, with the purpose that its function tells; also Unclear if that
//	                        tells none
//	GPTBot/1.2              nothing, since the table has GPTBot with its purpose
//	GPTBot2                 Crawlers, with the purpose of GPTBot: some readers of robots.txt take it
//	                        for that, since they read no further than the letters
//	Googlebot               Engines, since its purpose is search, not AI
//	Mozilla/5.0, "#1 bot"   Unusable: see canBeGroup
//
// https://github.com/ai-robots-txt/ai.robots.txt/blob/main/robots.json
func ReadCrawlerList(text []byte) (list CrawlerList, err error) {
	var entries map[string]listEntry
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &entries); err != nil {
		return list, fmt.Errorf("it is no list of crawlers, an object with a member for each such as "+
			`{"NewBot": {"operator": "…", "function": "AI Data Scrapers"}}: %s`, reasonOf(err, text))
	}
	if len(entries) == 0 {
		return list, errors.New("it names no crawler")
	}
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		list.sortIn(name, entries[name])
	}
	return list, nil
}

// sortIn takes in one entry of a list, as [ReadCrawlerList] has it by name.
func (l *CrawlerList) sortIn(name string, entry listEntry) {
	whole := nameInGroup(name)
	known := LookupCrawler(whole) // nil if the table does not have it
	if known == nil {
		known = LookupCrawler(leadingToken().FindString(name)) // GPTBot for "GPTBot2"
	}
	switch {
	case !canBeGroup(name):
		l.Unusable = append(l.Unusable, name)
	case known != nil && known.IsSearchEngines():
		l.Engines = append(l.Engines, name)
	case known == nil || known.Purpose == "":
		l.add(name, purposeOf(entry.Function), entry)
	case !strings.EqualFold(known.Token, whole):
		l.add(name, known.Purpose, entry)
	default: // the table has this very name, with its purpose
	}
}

// canBeGroup reports whether a group of robots.txt can have a name: it begins with a letter, - or
// _, and holds nothing that ends a line or begins a comment there. Mozilla cannot be one: it begins
// the user agent of every browser, so it would be taken for everybody's.
func canBeGroup(name string) bool {
	token := leadingToken().FindString(name) // "" if it begins otherwise
	return token != "" && !strings.ContainsAny(name, "#\r\n") &&
		!strings.EqualFold(token, ofEveryBrowser)
}

// reasonOf says why a text is no list. err is the JSON reader's: its text is the reason, unless a
// value has the wrong type. Then the reason names its line, and not a type of this program.
func reasonOf(err error, text []byte) string {
	other, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err.Error()
	}
	line := 1 + bytes.Count(text[:min(int(other.Offset), len(text))], []byte("\n"))
	member := strings.ToLower(other.Field[strings.LastIndexByte(other.Field, '.')+1:])
	if isText := other.Type.Kind() == reflect.String; isText && member != "" {
		return fmt.Sprintf("line %d: %s is a text, not of type %s", line, member, other.Value)
	}
	return fmt.Sprintf("line %d: an object is wanted, not a value of type %s", line, other.Value)
}

// listEntry is what a list says of a crawler.
type listEntry struct{ Operator, Function, Respect string }

// add adds a crawler by its name in the list. An empty purpose is unclear: the crawler counts as
// AITraining, and is in Unclear too.
func (l *CrawlerList) add(name string, purpose Purpose, entry listEntry) {
	token := nameInGroup(name)
	first, _, _ := strings.Cut(token, " ")
	mayIgnore := strings.HasPrefix(strings.ToLower(entry.Respect), "no")
	c := &Crawler{Name: strings.ToLower(first), Token: token, Operator: entry.Operator,
		SecondHand: true, Purpose: purpose, RobotsTxt: Obedience{MayIgnore: mayIgnore}}
	if c.Purpose == "" {
		c.Purpose = AITraining
		l.Unclear = append(l.Unclear, name)
	}
	l.Crawlers = append(l.Crawlers, c)
}

// nameInGroup is the name of a list as a group of robots.txt has it: whole, without a version.
// Readers that compare whole names find "AI2Bot" so, and those that cut it, as Google's do, cut it
// themselves.
func nameInGroup(name string) string {
	name, _, _ = strings.Cut(name, "/")
	return strings.TrimSpace(name)
}

// leadingToken is what Google's crawlers read of the name of a group.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1
var leadingToken = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-_A-Za-z]+`) })

// ofEveryBrowser begins the full user agent of nearly every browser and crawler: whoever looks for
// the name of a group in that would take a group of this name for its own.
const ofEveryBrowser = "Mozilla"

// purposeOf is the purpose that a text about a crawler's function tells; empty for none.
func purposeOf(function string) Purpose {
	function = strings.ToLower(function)
	for _, known := range listedPurposes {
		if slices.ContainsFunc(known.words, func(word string) bool { return hasWord(function, word) }) {
			return known.purpose
		}
	}
	return ""
}

// hasWord reports whether a word of a text begins so: "research" tells of no search.
func hasWord(text, begins string) bool {
	for at := 0; ; at++ {
		i := strings.Index(text[at:], begins)
		if i < 0 {
			return false
		}
		if at += i; at == 0 || text[at-1] < 'a' || text[at-1] > 'z' {
			return true
		}
	}
}

// listDay finds the day in the name of a list: ai.robots-2026-11-01.json.
var listDay = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d{4}-\d\d-\d\d`) })

// ListOutdated returns the day that the name of a list states, and whether that is more than a year
// ago, as [CrawlersOutdated] has it. A name without a day is never outdated.
func ListOutdated(file string, now time.Time) (day string, isOutdated bool) {
	day = listDay().FindString(file)
	at, err := time.Parse(time.DateOnly, day)
	return day, err == nil && !now.Before(at.AddDate(1, 0, 0))
}
