package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A Listing is what was found in a publish folder.
type Listing struct {
	Names    []string           // of its files, sorted
	Symlinks map[string]Symlink // those of its files that are there through a symlink, by name
	Linked   bool               // there are symlinks, to files, folders or nothing
	Temps    []string           // temporary files of an interrupted run
	Unlisted []string           // files and folders that count as not published, sorted (M6t)
	Findings []policy.Finding   // about what is left out
}

// A Symlink is how a published file is there through a symlink.
type Symlink struct {
	// Target is the name of the published file whose bytes it has. That one is there through no
	// symlink.
	Target string
	// Folder is the symlink to a folder that the file lies below, by its name: the outermost one.
	// It is empty if the file itself is the symlink.
	Folder string
}

// Link is the name of the symlink through which the file of that name is there.
func (s Symlink) Link(name string) string { return cmp.Or(s.Folder, name) }

// Stored are the names of the files without those below symlinks to folders: what the generator
// knows of a file is known of it by its own name.
func (l *Listing) Stored() []string {
	isBelowLink := func(name string) bool { return l.Symlinks[name].Folder != "" }
	if !slices.ContainsFunc(l.Names, isBelowLink) {
		return l.Names
	}
	return slices.DeleteFunc(slices.Clone(l.Names), isBelowLink)
}

// Has reports whether a file is there.
func (l *Listing) Has(name string) bool {
	_, found := slices.BinarySearch(l.Names, name)
	return found
}

// HasFolder reports whether a folder of that name, from the publish root, holds a file.
func (l *Listing) HasFolder(dir string) bool {
	at, _ := slices.BinarySearch(l.Names, dir+"/")
	return at < len(l.Names) && strings.HasPrefix(l.Names[at], dir+"/")
}

// Walk lists the files of the publish folder, for [Published] and for builds, before and after
// them. Symlinks to files and folders of it are followed, and the files are listed by the names
// that these give them: hosts serve them there. One that leads out of the folder (M6) is not
// followed, with a finding, and a pipe or a device is not listed. Temporary files that an
// interrupted run left are kept apart, and so is what counts as not published (see
// [isUnlisted]). A folder that does not exist has no files. A part that cannot be read is an
// error, after all others are listed.
func (p *Project) Walk() (Listing, error) { return p.walk(mostLinked) }

// walk is [Project.Walk] with another limit in place of mostLinked.
func (p *Project) walk(most int) (Listing, error) {
	root, err := filepath.EvalSymlinks(p.Settings.Publish)
	if errors.Is(err, fs.ErrNotExist) {
		return Listing{}, nil // before the first build
	} else if err != nil {
		return Listing{}, err
	}
	w := &walk{project: p, root: root, most: most, isReported: map[string]bool{},
		listing: Listing{Symlinks: map[string]Symlink{}}}
	for _, other := range w.listStored() {
		if other.err != nil {
			w.errs = append(w.errs, other.err)
		} else {
			w.listEntry(w.stored(other.folder), other.entry)
		}
	}
	slices.Sort(w.listing.Names)
	slices.Sort(w.listing.Unlisted)
	return w.listing, errors.Join(w.errs...)
}

// mostLinked is how many files and folders may be found below symlinks to folders. A few folders
// that lead to each other make more than anybody has, and 50,000 files of a version with three
// aliases make fewer. A walk without it would end too ([disk.Way.Ends]), and take too long.
const mostLinked = 200_000

// A walk is one run of [Project.Walk].
type walk struct {
	project    *Project
	root       string // the publish folder, absolute, without links
	listing    Listing
	errs       []error
	most       int             // how many files and folders may be found below symlinks to folders
	linked     int             // how many are
	isReported map[string]bool // the files with a finding, by where they really are

	mu     sync.Mutex  // for the listing and what follows, while workers read folders
	below  []string    // the folders in those that are read, by their paths from the publish folder
	others []*unlisted // see [walk.listStored]
}

