package plan

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/robotsmeta"
	"metarobots/internal/site"
	"metarobots/policy"
)

// decideLinkedPages decides on the pages among files that are there through symlinks. One file has
// one set of tags, and a page is edited under its target's name alone: what restricts that page
// holds for the link too, and what it says of its language and of itself, by which rules for the
// link's own path may select it. The tags of a file that is no page count here, and stay. No worker
// runs meanwhile, and the targets are decided on already.
func (mk *Maker) decideLinkedPages(links []site.File) error {
	for _, f := range links {
		if !f.HTML {
			continue
		}
		of := mk.decided[mk.folder.Symlinks[f.Name].Target]
		var pg *Page
		var tagsSuffice bool // the tags that the two share say all that is decided on the link
		if isPage := of != nil && of.File.HTML; isPage {
			pg = mk.linkedPage(f, of)
			tagsSuffice = of.Decision.Covers(pg.Decision)
			pg.Bytes.headerOnly = !tagsSuffice || !of.TakesTags()
		} else {
			var err error
			if pg, tagsSuffice, err = mk.pageInOtherFile(f); err != nil {
				return err
			}
		}
		if !tagsSuffice {
			mk.reportHeaderOnly(pg)
		}
		mk.add(pg)
	}
	return nil
}

// pageInOtherFile decides on a page that is there through a symlink to a file that is no page, by
// the bytes of that file. They stay as they are. tagsSuffice: the tags in the file restrict all
// that is decided, perhaps nothing.
func (mk *Maker) pageInOtherFile(f site.File) (pg *Page, tagsSuffice bool, err error) {
	withoutStage := newEditor(mk) // which drops the new bytes
	if pg, err = withoutStage.page(f, holdsNothingOfOurs); err != nil {
		return nil, false, err
	}
	byTags := mk.project.Policy.Resolve(slices.Clone(pg.File.Found))
	tagsSuffice = byTags.Covers(pg.Decision)
	pg.Bytes.headerOnly = true
	pg.Bytes.Change, pg.Carries, pg.Links.Edited, pg.ours.left = false, robotsmeta.Tags(pg.Tags), 0, nil
	return pg, tagsSuffice, nil
}

// linkedPage decides on a page f that is there through a symlink to another page, of, which is
// decided on already. Nothing of f is read: its tags are those of the target, so what they state
// counts by f.Copied, and only a header can tell the two apart, as of an asset. Of the target's
// links to other pages it has the one to the newest version alone.
func (mk *Maker) linkedPage(f site.File, of *Page) *Page {
	mk.takeKnownOfTarget(&f, of)
	f.Copied = &of.File.Subject
	mk.correctRole(&f, nil) // by the owner's error pages: without its bytes f redirects nobody
	if of.File.Role == policy.RoleRedirect {
		f.Role = policy.RoleRedirect
	}
	link := mk.newPage(f)
	mk.completeFromPage(link, of.File.Facts.Language) // without metadata, as link has no tags
	if said := of.File.Claimed; said != nil {
		link.File.Facts = link.File.Facts.Or(said.Facts)
	}
	if atLink := mk.atLink(&f, of); link.File.Of == nil {
		link.File.Of, link.File.Pager = atLink.Of, atLink.Pager
	}
	pg := mk.decideAsset(link.File)
	pg.Carries, pg.Title = of.Carries, of.Title
	if r := of.Links.Related; r != nil && r.Newest != "" && !r.ByHeader { // it shares the link in the head
		pg.Links.Related = &Related{Canonical: r.Canonical, Line: r.Line, Newest: r.Newest}
	}
	if r := of.Links.Related; r != nil && r.ByHeader { // a header is for each name
		pg.Links.Related = &Related{Newest: r.Newest, ByHeader: true}
	}
	mk.reportReach(pg, of)
	return pg
}

// decideLinkedFiles decides on the other files that are there through symlinks. They have no tags,
// so rules for the path of the target say nothing of the link: a header can tell the two apart.
// What is stated of the content, in front matter or by what the generator knows, holds for both.
func (mk *Maker) decideLinkedFiles(links []site.File) {
	for _, f := range links {
		if f.HTML {
			continue
		}
		if of := mk.decided[mk.folder.Symlinks[f.Name].Target]; of != nil {
			mk.takeKnownOfTarget(&f, of)
			atLink := mk.atLink(&f, of)
			f.Copied = &atLink
		}
		mk.add(mk.decideAsset(f))
	}
}

