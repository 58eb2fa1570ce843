package policy

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Crawler is a name in the table of crawlers: a user agent that fetches pages, or a token that
// one looks for in robots.txt, metas or X-Robots-Tag.
type Crawler struct {
	// Name is Token in lower case: as it stands in a meta's name or before the colon of a header
	// value.
	Name string `json:"-"`
	// Token is the product token in the operator's spelling.
	Token string
	// Operator is who runs it; empty for a mere name.
	Operator string
	// Engine is what its search engine is called, in lower case: authors who write bing mean
	// bingbot. Empty for none.
	Engine string
	// Tags says where a statement may name it (A1): "meta" (and header), "header" alone, "none"
	// where its operator says that it does nothing (A4); empty where nothing is known of that.
	Tags string
	// AllowWins: where a list or two tags contradict each other, it obeys the allowing one (A5).
	AllowWins bool
	// AlsoObeys is the name of a second crawler whose statements this one obeys (A2).
	AlsoObeys string
	// Reads are the names under which it looks for statements, where that is not its own name: the
	// first that is addressed counts, and without one what is stated for everyone.
	Reads []string
	// RobotsTxt is how it obeys robots.txt.
	RobotsTxt Obedience
	// Purpose is what a vendor of AI says that it is for; empty for other crawlers, and for those
	// of search engines that feed answers too (Googlebot, Bingbot, Applebot): to block these is to
	// leave the search.
	Purpose Purpose
	// Uses are what its operator documents that AI does with what it fetches: that of its purpose,
	// and others, each once.
	Uses []DocumentedUse
	// SecondHand: its operator documents nothing of it. The sources are others.
	SecondHand bool
	// TokenOnly: no request has that name as its user agent.
	TokenOnly bool
	// Addresses names what is known of the addresses that it comes from, in internal/crawlers;
	// empty for nothing.
	Addresses string
	// Sources say where this is documented.
	Sources []string
}

// Obedience is how a crawler obeys robots.txt.
type Obedience struct {
	// Group is the token whose group it obeys if it has none of its own, before that of *; "none"
	// if it obeys neither.
	Group string
	// MayIgnore: it may ignore the file, for example because a user asked for the page.
	MayIgnore bool
}

// A DocumentedUse is a use by AI of what a crawler fetches. A URL that robots.txt disallows to it
// is not used.
type DocumentedUse struct {
	Of Use
	// Unless are the directives in tags and X-Robots-Tag of which each denies it.
	Unless []string
	// Source says where that is documented: the crawler's first source, or one of its own.
	Source string
}

// Purpose says what a crawler of an AI vendor fetches pages for.
type Purpose string

// The purposes, as they stand in a configuration's block list.
const (
	// AITraining fetches, or stands for the use of what is fetched, to train models.
	AITraining Purpose = "ai-training"
	// AISearch fetches for an index from which answers cite.
	AISearch Purpose = "ai-search"
	// AIUser fetches at the moment somebody asks.
	AIUser Purpose = "ai-user"
)

// Purposes are all of them.
var Purposes = []Purpose{AITraining, AISearch, AIUser}

//go:embed crawlers.json
var crawlersFile []byte

// A crawlerTable is the closed list of crawlers.
type crawlerTable struct {
	// AsOf is the day on which the list was last compared with its sources.
	AsOf string
	// Crawlers are sorted by their names.
	Crawlers []*Crawler
	// Former are names that their operators do not document any more.
	Former []FormerCrawler

	byName map[string]*Crawler
}

var table = sync.OnceValue(func() *crawlerTable {
	t := &crawlerTable{byName: map[string]*Crawler{}}
	if err := json.Unmarshal(crawlersFile, t); err != nil {
		panic(fmt.Sprintf("crawlers.json cannot be read: %v", err)) // a test reads it
	}
	for _, c := range t.Crawlers {
		c.Name = strings.ToLower(c.Token)
		if c.Reads == nil {
			c.Reads = []string{c.Name}
		}
		for _, u := range Uses {
			if u.Purpose() == c.Purpose && !slices.ContainsFunc(c.Uses, func(d DocumentedUse) bool { return d.Of == u }) {
				c.Uses = append(c.Uses, DocumentedUse{Of: u})
			}
		}
		for i := range c.Uses {
			c.Uses[i].Source = cmp.Or(c.Uses[i].Source, c.Sources[0])
		}
		t.byName[c.Name] = c
	}
	return t
})

