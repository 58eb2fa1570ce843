package project

import (
	"metarobots/internal/disk"
	"metarobots/internal/state"
)

// A Source is where the bytes of published files come from: the publish folder as it is, a build
// that writes into it, or a build that writes nothing.
type Source interface {
	// List lists the files that are published by the end of the run, without those that a plan
	// adds.
	List() (Listing, error)
	// Generated returns a file as its generator made it in this run, where it is not in the publish
	// folder; it may be nil for one whose bytes nobody reads. The bytes may be put into buf, which
	// may be nil.
	Generated(name string, buf []byte) (data []byte, ok bool)
	// Builds reports whether the generator makes the site in this run. Then all of its pages are
	// there, their tags are its own, and static files may not be published yet.
	Builds() bool
}

// Published is the source of a site that is built already.
type Published struct{ Project *Project }

func (s Published) List() (Listing, error) { return s.Project.Walk() }

func (s Published) Generated(string, []byte) ([]byte, bool) { return nil, false }

func (s Published) Builds() bool { return false }

// Output is a published file beside the pages, of which nothing is read yet.
func (p *Project) Output(name string) state.Output {
	return state.Output{Name: name, File: p.Published(name), Path: p.Path(name)}
}

// OwnBytes returns a file beside the pages as its generator left it: what is there now (c.Old),
// without what an earlier run put into it. It sets c.Stands to that, nil for nothing. It returns
// nil if no such file is there, or if an earlier run made all of it. In a build it is what the
// generator has made.
func (p *Project) OwnBytes(from Source, c *state.Output) (own []byte) {
	if data, ok := from.Generated(c.Name, nil); ok {
		return data
	}
	if own = c.Old; own != nil {
		own, c.Stands = p.State.Recall(c.Name).Undo(nil, c.Old)
	}
	return own
}

// ReadStatic reads the source of a published file, as its generator names it: relative to the
// working folder or to the site, since Hugo's may lie in a module or a theme. At most so many bytes
// are read.
func (p *Project) ReadStatic(source string, most int64) ([]byte, error) {
	path := Absolute(p.Options.WorkDir, source)
	if !Exists(path) {
		path = Absolute(p.Source, source)
	}
	return disk.ReadFile(path, most)
}

// Unwritten is the source of a build that is not begun: header rules are read from static files.
type Unwritten struct{}

func (Unwritten) List() (Listing, error) { return Listing{}, nil }

func (Unwritten) Generated(string, []byte) ([]byte, bool) { return nil, false }

func (Unwritten) Builds() bool { return true }
