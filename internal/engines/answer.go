package engines

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"metarobots/internal/result"
	"metarobots/policy"
)

// Told returns what a decision tells the engine: what its crawlers obey by our own rules (A2).
func (e *Engine) Told(d *policy.Decision) policy.Directives {
	told := d.Generic
	for _, name := range e.names() {
		if own, ok := d.Agent(name); ok {
			told = policy.MostRestrictive(told, own)
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
	Directives policy.Directives
	// Why are the rules that decided, in sentences.
	Why []string
	// Ignored are the words that say nothing to it, those that permit what is permitted anyway left out.
	Ignored []result.Ignored
	// Silent are questions on which the answer depends and which its documentation leaves open: they were answered in
	// the most restrictive way.
	Silent []string
}

// place is where a word stands.
func place(w *policy.PlacedWord) string {
	switch {
	case !w.Header:
		return "the " + w.Tag + " tag"
	case w.Tag == "robots":
		return "X-Robots-Tag"
	}
	return "X-Robots-Tag for " + w.Tag
}

// Read returns how the engine reads the metas and the values of X-Robots-Tag of one file, at a time that past dates of
// unavailable_after are measured against; zero for none.
func (e *Engine) Read(metas []policy.Tag, header []string, now time.Time) Answer {
	placed := policy.WordsIn(metas, header)
	if through, ok := LookupEngine(e.Through); ok {
		a := through.Read(metas, header, now)
		a.Engine = e
		a.Why = append([]string{e.Rule}, a.Why...)
		for _, h := range placed {
			if reason, ok := e.Crawlers[h.Tag]; ok {
				a.ignore(h.Word, reason)
			}
		}
		return a
	}
	a := Answer{Engine: e, Why: []string{}, Ignored: []result.Ignored{}, Silent: []string{}}
	var words []policy.PlacedWord
	for _, h := range placed {
		if ignored := e.ignores(&h); ignored != "" {
			a.ignore(h.Word, ignored)
			continue
		}
		if !e.concerns(&h) {
			continue
		}
		if h.Name == "none" {
			h.Directives = policy.Stating(e.None)
		}
		if t, ok := h.Directives.Expiry(); ok && !now.IsZero() && t.Compare(now) <= 0 {
			h.Directives = policy.MostRestrictive(h.Directives, policy.Stating("noindex"))
			a.Why = append(a.Why, "the date of unavailable_after has passed: as good as noindex")
		}
		words = append(words, h)
	}
	a.Directives = e.combine(words)
	a.explain(words)
	a.ask(words)
	return a
}

// concerns reports whether a word is said to the engine, and does not merely permit what is permitted anyway.
func (e *Engine) concerns(h *policy.PlacedWord) bool {
	if h.Tag != "robots" && !slices.Contains(e.Names, h.Tag) {
		return false
	}
	inTags, known := slices.Contains(e.ReadsInTags, h.Name), slices.Contains(e.Reads, h.Name)
	return h.Directives.Restricts() || (inTags || known || h.Embed) && !(h.Header && inTags)
}

// ignores says why the engine does not read a word that concerns it; empty where it does.
func (e *Engine) ignores(h *policy.PlacedWord) string {
	if reason, ok := e.Crawlers[h.Tag]; ok {
		return reason
	}
	inTags := slices.Contains(e.ReadsInTags, h.Name)
	switch {
	case !e.concerns(h):
		return ""
	case e.Dead[h.Name] != "":
		return e.Dead[h.Name]
	case !inTags && !slices.Contains(e.Reads, h.Name):
		return "not among the directives that " + e.Title + " documents"
	case inTags && h.Header:
		return e.Title + " reads it in a tag alone"
	}
	return ""
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
	a.Ignored = append(a.Ignored, result.Ignored{Words: word, Why: why})
}

// combine is what the engine obeys of the words that it reads. Allowing words win among tags alone: how a tag that
// allows goes with a header that does not is documented nowhere.
func (e *Engine) combine(words []policy.PlacedWord) policy.Directives {
	var tags, headers, allowed policy.Directives
	nocache, noarchive := false, false
	for i := range words {
		h := &words[i]
		embeds := func(o policy.PlacedWord) bool { return o.Embed && o.Source == h.Source }
		if h.Directives.On(policy.AxisIndex) == noindex && slices.ContainsFunc(words, embeds) {
			h.Directives = h.Directives.Embeddable()
		}
		if h.Header {
			headers = policy.MostRestrictive(headers, h.Directives)
		} else {
			tags = policy.MostRestrictive(tags, h.Directives)
			allowed = policy.MostRestrictive(allowed, permits(h.Directives))
		}
		nocache, noarchive = nocache || h.Name == "nocache", noarchive || h.Name == "noarchive"
	}
	for axis := range allowing {
		if e.AllowWins && !allowed.On(axis).IsZero() {
			tags = tags.With(allowed, axis)
		}
	}
	d := policy.MostRestrictive(tags, headers)
	if e.NocacheWins && nocache && noarchive {
		d = d.With(nocacheAlone, policy.AxisCache)
	}
	return d
}

// allowing are the words that permit, by axis.
var allowing = map[policy.Axis]policy.Directives{
	policy.AxisIndex:  policy.Stating("index"),
	policy.AxisFollow: policy.Stating("follow"),
	policy.AxisCache:  policy.Stating("archive"),
}

var (
	noindex      = policy.Stating("noindex")
	noarchive    = policy.Stating("noarchive")
	nocacheAlone = policy.Stating("nocache")
)

// permits is what d allows: index, follow and archive.
func permits(d policy.Directives) (p policy.Directives) {
	for axis, word := range allowing {
		if d.On(axis) == word {
			p = p.With(d, axis)
		}
	}
	return p
}

// generic words are said to everyone, own ones to the engine alone.
func generic(h policy.PlacedWord) bool { return h.Tag == "robots" }
func own(h policy.PlacedWord) bool     { return h.Tag != "robots" }

// explain says which rules and which places made the answer.
func (a *Answer) explain(words []policy.PlacedWord) {
	e, d := a.Engine, a.Directives
	say := func(format string, args ...any) { a.Why = append(a.Why, fmt.Sprintf(format, args...)) }
	places := func(of func(*policy.PlacedWord) bool) string {
		var names []string
		for i := range words {
			if name := place(&words[i]); of(&words[i]) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return strings.Join(names, ", ")
	}
	axes := []struct {
		word, allowing string
		axis           policy.Axis
		denies         func(policy.Directives) bool
	}{
		{"noindex", "index", policy.AxisIndex, policy.Directives.NoIndex},
		{"nofollow", "follow", policy.AxisFollow, policy.Directives.NoFollow},
		{"noarchive", "archive", policy.AxisCache,
			func(d policy.Directives) bool { return d.On(policy.AxisCache) == noarchive }},
		{"nosnippet", "", policy.AxisSnippet, func(d policy.Directives) bool { return d.SnippetLimit() == 0 }},
	}
	for _, axis := range axes {
		said := places(func(h *policy.PlacedWord) bool { return axis.denies(h.Directives) })
		switch {
		case said == "":
		case axis.denies(d):
			say("%s: %s", axis.word, said)
		case axis.word == "noarchive" && e.NocacheWins:
			say("nocache stands beside noarchive: %s reads both as nocache", e.Title)
		case e.AllowWins:
			allows := places(func(h *policy.PlacedWord) bool {
				return !h.Header && !permits(h.Directives).On(axis.axis).IsZero()
			})
			say("%s in %s is overridden by %s in %s: with %s the allowing word wins", axis.word, said, axis.allowing,
				allows, e.Title)
		}
	}
	if d.NoIndex() && d.On(policy.AxisIndex) != noindex {
		say("indexifembedded: embedded in another page, its content may be indexed there")
	}
	if slices.ContainsFunc(words, generic) && slices.ContainsFunc(words, own) && e.Sum {
		say("what all are told and what %s is told adds up", strings.Join(e.Names, ", "))
	}
	if len(words) == 0 {
		say("it reads none of these statements, so the default applies: index, follow")
	}
}

// ask finds the questions that the documentation leaves open and on which the answer depends.
func (a *Answer) ask(words []policy.PlacedWord) {
	e := a.Engine
	without := func(drop func(policy.PlacedWord) bool) bool { // reports whether the answer would be another
		return e.combine(slices.DeleteFunc(slices.Clone(words), drop)).Restrictions() != a.Directives.Restrictions()
	}
	has := func(is func(policy.PlacedWord) bool) bool { return slices.ContainsFunc(words, is) }
	header := func(h policy.PlacedWord) bool { return h.Header }
	meta := func(h policy.PlacedWord) bool { return !h.Header }
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

// Differs says in sentences where the answer is not what was decided for the engine, on the axes of index, follow,
// snippet and cache; nothing where it is the same.
func (a *Answer) Differs(told policy.Directives) (sentences []string) {
	told = told.Implied()
	d := a.Directives.Implied()
	differ := func(reads, decided string) {
		if reads != decided {
			sentences = append(sentences, fmt.Sprintf("%s reads this as %s; the decision was %s", a.Engine.Title, reads,
				decided))
		}
	}
	words := map[bool][2]string{false: {"index", "follow"}, true: {"noindex", "nofollow"}}
	differ(words[d.NoIndex()][0], words[told.NoIndex()][0])
	differ(words[d.NoFollow()][1], words[told.NoFollow()][1])
	if !d.NoIndex() || !told.NoIndex() { // otherwise nothing of it is shown
		differ(snippet(d), snippet(told))
		differ(cache(d), cache(told))
	}
	return sentences
}

// snippet says how much of a page may be shown.
func snippet(d policy.Directives) string {
	switch n := d.SnippetLimit(); n {
	case -1:
		return "free to show any snippet"
	case 0:
		return "nosnippet"
	default:
		return fmt.Sprintf("max-snippet:%d", n)
	}
}

// cache is the word of the cache axis that holds.
func cache(d policy.Directives) string {
	switch d.On(policy.AxisCache) {
	case noarchive:
		return "noarchive"
	case nocacheAlone:
		return "nocache"
	}
	return "archive"
}
