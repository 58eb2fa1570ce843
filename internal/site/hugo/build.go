package hugo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohugoio/hugo/common/herrors"
	"github.com/gohugoio/hugo/hugofs"
	"github.com/gohugoio/hugo/hugolib"
	"github.com/gohugoio/hugo/resources/postpub"
	"github.com/gohugoio/hugo/tpl"
	"github.com/spf13/afero"
	"github.com/spf13/fsync"

	"metarobots/frontmatter"
	"metarobots/internal/site"
)

// Build renders the site as the hugo command does. Pages go to hooks.Write as Hugo finishes them; everything else is
// published as Hugo has it. The page map is made when the first page is written: then all pages are assembled and
// none is published, and what had been published before waits until hooks.Listed has no error.
//
// It runs in this order: Hugo renders in goroutines of its own, and gives each file to
// [builder.finished]. The first page makes [builder.list] run once, which copies static files and
// releases what waited. After the end of Hugo, list runs here if there was no page, and the files
// are written that still wait.
//
// Of several errors the first of these is returned, since the others follow from it: one of making the page map, which
// may be of hooks.Listed; that of ctx; those of Hugo, with those of writing files; those of writing alone.
func (s *hugoSite) Build(ctx context.Context, o frontmatter.Config, hooks site.Hooks) (err error) {
	defer s.caught(&err, new(string)) // which page it was, Hugo does not tell
	if hooks.DryRun {
		for _, c := range s.configs.LanguageConfigMap {
			c.Build.BuildStats.Enable = false // hugo_stats.json lies in the site's folder
		}
	}
	file, err := os.CreateTemp("", "metarobots-")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	b := &builder{ctx: ctx, site: s, options: o, hooks: hooks, waiting: &spool{file: file}}
	b.listOnce = sync.OnceValue(b.list)
	// Hugo writes what it renders to PublishDir; copyStatic copies static files to the other.
	err = s.sitesFor(func(fs *hugofs.Fs) {
		if hooks.DryRun {
			inMemory(fs)
		}
		fs.PublishDir = &publishFs{Fs: fs.PublishDir, b: b}
		fs.PublishDirStatic = &publishFs{Fs: fs.PublishDirStatic, b: b, static: true}
	})
	if err != nil {
		return s.failed(err)
	}
	// The lock is a file in the site's folder, and stays there; a dry run leaves no file behind.
	err = b.build(hugolib.BuildCfg{NoBuildLock: s.configs.Base.NoBuildLock || hooks.DryRun})
	isListed := b.listed.Load()
	// A page would have called listOnce.
	isWithoutPages := !isListed && err == nil && ctx.Err() == nil
	if isListed || isWithoutPages {
		// If list has run, this is its error once more: Hugo's own error has it too, with other
		// text around it.
		if err := b.listOnce(); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return errors.Join(s.failed(err), errors.Join(b.writeErrors...))
	}
	// What still waits are files whose marks Hugo never came back to replace.
	err = b.writeWaiting(func([]byte) bool { return true })
	if err := errors.Join(append(b.writeErrors, err)...); err != nil {
		return err
	}
	// --gc takes unused files out of Hugo's cache.
	if gc, _ := s.options.Build["gc"].(bool); gc && !hooks.DryRun {
		if _, err := s.sites.GC(); err != nil {
			return s.failed(err)
		}
	}
	return nil
}

// A builder is one build of a site: what its file systems and its hooks share.
type builder struct {
	ctx     context.Context
	site    *hugoSite
	options frontmatter.Config
	hooks   site.Hooks

	gate      sync.RWMutex // held while a file is written
	closed    bool         // nothing is written any more
	finishing atomic.Int64 // how many files were finished

	listOnce func() error // does list, and later returns its error again
	listed   atomic.Bool  // list has ended, perhaps with an error
	m        *pageMap

	waiting *spool   // the bytes of files that are not yet handed over, in a temporary file
	made    sync.Map // the names of files that are no HTML

	mu          sync.Mutex
	writeErrors []error // each once
}

// list makes the page map, copies the static files and publishes what waited.
func (b *builder) list() error {
	m, err := b.site.list(b.options, allPages)
	if err == nil {
		b.m, m.made = m, &b.made
		b.site.listed, b.site.unbuilt = b.site.remember(m, allPages, b.options), assembled{}
		err = b.hooks.Listed(m)
	}
	if err == nil {
		err = b.copyStatic()
	}
	b.listed.Store(true)
	if err == nil {
		err = b.writeWaiting(func(data []byte) bool { return !b.deferred(data) })
	}
	return err
}

// deferred reports whether Hugo will read the file back and write it again: it holds marks of templates.Defer or
// resources.PostProcess.
func (b *builder) deferred(data []byte) bool {
	return bytes.Contains(data, []byte(tpl.HugoDeferredTemplatePrefix)) ||
		bytes.Contains(data, []byte(postpub.PostProcessPrefix))
}

