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

// Build renders the site as the hugo command does, for [site.Builder]. Hugo renders in goroutines
// of its own, and each file that it has finished comes to [builder.takeFinished]:
//
//  1. Files wait, in a temporary file, until the first held one: HTML, a sitemap or _headers.
//  2. That one makes [builder.list] run, once. All pages are assembled by then, and nothing is
//     published. list makes the page map, gives it to hooks.Listed, copies the static files and
//     publishes what waits. If hooks.Listed has an error, nothing is ever published.
//  3. From then on a held file goes to hooks.Write, and any other one to the publish folder. In a
//     dry run every file goes to hooks.Write. A file with marks that Hugo is to replace waits for
//     that.
//  4. When Hugo has ended, list runs here if no held file made it run, and the files are written
//     that still wait.
//
// Of several errors the first of these is returned, since the others follow from it: that of list,
// which may be of hooks.Listed; that of ctx; those of Hugo, with those of writing files; those of
// writing alone.
func (s *hugoSite) Build(ctx context.Context, o frontmatter.Config, hooks site.Hooks) (err error) {
	defer s.panicToError(&err, unknownFile)
	file, err := os.CreateTemp("", "metarobots-")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	b := &builder{ctx: ctx, site: s, options: o, hooks: hooks, waiting: &spool{file: file}}
	b.listOnce = sync.OnceValue(b.list)
	if err = s.makeSites(b.takeFilesFrom); err != nil {
		return s.explainError(err)
	}
	// The lock is a file in the site's folder, and stays there; a dry run leaves no file behind.
	hugoErr := b.runHugo(hugolib.BuildCfg{NoBuildLock: s.configs.Base.NoBuildLock || hooks.DryRun})
	return b.end(hugoErr)
}

// end is step 4 of [hugoSite.Build], and returns the build's error. hugoErr is the error with which
// Hugo ended, or nil.
func (b *builder) end(hugoErr error) error {
	if err := b.endListing(hugoErr); err != nil {
		return err
	}
	if b.ctx.Err() != nil {
		return b.ctx.Err()
	}
	if hugoErr != nil {
		return errors.Join(b.site.explainError(hugoErr), b.unwritten())
	}
	// What still waits has marks that Hugo never came back to replace.
	evenWithMarks := func([]byte) bool { return true }
	waitingErr := b.writeWaiting(evenWithMarks)
	if err := errors.Join(b.unwritten(), waitingErr); err != nil {
		return err
	}
	return b.collectGarbage()
}

// takeFilesFrom puts the builder between Hugo and the file systems that Hugo publishes to, so that
// it gets each file: Hugo writes what it renders to PublishDir, and copyStatic copies static files
// to the other. Build hands it to [hugoSite.makeSites].
func (b *builder) takeFilesFrom(fs *hugofs.Fs) {
	if b.hooks.DryRun {
		b.site.writeNothing(fs)
	}
	fs.PublishDir = &publishFs{Fs: fs.PublishDir, b: b}
	fs.PublishDirStatic = &publishFs{Fs: fs.PublishDirStatic, b: b, static: true}
}

// endListing runs list if no held file made it run, as of a site without pages, and returns its
// error. hugoErr is the error with which Hugo ended, or nil: after one, or if the run was
// stopped, list does not begin any more.
func (b *builder) endListing(hugoErr error) error {
	isListed := b.listed.Load()
	if !isListed && (hugoErr != nil || b.ctx.Err() != nil) {
		return nil
	}
	// If list has run, this is its error once more: Hugo's own error has it too, with other text
	// around it.
	return b.listOnce()
}

// collectGarbage takes unused files out of Hugo's cache, with --gc.
func (b *builder) collectGarbage() error {
	isAskedFor, _ := b.site.options.Build["gc"].(bool)
	if !isAskedFor || b.hooks.DryRun {
		return nil
	}
	if _, err := b.site.sites.GC(); err != nil {
		return b.site.explainError(err)
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
	made    sync.Map // see [publishFolder]

	mu          sync.Mutex
	writeErrors []error // each once
}

// list makes the page map, tells hooks.Listed, copies the static files and publishes what waited,
// up to the first error. Its place in a build is step 2 of [hugoSite.Build]; listOnce calls it.
func (b *builder) list() error {
	m, err := b.site.makePageMap(b.options, allPages)
	if err == nil {
		b.m, m.published.made = m, &b.made
		if b.hooks.DryRun { // Hugo's own has nothing
			m.published.files = afero.NewBasePathFs(hugofs.Os, b.site.publish())
		}
		// For Relist. A build lists no page that it leaves out.
		b.site.listed, b.site.unbuilt = b.site.remember(m, allPages, b.options), assembled{}
		err = b.hooks.Listed(m)
	}
	if err == nil {
		err = b.copyStatic()
	}
	b.listed.Store(true)
	if err == nil {
		err = b.writeWaiting(func(data []byte) bool { return !b.hasMarks(data) })
	}
	return err
}

// hasMarks reports whether Hugo will read the file back and write it again: it holds marks of
// templates.Defer or resources.PostProcess.
func (b *builder) hasMarks(data []byte) bool {
	return bytes.Contains(data, []byte(tpl.HugoDeferredTemplatePrefix)) ||
		bytes.Contains(data, []byte(postpub.PostProcessPrefix))
}

// takeFinished takes a file that Hugo has closed.
func (b *builder) takeFinished(name string, data []byte) (err error) {
	defer b.site.panicToError(&err, &name)
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
	if b.hasMarks(data) {
		return b.waiting.put(name, data)
	}
	b.waiting.parts.Delete(name)
	return b.write(name, data)
}

// write hands over a page, a sitemap or a header file, and publishes any other file.
func (b *builder) write(name string, data []byte) error {
	if b.hooks.DryRun && !site.IsHTML(name) {
		b.made.Store(name, sumOf(data))
	}
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

// unwritten joins the errors of files that were not written; nil if there are none.
func (b *builder) unwritten() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return errors.Join(b.writeErrors...)
}

// noteUnwritten remembers that a file was not written, and why. A file that Hugo finishes after the
// end of the build is no fault: the error with which that ended says enough.
func (b *builder) noteUnwritten(err error) {
	if errors.Is(err, errStopped) {
		return
	}
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
		y.ChmodFilter = func(_, src os.FileInfo) bool {
			return src.IsDir() || src.Mode().Perm()&0o200 == 0
		}
		y.SrcFs, y.DestFs = static.Fs, b.site.sites.Fs.PublishDirStatic
		// Like Hugo: what is cleaned are files that no static folder has, .gitignore,
		// .gitattributes and hidden folders left alone.
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

// runHugo has Hugo build the sites, and ends in any case: Hugo knows no context, and after ten
// errors its renderers may have gone while it waits for one of them to take another page. What Hugo
// does after that is not written.
func (b *builder) runHugo(config hugolib.BuildCfg) error {
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
		defer s.panicToError(&err, unknownFile)
		err = h.Build(config)
	}()
	return ended
}

// errorsOfRendering builds the sites once more, in memory, to learn why the first build stopped:
// those errors wait inside Hugo for somebody to take them. With a renderer for each page none has
// to wait for another.
func (s *hugoSite) errorsOfRendering() error {
	const workers = "HUGO_NUMWORKERMULTIPLIER" // https://gohugo.io/troubleshooting/performance/
	defer os.Setenv(workers, os.Getenv(workers))
	os.Setenv(workers, strconv.Itoa(1<<14))
	err := s.makeSites(s.writeNothing)
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
