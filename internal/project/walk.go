package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A Listing is what was found in a publish folder.
type Listing struct {
	Names    []string          // of its files, sorted
	Symlinks map[string]string // files that are symlinks, and the published file each leads to
	Linked   bool              // there are symlinks, to files, folders or nothing
	Temps    []string          // temporary files of an interrupted run
	Findings []policy.Finding  // about what is left out
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
// them. A symlink is listed by its own name if it leads to a file of the folder; one that leads out
// of it (M6) is not, with a finding, and so is a pipe or a device. Temporary files that an
// interrupted run left are kept apart. A folder that does not exist has no files. A part that
// cannot be read is an error, after all others are listed.
func (p *Project) Walk() (Listing, error) {
	root, err := filepath.EvalSymlinks(p.Settings.Publish)
	if errors.Is(err, fs.ErrNotExist) {
		return Listing{}, nil // before the first build
	} else if err != nil {
		return Listing{}, err
	}
	l := Listing{Symlinks: map[string]string{}}
	var errs []error
	err = filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, file)
		name := filepath.ToSlash(rel)
		report := func(f policy.Finding) {
			f.File = p.Published(name)
			l.Findings = append(l.Findings, f)
		}
		switch {
		case err != nil:
			errs = append(errs, err) // and the walk goes on
		case e.IsDir():
		case disk.IsTemp(name):
			l.Temps = append(l.Temps, name)
		case e.Type().IsRegular():
			l.Names = append(l.Names, name)
		case e.Type()&fs.ModeSymlink != 0:
			l.Linked = true
			target, reason := follow(root, file)
			if reason != "" {
				report(policy.Finding{ID: "symlink", Severity: policy.Warning, URL: site.URL(name),
					Message: "the symlink is not followed: " + reason})
				break
			}
			l.Names, l.Symlinks[name] = append(l.Names, name), target
		default: // a pipe, a socket, a device
			report(policy.Finding{ID: "not-read", Severity: policy.Error,
				Message: "the file is not read: " + disk.ErrNotRegular.Error()})
		}
		return nil
	})
	slices.Sort(l.Names)
	return l, errors.Join(append(errs, err)...)
}

// follow returns the published file to which a symlink leads, or why it leads to none.
func follow(root, file string) (name, reason string) {
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		return "", "it leads to no file"
	}
	rel, err := filepath.Rel(root, target)
	info, gone := os.Stat(target)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return "", "it leads out of the publish folder"
	case gone == nil && info.IsDir():
		return "", "it leads to a folder"
	case gone != nil || !info.Mode().IsRegular():
		return "", "it leads to no file"
	}
	return filepath.ToSlash(rel), ""
}
