package plan

import (
	"cmp"
	"strings"

	"metarobots/internal/site"
	"metarobots/policy"
)

// learn completes what is known of a page by what it says itself: what its template handed over, which an earlier run may
// have taken out and the state then remembers, and what its generator's map reads in it.
func (e *editor) learn(pg *Page, src []byte) {
	var handed []site.Handover
	for _, tag := range pg.found {
		if tag.Name != site.HandoverName {
			continue
		}
		h, err := site.ParseHandover(tag.Content, e.plan.project.Config.Robots.FrontMatter)
		if err != nil {
			pg.finding("handover", policy.Error, tag.Line, "<meta name=%q>: %v: it states nothing", tag.Name, err)
			continue
		}
		for _, problem := range h.Problems {
			if problem.Severity == policy.Error {
				pg.finding("handover", policy.Error, tag.Line, "<meta name=%q>: %s: this states nothing", tag.Name, problem.Message)
				continue
			}
			pg.finding(problem.ID, problem.Severity, tag.Line, "<meta name=%q>: %s", tag.Name, problem.Message)
		}
		for i := range h.Statements {
			if at := &h.Statements[i].Origin; at.File == "" {
				at.File, at.Line = e.plan.Published(pg.Name), tag.Line
			}
		}
		handed = append(handed, h)
	}
	if l, ok := e.plan.m.(site.Learner); ok {
		l.Learn(&pg.File, src, handed)
	} else {
		known := pg.File.Source // Hugo knows it better than its templates, whose paths count from the content's folder
		for i := range handed {
			h := &handed[i]
			for j := range h.Statements {
				if at := &h.Statements[j].Origin; at.File == h.Source && strings.HasSuffix(known, "/"+h.Source) {
					at.File = known
				}
			}
			h.Take(&pg.File)
		}
		pg.File.Source = cmp.Or(known, pg.File.Source)
	}
	pg.Source = pg.File.Source
}
