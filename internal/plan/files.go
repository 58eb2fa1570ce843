package plan

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"metarobots/emit/marks"
	"metarobots/emit/robotstxt"
	"metarobots/internal/disk"
	"metarobots/policy"
)

// How much is read of a file that is no page, in bytes. Beyond that nobody wrote it by hand, or no host or crawler
// reads it.
const (
	// maxConfig is for what owners write: the policy, netlify.toml, _redirects, header files.
	maxConfig = 1 << 20
	// maxHeaders is for a header file with rules of ours, which are as many as the pages are.
	maxHeaders = 256 << 20
	// maxSitemap is for a sitemap, unpacked. https://www.sitemaps.org/protocol.html#index
	maxSitemap = 50 << 20
)

// findRoot sets the folders below which files of the site are read: its repository, the publish folder, and the working
// folder, but for the root of the file system, which holds everything.
func (p *Project) findRoot() {
	p.root = disk.Around(p.Source).With(p.Settings.Publish)
	if filepath.Dir(p.Options.WorkDir) != p.Options.WorkDir {
		p.root = p.root.With(p.Options.WorkDir)
	}
}

// leadsOut reports whether a folder is a link out of the site.
func (p *Project) leadsOut(folder string) bool {
	info, err := os.Lstat(folder)
	return err == nil && info.Mode()&fs.ModeSymlink != 0 && !p.root.Holds(folder)
}

// read reads a file of the site, of at most limit bytes; nil is none.
func (p *Project) read(file string, limit int64) ([]byte, error) {
	data, err := p.root.ReadFile(file, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// readRobots reads a robots.txt as far as Google does, and tells whether it goes on; nil is none.
func (p *Project) readRobots(file string) (data []byte, more bool, err error) {
	f, err := p.root.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	} else if err != nil {
		return nil, false, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, robotstxt.MaxSize+1))
	if more = len(data) > robotstxt.MaxSize; more {
		data = data[:robotstxt.MaxSize]
	}
	return data, more, err
}

// readSource reads a source of a published file, which the generator names relative to the working folder or the site:
// Hugo's may lie in a module or a theme.
func (p *planner) readSource(name string, limit int64) ([]byte, error) {
	source := p.m.File(name).Source
	if source == "" {
		return nil, fs.ErrNotExist
	}
	file := absolute(p.Options.WorkDir, source)
	if !exists(file) {
		file = absolute(p.Source, source)
	}
	return disk.ReadFile(file, limit)
}

// notRead reports a file that is there and not read.
func (p *planner) notRead(file string, err error) {
	p.report(policy.Finding{ID: "not-read", Severity: policy.Error, File: p.Short(file),
		Message: "the file is not read: " + reason(err)})
}

// reason is an error without the name of the file, which stands before it.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
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
