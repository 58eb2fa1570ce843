package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// An Engine is a search engine, or another reader of robots metas and X-Robots-Tag, with its own rules of combining: those
// that its documentation states. Where that is silent, the most restrictive reading is taken and said to be so.
type Engine struct {
	// Name is what it is called in a command; Title its own name.
	Name, Title string
	// Names are those under which it reads a tag or a header line of its own, beside the generic ones.
	Names []string
	// Crawlers are further names of its crawlers, under which it reads nothing, with the reason.
	Crawlers map[string]string
	// Through names the engine whose index it shows, for one that has none of its own.
	Through string
	// Knows are the directives that it documents, without their values; each says where it is read.
	Knows map[string]Reads
	// Dead are directives that it documents as doing nothing, with the reason.
	Dead map[string]string
	// None is what the word none means to it.
	None Directives
	// AllowWins: among its tags, index, follow and archive outdo their negations.
	AllowWins bool
	// NocacheWins: nocache beside noarchive is read as nocache alone, the looser.
	NocacheWins bool
	// Header, Own and Sum say what is documented: that X-Robots-Tag is read, that a tag of its own name is, that the
	// generic tag and its own add up. How tags and headers combine nobody documents.
	Header, Own, Sum bool
	// Rule tells how it combines, in a sentence.
	Rule string
	// Secondary: nobody but others has written of it.
	Secondary bool
	// Sources are the pages that were read.
	Sources []string
}

// EnginesAsOf is the day on which the engines were last compared with their sources.
const EnginesAsOf = "2026-11-21"

// Reads says where a directive is read.
type Reads uint8

// The places.
const (
	InMeta Reads = 1 << iota
	InHeader
	InBoth = InMeta | InHeader
)

// LookupEngine returns the engine of that name, or the one that a crawler of that name belongs to.
func LookupEngine(name string) (*Engine, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for i := range engines {
		if e := &engines[i]; e.Name == name {
			return e, true
		}
	}
	for i := range engines {
		e := &engines[i]
		if _, ok := e.Crawlers[name]; ok || slices.Contains(e.Names, name) {
			return e, true
		}
	}
	return nil, false
}

// Engines returns all engines, in the order in which they are documented.
func Engines() []*Engine {
	all := make([]*Engine, len(engines))
	for i := range engines {
		all[i] = &engines[i]
	}
	return all
}

// EngineNames returns the names that [LookupEngine] knows: of engines, in their order, then of their crawlers, sorted.
func EngineNames() (names, crawlers []string) {
	for i := range engines {
		e := &engines[i]
		names = append(names, e.Name)
		crawlers = append(crawlers, e.Names...)
		for name := range e.Crawlers {
			crawlers = append(crawlers, name)
		}
	}
	slices.Sort(crawlers)
	crawlers = slices.Compact(crawlers)
	return names, slices.DeleteFunc(crawlers, func(name string) bool { return slices.Contains(names, name) })
}

// Told returns what a decision tells the engine: what its crawlers obey by our own rules (A2).
func (e *Engine) Told(d *Decision) Directives {
	told := d.Generic
	for _, name := range e.names() {
		if own, ok := d.agent(name); ok {
			told = MostRestrictive(told, own)
		}
	}
	return told
}

// names are those of the engine whose index it shows.
func (e *Engine) names() []string {
	if through, ok := LookupEngine(e.Through); ok {
		return through.Names
	}
	return e.Names
}

// An Answer is how an engine reads what one file carries.
type Answer struct {
	Engine *Engine
	// Directives are those that it obeys.
	Directives Directives
	// Why are the rules that decided, in sentences.
	Why []string
	// Ignored are the words that say nothing to it, those that permit what is permitted anyway left out.
	Ignored []Ignored
	// Silent are questions on which the answer depends and which its documentation leaves open: they were answered in the
	// most restrictive way.
	Silent []string
}

// Ignored are directives that an engine does not read, separated by commas, and the reason.
type Ignored struct{ Words, Why string }

// Index reports whether the page may be in the index.
func (a *Answer) Index() bool { return !a.Directives.NoIndex() }

// Follow reports whether its links are followed.
func (a *Answer) Follow() bool { return !a.Directives.NoFollow() }

// Snippet returns how many characters of the page may be shown: -1 for any number, 0 for none.
func (a *Answer) Snippet() int { return int(limitOf(a.Directives.snippet)) }

