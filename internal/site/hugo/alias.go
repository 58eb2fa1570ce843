package hugo

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/gohugoio/hugo/resources/page"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/policy"
)

// An alias is a page that Hugo makes to send readers on to another.
type alias struct {
	name string    // of the file
	of   *pageInfo // to which it leads
	// index is which of that page's aliases it is, from 0.
	index int
}

// addAliases adds the aliases of a page to the page map, by the names of the redirect pages that
// Hugo makes for them: one for each alias and each HTML output of the page that has a permalink. A
// page that is not rendered has none, nor has one whose language has DisableAliases.
//
// https://github.com/gohugoio/hugo/blob/v0.165.0/hugolib/alias.go (targetPathAlias)
func (l *lister) addAliases(p page.Page, info *pageInfo) {
	language := l.site.configs.LanguageConfigMap[info.facts.Language]
	if !info.rendered || language == nil || language.DisableAliases {
		return
	}
	resolved := p.Aliases() // paths that Hugo has made of them, for one output of the page, whichever it has in hand
	written, _ := frontmatter.List(p.Params()["aliases"])
	if len(written) != len(resolved) { // those of a content adapter's page are in no parameter
		written = make([]any, len(resolved))
	}
	hasUglyURLs := language.C.IsUglyURLSection(p.Section())
	for i := range resolved {
		for _, of := range p.OutputFormats() {
			if !of.Format.IsHTML || !of.Format.Permalinkable {
				continue
			}
			asWritten, _ := written[i].(string) // "" if that is not known
			address := l.aliasAddress(p, of, resolved[i], asWritten)
			name := redirectPageAt(address, of, hasUglyURLs)
			l.m.aliases[name] = append(l.m.aliases[name], alias{name, info, i})
		}
	}
}

// redirectPageAt returns the file, named from the publish root, that Hugo writes for an alias in an
// HTML format. For the alias "old" of /blog/a/, whose address is /blog/old:
//
//	blog/old/index.html   in most sections
//	blog/old.html         in a section with ugly URLs, or if it is written as "old.html"
func redirectPageAt(address string, of page.OutputFormat, hasUglyURLs bool) string {
	suffix := of.Format.MediaType.FirstSuffix.FullSuffix // .html
	ext := path.Ext(address)
	isFile := ext != "" && of.Format.MediaType.HasSuffix(ext[1:])
	switch {
	case isFile:
	case hasUglyURLs:
		address += suffix
	default:
		address = path.Join(address, of.Format.BaseName+suffix)
	}
	return strings.TrimPrefix(address, "/")
}

// aliasAddress is the path of an alias in one output of a page, before [redirectPageAt] gives it an
// ending. written is the alias as the page has it, empty if that is not known; resolved is what
// Hugo has made of it for one of the page's outputs, which may be another one than of:
//
//	"old"    beside the page's own file in that output
//	"/old"   below the folders that Hugo puts before it, as that of a language, and that of the format
//	unknown  resolved, without the folder of a format
func (l *lister) aliasAddress(p page.Page, of page.OutputFormat, resolved, written string) string {
	if written == "" {
		return path.Join("/", l.withoutFormat(p, resolved))
	}
	written = path.Clean(written)
	if !strings.HasPrefix(written, "/") {
		suffix, own := of.Format.MediaType.FirstSuffix.FullSuffix, "/"+l.target(p, of)
		if path.Base(own) == of.Format.BaseName+suffix {
			own = path.Dir(own)
		}
		return path.Join(path.Dir(own), written)
	}
	folder := resolved[:max(0, strings.LastIndex(resolved, written))]
	return path.Join("/", l.withoutFormat(p, folder+"/"), of.Format.Path, written)
}

// withoutFormat is an address without the folder of one of the page's formats.
func (l *lister) withoutFormat(p page.Page, address string) string {
	for _, of := range p.OutputFormats() {
		if of.Format.Path != "" {
			address = strings.Replace(address, "/"+of.Format.Path+"/", "/", 1)
		}
	}
	return address
}

// lineOfAlias is where the content file of its page has an alias; 0 if that is not known. It reads
// the file, so only what reports an alias asks it.
func (l *lister) lineOfAlias(a alias) int {
	file := a.of.file
	if file == "" || strings.HasSuffix(file, adapter) {
		return 0
	}
	key := []string{"aliases", strconv.Itoa(a.index)}
	return cmp.Or(l.lineInFrontMatter(file, key), l.lineInFrontMatter(file, key[:1]))
}

// reportCollisions reports aliases at whose path another page is published, when all pages are
// known.
func (l *lister) reportCollisions() {
	for _, all := range l.m.aliases {
		for _, a := range all {
			o, taken := l.m.output(a.name)
			if !taken || o.info.path == a.of.path && o.info.facts.Language == a.of.facts.Language {
				continue // Hugo writes a page after its own alias
			}
			l.m.reports.add(policy.Finding{ID: "two-pages", Severity: policy.Warning,
				URL: site.URL(a.name), File: a.of.source, Line: l.lineOfAlias(a),
				Message: fmt.Sprintf("its alias and %s are both published as %s: Hugo keeps one of them by chance",
					o.info.name(), a.name),
				Fix: ". Where that is the alias, the other page is gone: take the alias out"})
		}
	}
	l.m.reports.sort()
}