// A walkedFolder is a folder that a walk is in.
type walkedFolder struct {
	name string // its path from the publish folder, by the names of symlinks; empty for that itself
	way  disk.Way
	link string // the outermost symlink to a folder on the way, by its name; empty for none
}

// An unlisted is what [walk.readStored] leaves to the walk: an entry of a folder, or an error of
// reading the folder.
type unlisted struct {
	folder string // its path from the publish folder; empty for that itself
	entry  fs.DirEntry
	err    error
}

// path is where it is, with a byte that is before all others in place of each slash: what is in a/
// goes before a-b, as if folders were read one after the other.
func (u *unlisted) path() string {
	path := u.folder
	if u.entry != nil {
		path = nameIn(u.folder, u.entry)
	}
	return strings.ReplaceAll(path, "/", "\x00")
}

// listStored lists the regular files that are there through no symlink. What else is in their
// folders, such as symlinks, is returned for the walk, in the order of paths. The folders of a large
// site are half of what is opened of it, so several are read at a time: first the publish folder,
// then all in it, then all in these.
func (w *walk) listStored() []*unlisted {
	worker := func() *walk { return w }
	for folders := []string{""}; len(folders) > 0; {
		w.below = nil
		disk.Each(context.Background(), folders, worker, (*walk).readStored) // which returns no error
		folders = w.below
	}
	slices.SortFunc(w.others, func(a, b *unlisted) int { return strings.Compare(a.path(), b.path()) })
	return w.others
}

// readStored lists the regular files of one folder that is there through no symlink, and adds the
// folders in it to w.below and what else is in it to w.others. Several workers call it.
func (w *walk) readStored(folder *string) error {
	entries, err := os.ReadDir(w.placeOf(*folder)) // with an error, those before it
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.others = append(w.others, &unlisted{folder: *folder, err: err})
	}
	for _, e := range entries {
		name := nameIn(*folder, e)
		switch {
		case isUnlisted(name):
			w.listing.Unlisted = append(w.listing.Unlisted, name)
		case e.IsDir():
			w.below = append(w.below, name)
		case e.Type().IsRegular() && !disk.IsTemp(name):
			w.listing.Names = append(w.listing.Names, name)
		default:
			w.others = append(w.others, &unlisted{folder: *folder, entry: e})
		}
	}
	return nil
}

// placeOf is where a folder that is there through no symlink lies, by its path from the publish
// folder.
func (w *walk) placeOf(folder string) string {
	return filepath.Join(w.root, filepath.FromSlash(folder))
}

// stored is a folder that is there through no symlink.
func (w *walk) stored(folder string) walkedFolder {
	return walkedFolder{name: folder, way: disk.WayDown(w.root, w.placeOf(folder))}
}

// nameIn is the path of an entry of a folder, from the publish folder.
func nameIn(folder string, e fs.DirEntry) string {
	if folder == "" {
		return e.Name()
	}
	return folder + "/" + e.Name()
}

// listFolder lists the files of a folder that is there through a symlink, and of the folders in it.
func (w *walk) listFolder(in walkedFolder) {
	entries, _ := os.ReadDir(in.way.Place()) // what cannot be read there is an error by its own name
	for _, e := range entries {
		if w.linked++; w.linked > w.most {
			w.reportTooMany(in.link)
			return
		}
		w.listEntry(in, e)
	}
}

// listEntry lists one file, or enters one folder, of a folder. Regular files and folders that are
// there through no symlink are none of its: [walk.listStored] has been there.
func (w *walk) listEntry(in walkedFolder, e fs.DirEntry) {
	name := nameIn(in.name, e)
	place := func() string { return filepath.Join(in.way.Place(), e.Name()) }
	switch {
	case isUnlisted(name): // it is reported by its own name
	case e.IsDir():
		w.listFolder(walkedFolder{name, in.way.Into(place()), in.link})
	case disk.IsTemp(name):
		if in.link == "" {
			w.listing.Temps = append(w.listing.Temps, name)
		}
	case e.Type().IsRegular():
		w.listing.Names = append(w.listing.Names, name)
		w.listing.Symlinks[name] = Symlink{Target: w.nameOf(place()), Folder: in.link}
	case e.Type()&fs.ModeSymlink != 0:
		w.listing.Linked = true
		w.listSymlink(in, name, place())
	default: // a pipe, a socket, a device
		w.report(place(), policy.Finding{ID: "not-read", Severity: policy.Error,
			Message: "the file is not read: " + disk.ErrNotRegular.Error()})
	}
}

