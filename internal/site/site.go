// Package site knows what is published: files, the pages behind them, and the generator that made
// them. Generators live in packages of their own below it.
//
// Words of this package:
//
//	Generator       what makes a site: Hugo, Jekyll …; Open loads one as a Site
//	Map             what is behind each published file, as the generator tells it: a File
//	name            of a published file: its path from the publish folder, with slashes, "a/index.html"
//	content file    a source of pages; Source is its name for messages
//	page metadata   what a page, or a file beside the pages, says of a page's source and kind (PageMeta)
//	front matter    the keys at the top of a content file; frontmatter.IsTable tells those that hold such
//	                keys, as params does, and Mentions whether a key may state something for crawlers
//	Subject         what policy has to know of a file: its facts, role and statements
//	Facts           kind, type, section, language and format of a page; "" is not known
//	Unread          what front matter seems to state in a form that is not read
//	IsPageItsOwn    of a file: its front matter is for this very file, and not only for its page
//	held            said of files that a build hands over in place of writing them (Hooks)
//	control file    robots.txt, _headers, sitemaps …: it has no policy
package site

import (
	"context"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"metarobots/frontmatter"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// A Generator makes sites.
type Generator interface {
	Name() string // what [site] generator says: "hugo", "html"
	// Detect reports whether the folder holds a site of this generator, by the generator's own
	// flags or by its files.
	Detect(source string, flags map[string]any) bool
	// Open loads a site's configuration. Errors are the user's to mend.
	Open(ctx context.Context, o Options) (Site, error)
}

// Options are what the user said about the site.
type Options struct {
	Source      string                   // the site's folder, absolute
	Destination string                   // the publish folder, absolute; empty for the generator's own
	Environment string                   // the generator's own; empty for its default (E1)
	BaseURL     string                   // in place of the site's own; empty for that
	Build       map[string]any           // the generator's own flags by their names, such as buildDrafts
	Content     *Content                 // [site.content]; nil where it says nothing
	Now         time.Time                // the time that counts as now (L7); zero where it is not known
	Short       func(file string) string // shortens a file's path for messages
	Log         io.Writer                // takes the generator's messages
	Verbose     bool                     // asks for more of them
}

// Content says where the content of a site lies and at which URLs it is published, where the
// generator's own configuration does not tell. Paths are from the source.
type Content struct {
	Folders    []string          // that hold the content; empty for those that are found
	FoldersAt  policy.Origin     // where they are named
	Pattern    string            // the URL of a content file, with [Placeholders]: "/blog/:slug/", * for any part
	Permalinks map[string]string // such patterns for single folders, by folder
	Exclude    []policy.Glob     // files that are not read
	Manifest   string            // the file that names the source of each page; empty for metarobots.json, if there
	Fallback   bool              // a page that is not translated is published in the folders of other languages too
}

// Placeholders are what may stand behind a colon in the patterns of [Content].
var Placeholders = []string{"path", "dir", "section", "name", "slug", "title", "year", "month", "day"}

// A Site is an opened site.
type Site interface {
	// Settings are what its configuration says.
	Settings() Settings
	// List returns the map from published files, which are sorted, to pages. Its errors are all
	// faults of front matter.
	List(ctx context.Context, o frontmatter.Config, published []string) (Map, error)
	// Close frees what the site holds.
	Close() error
}

// A Builder is a Site that can be rendered.
type Builder interface {
	Site
	// Build renders the site, asking hooks what to do with each file as it is written.
	Build(ctx context.Context, o frontmatter.Config, hooks Hooks) error
}

// A Relister is a Site that reads once more what its pages state, with other keys of front matter.
// The pages are those that were listed or built last.
type Relister interface {
	Site
	Relist(o frontmatter.Config) (Map, error)
}

// A Previewer is a Site whose generator shows it while it is written, through templates that read
// data files.
type Previewer interface {
	Site
	// DataFolder is where data files of the site's own lie, absolute; empty where it has no such
	// folder.
	DataFolder() string
	// Pager returns the name of the n-th pager of a page's output, if there is one; empty where no
	// list can be divided.
	Pager(f File, n int) string
}

// A Versioner is a Site whose configuration may tell the versions of a documentation.
type Versioner interface {
	Site
	// Versions are they, in a group for each documentation, and the lists of them that cannot be
	// read.
	Versions() ([]versions.Group, []versions.Unread)
}

// A RenderError is a site that is configured and written as it should be, and whose templates fail.
type RenderError struct{ Err error }

func (e *RenderError) Error() string { return e.Err.Error() }
func (e *RenderError) Unwrap() error { return e.Err }

// Hooks take part in a build.
type Hooks struct {
	// Listed is called once, before anything is written. An error ends the build with nothing
	// written.
	Listed func(m Map) error
	// Write gets every HTML file, sitemap and _headers in place of the publish folder; name is
	// slash-separated from the publish root. It may be called from several goroutines.
	Write func(name string, data []byte) error
	// DryRun keeps the build from writing anything: Write then gets every file.
	DryRun bool
}

// Settings are what a site's own configuration says. Folders are absolute.
type Settings struct {
	Publish  string // the publish folder
	State    string // a folder that is not published, in which remembered state may lie
	Manifest string // the lines that let the generator write which content file made which page; empty if unknown
	BaseURL  string // of the site; empty if unknown
	Title    string // of the site; empty if unknown
	Tags     Tags   // that the generator prints
	// Params is [params.metarobots] of the generator's configuration, ThemeRobots the theme's own
	// params.robots; nil where they say nothing.
	Params      map[string]any
	ThemeRobots any
	// Locate finds a key of the configuration, from the top: "params", "metarobots", "page".
	Locate       func(path ...string) (file string, line int)
	Findings     []policy.Finding  // what a reader of that configuration should know
	Problems     []error           // faults of the generator's configuration as far as it speaks to us
	AnyFolder    bool              // no generator is known, and the pages may lie in any folder
	KnowsContent bool              // the generator tells where its content lies: [site.content] says nothing to it
	Hosts        []string          // top folders of a multihost site, each the root of a host; empty for one host
	HostURLs     map[string]string // the base URLs of those hosts by their folders; nil for one host
}

// Tags are robots tags that a generator prints by itself.
type Tags struct {
	Redirect string // of the redirect pages that it, or its ordinary plugin, makes; may be empty
	// EveryPage are those that its configuration asks for on every page, each at its line there.
	EveryPage []policy.Statement
}

// A Map tells what stands behind a published file.
type Map interface {
	// File returns what is known of a file, named from the publish root with slashes; if nothing
	// is, that is Unknown.
	File(name string) File
	// Expected lists files of pages that a build writes, sorted: without pagers, resources and
	// static files.
	Expected() []string
	// Reads reports whether a file, by its path from the site's folder, lies where content is read
	// from. Of one that is left out there, the generator publishes nothing.
	Reads(file string) bool
	// Findings are what the page list itself gives reason to report.
	Findings() []policy.Finding
}

// A Withholder is a Map that knows what would be published and is not, such as drafts.
type Withholder interface {
	Map
	// Withheld are the content files, absolute, that would be published as one of some files, named
	// as in [Map], and that are not published at all.
	Withheld(names []string) (files []string, err error)
}

// Alike reports whether content files state the same, wherever it stands.
func Alike(a, b []policy.Statement) bool { return stated(a) == stated(b) }

func stated(all []policy.Statement) string {
	var texts []string
	for _, s := range all {
		texts = append(texts, s.States())
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "\n")
}

// A File is one published file.
type File struct {
	policy.Subject
	Name    string // the path from the publish root, slash-separated, no leading slash
	Source  string // the content file of the page behind it, relative to the working folder or the site
	Unknown bool   // it is no page, no output, no resource and no static file that is known
	// Unread is what the page's front matter seems to state in a form that is not read: none of it
	// counts (F3).
	Unread []policy.Statement
	CopyOf string // the name of the page whose content this file publishes again; empty where a map knows none
	// From is what the generator makes a robots.txt from, for readers: a template or a static file,
	// named below the path of its module if it lies outside of the site. It is empty for other
	// files, and if nobody knows.
	From string
}

// NewFile is a file of which the name alone is known.
func NewFile(name string) File {
	return File{Name: name, Subject: policy.Subject{Path: policy.PathOf(name), HTML: IsHTML(name)}}
}

// Serving returns which of a site's hosts serves a published file or a URL: the one of the deepest
// folder of the publish root; ok is false if none does.
func Serving[H any](hosts []H, name string, folder func(H) string) (host H, ok bool) {
	for _, h := range hosts {
		if f := folder(h); strings.HasPrefix(name, f) && (!ok || len(f) > len(folder(host))) {
			host, ok = h, true
		}
	}
	return host, ok
}

// URL returns the encoded path from the publish root at which a host serves the file: /x/ for
// x/index.html.
func URL(name string) string { return URLOf("/" + name) }

// URLOf returns the same for the file's path, which begins with a slash. It is a part of the path
// if nothing in it has to be encoded, as nearly always.
func URLOf(path string) string {
	if dir, ok := strings.CutSuffix(path, "/index.html"); ok {
		path = path[:len(dir)+len("/")]
	}
	if isNeverEncoded(path) {
		return path
	}
	return bare.Replace((&url.URL{Path: path}).EscapedPath())
}

// isNeverEncoded reports whether a path has only letters, digits and signs that no URL ever
// encodes.
func isNeverEncoded(path string) bool {
	for i := range len(path) {
		switch c := path[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '/', c == '-', c == '.', 'A' <= c && c <= 'Z', c == '_':
		default:
			return false
		}
	}
	return true
}

// bare are characters that net/url escapes and that stand bare in the addresses of browsers and
// crawlers
// (https://url.spec.whatwg.org/#path-percent-encode-set).
var bare = strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")

// IsHTML reports whether a file is HTML by its name.
func IsHTML(name string) bool {
	return slices.Contains([]string{".html", ".htm", ".xhtml"}, strings.ToLower(path.Ext(name)))
}