// CrawlersAsOf is the day on which the table of crawlers was last compared with its sources.
func CrawlersAsOf() string {
	var t struct{ AsOf string } // every run says it, and few need all of the table
	if err := json.Unmarshal(crawlersFile, &t); err != nil {
		panic(fmt.Sprintf("crawlers.json cannot be read: %v", err)) // a test reads it
	}
	return t.AsOf
}

// CrawlersOutdated reports whether the table is more than a year old: operators add and rename
// crawlers all the time.
func CrawlersOutdated(now time.Time) bool {
	day, err := time.Parse(time.DateOnly, CrawlersAsOf())
	return err != nil || !now.Before(day.AddDate(1, 0, 0))
}

// AllCrawlers returns the table, by name. It is not to be changed.
func AllCrawlers() []*Crawler { return table().Crawlers }

// A FormerCrawler is a name that its operator does not document any more, so that nobody promises
// to obey its group.
type FormerCrawler struct {
	Token, Operator string
	// Sources say what the operator documents instead.
	Sources []string
}

// LookupFormer returns the former crawler with that token, compared without regard to case; nil
// where none had it.
func LookupFormer(token string) *FormerCrawler {
	for i := range table().Former {
		if f := &table().Former[i]; strings.EqualFold(f.Token, token) {
			return f
		}
	}
	return nil
}

// Documented returns the tokens of the crawlers for AI that its operator documents today.
func (f *FormerCrawler) Documented() (tokens []string) {
	for _, c := range AllCrawlers() {
		if c.Operator == f.Operator && c.Purpose != "" && !c.SecondHand {
			tokens = append(tokens, c.Token)
		}
	}
	return tokens
}

// UsualCrawlers are the search engines whose verdict counts if nobody names a crawler.
var UsualCrawlers = []string{"googlebot", "bingbot"}

// LookupCrawler returns the crawler with that token, compared without regard to case; nil where it
// is not known.
func LookupCrawler(token string) *Crawler { return table().byName[strings.ToLower(token)] }

// HeaderOnly reports whether it reads X-Robots-Tag alone: no tag is written for it.
func (c *Crawler) HeaderOnly() bool { return c.Tags == "header" }

// IsSearchEngines reports whether a search engine looks by it for pages to index, or obeys its
// group: to block it is to leave that engine. Crawlers of a purpose are none.
func (c *Crawler) IsSearchEngines() bool {
	obeyed := LookupCrawler(c.RobotsTxt.Group)
	return c.Purpose == "" && (c.Tags == "meta" || c.AlsoObeys != "" || obeyed != nil && obeyed.Tags == "meta")
}

// isAddressable reports whether a statement may name it.
func (c *Crawler) isAddressable() bool { return c.Tags == "meta" || c.Tags == "header" }

// products are words that stand in no crawler's name, with the vendor that they lead to.
var products = map[string]string{"gemini": "Google", "bard": "Google", "copilot": "Microsoft", "siri": "Apple",
	"alexa": "Amazon", "facebook": "Meta", "llama": "Meta", "tiktok": "ByteDance", "lechat": "Mistral AI"}

// DidYouMeanCrawler is what an error about a crawler's name ends with: the name of known that is
// near, or those that its vendor documents, ` (did you mean "claudebot" or "claude-user" of
// Anthropic?)`; nothing where no vendor is recognized.
func DidYouMeanCrawler(name string, known []string) string {
	if near := DidYouMean(name, known); near != "" {
		return near
	}
	vendor := vendorOf(name)
	names := namesOf(vendor)
	if len(names) == 0 {
		return ""
	}
	text, last := "", len(names)-1
	if last > 0 {
		text = strings.Join(names[:last], ", ") + " or "
	}
	return " (did you mean " + text + names[last] + " of " + vendor + "?)"
}

