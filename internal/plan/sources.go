package plan

import (
	"io/fs"

	"metarobots/emit/marks"
	"metarobots/internal/disk"
	"metarobots/internal/project"
	"metarobots/policy"
)

// readSource reads a source of a published file, which the generator names relative to the working folder or the site:
// Hugo's may lie in a module or a theme.
func (p *planner) readSource(name string, limit int64) ([]byte, error) {
	source := p.m.File(name).Source
	if source == "" {
		return nil, fs.ErrNotExist
	}
	file := project.Absolute(p.Project.Options.WorkDir, source)
	if !project.Exists(file) {
		file = project.Absolute(p.Project.Source, source)
	}
	return disk.ReadFile(file, limit)
}

// notRead reports a file that is there and not read.
func (p *planner) notRead(file string, err error) {
	p.report(policy.Finding{ID: "not-read", Severity: policy.Error, File: p.Project.Short(file),
		Message: "the file is not read: " + project.Reason(err)})
}

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
