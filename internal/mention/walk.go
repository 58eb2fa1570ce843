package mention

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/disk"
)

// A Walk goes through a site's own files: those below its folder that somebody wrote for it.
type Walk struct {
	// Folder is the site's, absolute.
	Folder string
	// Leave are folders that hold no files of the site's own, absolute: that of the pages.
	Leave []string
	// Files are those that may be read.
	Files disk.Root
	// Most is how many files and folders are looked at.
	Most int
	// Wants reports whether a file is to be visited, by its path from Folder; what Git ignores is
	// not.
	Wants func(name string) bool

	visited int // how many files and folders were looked at so far
	// above is the path of Folder from the root of its repository; "" if it is that root, or in no
	// repository.
	above string
}

// ErrTooMany says that a folder holds more files than a site does.
var ErrTooMany = errors.New("the folder holds too many files")

// strangers are folders of other people's files, by their names: what they say is for other sites.
var strangers = []string{"node_modules", "bower_components", "vendor", "exampleSite", "themes"}

// hidden are folders that begin with a dot and are searched all the same: of two generators, and of
// programs that deploy sites.
var hidden = []string{".vitepress", ".vuepress", ".do", ".ebextensions", ".platform", ".upsun"}

// Run visits the files that are wanted, in the order of their names, by their paths from the
// folder. It leaves out what Git ignores, folders of other people's files, and folders that begin
// with a dot, except those of [hidden]. Symlinks to folders are not followed: what is there is
// visited under its own name, or is not the site's. Its error is [ErrTooMany], that of a folder, or
// that of ctx.
func (w *Walk) Run(ctx context.Context, visit func(name string)) error {
	w.visited = 0
	return w.visitFolder(ctx, "", w.ignoredAbove(), visit)
}

// ignoredAbove are the patterns of the folders around the site's, within its repository.
func (w *Walk) ignoredAbove() (all ignored) {
	top := disk.Repository(w.Folder)
	above, err := filepath.Rel(top, w.Folder)
	if top == "" || err != nil || above == "." {
		return nil
	}
	w.above = filepath.ToSlash(above)
	parts := strings.Split(w.above, "/")
	for i := range parts {
		folder := strings.Join(parts[:i], "/")
		all = all.addingPatterns(folder, w.gitignore(filepath.Join(top,
			filepath.FromSlash(folder))))
	}
	return all
}

// gitignore is the text of a folder's .gitignore; nil, which has no patterns, if there is none that
// can be read.
func (w *Walk) gitignore(dir string) []byte {
	text, err := w.Files.ReadFile(filepath.Join(dir, ".gitignore"), 1<<20)
	if err != nil {
		return nil
	}
	return text
}

// visitFolder calls visit for the wanted files of one folder, and of the folders in it, in the
// order of their names. folder is its path from the Walk's Folder, "" for that itself; patterns
// are those of .gitignore files of the folders around it. A folder that may not be read is
// passed over. The first error ends the walk: [ErrTooMany] once it has come to more than Most files
// and folders, the error of a folder that cannot be read, or that of ctx, which is asked after each
// folder.
func (w *Walk) visitFolder(ctx context.Context, folder string, patterns ignored,
	visit func(name string)) error {
	dir := filepath.Join(w.Folder, filepath.FromSlash(folder))
	entries, err := os.ReadDir(dir) // sorted by their names
	if errors.Is(err, fs.ErrPermission) {
		return nil // what nobody may read is published by nobody
	} else if err != nil {
		return err
	}
	if w.visited += len(entries); w.visited > w.Most {
		return ErrTooMany
	}
	isGitignore := func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }
	if slices.ContainsFunc(entries, isGitignore) {
		patterns = patterns.addingPatterns(path.Join(w.above, folder), w.gitignore(dir))
	}
	for _, e := range entries {
		name := path.Join(folder, e.Name())
		isFolder := e.IsDir() // a symlink to a folder is none
		// They count from the root of the repository. They are many, so they are asked last.
		isIgnored := func() bool { return patterns.ignores(path.Join(w.above, name), isFolder) }
		switch {
		case isFolder && w.entersFolder(name, e.Name()) && !isIgnored():
			if err := w.visitFolder(ctx, name, patterns, visit); err != nil {
				return err
			}
		case !isFolder && w.isVisited(name, e) && !isIgnored():
			visit(name)
		}
	}
	return ctx.Err()
}

// isVisited reports whether a file is visited if Git does not ignore it. A symlink counts only if a
// host reads files of its name: the file behind it has a name of its own.
func (w *Walk) isVisited(name string, e fs.DirEntry) bool {
	return w.Wants(name) && (e.Type().IsRegular() || Lookup(name) != nil)
}

// entersFolder reports whether a folder may hold files of the site's own, by its path from the
// Walk's Folder and its name.
func (w *Walk) entersFolder(name, base string) bool {
	isHidden := base[0] == '.' && !slices.Contains(hidden, base)
	isLeft := slices.Contains(w.Leave, filepath.Join(w.Folder, filepath.FromSlash(name)))
	return !isHidden && !isLeft && !slices.Contains(strangers, base)
}
