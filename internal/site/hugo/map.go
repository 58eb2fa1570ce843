package hugo

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gohugoio/hugo/hugofs"
	"github.com/gohugoio/hugo/hugolib/filesystems"
	"github.com/spf13/afero"

	"metarobots/internal/site"
	"metarobots/policy"
)

// pageMap tells what is behind the files of a site. It is complete when the pages are assembled,
// before the first of them is rendered.
type pageMap struct {
	short     func(file string) string // a file's name for messages
	outputs   map[string]pageOutput    // by the names of their files
	older     map[string]pageOutput    // by the names that older versions of Hugo gave files
	expected  []string
	aliases   map[string][]alias // by the names of their files
	bundles   bundleFiles
	published publishFolder
	languages siteLanguages
	fixed     map[string]fixedFile // files of no page: 404.html, robots.txt, sitemaps
	unbuilt   *pageMap             // of pages that Hugo leaves out with the site's flags; nil for none
	pagers    *regexp.Regexp       // what the names of pagers look like: folder, number, rest
	site      siteAnswers
	static    map[string]*filesystems.SourceFilesystem
	reports   reports
	// assetStems are the stemKeys of all assets.
	assetStems func() map[string]bool
}

// newPageMap is the map of the site's languages, hosts and folders, which has no pages yet.
func (s *hugoSite) newPageMap() *pageMap {
	h := s.sites
	m := &pageMap{
		short:      s.short,
		site:       siteAnswers{pagerOf: s.Pager},
		outputs:    map[string]pageOutput{},
		older:      map[string]pageOutput{},
		aliases:    map[string][]alias{},
		bundles:    bundleFiles{byName: map[string]bundleFile{}},
		published:  publishFolder{files: h.BaseFs.PublishFs, made: &sync.Map{}},
		languages:  siteLanguages{haveHosts: h.Conf.IsMultihost()},
		reports:    reports{languageOf: map[policy.Finding]string{}},
		fixed:      map[string]fixedFile{},
		static:     h.BaseFs.SourceFilesystems.Static,
		assetStems: sync.OnceValue(func() map[string]bool { return stemsOf(h.BaseFs.Assets.Fs) }),
	}
	for _, language := range s.configs.Languages {
		m.languages.all = append(m.languages.all, language.Lang)
	}
	return m
}

// siteLanguages are the languages of a site. Their folders may hold error pages.
type siteLanguages struct {
	all []string
	// haveHosts says that each has a folder and a host of its own.
	haveHosts bool
}

// hosts are the folders of a site with several hosts.
func (l siteLanguages) hosts() []string {
	if l.haveHosts {
		return l.all
	}
	return nil
}

// ofHost returns the name of a file from the root of its host.
func (l siteLanguages) ofHost(name string) string {
	for _, host := range l.hosts() {
		if rest, ok := strings.CutPrefix(name, host+"/"); ok {
			return rest
		}
	}
	return name
}

// siteAnswers are what a site is asked that a page map does not know by itself.
type siteAnswers struct {
	// pagerOf names the n-th pager of a page's output.
	pagerOf func(f site.File, n int) string
	// withheld are the content files behind files that Hugo would publish with other flags; nil if
	// the site is built.
	withheld func(names []string) ([]string, error)
}

// A pageInfo is what is known of one of Hugo's pages; its outputs share it.
type pageInfo struct {
	facts      policy.Facts
	path       string   // Hugo's logical path, "/blog/a", which needs no file
	bundle     string   // leaf, branch or empty
	file       string   // its content file, absolute
	source     string   // the same, for messages
	main       string   // the file of its first HTML output
	format     string   // and that output's format
	rendered   bool     // Hugo writes it, and with HTML
	taxonomies []string // the one whose list or term it is, by its plural name; nil for none
	statements []policy.Statement
	unread     []policy.Statement // what its parameters seem to state in a form that is not read
}

// A pageOutput is a page in one output format: one file. Without info it is none.
type pageOutput struct {
	info   *pageInfo
	format string // Hugo's name of the output format, "rss"
	html   bool
	text   bool // it says again what the page says, as Markdown or plain text
}

// output returns the page's output that a file is. The name of one whose slug has escapes may hold
// them, as the slug is written, or what they stand for.
func (m *pageMap) output(name string) (o pageOutput, ok bool) {
	if o, ok = m.outputs[name]; !ok {
		o, ok = m.outputs[policy.Decoded(name)]
	}
	return o, ok
}

