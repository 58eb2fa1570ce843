package plan

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/head"
	"metarobots/policy"
)

// related is what a page says of others: its canonical address and its translations, as far as they are not itself.
type related struct {
	canonical  string // encoded path from the publish root; empty for itself, for none, and for another site's
	line       int
	alternates []string
	elsewhere  bool // the canonical is on another site
}

// related returns what a page's links say of other pages; nil for nothing.
func (p *Project) related(at subject, links []head.Relation) (r *related) {
	for _, link := range links {
		to, ok := p.leads(at.name, link.Href, false)
		if ok && samePath(to, at.url) {
			continue
		}
		if r == nil {
			r = &related{}
		}
		switch {
		case link.Canonical && r.line == 0:
			r.canonical, r.elsewhere, r.line = to, !ok, link.Line
		case !link.Canonical && ok:
			r.alternates = append(r.alternates, to)
		}
	}
	return r
}

// tally collects findings of one kind: it is reported once, with the first page and how many more there are.
type tally struct {
	first *Page
	count int
	at    policy.Origin
}

func (t *tally) add(pg *Page, at policy.Origin) {
	if t.count++; t.first == nil {
		t.first, t.at = pg, at
	}
}

// more says how many pages there are beside the first.
func (t *tally) more() string {
	switch t.count {
	case 1:
		return ""
	case 2:
		return " and one more"
	}
	return fmt.Sprintf(" and %d more", t.count-1)
}

// finding is the tally's, about its first page and the place that it names, or else the file itself.
func (p *Plan) finding(t *tally, id string, severity policy.Severity, format string, args ...any) {
	f := policy.Finding{ID: id, Severity: severity, URL: t.first.URL, File: t.at.File, Line: t.at.Line, Message: fmt.Sprintf(format, args...)}
	if f.File == "" {
		f.File = p.Published(t.first.Name)
	}
	p.report(f)
}

// audit reports what pages say against each other, and words that do not do what their author meant.
func (p *Plan) audit() {
	p.empty()
	p.unknown()
	p.redirects()
	p.relations()
	p.words()
	p.theme()
	p.looksPrivate()
	p.newlyNoindex()
}

// empty reports a site without a single HTML file, which is hardly ever meant.
func (p *Plan) empty() {
	if !slices.ContainsFunc(p.Pages, func(pg *Page) bool { return pg.HTML }) {
		p.report(policy.Finding{ID: "no-html", Severity: policy.Warning, File: p.project.short(p.project.settings.Publish),
			Message: "no HTML file is published there: is it the publish folder?"})
	}
}

// unknown reports, once, files other than pages that nothing of this site is known to make: what a template publishes
// under a name of its own is one, and what an earlier build left behind.
func (p *Plan) unknown() {
	t := &tally{}
	for _, pg := range p.Pages {
		if pg.Unknown && pg.Role.Policed() && !pg.HTML {
			t.add(pg, policy.Origin{})
		}
	}
	if t.count > 0 {
		p.finding(t, "unknown-file", policy.Note, "no page or static file of this site is known to make %s%s: only rules and the environment decide on such files", t.first.URL, t.more())
	}
}

// redirects reports, once, redirect pages that carry a robots tag (L4).
// https://github.com/gohugoio/hugo/pull/13951
func (p *Plan) redirects() {
	if p.project.Config.Robots.CleanRedirects {
		return
	}
	t := &tally{}
	for _, pg := range p.Pages {
		if pg.Role == policy.RoleRedirect && len(pg.found) > 0 {
			t.add(pg, policy.Origin{File: p.Published(pg.Name), Line: pg.found[0].Line})
		}
	}
	if t.count > 0 {
		p.finding(t, "redirect", policy.Warning, "a redirect page, %s%s, carries %q; noindex there made Google drop the targets (redirects = \"clean\" removes it)", t.first.URL, t.more(), printTags(t.first.tags))
	}
}

// hidden reports whether a page is noindex for everyone by anything but the environment.
func (pg *Page) hidden() bool {
	return pg.Decision.NoIndex() && slices.ContainsFunc(pg.Decision.Statements, func(s policy.Statement) bool {
		return s.Crawler == "" && s.Origin.Layer != policy.LayerEnvironment && s.Directives.NoIndex()
	})
}

