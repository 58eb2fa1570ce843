package state

import (
	"errors"
	"io"
	"iter"
	"os"
	"time"

	"metarobots/emit/head"
	"metarobots/internal/disk"
)

// An Index remembers what stood in the pages of a publish folder, so that one that is the same file still need not be
// opened. As in git's index, a file is known by its [disk.Stamp], and one that had changed a moment before the index
// was written is not in it. It is never needed: what it does not know is read.
type Index struct {
	file  string
	first string   // the line at its beginning
	text  string   // the entries, by name
	at    []uint32 // where each of them begins
}

// OpenIndex reads the index of a publish folder beside its state. facts tells what was asked of the pages: one that was
// made for anything else, or by another program, is as good as none, and so is one that cannot be read: the problem
// says so. Nothing is remembered where folder is empty.
func OpenIndex(folder, publish, facts string) (x *Index, problem error) {
	x = &Index{}
	program, err := os.Executable()
	made, ok := disk.StampOf(program)
	if folder == "" || err != nil || !ok {
		return x, nil
	}
	c := coder{}
	c.stamp(&made)
	c.text(&facts)
	x.file, x.first = fileOf(folder, publish, ".index"), "metarobots index 1 "+string(c.out)
	data, err := disk.NewRoot(folder).ReadFile(x.file, maxSize)
	if errors.Is(err, os.ErrNotExist) {
		return x, nil
	} else if err != nil {
		return x, err
	}
	if x.text, err = unsealed(data, x.first); err != nil {
		return x, err
	}
	for c := (coder{rest: x.text, reads: true}); c.rest != ""; {
		x.at = append(x.at, uint32(len(x.text)-len(c.rest)))
		var name string
		c.text(&name)
		if c.page(&Entry{}); c.bad {
			x.text, x.at = "", nil
			return x, errDamaged
		}
	}
	return x, nil
}

// Len is how many pages it knows.
func (x *Index) Len() int { return len(x.at) }

// Find returns what is remembered of a page.
func (x *Index) Find(name string) (e Entry, ok bool) {
	for from, to := 0, len(x.at); from < to; {
		middle := int(uint(from+to) / 2)
		c := coder{rest: x.text[x.at[middle]:], reads: true}
		var known string
		switch c.text(&known); {
		case known < name:
			from = middle + 1
		case known > name:
			to = middle
		default:
			c.page(&e)
			e.Known = true
			return e, true
		}
	}
	return Entry{}, false
}

// Save writes an index of pages, which are sorted by name; those without an entry are left out, and those that have
// changed just now.
func (x *Index) Save(pages iter.Seq2[string, *Entry]) error {
	if x.file == "" {
		return nil
	}
	now := time.Now()
	return seal(x.file, x.first, func(w io.Writer) {
		c := coder{}
		for name, e := range pages {
			if e != nil && e.Settled(now) {
				c.text(&name)
				c.page(e)
				w.Write(c.out)
				c.out = c.out[:0]
			}
		}
	}, false)
}

// An Entry is what an index remembers of a page.
type Entry struct {
	disk.Stamp
	// Known: the index had it so.
	Known bool
	// Sum is that of the page's bytes without what is ours.
	Sum   uint64
	patch uint64 // what of ours was taken out before the page was scanned
	facts string // what was found then
}

// NewEntry remembers a page that was read after it got its stamp: the sum and the facts of what is left without was,
// which is nil where nothing was ours.
func NewEntry(at disk.Stamp, sum uint64, was *Left, facts *head.Facts) *Entry {
	c := coder{}
	c.facts(facts)
	return &Entry{Stamp: at, Sum: sum, patch: was.id(), facts: string(c.out)}
}

// Rewritten is the entry of the same page once other is ours in it; nil for nothing.
func (e *Entry) Rewritten(at disk.Stamp, other *Left) *Entry {
	return &Entry{Stamp: at, Sum: e.Sum, patch: other.id(), facts: e.facts}
}

// Facts are those of the page without what is ours in it, where that is one of known; ok is false where it is not, and
// where nothing is ours although something is known.
func (e *Entry) Facts(known Versions) (f head.Facts, was *Left, ok bool) {
	c := coder{rest: e.facts, reads: true}
	for _, l := range []*Left{known.Left, known.Stands} {
		if l != nil && l.Sum == e.Sum && l.id() == e.patch {
			was = l
		}
	}
	if ok = was != nil || e.patch == 0 && known == (Versions{}); ok {
		c.facts(&f)
	}
	return f, was, ok && !c.bad
}
