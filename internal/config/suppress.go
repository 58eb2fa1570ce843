package config

import (
	"fmt"
	"slices"

	"metarobots/internal/findings"
	"metarobots/policy"
)

// A Suppression keeps findings that the owner knows and accepts from being reported.
type Suppression struct {
	// ID is the finding's; Match are globs of the URLs it is about, none for all.
	ID    string
	Match []policy.Glob
	// Origin is where the configuration says so.
	Origin policy.Origin
}

// Matches reports whether a finding is one to suppress.
func (s *Suppression) Matches(f *policy.Finding) bool {
	if kind, _ := findings.Of(f.ID); s.ID != f.ID || !kind.MaySuppress(f.Severity) {
		return false
	}
	if len(s.Match) == 0 {
		return true
	}
	path := policy.Path{File: f.URL, URL: f.URL}
	return slices.ContainsFunc(s.Match, func(g policy.Glob) bool { return g.Match(path) })
}

// suppressions reads robots.suppress.
func (d *decoder) suppressions(tables []*table) []Suppression {
	var all []Suppression
	for _, t := range tables {
		s := Suppression{ID: t.text("id"), Match: d.globs(t, "match"), Origin: d.origin(t.path)}
		t.text("reason") // for readers of the file
		t.done()
		kind, ok := findings.Named(s.ID)
		if ok && kind.ID != s.ID {
			file, line := d.locate(t.at("id")...)
			d.findings = append(d.findings, policy.Finding{ID: "config", Severity: policy.Note, File: file, Line: line,
				Message: fmt.Sprintf("the finding %s is called %s now: the next release reads the new name alone", s.ID,
					kind.ID)})
			s.ID = kind.ID
		}
		switch {
		case s.ID == "":
			d.errorf(t.path, "an entry needs id, that of the finding")
		case !ok:
			d.unknownName(t.at("id"), "finding", s.ID, suppressible())
		case kind.CannotSuppress && len(kind.Also) == 0:
			d.errorf(t.at("id"), "%s cannot be suppressed (docs/findings.md says why)", s.ID)
		}
		all = append(all, s)
	}
	return all
}