// relations reports canonical and alternate links that lead to noindex pages, or away from them.
// https://developers.google.com/search/docs/crawling-indexing/canonicalization-troubleshooting
func (p *Plan) relations() {
	pages := p.served((*Page).hidden)
	for _, pg := range p.Pages {
		r := pg.related
		if r == nil || !pg.Role.Policed() {
			continue
		}
		at := policy.Finding{URL: pg.URL, File: p.Published(pg.Name), Line: r.line, Severity: policy.Warning}
		to := pages[servedAs(decoded(r.canonical))]
		if r.canonical == "" {
			to = nil
		}
		switch {
		case pg.Of != nil && servedAs(decoded(r.canonical)) == servedAs(pg.Of.Path.URL):
			// A print page or a pager names the page that it is one of, and is often noindex as well.
		case r.line > 0 && pg.hidden():
			where := r.canonical
			if r.elsewhere {
				where = "another site"
			}
			at.ID, at.Message = "canonical-and-noindex", fmt.Sprintf("the page is noindex, and its canonical link names %s: the one says it is to be forgotten, the other that it stands for that page", where)
			p.report(at)
		case to != nil:
			at.ID, at.Message = "canonical-to-noindex", fmt.Sprintf("its canonical link names %s, which is noindex: both may leave the index", r.canonical)
			p.report(at)
		}
		if pg.hidden() {
			continue
		}
		for _, alternate := range r.alternates {
			if pages[servedAs(decoded(alternate))] != nil {
				at.ID, at.Line, at.Message = "hreflang-to-noindex", 0, fmt.Sprintf("its hreflang link names %s, which is noindex: crawlers drop the pair", alternate)
				p.report(at)
				break
			}
		}
	}
}

// words reports directives that nobody reads any more, and nofollow where noindex was likely meant.
func (p *Plan) words() {
	deprecated, nofollow := map[string]*tally{}, &tally{}
	for _, pg := range p.Pages {
		if !pg.Role.Policed() {
			continue
		}
		for i := range pg.Decision.Statements {
			s := &pg.Decision.Statements[i]
			for _, word := range s.Directives.Deprecated() {
				tallyOf(deprecated, word).add(pg, s.Origin)
			}
			own := s.Origin.Layer == policy.LayerPage || s.Origin.Layer == policy.LayerRule || s.Origin.Layer == policy.LayerVisibility
			if own && s.Crawler == "" && s.Directives.NoFollow() && !s.Directives.StatesIndex() && !pg.Decision.NoIndex() && pg.HTML {
				nofollow.add(pg, s.Origin)
			}
		}
	}
	for _, word := range slices.Sorted(maps.Keys(deprecated)) {
		t := deprecated[word]
		p.finding(t, "deprecated", policy.Note, "no crawler reads %s any more; it is said of %s%s", word, t.first.URL, t.more())
	}
	if nofollow.count > 0 {
		p.finding(nofollow, "nofollow-for-noindex", policy.Note, "nofollow alone keeps crawlers from following the links of %s%s, not from indexing: noindex does that", nofollow.first.URL, nofollow.more())
	}
}

func tallyOf(tallies map[string]*tally, key string) *tally {
	if tallies[key] == nil {
		tallies[key] = &tally{}
	}
	return tallies[key]
}

