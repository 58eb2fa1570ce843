package site

// A Previewer is a Site whose generator shows it while it is written, through templates that read data files.
type Previewer interface {
	Site
	// DataFolder is where data files of the site's own lie, absolute; empty where it has no such folder.
	DataFolder() string
	// Pager returns the name that the n-th pager of a page's output has where a template divides its list; empty where
	// no list can be divided. Which pagers there are is known when they are rendered.
	Pager(f File, n int) string
}
