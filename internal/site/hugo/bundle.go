package hugo

import (
	"fmt"
	"hash/maphash"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gohugoio/hugo/common/hugio"
	"github.com/gohugoio/hugo/resources/page"
	"github.com/gohugoio/hugo/resources/resource"
	"github.com/spf13/afero"

	"metarobots/frontmatter"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/site"
	"metarobots/policy"
)

// bundleFiles are the files of pages' bundles.
type bundleFiles struct {
	// byName has them by the names of published files, and by stemKey: without hashes.
	byName map[string]bundleFile
	// originals are the files of leaf bundles, by size, once all pages are added: a template may
	// publish one under another name.
	originals func() map[int64][]original
}

// A bundleFile is a file of bundles.
type bundleFile struct {
	pages  []*pageInfo        // that have it
	stated []policy.Statement // what their front matter says of it alone
}

// addResources registers the files of a page's bundle. Their keys name the files they are published
// as; asking for a link instead would publish them.
func (l *lister) addResources(p page.Page, info *pageInfo) {
	if info.bundle == "" {
		return
	}
	for _, r := range p.Resources() {
		id, ok := r.(resource.Identifier)
		if !ok || r.ResourceType() == "page" {
			continue
		}
		name := l.resourceFile(p, id.Key())
		if file, ok := r.(hugio.ReadSeekCloserProvider); ok && info.bundle == "leaf" {
			l.originals = append(l.originals, original{name, file})
		}
		stated := l.statedOf(r, info)
		for _, key := range []string{name, stemKey(name)} {
			f := l.m.bundles.byName[key]
			l.m.bundles.byName[key] = bundleFile{appendNew(f.pages, info), policy.Union(f.stated, stated)}
		}
	}
}

// resourceFile returns the file that a resource's key stands for.
func (l *lister) resourceFile(p page.Page, key string) string {
	folder := strings.TrimPrefix(p.RelPermalink(), l.current.base)
	folder = strings.TrimSuffix(strings.TrimSuffix(folder, path.Ext(folder)), "/")
	rest, ok := strings.CutPrefix(strings.TrimPrefix(key, l.current.host), folder+"/")
	if !ok { // of a page without a link
		return strings.TrimPrefix(path.Join("/", policy.Decoded(key)), "/")
	}
	return strings.TrimPrefix(path.Join("/", l.current.host, decoded(p, folder), policy.Decoded(rest)), "/")
}

// statedOf returns what a page's front matter states of one file of its bundle.
// https://gohugo.io/content-management/page-resources/#metadata
func (l *lister) statedOf(r resource.Resource, info *pageInfo) []policy.Statement {
	params := map[string]any(r.Params())
	if len(params) == 0 || info.file == "" {
		return nil
	}
	o := l.options
	o.Locate = func(path ...string) (string, int) {
		line := 0
		if d := l.document(info.file); d.err == nil {
			want := fmt.Sprint(frontmatter.Lookup(plain(params), path))
			line, _ = lineInTables(d.matter, []string{"resources"}, path, want)
		}
		return info.source, line
	}
	return l.read(params, info, o).Statements
}

// describe fills in a file that is a resource of bundles, or that Hugo made of one: a resized image.
// It reports whether it is one.
func (b *bundleFiles) describe(f *site.File) bool {
	for _, name := range []string{f.Name, policy.Decoded(f.Name)} {
		for _, key := range []string{name, stemKey(name)} {
			if of, ok := b.byName[key]; ok {
				of.describe(f)
				return true
			}
		}
	}
	return false
}

// describe fills in a file of bundles. Leaf bundles' files belong to every page that has them (L5), and
// the published ones decide; a branch bundle's file is the section's, whose policy
// it does not take. What front matter states of the file itself holds for it alone.
func (b *bundleFile) describe(f *site.File) {
	f.Role = policy.RoleStatic
	published := slices.ContainsFunc(b.pages, func(p *pageInfo) bool { return p.rendered })
	f.Facts.Language = nearest(f.Name, b.pages).facts.Language
	for _, p := range b.pages {
		if p.bundle == "leaf" && (p.rendered || !published) {
			f.Role = policy.RoleResource
			f.Owners = append(f.Owners, *p.owner())
		}
	}
	f.Page, f.IsPageItsOwn = b.stated, len(b.stated) > 0
}

// An original is a file of a leaf bundle, by the name under which Hugo publishes it.
type original struct {
	name string
	file hugio.ReadSeekCloserProvider
}

