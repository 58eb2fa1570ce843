package hugo

import (
	"cmp"
	"fmt"
	"path"
	"slices"
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
	line int       // of its content file, 0 where it is not known
}

// aliases adds the aliases of a page to the page map, by the names of the redirect pages that Hugo
// makes for them. It makes one for each alias and each HTML output of the page that has a
// permalink, and none for a page that is not rendered. For the alias "old" of /blog/a/:
//
//	blog/old/index.html        beside the page
//	blog/old.html              in a section with ugly URLs
//	blog/old.html              if it is written as "old.html"
//
// https://github.com/gohugoio/hugo/blob/v0.165.0/hugolib/alias.go (targetPathAlias)
func (l *lister) aliases(p page.Page, info *pageInfo) {
	language := l.site.configs.LanguageConfigMap[info.facts.Language]
	if !info.rendered || language == nil || language.DisableAliases {
		return
	}
	resolved := p.Aliases() // by Hugo, for the output that it has in hand
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
			name := l.aliasAddress(p, of, resolved[i], asWritten)
			suffix := of.Format.MediaType.FirstSuffix.FullSuffix // .html
			ext := path.Ext(name)
			switch {
			case ext != "" && of.Format.MediaType.HasSuffix(ext[1:]): // it names a file
			case hasUglyURLs:
				name += suffix
			default:
				name = path.Join(name, of.Format.BaseName+suffix)
			}
			name = strings.TrimPrefix(name, "/")
			l.m.aliases[name] = append(l.m.aliases[name], alias{name, info, l.aliasLine(info, i)})
		}
	}
}

// aliasAddress is an alias of one output of a page, before it gets its ending: beside the page, or where it is absolute
// below the folder of its language and the like, and then of its format. resolved is the alias of the output that Hugo
// has in hand, which may be any of the page's. written is it as the page has it; empty where that is not known.
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

// aliasLine is where the content file has its i-th alias.
func (l *lister) aliasLine(info *pageInfo, i int) int {
	if info.file == "" || strings.HasSuffix(info.file, adapter) {
		return 0
	}
	key := []string{"aliases", strconv.Itoa(i)}
	return cmp.Or(l.line(info.file, key), l.line(info.file, key[:1]))
}

// reportCollisions reports aliases at whose path another page is published, when all pages are known.
func (m *pageMap) reportCollisions() {
	for _, all := range m.aliases {
		for _, a := range all {
			o, taken := m.output(a.name)
			if !taken || o.info.path == a.of.path && o.info.facts.Language == a.of.facts.Language {
				continue // Hugo writes a page after its own alias
			}
			m.findings = append(m.findings, policy.Finding{ID: "two-pages", Severity: policy.Warning,
				URL: site.URL(a.name), File: a.of.source, Line: a.line,
				Message: fmt.Sprintf("its alias and %s are both published as %s: Hugo keeps one of them by chance",
					o.info.name(), a.name),
				Fix: ". Where that is the alias, the other page is gone: take the alias out"})
		}
	}
	slices.SortStableFunc(m.findings, func(a, b policy.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.URL, b.URL))
	})
}