// heard is one word that reached an engine.
type heard struct {
	name   string // the directive, without its value
	word   string // with it
	tag    string // the name of the tag, or what stood before the colon of the header value; "robots" for everyone
	header bool
	source int // of indexifembedded (D3): each name's metas, each name in a header value
	d      Directives
	embed  bool
}

// place is where the word stands.
func (h *heard) place() string {
	switch {
	case !h.header:
		return "the " + h.tag + " tag"
	case h.tag == "robots":
		return "X-Robots-Tag"
	}
	return "X-Robots-Tag for " + h.tag
}

// Read returns how the engine reads the metas and the values of X-Robots-Tag of one file, at a time that past dates of
// unavailable_after are measured against; zero for none.
func (e *Engine) Read(metas []Tag, header []string, now time.Time) Answer {
	if through, ok := LookupEngine(e.Through); ok {
		a := through.Read(metas, header, now)
		a.Engine = e
		a.Why = append([]string{e.Rule}, a.Why...)
		for _, h := range hear(metas, header) {
			if reason, ok := e.Crawlers[h.tag]; ok {
				a.ignore(h.word, reason)
			}
		}
		return a
	}
	a := Answer{Engine: e}
	var words []heard
	for _, h := range hear(metas, header) {
		if reason, ok := e.Crawlers[h.tag]; ok {
			a.ignore(h.word, reason)
			continue
		}
		if h.tag != "robots" && !slices.Contains(e.Names, h.tag) {
			continue // told to others
		}
		reads := e.Knows[h.name]
		if reads == 0 && !h.d.Restricts() && !h.embed || h.header && reads == InMeta && !h.d.Restricts() {
			continue // it permits what is permitted anyway
		}
		switch dead, ok := e.Dead[h.name]; {
		case ok:
			a.ignore(h.word, dead)
			continue
		case reads == 0:
			a.ignore(h.word, "not among the directives that "+e.Title+" documents")
			continue
		case h.header && reads&InHeader == 0:
			a.ignore(h.word, e.Title+" reads it in a tag alone")
			continue
		}
		if h.name == "none" {
			h.d = e.None
		}
		if t, ok := h.d.Expiry(); ok && !now.IsZero() && t.Compare(now) <= 0 {
			h.d = MostRestrictive(h.d, NoIndexAlone())
			a.Why = append(a.Why, "the date of unavailable_after has passed: as good as noindex")
		}
		words = append(words, h)
	}
	a.Directives = e.combine(words)
	a.explain(words)
	a.ask(words)
	return a
}

func (a *Answer) ignore(word, why string) {
	for i := range a.Ignored {
		if ig := &a.Ignored[i]; ig.Why == why {
			if !slices.Contains(strings.Split(ig.Words, ", "), word) {
				ig.Words += ", " + word
			}
			return
		}
	}
	a.Ignored = append(a.Ignored, Ignored{word, why})
}

// combine is what the engine obeys of the words that it reads. Allowing words win among tags alone: how a tag that allows
// goes with a header that does not is documented nowhere.
func (e *Engine) combine(words []heard) Directives {
	var in [2]Directives // tags, headers
	var allowed Directives
	nocache, noarchive := false, false
	for i, h := range words {
		if h.d.index == indexNone && slices.ContainsFunc(words, func(o heard) bool { return o.embed && o.source == h.source }) {
			words[i].d.index = indexEmbeddable
		}
		place := 0
		if h.header {
			place = 1
		}
		in[place] = MostRestrictive(in[place], words[i].d)
		if !h.header {
			allowed = MostRestrictive(allowed, permits(h.d))
		}
		nocache, noarchive = nocache || h.name == "nocache", noarchive || h.name == "noarchive"
	}
	if e.AllowWins {
		for _, axis := range []struct{ of, by *uint8 }{{&in[0].index, &allowed.index}, {&in[0].follow, &allowed.follow}, {&in[0].cache, &allowed.cache}} {
			if *axis.by != 0 {
				*axis.of = *axis.by
			}
		}
	}
	d := MostRestrictive(in[0], in[1])
	if e.NocacheWins && nocache && noarchive {
		d.cache = cacheNocache
	}
	return d
}

// permits is what d allows: index, follow and archive.
func permits(d Directives) (p Directives) {
	if d.index == indexStated {
		p.index = indexStated
	}
	if d.follow == followStated {
		p.follow = followStated
	}
	if d.cache == cacheArchive {
		p.cache = cacheArchive
	}
	return p
}