// atLink is what is known of the target of a symlink, with the path of the link in place of its
// own: a rule for the list /latest/blog/ selects the pager /latest/blog/page/2/, which really lies
// below /1.1/. What the target's metadata says of it (Claimed) moves in the same way.
func (mk *Maker) atLink(f *site.File, of *Page) policy.Subject {
	link := mk.folder.Symlinks[f.Name].Link(f.Name)
	folder, isFolder := folderBehind(link, f.Name, of.File.Name)
	movedOwner := func(owner policy.Owner) policy.Owner {
		if rest, ok := strings.CutPrefix(owner.Path.File, folder+"/"); ok && isFolder {
			owner.Path = policy.PathOf(link + "/" + rest)
		}
		return owner
	}
	moved := func(s policy.Subject) policy.Subject {
		s.Path, s.Headers, s.Owners = f.Path, nil, slices.Clone(s.Owners)
		if s.Of != nil {
			of := movedOwner(*s.Of)
			s.Of = &of
		}
		for i := range s.Owners {
			s.Owners[i] = movedOwner(s.Owners[i])
		}
		return s
	}
	s := moved(of.File.Subject)
	if s.Claimed != nil {
		claimed := moved(*s.Claimed)
		s.Claimed = &claimed
	}
	return s
}

// folderBehind is the folder that a symlink leads to, "/1.1", or "" for the publish folder, by the
// name of a file that is there through it and that of the file's target. ok is false if the symlink
// leads to a file.
func folderBehind(link, name, target string) (folder string, ok bool) {
	rest := strings.TrimPrefix(name, link)
	folder, isSame := strings.CutSuffix("/"+target, rest)
	return folder, isSame && rest != ""
}

// takeKnownOfTarget gives a file that is there through a symlink what is known of its target, if
// the generator knows nothing of a file of its name.
func (mk *Maker) takeKnownOfTarget(f *site.File, of *Page) {
	if f.Unknown {
		f.Subject, f.Unknown, f.Source = mk.atLink(f, of), of.File.Unknown, of.File.Source
	}
}

// reportHeaderOnly reports a page that is there through a symlink, and that is restricted more than
// the tags say which it shares: once for each symlink to a folder.
func (mk *Maker) reportHeaderOnly(pg *Page) {
	link := mk.folder.Symlinks[pg.File.Name]
	f := policy.Finding{ID: "symlink", Severity: policy.Warning, Message: fmt.Sprintf("this symlink to %s shares "+
		"its tags, which differ from this page's decision; only a header can express it", link.Target)}
	if link.Folder == "" {
		pg.note(f, forEachPage)
		return
	}
	f.Message = fmt.Sprintf("it is %s by the symlink %s and shares its tags, which differ from this page's "+
		"decision; only a header can express it", link.Target, link.Folder)
	pg.note(f, "header only "+link.Folder)
}

// reportReach reports, at its line, what is stated for the path of a page, of, and restricts the
// symlink to it, pg, too, only because the two share their tags: once for each symlink and line. It
// compares pg's decision with that on pg alone, without what is stated for of ([policy.Subject]'s
// Copied).
func (mk *Maker) reportReach(pg, of *Page) {
	if !pg.File.Role.Policed() {
		return
	}
	alone := pg.File.Subject
	alone.Copied = nil
	own := mk.outcomes.of(mk.project.Policy, &alone).decision
	if restrictsAsMuch := own.Covers(pg.Decision); restrictsAsMuch {
		return
	}
	link := mk.folder.Symlinks[pg.File.Name].Link(pg.File.Name)
	for _, i := range pg.Decision.Deciding(mk.project.Policy.Style) { // indexes of Statements
		s := pg.Decision.Statements[i]
		isByPath := s.Origin.Layer == policy.LayerRule || s.Origin.Layer == policy.LayerVisibility
		if !isByPath || slices.Contains(own.Statements, s) {
			continue
		}
		f := s.Origin.Finding("symlink", policy.Warning, "this holds at %s too, since the symlink %s makes it share the "+
			"tags of %s", pg.URL, link, of.URL)
		f.Fix = ". To restrict only one of them, publish a copy in place of the symlink"
		if s.Origin.Layer == policy.LayerRule {
			f.Fix += fmt.Sprintf("; to restrict neither, add %q to except", globBehind(link, pg, of))
		}
		pg.note(f, "reach "+link+" "+s.Origin.Place())
	}
}

// globBehind is a glob for what a symlink leads to: for its folder, if it leads to one, else for
// the page of. pg is of by the name that the symlink gives it.
func globBehind(link string, pg, of *Page) string {
	folder, isFolder := folderBehind(link, pg.File.Name, of.File.Name)
	if !isFolder || folder == "" {
		return of.File.Path.URL
	}
	return folder + "/**"
}
