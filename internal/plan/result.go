package plan

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"metarobots/policy"
)

// A Result is a plan in the form of --json (X).
type Result struct {
	Pages    []PageResult     `json:"pages"`
	Findings []policy.Finding `json:"findings"`
	Summary  Summary          `json:"summary"`
}

// A PageResult is one published file.
type PageResult struct {
	URL      string            `json:"url"`
	File     string            `json:"file"`
	Role     string            `json:"role"`
	Title    string            `json:"title,omitempty"`
	Kind     string            `json:"kind"`
	Type     string            `json:"type"`
	Section  string            `json:"section"`
	Language string            `json:"language"`
	Format   string            `json:"format"`
	Meta     map[string]string `json:"meta"`
	Header   []string          `json:"header"`
	Why      []WhyResult       `json:"why"`
	// RobotsTxt is what robots.txt says of it, where somebody asked.
	RobotsTxt []VerdictResult `json:"robotsTxt,omitempty"`
}

// A WhyResult is one statement that applied.
type WhyResult struct {
	Layer  string `json:"layer"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Key    string `json:"key"`
	States string `json:"states"`
}

// A Summary counts.
type Summary struct {
	// Environment and what chose it.
	Environment string `json:"environment"`
	ChosenBy    string `json:"chosenBy"`
	// Private: the environment states something, so that the site is no public one.
	Private bool `json:"private"`
	// Policy is the policy file, empty without one.
	Policy string `json:"policy"`
	// Hosts are the base URLs of the site by the folder that each serves, as in a snapshot; empty where none is known.
	Hosts map[string]string `json:"hosts"`
	// Publish is the publish folder.
	Publish string `json:"publish"`
	// Files are all published files; Pages the HTML files of the generator that have a policy.
	Files int `json:"files"`
	Pages int `json:"pages"`
	// Indexable and Noindex are those pages by what everyone is told.
	Indexable int `json:"indexable"`
	Noindex   int `json:"noindex"`
	// OtherRestricted are files that are no such pages and whose decision restricts something.
	OtherRestricted int `json:"otherRestricted"`
	Redirects       int `json:"redirects"`
	Errors          int `json:"errorPages"`
	// Changed are the HTML files that change, or were written; Unchanged the others.
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	// Tags is how many robots metas the pages carry in the end.
	Tags int `json:"tags"`
	// Links are the links and snippets that carry a value of ours, on LinkPages pages.
	Links     int `json:"links"`
	LinkPages int `json:"linkPages"`
	// Headers tell of each header file.
	Headers []HeaderSummary `json:"headers"`
	// Sitemaps are the files that entries are taken out of; SitemapEntries how many.
	Sitemaps       int `json:"sitemaps"`
	SitemapEntries int `json:"sitemapEntries"`
	// Robots tell of each robots.txt.
	Robots []RobotsSummary `json:"robots"`
	// NewlyNoindex are the addresses of pages that an earlier run left in the index and this one takes out.
	NewlyNoindex []string `json:"newlyNoindex"`
	// Findings by severity; Silenced are those the owner does not want to hear of.
	Findings map[policy.Severity]int `json:"findings"`
	Silenced int                     `json:"silenced"`
}

// A HeaderSummary tells of one header file.
type HeaderSummary struct {
	File    string `json:"file"`
	Target  string `json:"target"`
	Rules   int    `json:"rules"` // ours
	Total   int    `json:"total"` // with the site's own
	Limit   int    `json:"limit"` // 0: none
	GivenUp int    `json:"givenUp"`
	Changed bool   `json:"changed"`
	Removed bool   `json:"removed"`
}

// A RobotsSummary tells of one robots.txt.
type RobotsSummary struct {
	File    string `json:"file"`
	Changed bool   `json:"changed"`
	Removed bool   `json:"removed"`
}

// Now is the clock of the run (L7).
func (p *Plan) Now() time.Time { return p.project.Policy.Now }

// Site names the site by its address; empty where that is not known.
func (p *Plan) Site() string { return p.project.settings.BaseURL }

// Overview is the plan in the form of --json, without its pages: see [Plan.Results].
func (p *Plan) Overview() Result {
	r := Result{Pages: []PageResult{}, Findings: p.Findings, Summary: p.Summary()}
	if r.Findings == nil {
		r.Findings = []policy.Finding{}
	}
	return r
}

// Results are the pages in the form of --json, one after the other: a site may have more than are to be in memory.
func (p *Plan) Results() iter.Seq[PageResult] {
	return func(yield func(PageResult) bool) {
		for _, pg := range p.Pages {
			if !yield(p.PageResult(pg)) {
				return
			}
		}
	}
}

// Why returns the statements behind a page's decision, each with the file where it stands.
func (p *Plan) Why(pg *Page) []policy.Statement {
	statements := slices.Clone(pg.Decision.Statements)
	for i := range statements {
		if o := &statements[i].Origin; o.Layer == policy.LayerFound && o.File == "" {
			o.File = p.Published(pg.Name) // it is the page's own, and left out so that pages share their decisions
		}
	}
	return statements
}

// PageResult returns a page in the form of --json.
func (p *Plan) PageResult(pg *Page) PageResult {
	r := PageResult{URL: pg.URL, File: pg.Name, Role: pg.Role.String(), Title: pg.Title, Kind: pg.Kind, Type: pg.Type, Section: pg.Section, Language: pg.Language, Format: pg.Format,
		Meta: map[string]string{}, Header: pg.Header, Why: []WhyResult{}}
	if r.Header == nil {
		r.Header = []string{}
	}
	for _, t := range pg.Carries {
		if was, ok := r.Meta[t.Name]; ok { // several tags of one name that are not ours to mend
			t.Content = was + ", " + t.Content
		}
		r.Meta[t.Name] = t.Content
	}
	for _, s := range p.Why(pg) {
		r.Why = append(r.Why, WhyResult{s.Origin.Layer.String(), s.Origin.File, s.Origin.Line, s.Origin.Key, s.States()})
	}
	return r
}

// Summary counts what the plan holds.
func (p *Plan) Summary() Summary {
	project := p.project
	s := Summary{Environment: project.Environment.Name, ChosenBy: project.Environment.By, Private: len(project.Environment.Statements) > 0, Policy: project.policyAt,
		Hosts: project.hosts(), Publish: project.short(project.settings.Publish), Files: len(p.Pages), Findings: map[policy.Severity]int{}, Silenced: p.Silenced, NewlyNoindex: append([]string{}, p.NewlyNoindex...), Headers: []HeaderSummary{}, Robots: []RobotsSummary{}}
	for _, pg := range p.Pages {
		switch {
		case pg.Role == policy.RoleRedirect:
			s.Redirects++
		case pg.Role == policy.RoleError:
			s.Errors++
		case pg.Role == policy.RolePage && pg.Decision.NoIndex():
			s.Pages, s.Noindex = s.Pages+1, s.Noindex+1
		case pg.Role == policy.RolePage:
			s.Pages, s.Indexable = s.Pages+1, s.Indexable+1
		case pg.Decision.Restricts():
			s.OtherRestricted++
		}
		if s.Links += pg.edits; pg.edits > 0 {
			s.LinkPages++
		}
		if pg.HTML {
			s.Tags += len(pg.Carries)
			if pg.Changes {
				s.Changed++
			} else {
				s.Unchanged++
			}
		}
	}
	for _, h := range p.Headers {
		target := h.Target
		if h.former {
			target += ", no longer a target"
		}
		s.Headers = append(s.Headers, HeaderSummary{h.File, target, h.Result.Rules, h.Result.Total, h.Result.Limit,
			len(h.Result.GivenUp), h.Changes(), h.Old != nil && h.New == nil})
	}
	for _, m := range p.Sitemaps {
		if m.Dropped > 0 {
			s.Sitemaps, s.SitemapEntries = s.Sitemaps+1, s.SitemapEntries+m.Dropped
		}
	}
	for _, r := range p.Robots {
		s.Robots = append(s.Robots, RobotsSummary{r.File, r.Changes(), r.Old != nil && r.New == nil})
	}
	for _, f := range p.Findings {
		s.Findings[f.Severity]++
	}
	return s
}

// Failed reports whether a finding is an error.
func (p *Plan) Failed() bool {
	for _, f := range p.Findings {
		if f.Severity == policy.Error {
			return true
		}
	}
	return false
}

// Resolve combines texts in the grammar of X-Robots-Tag, each a source of its own (X: resolve): what is printed for
// everyone, "all" where nothing is stated, and for each crawler that differs. Faults of the texts are an
// [*InvalidError]; the findings are what else is to be said of them.
func Resolve(texts []string) ([]policy.Tag, []policy.Finding, error) {
	var (
		p          policy.Policy
		statements []policy.Statement
		findings   []policy.Finding
		errs       []error
	)
	for i, text := range texts {
		readings, problems := policy.ParseHeader(text, policy.Own, p.Crawlers)
		at := policy.Origin{Key: fmt.Sprintf("argument %d", i+1)}
		source := make([]policy.Statement, len(readings))
		for i, r := range readings {
			source[i] = r.Statement(at)
		}
		for range policy.OneSource(source) {
			problems = append(problems, policy.Problem{ID: "indexifembedded", Severity: policy.Warning, Message: "indexifembedded states nothing without noindex"})
		}
		statements = append(statements, source...)
		for _, problem := range problems {
			if problem.Severity == policy.Error {
				errs = append(errs, fmt.Errorf("%s: %s", at.Key, problem.Message))
				continue
			}
			findings = append(findings, policy.Finding{ID: problem.ID, Severity: problem.Severity, Message: at.Key + ": " + problem.Message})
		}
	}
	if len(errs) > 0 {
		return nil, nil, invalid(errors.Join(errs...))
	}
	d := p.Resolve(statements)
	tags := d.Texts(p.Style)
	if len(tags) == 0 || tags[0].Name != "robots" {
		tags = append([]policy.Tag{{Name: "robots", Content: "all"}}, tags...)
	}
	return tags, findings, nil
}
