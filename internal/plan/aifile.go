package plan

import (
	"slices"
	"strings"

	"metarobots/emit/patch"
	"metarobots/emit/robotstxt"
	"metarobots/internal/project"
	"metarobots/internal/state"
	"metarobots/policy"
)

// An AIFile is a file of one host that says what AI may do with its files, such as tdmrep.json
// (I7).
type AIFile struct {
	Change state.Output
	Host   project.Host
	Kind   robotstxt.AIFile
	// Rules are read from its new bytes; none for a file that goes.
	Rules robotstxt.Rules
	// Missing are errors: what the file was to deny, and does not.
	Missing []policy.Finding
}

// planAIFiles plans a host's files about AI, and returns what they say.
func (mk *Maker) planAIFiles(s *Plan, h project.Host, ai *robotstxt.Preferences) (
	said robotstxt.Said) {
	for _, kind := range robotstxt.AIFiles {
		said = append(said, mk.planAIFile(s, h, kind, ai)...)
	}
	return said
}

// planAIFile plans a file of this kind, such as tdmrep.json, for a host, and returns what it says
// (I7); nil if it is not written. ai is what is stated for the host's files, with the carriers that
// the owner chose, or none if nothing is stated. What becomes of the file depends on what is there,
// and on whether it is one of the carriers:
//
//	what is there                   a carrier                      no carrier
//	nothing, or an earlier run's    it is written as ai asks       it is removed, or not made
//	the same, and the site is       it is removed, or not made,    it is removed, or not made
//	below a path of the host        with a warning
//	the site's own, or one that     it stays, with a warning       it stays
//	cannot be read
//
// If it is ours and is there, or is to be made, it is added to s.HostFiles.AI.
func (mk *Maker) planAIFile(s *Plan, h project.Host, kind robotstxt.AIFile,
	ai *robotstxt.Preferences) (said robotstxt.Said) {
	name := h.Root + strings.TrimPrefix(kind.Path(), "/") // "de/.well-known/tdmrep.json"
	file := &AIFile{Host: h, Kind: kind, Change: mk.project.Output(name)}
	c := &file.Change
	var err error
	c.Old, err = mk.project.Read(c.Path, project.MaxConfig) // nil without an error if it is not there
	own := mk.project.OwnBytes(mk.from, c)                  // also sets what an earlier run left there
	isWanted := slices.Contains(ai.Carriers, kind.Carrier())
	obstacle := obstacleToFile(h, own, err) // empty if there is none
	var text []byte                         // nil for no file
	if isWanted && obstacle == "" {
		text, said = kind.Write(ai)     // no text if ai asks for nothing that the file can say
		file.Rules, _ = kind.Read(text) // as its readers do
		var noRobots *robotstxt.File    // the rules alone have to say it
		file.Missing = unsaid(*c, said.Prove(noRobots, file.Rules))
	}
	isOurs := err == nil && own == nil // an earlier run made the file, or there is none
	if isOurs {                        // else it is neither written nor removed
		// All of the file is ours: it is a patch of no bytes.
		var buffer []byte // none is there to be used again
		c.New, c.Left = state.Edit(buffer, own, c.Old, patch.Between(own, text), c.Stands)
		if c.Old != nil || c.New != nil {
			s.HostFiles.AI = append(s.HostFiles.AI, file)
		}
	}
	if isWanted && obstacle != "" {
		s.Findings = append(s.Findings, policy.Finding{ID: "ai-carrier", Severity: policy.Warning,
			File:    c.File,
			Message: obstacle + ": what is stated of training is not written to it"})
	}
	return said
}

// obstacleToFile says why a file about AI cannot be written for a host; empty if it can. own are
// the bytes of the site's own file, nil if there is none, and err is the error of reading it.
func obstacleToFile(h project.Host, own []byte, err error) string {
	switch {
	case err != nil:
		return "the file cannot be read: " + project.Reason(err)
	case own != nil:
		return "the file is the site's own, and stays"
	case h.Base != "":
		return "a reader looks for this file at the root of the host alone, and the site is at " +
			h.Base + "/"
	}
	return ""
}
