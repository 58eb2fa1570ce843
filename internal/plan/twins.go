package plan

import (
	"cmp"

	"metarobots/internal/site"
)

// TwinOf is the page that a file publishes again as text (H7); nil if there is none.
func (s *Plan) TwinOf(pg *Page) *Page {
	if name := site.Twin(&pg.File, s.Folder.Has); name != "" {
		return s.Page(name)
	}
	return nil
}

// file is what is known of a published file. Where the owner says what twins get, those that only their names tell are
// copies too (H7).
func (mk *Maker) file(name string) site.File {
	f := mk.pages.File(name)
	if mk.project.Config.Robots.Twins.Gets != "" {
		f.CopyOf = cmp.Or(site.Twin(&f, mk.folder.Has), f.CopyOf)
	}
	return f
}

// decideCopies decides on files that publish a page's content again: what restricts the page holds for them too, and
// for twins what the owner says of them (H7).
func (mk *Maker) decideCopies(copies []site.File) {
	for _, f := range copies {
		if of := mk.decided[f.CopyOf]; of != nil {
			f.Restrict(of.Decision)
		}
		if site.Twin(&f, mk.folder.Has) != "" {
			mk.project.Config.Robots.Twins.State(&f.Subject)
		}
		mk.add(mk.asset(f))
	}
}
