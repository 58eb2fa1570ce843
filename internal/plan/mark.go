package plan

import (
	"bytes"
	"strings"

	"metarobots/emit/headers"
	"metarobots/policy"
)

// brokenMark returns the line, from 1, of the first mark that has lost its other half, 0 where all stand in pairs. Only
// a person's edit, or a merge of two branches, can part them. emit/servers and emit/robotstxt have the marks of
// emit/headers.
func brokenMark(file []byte) (line int) {
	open, n := 0, 0
	for l := range bytes.Lines(file) {
		n++
		switch l := string(bytes.TrimSpace(l)); {
		case strings.HasPrefix(l, headers.MarkPrefix):
			if open > 0 {
				return open
			}
			open = n
		case l == headers.MarkEnd:
			if open == 0 {
				return n
			}
			open = 0
		}
	}
	return open
}

// marks reports a mark without its other half in a file that an earlier run has written into: what stood between the
// two counts as the owner's own from now on, and stays for good.
func (p *planner) marks(name string, file []byte) {
	line := brokenMark(file)
	if line == 0 {
		return
	}
	p.report(policy.Finding{ID: "broken-mark", Severity: policy.Error, File: name, Line: line,
		Message: "this mark has lost its other half, so nobody can tell which lines metarobots wrote: all of them " +
			"count as your own (take out what is not yours, with the lines that begin with \"# metarobots\")"})
}