// theme reports what tags found in the pages add that nobody else asked for: once for each tag and effect. Most themes
// print noindex, nofollow for a page that asks for noindex alone.
//
// Without a content file behind it, a page's own tags are what its author says.
func (p *Plan) theme() {
	if p.project.generatorName == "html" {
		return
	}
	effects := map[string]*tally{}
	for _, pg := range p.Pages {
		tags := func(s policy.Statement) bool {
			return s.Origin.Layer == policy.LayerFound && strings.HasPrefix(s.Origin.Key, "meta ") && s.Directives.Restricts()
		}
		i := slices.IndexFunc(pg.Decision.Statements, tags)
		if pg.Role != policy.RolePage || i < 0 {
			continue
		}
		var added []string
		for _, fixed := range pg.Decision.Why("", p.project.Policy.Style) {
			foreign := !slices.ContainsFunc(fixed.By, func(i int) bool { return pg.Decision.Statements[i].Origin.Layer != policy.LayerFound })
			if foreign && len(fixed.By) > 0 && fixed.Text != "index" && fixed.Text != "follow" {
				added = append(added, fixed.Text)
			}
		}
		if len(added) == 0 {
			continue
		}
		tag := pg.Decision.Statements[i]
		tallyOf(effects, fmt.Sprintf("%q, adds %s to", tag.States(), strings.Join(added, ", "))).add(pg, tag.Origin)
	}
	for _, effect := range slices.Sorted(maps.Keys(effects)) {
		t := effects[effect]
		p.finding(t, "theme-adds", policy.Note, "the tag that stood there, %s %s%s, which nothing else asks for (found = \"replace\" leaves it out)", effect, t.first.URL, t.more())
	}
}

// private are folder and file names of what is not meant for everyone.
var private = regexp.MustCompile(`(?i)(?:^|/)(?:private|confidential|secret|internal|intern|intranet|admin|staff|members?|password|passwords|credentials|backup|customers?|invoices?|payroll|salar(?:y|ies))(?:[/.]|$)`)

// looksPrivate says once that noindex hides from search, not from people.
// https://developers.google.com/search/docs/crawling-indexing/block-indexing
func (p *Plan) looksPrivate() {
	t := &tally{}
	for _, pg := range p.Pages {
		if pg.Role.Policed() && pg.hidden() && private.MatchString(pg.Path.URL) {
			t.add(pg, policy.Origin{})
		}
	}
	if t.count > 0 {
		p.finding(t, "looks-private", policy.Note, "noindex is the only guard of what looks private, %s%s: it hides from search, and whoever has the address reads it (a password, or leaving it out of the site, keeps people out)", t.first.URL, t.more())
	}
}

// newlyNoindex lists the pages that an earlier run left in the index and this one takes out, for the removal tools of
// search engines. An environment that hides everything says nothing of single pages.
// https://support.google.com/webmasters/answer/9689846
func (p *Plan) newlyNoindex() {
	if len(p.project.Policy.Environment) > 0 {
		return
	}
	t := &tally{}
	for _, pg := range p.Pages {
		if pg.wasIndexable && pg.Role == policy.RolePage && pg.Decision.NoIndex() {
			t.add(pg, policy.Origin{})
			p.NewlyNoindex = append(p.NewlyNoindex, p.project.address(pg.Name).String())
		}
	}
	if t.count > 0 {
		p.finding(t, "newly-noindex", policy.Note, "out of the index with this run: %s%s; summary.newlyNoindex of --json lists the addresses, for the search engines' removal tools", t.first.URL, t.more())
	}
}

// oddWords reports robots tags of one page and one name that contradict each other, or themselves.
func oddWords(at subject, found []FoundTag) []policy.Finding {
	said := map[string]int{} // name and word, to the line
	for _, tag := range found {
		if !tag.HasContent {
			continue
		}
		for word := range strings.FieldsFuncSeq(strings.ToLower(tag.Content), func(r rune) bool { return strings.ContainsRune(", ;/|\t\r\n", r) }) {
			words := []string{word}
			switch word {
			case "all":
				words = []string{"index", "follow"}
			case "none":
				words = []string{"noindex", "nofollow"}
			}
			for _, w := range words {
				said[tag.Name+" "+w] = tag.Line
			}
		}
	}
	for _, tag := range found {
		for _, word := range []string{"index", "follow", "archive"} {
			a, yes := said[tag.Name+" "+word]
			b, no := said[tag.Name+" no"+word]
			if yes && no {
				return []policy.Finding{at.finding("tags-at-odds", policy.Warning, max(a, b),
					"its %s tags say both %s and no%s: the stricter counts here and for Google, not for every crawler", tag.Name, word, word)}
			}
		}
	}
	return nil
}
