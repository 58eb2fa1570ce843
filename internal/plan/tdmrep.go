package plan

import (
	"slices"

	"metarobots/emit/patch"
	"metarobots/emit/robotstxt"
	"metarobots/internal/project"
	"metarobots/internal/state"
	"metarobots/policy"
)

// A TDMRepFile is the tdmrep.json of one host (I7).
type TDMRepFile struct {
	Change state.Output
	Host   project.Host
	Rules  robotstxt.Reservations // read from its new bytes; nil for a file that goes
	// Missing are errors: what the file was to reserve, and does not.
	Missing []policy.Finding
}

// planTDMRep plans the tdmrep.json of a host (I7), and returns what it says.
func (mk *Maker) planTDMRep(s *Plan, h project.Host, ai *robotstxt.Preferences) (said robotstxt.Said) {
	file := &TDMRepFile{Host: h, Change: mk.project.Output(h.Root + robotstxt.TDMRepPath[1:])}
	c := &file.Change
	var err error
	c.Old, err = mk.project.Read(c.Path, project.MaxConfig)
	own := mk.project.Own(mk.from, c)
	wanted, why := slices.Contains(ai.Carriers, robotstxt.TDMRepFile), ""
	switch {
	case err != nil:
		why = "the file cannot be read: " + project.Reason(err)
	case own != nil:
		why = "the file is the site's own, and stays"
	case h.Base != "":
		why = "a reader looks for this file at the root of the host alone, and the site is at " + h.Base + "/"
	}
	var text []byte
	if wanted && why == "" {
		text, said = ai.TDMRep()
		file.Rules, _ = robotstxt.ParseTDMRep(text) // as its readers do: the proof
		file.Missing = unsaid(*c, said.Prove(nil, file.Rules))
	}
	if err == nil && own == nil {
		c.New, c.Left = state.Edit(nil, nil, c.Old, patch.Between(nil, text), c.Stands)
		if c.Old != nil || c.New != nil {
			s.TDMRep = append(s.TDMRep, file)
		}
	}
	if wanted && why != "" {
		s.Findings = append(s.Findings, policy.Finding{ID: "ai-carrier", Severity: policy.Warning, File: c.File,
			Message: why + ": what is stated of training is not written to it"})
	}
	return said
}
