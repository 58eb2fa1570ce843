package seen

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Role says why an answer has no directives: the URL is [Missing], it leads elsewhere, robots.txt
// keeps the crawler from it, or it cannot be read. It is empty if the crawler reads a page there.
func (a *Answer) Role() string {
	switch {
	case a.Status == http.StatusNotFound || a.Status == http.StatusGone:
		return Missing
	case a.Verdict == Redirected || a.Got == string(Redirect):
		return string(Redirect)
	case a.Got == "":
		return NotReached
	case a.Got == Disallowed:
		return Disallowed
	}
	return ""
}

// Statements are what X-Robots-Tag lines and robots metas state, as a text of that kind. The lines
// are one source, and so are the metas (D3). The key of a statement is its line or its tag.
func Statements(lines []string, metas []Meta, known policy.Crawlers, as policy.Text) (header, page []policy.Statement) {
	found := func(key string, line int) policy.Origin {
		return policy.Origin{Layer: policy.LayerFound, Key: key, Line: line}
	}
	for _, line := range lines {
		readings, _ := policy.ParseHeader(line, as, known)
		header = append(header, policy.At(found(robotstag.Name+": "+line, 0), readings...)...)
	}
	for _, m := range metas {
		readings, _ := policy.ParseMeta(m.Name, m.Content, as, known)
		tag := fmt.Sprintf("<meta name=%q content=%q /> in line %d", m.Name, m.Content, m.Line)
		page = append(page, policy.At(found(tag, m.Line), readings...)...)
	}
	policy.ApplyIndexIfEmbedded(header)
	policy.ApplyIndexIfEmbedded(page)
	return header, page
}

// Decide combines what an answer states, as audits of a folder do: by what crawlers document to
// read (M2h), with a past date as noindex (L7). The first statements, so many as headers says, are
// of header lines; the others are of tags.
func (a *Answer) Decide(known policy.Crawlers, now time.Time) (d policy.Decision, headers int) {
	header, page := Statements(a.Header, a.Meta, known, policy.Audited)
	p := policy.Policy{Crawlers: known, Now: now}
	return p.Resolve(slices.Concat(header, page)), len(header)
}

// ToldBy is what a deployed site restricts at one URL by the answers for everyone, which is the
// first, and for several crawlers. Every output about a deployed site goes by it. now says which
// dates have passed.
func ToldBy(answers []Answer, now time.Time) Told {
	everyone := &answers[0]
	if role := everyone.Role(); role != "" {
		return Told{Role: role}
	}
	if len(everyone.Header)+len(everyone.Meta) == 0 { // or the results had no room for them
		return toldByTexts(answers)
	}
	var names []string
	for _, a := range answers {
		if a.Crawler != Everyone {
			names = append(names, a.Crawler)
		}
	}
	d, _ := everyone.Decide(policy.KnownCrawlers(names...), now)
	return toldByDecision(&d)
}

// toldByDecision is what a decision restricts.
func toldByDecision(d *policy.Decision) Told {
	told := Told{Robots: Read(d.Generic.String())}
	for _, agent := range d.Agents {
		told.Tell(agent.Crawler.Name, Read(agent.Directives.String()))
	}
	return told.Restrictions()
}

// toldByTexts is what answers restrict by the printed directives that crawlers got.
func toldByTexts(answers []Answer) (told Told) {
	for i := range answers {
		if a := &answers[i]; a.Role() == "" {
			told.Tell(a.Crawler, Read(a.Got))
		}
	}
	told.Robots = Read(answers[0].Got)
	return told.Restrictions()
}
