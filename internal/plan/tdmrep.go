package plan

import (
	"slices"

	"metarobots/emit/patch"
	"metarobots/emit/robotstxt"
	"metarobots/internal/project"
	"metarobots/internal/state"
	"metarobots/policy"
)

// planTDMRep plans the tdmrep.json of a host (I7). It returns the carriers without that file where it is not ours to
// write, and what none of them can say with what that file cannot.
func (mk *Maker) planTDMRep(s *Plan, h project.Host, ai *robotstxt.Preferences,
	unsaid []robotstxt.Unsaid) ([]string, []robotstxt.Unsaid) {
	c := mk.project.Output(h.Root + ".well-known/tdmrep.json")
	var err error
	c.Old, err = mk.project.Read(c.Path, project.MaxConfig)
	own := mk.project.Own(mk.from, &c)
	wanted, why := slices.Contains(ai.Carriers, robotstxt.TDMRepFile), ""
	switch {
	case err != nil && wanted:
		why = "the file cannot be read: " + project.Reason(err)
	case err != nil:
		return ai.Carriers, unsaid
	case own != nil:
		why = "the file is the site's own, and stays"
	case h.Base != "":
		why = "a reader looks for this file at the root of the host alone, and the site is at " + h.Base + "/"
	}
	var text []byte
	if wanted && why == "" {
		var more []robotstxt.Unsaid
		text, more = ai.TDMRep()
		unsaid = append(unsaid, more...)
	}
	if c.New = own; own == nil {
		c.New, c.Left = state.Edit(nil, nil, c.Old, patch.Between(nil, text), c.Stands)
	}
	if err == nil && (c.Old != nil || c.New != nil) && own == nil {
		s.TDMRep = append(s.TDMRep, &c)
	}
	if !wanted || why == "" {
		return ai.Carriers, unsaid
	}
	s.Findings = append(s.Findings, policy.Finding{ID: "ai-carrier", Severity: policy.Warning, File: c.File,
		Message: why + ": what is stated of training is not written to it"})
	return slices.DeleteFunc(slices.Clone(ai.Carriers), func(c string) bool { return c == robotstxt.TDMRepFile }), unsaid
}