// add notes that a page makes a file by one of its outputs, o, and reports whether nothing made
// that file before. If another output did, Hugo keeps whichever it writes last, and the first one
// stays in the map:
//
//	the same page in the same format     nothing: it is named twice, and makes one file
//	the same page in another format      a warning (two-outputs)
//	another page, a control file         a warning (two-outputs): robots.txt states nothing of a page
//	another page that states the same    a warning (two-pages)
//	another page                         an error (two-pages)
//
// In the last two cases the file takes what both pages state.
func (m *pageMap) add(name string, o pageOutput) (isNew bool) {
	first, isTaken := m.outputs[name]
	if !isTaken {
		m.outputs[name] = o
		return true
	}
	isSamePage := first.info == o.info
	// An HTML file of such a name is a page.
	isControlFile := !o.html && site.IsControlFile(m.languages.ofHost(name))
	switch {
	case isSamePage && first.format == o.format:
	case isSamePage:
		m.reports.addClash(twoOutputs(name, first, o), o, first)
	case isControlFile:
		m.reports.addClash(twoControlFiles(name, first, o), o, first)
	default:
		m.reports.addClash(twoPages(name, first, o), o, first)
		first.info = statingBoth(first.info, o.info)
		m.outputs[name] = first
	}
	return false
}

// twoOutputs is the finding that two outputs of one page make one file.
func twoOutputs(name string, first, second pageOutput) policy.Finding {
	return policy.Finding{ID: "two-outputs", Severity: policy.Warning, URL: site.URL(name),
		File: second.info.source,
		Message: fmt.Sprintf("its outputs %s and %s are both published as %s: Hugo keeps one of them",
			first.format, second.format, name)}
}

// twoControlFiles is the finding that two pages make one control file, such as robots.txt.
func twoControlFiles(name string, first, second pageOutput) policy.Finding {
	return policy.Finding{ID: "two-outputs", Severity: policy.Warning, URL: site.URL(name),
		File: second.info.source,
		Message: fmt.Sprintf("this page and %s both write %s: Hugo keeps what it writes last",
			first.info.name(), name),
		Fix: "; let one language alone have that output"}
}

// twoPages is the finding that two pages make one file: an error if they state different things,
// since the file then takes what its own page may not state.
func twoPages(name string, first, second pageOutput) policy.Finding {
	severity := policy.Error
	if site.Alike(first.info.statements, second.info.statements) {
		severity = policy.Warning
	}
	return policy.Finding{ID: "two-pages", Severity: severity, URL: site.URL(name),
		File: second.info.source,
		Message: fmt.Sprintf("this page and %s are both published as %s: Hugo keeps one of them, so "+
			"what both say counts", first.info.name(), name)}
}

// statingBoth is a page with the statements of another one too. It is a copy, since the page's
// other files do not take them.
func statingBoth(page, other *pageInfo) *pageInfo {
	both := *page
	both.statements = append(slices.Clone(both.statements), other.statements...)
	return &both
}

// reports are the findings of a page list.
type reports struct {
	findings []policy.Finding
	// languageOf is the language in which a clash was reported first, by what makes it the same.
	languageOf map[policy.Finding]string
}

// add adds findings.
func (r *reports) add(findings ...policy.Finding) { r.findings = append(r.findings, findings...) }

// addClash reports that two outputs make one file, unless the same was reported for another
// language: a content file may be mounted into many languages, and is wrong once.
func (r *reports) addClash(f policy.Finding, o, other pageOutput) {
	key := policy.Finding{ID: f.ID, File: f.File, Message: o.format + " " + other.format}
	language, isReported := r.languageOf[key]
	if isReported && f.File != "" && language != o.info.facts.Language {
		return
	}
	r.languageOf[key] = o.info.facts.Language
	r.add(f)
}

// sort puts the findings in the order of their files and lines.
func (r *reports) sort() {
	slices.SortStableFunc(r.findings, func(a, b policy.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.URL, b.URL))
	})
}

// Reads reports that Hugo knows all content: what lies outside of its folders is not published.
func (m *pageMap) Reads(string) bool { return true }

// Expected lists the files of the pages' outputs.
func (m *pageMap) Expected() []string {
	slices.Sort(m.expected)
	return m.expected
}

// Findings are those of the page list.
func (m *pageMap) Findings() []policy.Finding { return m.reports.findings }

// firstPage is the number of a list's first page, and of the one page of everything else.
const firstPage = 0