// sizesOf are originals by size. It opens each, so it is asked where there is a file that may be a
// copy of one.
func sizesOf(all []original) map[int64][]original {
	sizes := map[int64][]original{}
	for _, o := range all {
		if r, err := o.file.ReadSeekCloser(); err == nil {
			if size, err := r.Seek(0, io.SeekEnd); err == nil && size > 0 {
				sizes[size] = append(sizes[size], o)
			}
			r.Close()
		}
	}
	return sizes
}

// describeCopy fills in a file that a template publishes under a name of its own, resources.Copy,
// where its bytes are those of bundles' files. It reports whether they are. During a build a file
// may be asked for before it is written, which is then none: the plan asks again in the end.
func (b *bundleFiles) describeCopy(f *site.File, published publishFolder) bool {
	size, sum := published.sizeAndSum(f.Name)
	if size == 0 || f.HTML {
		return false
	}
	candidates := b.originals()[size]
	if len(candidates) == 0 {
		return false
	}
	want := sum()
	var of bundleFile
	for _, o := range candidates {
		if r, err := o.file.ReadSeekCloser(); err == nil {
			if text, err := io.ReadAll(r); err == nil && sumOf(text) == want {
				for _, page := range b.byName[o.name].pages { // two files of a page may be equal
					of.pages = appendNew(of.pages, page)
				}
				of.stated = policy.Union(of.stated, b.byName[o.name].stated)
			}
			r.Close()
		}
	}
	if len(of.pages) > 0 {
		of.describe(f)
	}
	return len(of.pages) > 0
}

// publishFolder is what is published, with what is known of this build's part in it.
type publishFolder struct {
	files afero.Fs
	// made are the names of the files, without HTML, that this build has made, in a dry run each
	// with its fileSum; empty if nothing is built.
	made *sync.Map
}

// isMade reports whether this build has made a file that is no HTML, by a template.
func (p publishFolder) isMade(name string) bool {
	_, isMade := p.made.Load(name)
	return isMade
}

// sizeAndSum are those of a published file, or of one that a dry run has made; 0 and nil if it is
// not there.
func (p publishFolder) sizeAndSum(name string) (size int64, sum func() fileSum) {
	inDryRun, _ := p.made.Load(name)
	if made, isInDryRun := inDryRun.(fileSum); isInDryRun {
		return made.size, func() fileSum { return made }
	}
	file := filepath.FromSlash(name)
	info, err := p.files.Stat(file)
	if err != nil || info.IsDir() {
		return 0, nil
	}
	return info.Size(), func() fileSum {
		data, _ := afero.ReadFile(p.files, file)
		return sumOf(data)
	}
}

// A fileSum tells the bytes of a file from those of any other.
type fileSum struct {
	size int64
	hash uint64
}

var seed = maphash.MakeSeed()

func sumOf(data []byte) fileSum { return fileSum{int64(len(data)), maphash.Bytes(seed, data)} }

// areHidden reports whether front matter restricts a page with a file of that extension. A template
// may have made another file of it.
func (b *bundleFiles) areHidden(ext string) bool {
	for name, of := range b.byName {
		if path.Ext(name) == ext && slices.ContainsFunc(of.pages, func(p *pageInfo) bool {
			return p.bundle == "leaf" && slices.ContainsFunc(p.statements, func(s policy.Statement) bool {
				return s.Directives.Restricts()
			})
		}) {
			return true
		}
	}
	return false
}

// nearest returns the page whose folder holds a file most closely: of the languages that share a
// bundle's file, the one that it is published under.
func nearest(name string, pages []*pageInfo) *pageInfo {
	best, depth := pages[0], -1
	for _, p := range pages {
		folder := path.Dir(p.main)
		if n := len(folder); p.main != "" && (folder == "." || strings.HasPrefix(name, folder+"/")) && n > depth {
			best, depth = p, n
		}
	}
	return best
}

// stemKey is the key under which files are found that were made of a resource: it is no file's
// name.
func stemKey(name string) string { return path.Dir(name) + "/" + stem(path.Base(name)) + "/" }

// hashed is what Hugo adds to the names of resources: a fingerprint, .min, _hu_ and a hash.
var hashed = lazyregexp.New(`(?:\.[0-9a-f]{16,}|\.min|_hu_?[0-9a-f]+(?:_.*)?)+$`)

// stem is a file's name without what Hugo adds to it and without its extension.
func stem(base string) string {
	base = strings.TrimSuffix(base, ".map")
	base = strings.TrimSuffix(base, path.Ext(base))
	if !strings.ContainsAny(base, "._") {
		return base
	}
	return hashed.ReplaceAllString(base, "")
}
