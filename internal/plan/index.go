package plan

import (
	"fmt"
	"maps"
	"slices"

	"metarobots/emit/head"
	"metarobots/emit/patch"
	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/internal/state"
)

// openIndex opens the index of what stood in the pages, unless every page is to be read: because the user says so, or
// because the links' policy asks for more of them than their facts.
func (p *planner) openIndex() {
	if p.Options.NoIndex || !p.Config.Robots.Links.Empty() {
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
	index, err := state.OpenIndex(folder, p.Settings.Publish, asked)
	if p.tell("the index is not used (%v): every page is read", err); index.Len() > 0 || p.Options.Remember {
		p.folder.index = index
	}
}

// tell tells of an error that harms nothing to whoever asks for more messages.
func (p *planner) tell(format string, err error) {
	if err != nil && p.Options.Verbose {
		fmt.Fprintf(p.Options.Log, format+"\n", err)
	}
}

// saveIndex remembers what stands in the pages now.
func (s *Site) saveIndex() {
	index, known, learned := s.folder.index, 0, false
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
	s.tell("the index is not written: %v", index.Save(func(yield func(string, *state.Entry) bool) {
		for _, pg := range s.Pages {
			if pg.entry != nil && !yield(pg.Name, pg.entry) {
				return
			}
		}
	}))
}

// unchanged decides on a page that the index knows by its stamp; nil where it has to be read: because its tags tell
// what is ours, or because nothing tells what stands where it is to change.
func (e *editor) unchanged(f site.File, at disk.Stamp) *Page {
	entry, ok := e.folder.index.Find(f.Name)
	if !ok || entry.Stamp != at {
		return nil
	}
	pg := begin(f)
	known := e.recall(pg)
	if pg.Unknown {
		known = state.Versions{}
	}
	var facts head.Facts
	if facts, pg.was, ok = entry.Facts(known); !ok || pg.was == nil && e.Options.AssumeOurs {
		return nil
	}
	edits := e.judge(pg, &facts)
	if pg.left = pg.was; !pg.stays(edits) {
		if pg.left, ok = pg.instead(entry.Sum, edits); !ok {
			return nil
		} else if pg.left != nil {
			e.leave(pg)
		}
		pg.Changes = true
	}
	if e.Options.Remember {
		pg.entry = &entry
	}
	return pg
}

// instead is what edits come to in a file that nobody has read, where what stands there of ours tells what they
// replace.
func (m *memory) instead(sum uint64, edits []patch.Edit) (left *state.Left, ok bool) {
	if len(edits) == 0 {
		return nil, true
	}
	var was patch.Patch
	if m.was != nil {
		was = m.was.Patch
	}
	p, ok := was.Instead(edits)
	return &state.Left{Sum: sum, Patch: p}, ok
}