// File tells what is behind a published file, by the rules that Hugo names files by, for
// [site.Map]. It fills in the first of these that the file is:
//
//  1. an output of a page: blog/index.html, blog/index.xml. One that is no HTML and has the name of
//     a control file, such as robots.txt, is 3.
//  2. what a template makes of no page, whatever static file has that name: robots.txt,
//     sitemap.xml; 404.html only if no static file has it, since there may be no template
//  3. a control file, which gets no policy
//  4. a static file: one of a folder static, which Hugo copies
//  5. the redirect of an alias
//  6. a later page of a list, /page/2/, or the redirect that is its first page, /page/1/
//  7. what [pageMap.describeUnnamed] knows. If nothing is known, the file is Unknown.
func (m *pageMap) File(name string) site.File {
	f, onHost := site.NewFile(name), m.languages.ofHost(name)
	output, isOutput := m.output(name)
	isControl := site.IsControlFile(onHost)
	if isOutput && (f.HTML || !isControl) {
		m.describeOutput(&f, output, firstPage)
		// Of a page with content only the name 404.html makes an error page: 500.html may be about
		// a number.
		const hasContent = true
		if f.HTML && site.IsErrorFile(onHost, m.languages.all, hasContent) {
			f.Role, f.Facts.Kind = policy.RoleError, "404"
		}
		return f
	}
	static, isStatic := m.staticFile(name)
	fixed, isFixed := m.fixed[name]
	if isFixed {
		f.From = fixed.from // empty if it is no robots.txt
	} else if onHost == "robots.txt" {
		f.From = m.authorOf(m.staticInfo(name)) // empty if there is no static file
	}
	switch {
	case isFixed && (isControl || !isStatic):
		f.Facts, f.Role = fixed.facts, fixed.role
	case isControl:
		f.Role, f.Source = policy.RoleControl, static
		if isOutput {
			f.Facts, f.Facts.Format = output.info.facts, output.format
		}
	case isStatic:
		f.Role, f.Source = policy.RoleStatic, static
		m.markErrorPage(&f, onHost)
	case m.describeAlias(&f), m.describePager(&f): // the one that reports true has filled it in
	default:
		m.describeUnnamed(&f, onHost)
	}
	return f
}

// describeAlias fills in the redirect page of an alias. It reports whether the file is one.
func (m *pageMap) describeAlias(f *site.File) bool {
	all := m.aliases[f.Name]
	if len(all) == 0 {
		return false
	}
	f.Role, f.Facts.Language = policy.RoleRedirect, all[0].of.facts.Language
	return true
}

// describePager fills in a later page of a list, or the redirect of its first one,
// page/1/index.html. It reports whether the file is one of them.
func (m *pageMap) describePager(f *site.File) bool {
	o, n, ok := m.pager(f.Name)
	if ok && n == 1 {
		f.Role, f.Facts.Language = policy.RoleRedirect, o.info.facts.Language
	} else if ok {
		m.describeOutput(f, o, n)
	}
	return ok
}

// describeUnnamed fills in a file that no rule of Hugo's gives a name: a compressed copy; a file
// that a template made of a file of a bundle or of an asset; what an older Hugo left; what Hugo
// makes with other flags, such as a draft. Any other file is Unknown if it may be a page, or made
// of a page that is restricted.
func (m *pageMap) describeUnnamed(f *site.File, onHost string) {
	f.Role = policy.RoleStatic
	switch {
	case m.isCompressedCopy(f.Name):
	case m.bundles.describe(f), m.assetStems()[stemKey(f.Name)], m.bundles.describeCopy(f, m.published):
	case m.older[f.Name].info != nil:
		m.describeOutput(f, m.older[f.Name], firstPage)
	case m.unbuilt != nil:
		*f = m.unbuilt.File(f.Name)
	default:
		// What else is there is older than this build.
		isMade := m.published.isMade(f.Name)
		f.Unknown = f.HTML || !isMade || m.bundles.areHidden(path.Ext(f.Name))
		m.markErrorPage(f, onHost)
	}
}

// isCompressedCopy reports whether a file is a.html.gz, of a page or of another known file.
func (m *pageMap) isCompressedCopy(name string) bool {
	ext := path.Ext(name)
	if !slices.Contains([]string{".gz", ".br", ".zst"}, ext) {
		return false
	}
	whole := strings.TrimSuffix(name, ext)
	return site.IsHTML(whole) || !m.File(whole).Unknown
}

// markErrorPage sets the role of a file that no page makes if it is an error page by its name.
func (m *pageMap) markErrorPage(f *site.File, onHost string) {
	const hasContent = false
	if f.HTML && site.IsErrorFile(onHost, m.languages.all, hasContent) {
		f.Role, f.Unknown = policy.RoleError, false
	}
}