// explain says which rules and which places made the answer.
func (a *Answer) explain(words []heard) {
	e, d := a.Engine, a.Directives
	say := func(format string, args ...any) { a.Why = append(a.Why, fmt.Sprintf(format, args...)) }
	places := func(of func(*heard) bool) string {
		var names []string
		for i := range words {
			if of(&words[i]) && !slices.Contains(names, words[i].place()) {
				names = append(names, words[i].place())
			}
		}
		return strings.Join(names, ", ")
	}
	axes := []struct {
		word   string
		denies bool
		says   func(Directives) bool
	}{
		{"noindex", d.NoIndex(), Directives.NoIndex},
		{"nofollow", d.NoFollow(), Directives.NoFollow},
		{"noarchive", d.cache == cacheNoarchive, func(d Directives) bool { return d.cache == cacheNoarchive }},
		{"nosnippet", d.snippet == limitNone, func(d Directives) bool { return d.snippet == limitNone }},
	}
	for _, axis := range axes {
		said := places(func(h *heard) bool { return axis.says(h.d) })
		switch {
		case said == "":
		case axis.denies:
			say("%s: %s", axis.word, said)
		case axis.word == "noarchive" && e.NocacheWins:
			say("nocache stands beside noarchive: %s reads both as nocache", e.Title)
		case e.AllowWins:
			positive := strings.TrimPrefix(axis.word, "no")
			say("%s in %s is outdone by %s in %s: with %s the allowing word wins", axis.word, said, positive,
				places(func(h *heard) bool { return !h.header && permits(h.d).On(allowAxis[positive]) != Directives{} }), e.Title)
		}
	}
	if d.index == indexEmbeddable {
		say("indexifembedded: embedded in another page, its content may be indexed there")
	}
	generic, own := false, false
	for _, h := range words {
		generic, own = generic || h.tag == "robots", own || h.tag != "robots"
	}
	if generic && own && e.Sum {
		say("what all are told and what %s is told adds up", strings.Join(e.Names, ", "))
	}
	if len(words) == 0 {
		say("nothing that it reads is said to it: index and follow are the default")
	}
}

// allowAxis is the axis of an allowing word.
var allowAxis = map[string]Axis{"index": AxisIndex, "follow": AxisFollow, "archive": AxisCache}

// ask finds the questions that the documentation leaves open and on which the answer depends.
func (a *Answer) ask(words []heard) {
	e := a.Engine
	without := func(drop func(heard) bool) bool { // reports whether the answer would be another
		return !a.same(e.combine(slices.DeleteFunc(slices.Clone(words), drop)))
	}
	has := func(is func(heard) bool) bool { return slices.ContainsFunc(words, is) }
	header := func(h heard) bool { return h.header }
	meta := func(h heard) bool { return !h.header }
	own := func(h heard) bool { return h.tag != "robots" }
	generic := func(h heard) bool { return h.tag == "robots" }
	ask := func(question string) { a.Silent = append(a.Silent, question) }
	switch {
	case !e.Header && without(header):
		ask("whether it reads X-Robots-Tag")
	case has(header) && has(meta) && (without(header) || without(meta)):
		ask("how tags and X-Robots-Tag combine")
	}
	switch {
	case !e.Own && without(own):
		ask("whether it reads a tag of its own name, " + strings.Join(e.Names, ", "))
	case !e.Sum && !e.AllowWins && has(own) && has(generic) && without(generic):
		ask("whether a tag of its own name adds to the generic one or takes its place")
	}
	if e.Secondary {
		ask("all of it: what is known of " + e.Title + " was written by others")
	}
}

// same reports whether d means the same to the engine as what it obeys.
func (a *Answer) same(d Directives) bool { return d.effect() == a.Directives.effect() }

// effect is d without the words that permit what is permitted anyway.
func (d Directives) effect() Directives {
	if d.index == indexStated {
		d.index = 0
	}
	if d.follow == followStated {
		d.follow = 0
	}
	if d.cache == cacheArchive {
		d.cache = 0
	}
	if d.image == imageLarge {
		d.image = 0
	}
	if d.snippet == 1 {
		d.snippet = 0
	}
	if d.video == 1 {
		d.video = 0
	}
	return d
}