// listSymlink lists what a symlink leads to, by the link's name: a file, or the files of a folder.
// name is the name by which the walk came to it, file where it really is, absolute. A link is left
// out, with a finding, if it leads out of the publish folder, to nothing, to what is not listed, or
// to what is neither a folder nor a regular file. One that leads to a folder around it is followed once, as [disk.Way]
// counts that: if such a link, this or another, was followed on the way already, it is left out
// with a finding. If a/loop leads to a, the walk lists a/x and a/loop/x, and not a/loop/loop/x.
func (w *walk) listSymlink(in walkedFolder, name, file string) {
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		w.reportNotFollowed(file, "it leads to no file")
		return
	}
	info, err := os.Stat(target)
	isThere := err == nil // else it was removed in this moment
	isFolder := isThere && info.IsDir()
	isFile := isThere && info.Mode().IsRegular()
	switch {
	case !w.isInside(target):
		w.reportNotFollowed(file, "it leads out of the publish folder")
	case w.unlistedAround(target) != "":
		w.reportNotFollowed(file, "it leads to "+w.unlistedAround(target)+", which is not listed")
	case isFolder && in.way.Ends(target):
		w.reportSymlink(file, "the symlink is followed once: it leads to a folder around it",
			", and nothing is decided at the addresses that go through it twice")
	case isFolder:
		outermost := cmp.Or(in.link, name)
		w.listFolder(walkedFolder{name, in.way.Into(target), outermost})
	case isFile:
		w.listing.Names = append(w.listing.Names, name)
		w.listing.Symlinks[name] = Symlink{Target: w.nameOf(target), Folder: in.link}
	default:
		w.reportNotFollowed(file, "it leads to no file")
	}
}

// isInside reports whether an absolute path without links is in the publish folder, or is that.
func (w *walk) isInside(place string) bool {
	fromRoot, err := filepath.Rel(w.root, place)
	return err == nil && filepath.IsLocal(fromRoot)
}

// reportNotFollowed reports a symlink, by where it really is, that is left out, and why.
func (w *walk) reportNotFollowed(file, why string) {
	w.reportSymlink(file, "the symlink is not followed: "+why, "")
}

// reportSymlink reports a symlink, by where it really is.
func (w *walk) reportSymlink(file, message, detail string) {
	w.report(file, policy.Finding{ID: "symlink", Severity: policy.Warning,
		URL:     site.URL(w.nameOf(file)),
		Message: message, Detail: detail})
}

// nameOf is that of a file which is there through no symlink, by its absolute path.
func (w *walk) nameOf(file string) string {
	rel, _ := filepath.Rel(w.root, file)
	return filepath.ToSlash(rel)
}

// report adds a finding about a file, by where it really is, once for all the names that it has.
func (w *walk) report(file string, f policy.Finding) {
	if w.isReported[file] {
		return
	}
	w.isReported[file] = true
	f.File = w.project.Published(w.nameOf(file))
	w.listing.Findings = append(w.listing.Findings, f)
}

// reportTooMany reports, once, that the walk ends below a symlink to a folder.
func (w *walk) reportTooMany(link string) {
	w.report(filepath.Join(w.root, filepath.FromSlash(link)),
		policy.Finding{ID: "symlink", Severity: policy.Error,
			URL: site.URL(link), Message: fmt.Sprintf("the symlink is not followed to its "+
				"end: more than %d files and folders are found through symlinks to folders", w.most),
			Detail: ", and nothing is decided at the addresses of the others"})
}