// describeOutput fills in a file that is an output of a page: its first page if n is [firstPage],
// or else the n-th page of the list that it divides.
func (m *pageMap) describeOutput(f *site.File, o pageOutput, n int) {
	f.Facts = o.info.facts
	f.Facts.Format = o.format
	f.HTML = o.html
	f.Source = o.info.source
	f.Taxonomies = o.info.taxonomies
	f.Pager = n
	f.Role = policy.RoleOutput
	if o.html {
		f.Role = policy.RolePage
		f.Page, f.Unread = o.info.statements, o.info.unread
		if o.format != o.info.format || n > 1 {
			f.Of = o.info.owner()
		}
	} else if o.info.main == "" {
		f.IsPageItsOwn = true
		f.Page = slices.DeleteFunc(slices.Clone(o.info.statements),
			func(s policy.Statement) bool { return s.Origin.File != o.info.source })
	} else if o.text {
		if f.CopyOf = o.info.main; n > 1 {
			page := site.File{Name: o.info.main, Subject: policy.Subject{Facts: o.info.facts}}
			f.CopyOf = cmp.Or(m.site.pagerOf(page, n), f.CopyOf)
		}
	}
}

// name is the page's content file for messages; of one without a file, what it is.
func (i *pageInfo) name() string {
	return cmp.Or(i.source, "the page "+i.path+" in language "+i.facts.Language)
}

// owner is the page as its pagers, other outputs and bundle files see it.
func (i *pageInfo) owner() *policy.Owner {
	name := i.main
	if name == "" { // headless
		name = strings.TrimPrefix(i.path, "/") + "/index.html"
	}
	o := &policy.Owner{Path: policy.PathOf(name), Facts: i.facts, Statements: i.statements}
	o.Facts.Format = "html"
	return o
}

// pager recognises <page's folder>/<pagination path>/<n>/index.html and, with ugly URLs,
// <page>/<path>/<n>.html; the same with the names of other outputs.
func (m *pageMap) pager(name string) (pageOutput, int, bool) {
	part := m.pagers.FindStringSubmatch("/" + name)
	if part == nil {
		return pageOutput{}, 0, false
	}
	n, err := strconv.Atoi(part[2])
	o, ok := m.output(strings.TrimPrefix(part[1]+part[3], "/"))
	return o, n, ok && err == nil && (n > 1 || n == 1 && o.html)
}

// staticFile returns the static file behind a published one, for messages; ok is false if there is
// none. Then source is empty.
func (m *pageMap) staticFile(name string) (source string, ok bool) {
	info := m.staticInfo(name)
	if meta, ok := info.(hugofs.FileMetaInfo); ok {
		source = m.short(meta.Meta().Filename)
	}
	return source, info != nil
}

// staticInfo is what Hugo knows of the static file behind a published one; nil where there is none.
func (m *pageMap) staticInfo(name string) fs.FileInfo {
	for _, s := range m.static {
		folder := path.Join("/", filepath.ToSlash(s.PublishFolder), "x")
		rest, ok := strings.CutPrefix("/"+name, strings.TrimSuffix(folder, "x"))
		if !ok {
			continue
		}
		if info, err := s.Fs.Stat(filepath.FromSlash(rest)); err == nil && !info.IsDir() {
			return info
		}
	}
	return nil
}

// authorOf names a file of the site, a theme or a module for readers: one outside of the site by
// the path of its module, since where that lies differs between machines.
func (m *pageMap) authorOf(info fs.FileInfo) string {
	file, ok := info.(hugofs.FileMetaInfo)
	if !ok {
		return ""
	}
	meta := file.Meta()
	short := m.short(meta.Filename)
	if module := meta.Module; module != nil && !filepath.IsLocal(filepath.FromSlash(short)) {
		below, err := filepath.Rel(module.Dir(), meta.Filename)
		if err == nil && filepath.IsLocal(below) {
			return path.Join(module.Path(), filepath.ToSlash(below))
		}
	}
	return short
}

// stemsOf are the [stemKey]s of all assets: a file that Hugo made of one has the same, whatever its
// fingerprint, its size or its extension.
func stemsOf(assets afero.Fs) map[string]bool {
	stems := map[string]bool{}
	fs.WalkDir(afero.NewIOFS(assets), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() { // of a folder that cannot be read there are none
			stems[stemKey(name)] = true
		}
		return nil
	})
	return stems
}
