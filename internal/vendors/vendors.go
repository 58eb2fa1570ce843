// Package vendors says what the vendors of AI do with a URL by what they document. It reads what is published,
// robots.txt, headers and tags, and knows nothing of what was decided.
//
// The table of vendors is that of crawlers, policy/crawlers.json: a vendor is an operator, and does with a URL what its
// crawlers are documented to be for. Signals that nobody documents to obey, such as Content-Signal, change nothing.
package vendors

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/policy"
)

// An Answer is what one vendor does with a URL for one use, through one crawler. Of a use for which it has none, it
// documents nothing: what it does is not known.
type Answer struct {
	Vendor  string
	Crawler string // its token
	Use     policy.Use
	// Does is Allowed or Denied; Unstated where it is denied and the vendor documents nothing, so that nobody knows.
	Does policy.Preference
	// By is the rule of robots.txt that decides, with its line; or the header or tag, or what the host puts before
	// robots.txt, without one. It is empty where nothing is said and the vendor may.
	By   string
	Line int
	// MayIgnore: robots.txt denies it, which the crawler is documented to ignore at times.
	MayIgnore bool
	// Unless are the directives in tags and headers that would deny it.
	Unless []string
	// Source is where the vendor documents it.
	Source string
}

// A Reader answers for the URLs of one host. It is not for several goroutines at once.
type Reader struct {
	robots *robotstxt.File
	before int // lines of the block that the host puts before the site's own
	policy *policy.Policy
	// asked are crawlers of which each is asked for all for which the same lines of robots.txt hold; of says which.
	asked []string
	of    map[*policy.Crawler]int
	known map[string][]Answer // by what decides: many URLs are alike
}

// NewReader returns a reader of a robots.txt, nil where there is none, and of the block that a host puts before it
// ([robotstxt.ManagedNames]). The policy gives the known crawlers and the clock.
func NewReader(robots *robotstxt.File, managed string, p *policy.Policy) *Reader {
	r := &Reader{policy: p, of: map[*policy.Crawler]int{}, known: map[string][]Answer{}}
	robots, r.before = robots.Behind(managed)
	r.robots = robots
	same := map[string]int{}
	for _, c := range crawlers() {
		key := ""
		if robots != nil {
			key = robots.RulesKey(c.Name)
		}
		i, ok := same[key]
		if !ok {
			i, same[key] = len(r.asked), len(r.asked)
			r.asked = append(r.asked, c.Name)
		}
		r.of[c] = i
	}
	return r
}

// crawlers are those with a documented use by AI.
func crawlers() []*policy.Crawler {
	return slices.DeleteFunc(slices.Clone(policy.AllCrawlers()), func(c *policy.Crawler) bool { return len(c.Uses) == 0 })
}

// Names are the vendors of the table, by name.
func Names() (names []string) {
	for _, c := range crawlers() {
		names = append(names, c.Operator)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Ask returns what each vendor does with a URL, an encoded path with its query, by use and vendor: header are the
// X-Robots-Tag lines of the answer, metas its robots metas. The list is shared by URLs that are alike, and not to be
// changed.
func (r *Reader) Ask(url string, header []string, metas []policy.Tag) []Answer {
	verdicts := make([]robotstxt.Verdict, len(r.asked))
	var key strings.Builder
	for i, name := range r.asked {
		verdicts[i].Allowed = true
		if r.robots != nil {
			verdicts[i] = r.robots.Ask(name, url)
		}
		key.WriteString(strconv.Itoa(verdicts[i].Line) + " ")
	}
	for _, line := range header {
		key.WriteString("\n" + line)
	}
	for _, m := range metas {
		key.WriteString("\n\n" + m.Name + ": " + m.Content)
	}
	answers, ok := r.known[key.String()]
	if !ok {
		answers = r.answer(verdicts, Said(r.policy, header, metas))
		r.known[key.String()] = answers
	}
	return answers
}

func (r *Reader) answer(verdicts []robotstxt.Verdict, said *policy.Decision) (all []Answer) {
	for _, c := range crawlers() {
		v := verdicts[r.of[c]]
		for _, use := range c.Uses {
			a := Answer{Vendor: c.Operator, Crawler: c.Token, Use: use.Of, Does: policy.Allowed, By: v.Rule, Line: v.Line,
				Unless: use.Unless, Source: use.Source}
			if v.Line > 0 && v.Line <= r.before {
				a.By, a.Line = v.Rule+", in the block that the host puts before robots.txt", 0
			} else if v.Line > 0 {
				a.Line -= r.before
			}
			if by := denies(said, c, use.Unless); v.Allowed && by != "" {
				a.Does, a.By, a.Line = policy.Denied, by, 0
			} else if !v.Allowed && c.SecondHand {
				a.Does = policy.Unstated
			} else if !v.Allowed {
				a.Does, a.MayIgnore = policy.Denied, c.MayIgnore
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
func denies(said *policy.Decision, c *policy.Crawler, unless []string) string {
	if len(said.Statements) == 0 {
		return ""
	}
	for _, word := range unless {
		denial := policy.Stating(word)
		states := func(d policy.Directives) bool { return d.AtLeast(denial) || denial.NoIndex() && d.NoIndex() }
		if !states(said.Obeyed(c)) {
			continue
		}
		for _, s := range said.Statements {
			if (s.Crawler == "" || s.Crawler == c.Name || s.Crawler == c.AlsoObeys) && states(s.Directives) {
				return s.Origin.Key
			}
		}
	}
	return ""
}

// Said combines the X-Robots-Tag lines and the robots metas of an answer as crawlers document to read them. The policy
// gives the known crawlers and the clock.
func Said(p *policy.Policy, header []string, metas []policy.Tag) *policy.Decision {
	var all []policy.Statement
	say := func(readings []policy.Reading, key string) {
		all = append(all, policy.Statements(readings, policy.Origin{Layer: policy.LayerFound, Key: key})...)
	}
	for _, line := range header {
		readings, _ := policy.ParseHeader(line, policy.Documented, p.Crawlers)
		say(readings, "X-Robots-Tag: "+line)
	}
	n := len(all)
	for _, m := range metas {
		readings, _ := policy.ParseMeta(m.Name, m.Content, policy.Documented, p.Crawlers)
		say(readings, `<meta name="`+m.Name+`" content="`+m.Content+`" />`)
	}
	policy.OneSource(all[:n])
	policy.OneSource(all[n:])
	d := p.Resolve(all)
	return &d
}
