package plan

import (
	"metarobots/emit/marks"
	"metarobots/policy"
)

// marks reports a mark without its other half in a file that an earlier run has written into: what stood between the
// two counts as the owner's own from now on, and stays for good.
func (p *planner) marks(name string, file []byte) {
	line := marks.Read(file).Broken
	if line == 0 {
		return
	}
	p.report(policy.Finding{ID: "broken-mark", Severity: policy.Error, File: name, Line: line,
		Message: "this mark has lost its other half, so nobody can tell which lines metarobots wrote: all of them " +
			"count as your own (take out what is not yours, with the lines that begin with \"# metarobots\")"})
}
