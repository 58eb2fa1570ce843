package plan

import (
	"fmt"
	"maps"
	"slices"

	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/internal/state"
)

// openIndex opens the index of what stood in the pages, unless every page is to be read: because the user says so, or
// because the links' policy asks for more of them than their facts.
func (p *planner) openIndex() {
	if p.options.NoIndex || !p.Config.Robots.Links.Empty() {
		return
	}
	asked, names := "", metaNames(p.Policy.Crawlers)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		asked += fmt.Sprintf("%s %d\n", name, names[name])
	}
	folder, err := p.stateFolder()
	if err != nil {
		return // a finding says so
	}
	index, err := state.OpenIndex(folder, p.settings.Publish, asked)
	if p.tell("the index is not used (%v): every page is read", err); index.Len() > 0 || p.options.Remember {
		p.folder.index = index
	}
}

// tell tells of an error that harms nothing to whoever asks for more messages.
func (p *planner) tell(format string, err error) {
	if err != nil && p.options.Verbose {
		fmt.Fprintf(p.options.Log, format+"\n", err)
	}
}

// saveIndex remembers what stands in the pages now.
func (s *Site) saveIndex() {
	index, known, learned := s.planner.folder.index, 0, false
	if index == nil {
		return
	}
	for _, pg := range s.Pages {
		if pg.entry != nil && pg.entry.Known {
			known++
		} else if pg.entry != nil {
			learned = true
		}
	}
	if !learned && known == index.Len() {
		return
	}
	s.planner.tell("the index is not written: %v", index.Save(func(yield func(string, *state.Entry) bool) {
		for _, pg := range s.Pages {
			if pg.entry != nil && !yield(pg.Name, pg.entry) {
				return
			}
		}
	}))
}

// stamp returns the stamp of a page that the index may know: not of one that may have changed since this run began.
func (e *editor) stamp(name string) (at disk.Stamp, ok bool) {
	if e.folder.index == nil {
		return at, false
	}
	at, ok = disk.StampOf(e.path(name))
	return at, ok && at.Settled(e.folder.began)
}

// unchanged decides on a page that the index knows by its stamp, if its bytes can stay; nil where it has to be read.
func (e *editor) unchanged(f site.File, at disk.Stamp) *Page {
	entry, ok := e.folder.index.Find(f.Name)
	if !ok || entry.Stamp != at {
		return nil
	}
	pg := begin(f)
	known := e.recall(pg)
	if !f.Unknown {
		pg.was = known.Of(entry.Sum)
	}
	if pg.was == nil && (known != (state.Versions{}) || e.options.AssumeOurs) {
		return nil // its tags tell what is ours
	}
	facts, ok := entry.Facts(pg.was)
	if !ok || !pg.stays(e.judge(pg, &facts)) {
		return nil
	}
	if pg.left = pg.was; e.options.Remember {
		pg.entry = &entry
	}
	return pg
}
