package cli

import (
	"cmp"
	"slices"
	"strings"

	"metarobots/internal/engines"
	"metarobots/internal/plan"
	"metarobots/internal/result"
	"metarobots/policy"
)

// engine returns the engine that --as names, nil where nobody asks for one.
func (c *command) engine() (*engines.Engine, error) {
	if c.as == "" {
		return nil, nil
	}
	if e, ok := engines.LookupEngine(c.as); ok {
		return e, nil
	}
	names, crawlers := engines.EngineNames()
	return nil, invalidf("--as %s: unknown engine%s: %s, or one of their crawlers, %s",
		c.as, policy.DidYouMean(c.as, slices.Concat(names, crawlers)), strings.Join(names, ", "),
		strings.Join(crawlers, ", "))
}

// answer asks an engine how it reads what a page carries and what its header is to say, where the host serves headers.
func answer(e *engines.Engine, site *plan.Site, pg *plan.Page) (engines.Answer, []string) {
	header := pg.Header
	if site.Headerless() {
		header = nil
	}
	a := e.Read(pg.Carries, header, site.Policy.Now)
	if !pg.Role.Policed() {
		return a, nil // nothing was decided
	}
	return a, a.Differs(e.Told(&pg.Decision))
}

// asJSON is an answer as JSON has it; nil where nobody asks.
func asJSON(e *engines.Engine, site *plan.Site, pg *plan.Page) *result.Reading {
	if e == nil {
		return nil
	}
	a, differs := answer(e, site, pg)
	return &result.Reading{Engine: e.Name, Directives: a.Directives.String(), Index: !a.Directives.NoIndex(),
		Follow: !a.Directives.NoFollow(), Snippet: a.Directives.SnippetLimit(), Why: a.Why, Ignored: a.Ignored,
		NotDocumented: a.Silent, Differs: append([]string{}, differs...), Sources: e.Sources, AsOf: engines.AsOf()}
}

// as prints how an engine reads a page.
func (p *printer) as(e *engines.Engine, site *plan.Site, pg *plan.Page) {
	a, differs := answer(e, site, pg)
	color := green
	if a.Directives.NoIndex() {
		color = yellow
	}
	p.show("as", struct {
		engines.Answer
		Color, Reads string
		Differs      []string
	}{a, color, cmp.Or(a.Directives.String(), "index, follow, by default"), differs})
}