// finished takes a file that Hugo has closed.
func (b *builder) finished(name string, data []byte) (err error) {
	defer b.site.caught(&err, &name)
	b.gate.RLock()
	defer b.gate.RUnlock()
	if b.closed || b.ctx.Err() != nil {
		return errStopped
	}
	b.finishing.Add(1)
	if !b.listed.Load() && !site.IsHeld(name) {
		return b.waiting.put(name, data)
	}
	if err := b.listOnce(); err != nil {
		return err
	}
	if b.deferred(data) {
		return b.waiting.put(name, data)
	}
	b.waiting.parts.Delete(name)
	return b.write(name, data)
}

// write hands over a page, a sitemap or a header file, and publishes any other file.
func (b *builder) write(name string, data []byte) error {
	if o, _ := b.m.output(name); o.html || b.hooks.DryRun || site.IsHeld(name) ||
		strings.HasPrefix(b.m.fixed[name].facts.Kind, "sitemap") {
		return b.hooks.Write(name, data)
	}
	file := filepath.Join(b.site.publish(), filepath.FromSlash(name))
	return afero.WriteReader(hugofs.Os, file, bytes.NewReader(data))
}

// writeWaiting writes the waiting files whose bytes are final.
func (b *builder) writeWaiting(isFinal func(data []byte) bool) error {
	for key := range b.waiting.parts.Range {
		name := key.(string)
		data, err := b.waiting.get(name)
		if err == nil && isFinal(data) {
			b.waiting.parts.Delete(name)
			err = b.write(name, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unwritten remembers that a file was not written, and why.
func (b *builder) unwritten(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.ContainsFunc(b.writeErrors, func(other error) bool { return errors.Is(other, err) }) {
		b.writeErrors = append(b.writeErrors, err)
	}
}

// copyStatic publishes the static files as the hugo command does.
func (b *builder) copyStatic() error {
	c := b.site.configs.Base
	for _, static := range b.site.sites.BaseFs.SourceFilesystems.Static {
		y := fsync.NewSyncer()
		y.NoTimes, y.NoChmod = c.NoTimes, c.NoChmod
		y.ChmodFilter = func(_, src os.FileInfo) bool { return src.IsDir() || src.Mode().Perm()&0o200 == 0 }
		y.SrcFs, y.DestFs = static.Fs, b.site.sites.Fs.PublishDirStatic
		// Like Hugo: what is cleaned are files that no static folder has, .gitignore, .gitattributes and hidden folders
		// left alone.
		y.Delete = c.CleanDestinationDir && !b.hooks.DryRun
		y.DeleteFilter = func(f fsync.FileInfo) bool {
			return f.Name() == ".gitignore" || f.Name() == ".gitattributes" || f.IsDir() &&
				strings.HasPrefix(f.Name(), ".")
		}
		to := filepath.Join(string(filepath.Separator), static.PublishFolder)
		if err := y.Sync(to, string(filepath.Separator)); err != nil && !herrors.IsNotExist(err) {
			return fmt.Errorf("static files: %w", err)
		}
	}
	return nil
}

// patience is how long Hugo has for an end once it is asked to stop, while it finishes no file.
const patience = 3 * time.Second

// errStopped is what Hugo gets for a file that it finishes after the build has ended.
var errStopped = errors.New("the build has ended")

// build has Hugo build the sites, and ends in any case: Hugo knows no context, and after ten errors its renderers may
// have gone while it waits for one of them to take another page. What Hugo does after that is not written.
func (b *builder) build(config hugolib.BuildCfg) error {
	ended := b.site.start(config)
	defer context.AfterFunc(b.ctx, b.site.sites.Stop)()
	select {
	case err := <-ended:
		return err
	case <-b.site.sites.Done():
	}
	for finished := int64(-1); finished != b.finishing.Load(); {
		finished = b.finishing.Load()
		select {
		case err := <-ended:
			return err
		case <-time.After(patience):
		}
	}
	b.gate.Lock()
	b.closed = true
	b.gate.Unlock()
	b.site.made = nil // nobody waits for them
	if b.ctx.Err() != nil {
		return b.ctx.Err()
	}
	return b.site.errorsOfRendering()
}

// start begins a build, and returns where it says how it ended.
func (s *hugoSite) start(config hugolib.BuildCfg) <-chan error {
	ended, h := make(chan error, 1), s.sites
	go func() {
		var err error
		defer func() { ended <- err }()
		defer s.caught(&err, new(string)) // which page it was, Hugo does not tell
		err = h.Build(config)
	}()
	return ended
}

// errorsOfRendering builds the sites once more, in memory, to learn why the first build stopped: those errors wait
// inside Hugo for somebody to take them. With a renderer for each page none has to wait for another.
func (s *hugoSite) errorsOfRendering() error {
	const workers = "HUGO_NUMWORKERMULTIPLIER" // https://gohugo.io/troubleshooting/performance/
	defer os.Setenv(workers, os.Getenv(workers))
	os.Setenv(workers, strconv.Itoa(1<<14))
	err := s.sitesFor(inMemory)
	if err != nil {
		return err
	}
	select {
	case err = <-s.start(hugolib.BuildCfg{NoBuildLock: true}):
	case <-time.After(time.Minute):
	}
	s.made = nil
	return cmp.Or(err, errors.New("render: ten pages could not be rendered, and Hugo did not say why"))
}