// Differs says in sentences where the answer is not what was decided for the engine, on the axes of index, follow, snippet
// and cache; nothing where it is the same.
func (a *Answer) Differs(told Directives) (sentences []string) {
	told = told.Implied()
	d := a.Directives.Implied()
	differ := func(reads, decided string) {
		sentences = append(sentences, fmt.Sprintf("%s reads this as %s; decided is %s", a.Engine.Title, reads, decided))
	}
	word := func(no bool, word string) string {
		if no {
			return "no" + word
		}
		return word
	}
	if d.NoIndex() != told.NoIndex() {
		differ(word(d.NoIndex(), "index"), word(told.NoIndex(), "index"))
	}
	if d.NoFollow() != told.NoFollow() {
		differ(word(d.NoFollow(), "follow"), word(told.NoFollow(), "follow"))
	}
	if d.NoIndex() && told.NoIndex() {
		return sentences // nothing of it is shown
	}
	snippet := func(d Directives) string {
		switch n := limitOf(d.snippet); n {
		case -1:
			return "free to show any snippet"
		case 0:
			return "nosnippet"
		default:
			return fmt.Sprintf("max-snippet:%d", n)
		}
	}
	if limitOf(d.snippet) != limitOf(told.snippet) {
		differ(snippet(d), snippet(told))
	}
	cache := func(d Directives) string {
		return [...]string{"archive", "archive", "nocache", "noarchive"}[d.cache]
	}
	if cache(d) != cache(told) {
		differ(cache(d), cache(told))
	}
	return sentences
}

// hear takes metas and header values apart into words, each with its place.
func hear(metas []Tag, header []string) (words []heard) {
	sources := map[string]int{}
	source := func(key string) int {
		if _, ok := sources[key]; !ok {
			sources[key] = len(sources)
		}
		return sources[key]
	}
	add := func(text, tag string, header bool, key string) {
		p := parser{whose: Found}
		p.words(text, func(word string, r Reading) {
			name, _, _ := strings.Cut(word, ":")
			words = append(words, heard{name, word, tag, header, source(key + tag), r.Directives, r.Embed})
		})
	}
	for _, m := range metas {
		tag := strings.ToLower(m.Name)
		if Everyone(tag) {
			tag = "robots"
		}
		add(m.Content, tag, false, "meta ")
	}
	for i, line := range header {
		p := parser{whose: Found, header: true}
		for tag, text := range p.scopes(line) {
			if tag == "" {
				tag = "robots"
			}
			add(text, tag, true, fmt.Sprintf("header %d ", i))
		}
	}
	return words
}

// scopes yields the parts of a header value: to whom, "" for everyone, and the text that they are told (D0).
func (p *parser) scopes(line string) func(yield func(crawler, text string) bool) {
	return func(yield func(string, string) bool) {
		var text []string
		for item := range strings.SplitSeq(line, ",") {
			p.raw = fold(item)
			item = tidy(p.raw)
			for item != "" {
				name, value, colon := strings.Cut(item, ":")
				if !colon || isValued(name) || strings.ContainsAny(name, separators) {
					break
				}
				before := p.crawler
				rest := p.prefix(name, strings.TrimSpace(value))
				if p.crawler != before || rest != "" {
					if len(text) > 0 && !yield(before, strings.Join(text, ", ")) {
						return
					}
					text = nil
				}
				item = tidy(rest)
			}
			if item != "" {
				text = append(text, item)
			}
		}
		if len(text) > 0 {
			yield(p.crawler, strings.Join(text, ", "))
		}
	}
}

// words yields each directive of a text without prefixes, as it is printed, and what it states. A date keeps its commas and
// blanks (D5); words between other separators are taken one by one (D4).
func (p *parser) words(text string, yield func(word string, r Reading)) {
	items := strings.Split(text, ",")
	one := func(word string, read func()) {
		p.readings, p.unknown, p.of = nil, nil, nil
		read()
		p.settle()
		if r := p.reading(""); !r.Directives.IsZero() || r.Embed {
			yield(word, r)
		}
	}
	for i := 0; i < len(items); i++ {
		item := tidy(items[i])
		if name, value, ok := strings.Cut(item, ":"); ok && strings.EqualFold(name, "unavailable_after") {
			one("unavailable_after", func() { i += p.expiry(value, items[i+1:]) })
			continue
		}
		for _, word := range strings.FieldsFunc(item, func(r rune) bool { return strings.ContainsRune(p.separators(), r) }) {
			one(strings.ToLower(word), func() { p.item(word) })
		}
	}
}
