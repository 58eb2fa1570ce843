package project

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"metarobots/emit/robotstxt"
	"metarobots/internal/disk"
)

// How much is read of a file that is no page, in bytes. Beyond that nobody wrote it by hand, or no
// host or crawler reads it.
const (
	// MaxConfig is for what owners write: the policy, netlify.toml, _redirects, header files.
	MaxConfig = 1 << 20
	// MaxHeaders is for a header file with rules of ours, which are as many as the pages are.
	MaxHeaders = 256 << 20
	// MaxSitemap is for a sitemap, unpacked. https://www.sitemaps.org/protocol.html#index
	MaxSitemap = 50 << 20
)

// findRoot sets the folders below which files of the site are read: its repository, the publish
// folder, and the working folder, except the root of the file system, which holds everything.
func (p *Project) findRoot() {
	p.Root = disk.Around(p.Source).With(p.Settings.Publish)
	if filepath.Dir(p.Options.WorkDir) != p.Options.WorkDir {
		p.Root = p.Root.With(p.Options.WorkDir)
	}
}

// LeadsOut reports whether a folder is a link out of the site.
func (p *Project) LeadsOut(folder string) bool {
	_, err := os.Readlink(folder)
	return err == nil && !p.Root.Holds(folder)
}

// Read reads a file of the site, of at most limit bytes; nil is none.
func (p *Project) Read(file string, limit int64) ([]byte, error) {
	data, err := p.Root.ReadFile(file, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, disk.LeadsNowhere(file)
	}
	return data, err
}

// ReadRobots reads a robots.txt as far as Google does, and tells whether it goes on; nil is none.
func (p *Project) ReadRobots(file string) (data []byte, more bool, err error) {
	f, err := p.Root.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, disk.LeadsNowhere(file)
	} else if err != nil {
		return nil, false, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, robotstxt.MaxSize+1))
	more = len(data) > robotstxt.MaxSize
	return data[:min(len(data), robotstxt.MaxSize)], more, err
}

// Reason is an error without the name of the file, which stands before it.
func Reason(err error) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return err.Error()
}

// MaxPage is the size of the largest page that is read, in bytes. Crawlers read far less: Googlebot
// 15 MB.
// https://developers.google.com/search/docs/crawling-indexing/googlebot#how-googlebot-accesses-your-site
const MaxPage = 64 << 20
