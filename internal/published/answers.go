package published

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"metarobots/internal/plan"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// An Answer is what one vendor of AI does with a URL for one use, through one crawler, by what it documents. Of a use
// for which it has none, it documents nothing: what it does is not known.
//
// The table of vendors is that of crawlers, policy/crawlers.json: a vendor is an operator, and does with a URL what its
// crawlers are documented to be for. Signals that nobody documents to obey, such as Content-Signal, change nothing.
type Answer struct {
	Vendor  string     `json:"vendor"`
	Crawler string     `json:"crawler"` // its token
	Use     policy.Use `json:"use"`
	// Answer is "allow", "deny", or [Unknown].
	Answer string `json:"answer"`
	// By is the rule of robots.txt that decides, which stands in a line of File; or the header or tag, or what the host
	// puts before robots.txt, without a place. It is empty where nothing is said and the vendor may.
	By   string `json:"by"`
	File string `json:"file"`
	Line int    `json:"line"`
	// MayIgnore: robots.txt denies it, and the crawler is documented not to obey that always.
	MayIgnore bool `json:"mayIgnore"`
	// Unless are the directives in tags and headers that would deny it.
	Unless []string `json:"unless,omitempty"`
	// Source is the URL where the vendor documents it.
	Source string `json:"source"`
}

// Unknown is the answer of a vendor that documents nothing where it is denied the use.
const Unknown = "unknown"

// Allows reports whether the vendor may.
func (a *Answer) Allows() bool { return a.Answer == policy.Allowed.String() }

// crawlers are those with a documented use by AI.
var crawlers = sync.OnceValue(func() []*policy.Crawler {
	return slices.DeleteFunc(slices.Clone(policy.AllCrawlers()), func(c *policy.Crawler) bool { return len(c.Uses) == 0 })
})

// VendorNames are the vendors of the table, by name.
func VendorNames() (names []string) {
	for _, c := range crawlers() {
		names = append(names, c.Operator)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// published is what is said of one URL: to each of the crawlers in robots.txt, in X-Robots-Tag lines and in robots metas.
type published struct {
	policy  *policy.Policy // gives the known crawlers and the clock
	robots  string         // the file
	fetches []seen.Fetch   // of the crawlers, in their order
	header  []string
	tags    []policy.Tag
}

// of reads what is said of a file that is asked for with a query.
func of(s *plan.Plan, pg *plan.Page, query string) *published {
	p := &published{policy: s.Project.Policy, header: header(s, pg), tags: pg.Carries}
	question := About(s, pg).behind(s)
	if question.Robots != nil {
		p.robots = question.Robots.Change.File
	}
	paths := question.pathsWith(query)
	p.fetches = make([]seen.Fetch, len(crawlers()))
	for i, c := range crawlers() { // where lines are stated does not matter: answers name those that are published
		p.fetches[i], _ = question.host.Fetch(c.Name, paths...)
	}
	return p
}

// key is equal for URLs with which all vendors do the same.
func (p *published) key() string {
	key := fmt.Appendf(nil, "%q %q %q", p.robots, p.header, p.tags)
	for _, f := range p.fetches {
		key = append(key, byte(f.Read), byte(f.Read>>8), byte(f.Read>>16))
		if f.Source.Managed != "" {
			key = append(key, f.Rule...)
		}
	}
	return string(key)
}

// answers are those of all vendors, by use and vendor.
func (p *published) answers() (all []Answer) {
	said := said(p.policy, p.header, p.tags)
	for i, c := range crawlers() {
		f := p.fetches[i]
		for _, use := range c.Uses {
			a := Answer{Vendor: c.Operator, Crawler: c.Token, Use: use.Of, Answer: policy.Allowed.String(), By: f.Rule,
				Unless: use.Unless, Source: use.Source}
			if f.Source.Managed != "" {
				a.By += ", in the block that the host puts before robots.txt"
			} else if f.Read > 0 {
				a.File, a.Line = p.robots, f.Read // for whoever reads the file that is published
			}
			if by := denies(said, c, use.Unless); f.Allowed && by != "" {
				a.Answer, a.By, a.File, a.Line = policy.Denied.String(), by, "", 0
			} else if !f.Allowed && c.SecondHand {
				a.Answer = Unknown
			} else if !f.Allowed {
				a.Answer, a.MayIgnore = policy.Denied.String(), c.MayIgnore
			}
			all = append(all, a)
		}
	}
	slices.SortStableFunc(all, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.Use, b.Use), cmp.Compare(a.Vendor, b.Vendor))
	})
	return all
}

// denies returns the header or tag that states one of the directives for a crawler, "" for none.
func denies(said []policy.Statement, c *policy.Crawler, unless []string) string {
	for _, word := range unless {
		denial := policy.Stating(word)
		for _, s := range said {
			if d := s.Directives; s.Concerns(c) && (d.AtLeast(denial) || denial.NoIndex() && d.NoIndex()) {
				return s.Origin.Key
			}
		}
	}
	return ""
}

// said is what X-Robots-Tag lines and robots metas state, as crawlers document to read them.
func said(p *policy.Policy, header []string, tags []policy.Tag) []policy.Statement {
	var all []policy.Statement
	say := func(readings []policy.Statement, key string) {
		all = append(all, policy.At(policy.Origin{Layer: policy.LayerFound, Key: key}, readings...)...)
	}
	for _, line := range header {
		readings, _ := policy.ParseHeader(line, policy.Documented, p.Crawlers)
		say(readings, "X-Robots-Tag: "+line)
	}
	n := len(all)
	for _, m := range tags {
		readings, _ := policy.ParseMeta(m.Name, m.Content, policy.Documented, p.Crawlers)
		say(readings, `<meta name="`+m.Name+`" content="`+m.Content+`" />`)
	}
	policy.OneSource(all[:n])
	policy.OneSource(all[n:])
	return p.Resolve(all).Statements // one whose date has passed is noindex
}

// Answers are what vendors of AI do with a file that is asked for with a query, which begins with a question mark or is
// empty.
func Answers(s *plan.Plan, pg *plan.Page, query string) []Answer { return of(s, pg, query).answers() }

// readRobots is the robots.txt that crawlers read for a file: none that lies below the root of its host.
func readRobots(s *plan.Plan, pg *plan.Page) *plan.RobotsFile {
	if r := robotsOf(s, pg); r != nil && r.Host.Base == "" {
		return r
	}
	return nil
}

// header are the X-Robots-Tag lines that a file is served with.
func header(s *plan.Plan, pg *plan.Page) []string {
	if len(pg.Header()) == 0 || s.LeftToTag(pg) || s.Headerless() {
		return nil
	}
	return pg.Header()
}

// A Group is files with which all vendors do the same.
type Group struct {
	Answers []Answer
	Pages   []*plan.Page
}

// AnswersOf are the answers for each file that has a policy.
func AnswersOf(s *plan.Plan) map[*plan.Page][]Answer {
	all := map[*plan.Page][]Answer{}
	for _, g := range Groups(s) {
		for _, pg := range g.Pages {
			all[pg] = g.Answers
		}
	}
	return all
}

// Groups are those of all files that have a policy, in the order of their first files.
func Groups(s *plan.Plan) (all []*Group) {
	known := map[string]*Group{}
	for _, pg := range s.Pages {
		if !pg.File.Role.Policed() {
			continue
		}
		p := of(s, pg, "")
		key := p.key()
		g := known[key]
		if g == nil {
			g = &Group{Answers: p.answers()}
			known[key], all = g, append(all, g)
		}
		g.Pages = append(g.Pages, pg)
	}
	return all
}