// vendorOf is the vendor whose name, or whose crawler's or product's name, a word begins with:
// chatgpt, openai-bot, anthropic-ai; empty for none.
func vendorOf(name string) string {
	word := firstWord(name)
	if word == "" {
		return ""
	}
	for _, c := range AllCrawlers() {
		if c.Operator != "" && (word == firstWord(c.Operator) || word == firstWord(c.Token)) {
			return c.Operator
		}
	}
	return products[word]
}

// firstWord is that of a name, in lower case and without the "bot" at its end.
func firstWord(name string) string {
	word := letters().FindString(strings.ToLower(name))
	return cmp.Or(strings.TrimSuffix(word, "bot"), word)
}

var letters = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z0-9]+`)
})

// namesOf are the names, in quotes, of a vendor's crawlers whose use by AI is documented; of all
// that it has if it documents none.
func namesOf(vendor string) (names []string) {
	var all []string
	for _, c := range AllCrawlers() {
		if c.Operator != vendor || vendor == "" {
			continue
		}
		all = append(all, strconv.Quote(c.Token))
		if len(c.Uses) > 0 {
			names = append(names, strconv.Quote(c.Token))
		}
	}
	if len(names) == 0 {
		names = all
	}
	return names
}

// Inert returns why a statement for the crawler name would do nothing, or "" where that is not
// known of it (A4).
func Inert(name string) string {
	if c := LookupCrawler(name); c != nil && c.Tags == "none" {
		return "is only a name in robots.txt"
	}
	return ""
}

// InertNames returns the names of which Inert knows something, sorted.
func InertNames() (names []string) {
	for _, c := range AllCrawlers() {
		if c.Tags == "none" {
			names = append(names, c.Name)
		}
	}
	return names
}

// Crawlers are the user agents that may be named in statements: the built-in ones, and further ones
// by their names in lower case.
type Crawlers map[string]*Crawler

// KnownCrawlers returns the built-in list and the further names ([robots] crawlers), which must be
// tokens.
func KnownCrawlers(further ...string) Crawlers {
	c := Crawlers{}
	for _, name := range further {
		name = strings.ToLower(name)
		c[name] = &Crawler{Name: name, Token: name, Sources: []string{"[robots] crawlers"}}
	}
	return c
}

// noCrawler is returned for an unknown name. It obeys what is stated for everyone.
var noCrawler = &Crawler{}

// Lookup returns the crawler of that name, compared without regard to case. Names of "everyone",
// robots and *, are no crawlers.
func (c Crawlers) Lookup(name string) (*Crawler, bool) {
	if known := LookupCrawler(name); known != nil && known.isAddressable() {
		return known, true
	}
	if further := c[strings.ToLower(name)]; further != nil {
		return further, true
	}
	return noCrawler, false
}

// OfEngine returns the crawler of the search engine that is called name, which is no crawler's own
// name.
func (c Crawlers) OfEngine(name string) (*Crawler, bool) {
	i := slices.IndexFunc(AllCrawlers(), func(known *Crawler) bool { return known.Engine == name })
	if i < 0 || name == "" || c[name] != nil {
		return nil, false
	}
	return AllCrawlers()[i], true
}

// Meant returns the names of the crawlers that somebody may mean by a name that none of them reads
// in a tag: those that a crawler of that name reads, that of a search engine, or the name without
// its ending, such as yandex for yandexbot.
func Meant(name string) (names []string) {
	if c := LookupCrawler(name); c != nil && c.Reads[0] != c.Name {
		return c.Reads
	}
	for _, c := range AllCrawlers() {
		if c.Tags == "meta" && c.Name != name && (c.Engine == name || c.Name+"bot" == name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Names returns all names, sorted.
func (c Crawlers) Names() []string {
	names := slices.Collect(maps.Keys(c))
	for _, known := range AllCrawlers() {
		if known.isAddressable() {
			names = append(names, known.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// IsToken reports whether name has the form of a user agent's token: letters, digits, hyphen,
// underscore, dot.
func IsToken(name string) bool {
	isOther := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
	}
	return name != "" && strings.IndexFunc(name, isOther) < 0
}

// Everyone reports whether name means every crawler: robots or *.
func Everyone(name string) bool { return name == "*" || strings.EqualFold(name, "robots") }
