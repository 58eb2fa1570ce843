package published

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"sync"

	"metarobots/internal/plan"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// An Answer is what one vendor of AI does with a URL for one use, through one crawler, by what it
// documents. A use has none if the vendor documents nothing about it: what it does is not
// known.
//
// The table of vendors is that of crawlers, policy/crawlers.json: a vendor is an operator, and does
// with a URL what its crawlers are documented to be for. Signals that nobody documents to obey,
// such as Content-Signal, change nothing.
type Answer struct {
	Vendor  string     `json:"vendor"`
	Crawler string     `json:"crawler"` // its token
	Use     policy.Use `json:"use"`
	// Answer is "allow", "deny", or [Unknown].
	Answer string `json:"answer"`
	// By is the rule of robots.txt that decides, on a line of File. Or it is the header or tag that
	// does, or a rule of the block that the host puts before robots.txt, and there is no File. It
	// is empty if nothing says that the vendor may not.
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

// Unknown is the answer of a vendor that robots.txt denies a use, and that documents nothing about
// obeying it.
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

// A reading is what crawlers read of one URL: in robots.txt, in X-Robots-Tag lines and in robots
// metas.
type reading struct {
	policy  *policy.Policy // gives the known crawlers and the clock
	robots  string         // the name of the robots.txt
	fetches []seen.Fetch   // what robots.txt answers to each of crawlers(), in their order
	header  []string
	tags    []policy.Tag
}

// readingOf is the reading of a file that is asked for with a query.
func readingOf(s *plan.Plan, pg *plan.Page, query string) *reading {
	r := &reading{policy: s.Project.Policy, header: servedHeader(s, pg), tags: pg.Carries}
	question := QuestionAbout(s, pg).asRead(s)
	if question.Robots != nil {
		r.robots = question.Robots.Change.File
	}
	paths := question.pathsWith(query)
	r.fetches = make([]seen.Fetch, len(crawlers()))
	for i, c := range crawlers() { // not Ask: answers name lines of the published file, and not of what it is made from
		r.fetches[i], _ = question.host.Fetch(c.Name, paths...)
	}
	return r
}

// key is equal for readings that get the same answers. It is made for each page, and made of what
// the answers are made of, so that the answers are made once for each key.
func (r *reading) key() string {
	key := fmt.Appendf(nil, "%q %q %q", r.robots, r.header, r.tags)
	for _, f := range r.fetches {
		key = append(key, byte(f.Read), byte(f.Read>>8), byte(f.Read>>16)) // the line decides who may fetch
		if f.Source.Managed != "" {                                        // the line has no number
			key = append(key, f.Rule...)
		}
	}
	return string(key)
}

// answers are those of all vendors, by use and vendor.
func (r *reading) answers() (all []Answer) {
	statements := statementsIn(r.policy, r.header, r.tags)
	for i, c := range crawlers() {
		for _, use := range c.Uses {
			all = append(all, r.answer(c, use, &r.fetches[i], denialOf(use, c, statements)))
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return cmp.Or(cmp.Compare(a.Use, b.Use), cmp.Compare(a.Vendor, b.Vendor)) < 0
	})
	return all
}

// answer is what a crawler's vendor does for a use. fetch is what robots.txt answers to the
// crawler, and denial the header or tag that denies the use to it, which counts only if it may
// fetch the page and read that; empty for none.
func (r *reading) answer(c *policy.Crawler, use policy.DocumentedUse, fetch *seen.Fetch, denial string) Answer {
	a := Answer{Vendor: c.Operator, Crawler: c.Token, Use: use.Of, Unless: use.Unless, Source: use.Source}
	switch {
	case fetch.Allowed && denial != "":
		a.Answer, a.By = policy.Denied.String(), denial
		return a
	case fetch.Allowed:
		a.Answer = policy.Allowed.String()
	case c.SecondHand:
		a.Answer = Unknown
	default:
		a.Answer, a.MayIgnore = policy.Denied.String(), c.RobotsTxt.MayIgnore
	}
	switch a.By = fetch.Rule; {
	case fetch.Source.Managed != "":
		a.By += ", in the block that the host puts before robots.txt"
	case fetch.Read > 0:
		a.File, a.Line = r.robots, fetch.Read // for whoever reads the file that is published
	}
	return a
}

// denialOf returns the header or tag that denies a use to a crawler: the first that states one of
// the directives that its vendor documents for that. It is empty for none. noindex with exceptions
// is as good as noindex.
func denialOf(use policy.DocumentedUse, c *policy.Crawler, statements []policy.Statement) string {
	for _, word := range use.Unless {
		denying := policy.Stating(word)
		for _, s := range statements {
			stated := s.Directives
			if s.Concerns(c) && (stated.AtLeast(denying) || denying.NoIndex() && stated.NoIndex()) {
				return s.Origin.Key
			}
		}
	}
	return ""
}

// statementsIn are what X-Robots-Tag lines and robots metas state, as crawlers document to read
// them. Their key is the line or the tag, as [Answer.By] shows it.
func statementsIn(p *policy.Policy, header []string, tags []policy.Tag) []policy.Statement {
	from := func(key string, readings []policy.Statement) []policy.Statement {
		return policy.At(policy.Origin{Layer: policy.LayerFound, Key: key}, readings...)
	}
	var inHeader, inTags []policy.Statement
	for _, line := range header {
		readings, _ := policy.ParseHeader(line, policy.Documented, p.Crawlers)
		inHeader = append(inHeader, from("X-Robots-Tag: "+line, readings)...)
	}
	for _, tag := range tags {
		readings, _ := policy.ParseMeta(tag.Name, tag.Content, policy.Documented, p.Crawlers)
		inTags = append(inTags, from(`<meta name="`+tag.Name+`" content="`+tag.Content+`" />`, readings)...)
	}
	policy.ApplyIndexIfEmbedded(inHeader)
	policy.ApplyIndexIfEmbedded(inTags)
	return p.Resolve(slices.Concat(inHeader, inTags)).Statements // an unavailable_after that has passed is noindex there
}

// Answers are what vendors of AI do with a file that is asked for with a query, which begins with a
// question mark or is empty.
func Answers(s *plan.Plan, pg *plan.Page, query string) []Answer {
	return readingOf(s, pg, query).answers()
}

// readRobots is the robots.txt that crawlers read for a file; nil for none, and if the site is
// below the root of its host, where crawlers read another one.
func readRobots(s *plan.Plan, pg *plan.Page) *plan.RobotsFile {
	if r := robotsOf(s, pg); r != nil && r.Host.Base == "" {
		return r
	}
	return nil
}

// servedHeader are the X-Robots-Tag lines that a file is served with; none if its host serves no
// headers of the site's.
func servedHeader(s *plan.Plan, pg *plan.Page) []string {
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
		r := readingOf(s, pg, "")
		key := r.key()
		g := known[key]
		if g == nil {
			g = &Group{Answers: r.answers()}
			known[key], all = g, append(all, g)
		}
		g.Pages = append(g.Pages, pg)
	}
	return all
}
