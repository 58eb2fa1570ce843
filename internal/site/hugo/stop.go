package hugo

import (
	"errors"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohugoio/hugo/hugolib"
)

// patience is how long Hugo has for an end once it was told to stop, while it finishes no file.
const patience = 3 * time.Second

// errStopped is what Hugo gets for a file that it finishes after the build has ended.
var errStopped = errors.New("the build has ended")

// build has Hugo build the sites, and ends in any case: Hugo knows no context, and after ten errors its renderers may
// have gone while it waits for one of them to take another page. What Hugo does after that is not written.
func (b *builder) build(config hugolib.BuildCfg) error {
	ended := b.site.start(b.sites, config)
	interrupted, stopping := b.ctx.Done(), b.sites.Done()
	var timer <-chan time.Time
	var finished int64
	for {
		select {
		case err := <-ended:
			return err
		case <-interrupted:
			interrupted = nil
			b.sites.Stop()
		case <-stopping:
			stopping, timer, finished = nil, time.After(patience), b.gate.passed.Load()
		case <-timer:
			if n := b.gate.passed.Load(); n != finished && b.ctx.Err() == nil {
				finished, timer = n, time.After(patience)
				continue
			}
			b.gate.close()
			b.site.sites = nil // nobody waits for them
			if b.ctx.Err() != nil {
				return b.ctx.Err()
			}
			return b.site.errorsOfRendering()
		}
	}
}

// start begins a build, and returns where it says how it ended.
func (s *hugoSite) start(h *hugolib.HugoSites, config hugolib.BuildCfg) <-chan error {
	ended := make(chan error, 1)
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
	if before, set := os.LookupEnv(workers); set {
		defer os.Setenv(workers, before)
	} else {
		defer os.Unsetenv(workers)
	}
	os.Setenv(workers, strconv.Itoa(1<<14))
	h, err := s.sitesFor(inMemory)
	if err != nil {
		return err
	}
	select {
	case err := <-s.start(h, hugolib.BuildCfg{NoBuildLock: true}):
		if err != nil {
			return err
		}
	case <-time.After(time.Minute):
	}
	s.sites = nil
	return errors.New("render: ten pages could not be rendered, and Hugo did not say why")
}

// gate lets writers through until it is closed.
type gate struct {
	mu     sync.RWMutex
	closed bool
	passed atomic.Int64 // how many have come
}

// enter reports whether the gate is open; then it is left with leave.
func (g *gate) enter() bool {
	g.mu.RLock()
	if g.closed {
		g.mu.RUnlock()
		return false
	}
	g.passed.Add(1)
	return true
}

func (g *gate) leave() { g.mu.RUnlock() }

// close lets nobody in, and waits for those inside.
func (g *gate) close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
}
