package pages

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/source"
	"metarobots/policy"
)

// Findings are those of the content, after [pageMap.ReadPage]. Every statement is used, or a finding names its file.
func (m *pageMap) Findings() []policy.Finding {
	findings := slices.AppendSeq(m.setByCode(), maps.Keys(m.reader.findings))
	slices.SortFunc(findings, func(a, b policy.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Text(), b.Text()),
			strings.Compare(a.URL, b.URL))
	})
	var silent, unpublished, drafts []string
	var draft *content // the first
	for _, c := range m.content {
		makes := slices.DeleteFunc(slices.Clone(c.claimed), func(name string) bool { // less those that name another
			return slices.ContainsFunc(m.explicit[name], func(other *content) bool { return other != c })
		})
		counts := c.explicit || slices.ContainsFunc(makes, func(name string) bool { return m.carries(name, c) })
		switch {
		case counts || len(c.statements) == 0 && (len(c.claimed) > 0 || c.folder.place == nil):
		case len(c.statements) == 0:
			silent = append(silent, m.reader.site.short(c.file))
		case len(makes) > 0:
			findings = append(findings, m.noPage(c, policy.Warning,
				"it is published as "+strings.Join(makes, ", ")+", where that does not count", ""))
		case c.unpublished:
			unpublished = append(unpublished, m.reader.site.short(c.file))
		case !c.isDraft("draft", "published", "status"):
			findings = append(findings, m.noPage(c, policy.Error, c.sought(), ""))
		default:
			draft, drafts = cmp.Or(draft, c), append(drafts, m.reader.site.short(c.file))
		}
	}
	if draft != nil {
		detail := "; it says that it is a draft, which its generator may not know"
		if more := drafts[1:]; len(more) > 0 {
			detail += fmt.Sprintf("; so do %d more: %s", len(more), listed(more, ", "))
		}
		findings = append(findings, m.noPage(draft, policy.Warning, draft.sought(), detail))
	}
	if all := append(unpublished, silent...); len(all) > 0 {
		f := policy.Finding{ID: "no-page", Severity: policy.Note, File: all[0],
			Message: fmt.Sprintf("content files without a published page: %d", len(all)),
			Detail:  ". They may be drafts, or due later"}
		if len(unpublished) > 0 {
			f = f.Explain(". These have robots keys, but their front matter or the configuration keeps them unpublished: %s",
				listed(unpublished, ", "))
		}
		findings = append(findings, f)
	}
	return findings
}

func (c *content) sought() string {
	looked := "nothing says where it would be"
	if len(c.places) > 0 {
		looked = "looked for " + strings.ReplaceAll(strings.Join(c.places[:min(4, len(c.places))], ", "), aNumber, "*")
	}
	return "no published page was found for it (" + looked + ")"
}

// noPage is a finding of a content file whose statements reach no page, at the first of them. why says what it lacks,
// and detail what else is known of it; empty for nothing.
func (m *pageMap) noPage(c *content, severity policy.Severity, why, detail string) policy.Finding {
	at, who := c.statements[0].Origin, m.reader.site.short(c.file)
	if who == at.File {
		who = "this file"
	}
	first, more := "build the site if it is out of date", fmt.Sprintf("; if the page has another URL, set [site.content] "+
		"permalinks = { %q = \"/where/\" }, or name the file in its template or in metarobots.json; if it is not "+
		"published, set exclude = [ %q ] there", c.file, "/"+c.file)
	if c.folder.place == nil {
		why, detail = "it makes no page, and its generator's way to those that it is for is not followed", ""
		first, more = fmt.Sprintf("write it in their front matter or in a rule, and set [site.content] exclude = [ %q ]", "/"+c.file), ""
	}
	f := policy.Finding{ID: "no-page", Severity: severity, File: at.File, Line: at.Line, Detail: detail,
		Message: fmt.Sprintf("%s says %s, but %s", who, c.statements[0].States(), why)}
	if detail != "" {
		return f.Advise(": %s%s", first, more)
	}
	f.Message += ": " + first
	return f.Advise("%s", more)
}

// listed names the first twenty of several files.
func listed(all []string, between string) string {
	first := all[:min(20, len(all))]
	return strings.Join(first, between) + andMore(len(all)-len(first))
}

// carries reports whether all that a content file states counts for a published file (L5).
func (m *pageMap) carries(name string, c *content) bool {
	f := m.File(name)
	return !slices.ContainsFunc(c.statements, func(s policy.Statement) bool {
		return (f.HTML || s.Origin.File == m.reader.site.short(c.file)) && !slices.Contains(f.Page, s)
	})
}

// computedKeys are keys that matter and whose values are computed, by the file that sets them.
type computedKeys map[string][]string

func (c computedKeys) add(file, key string) {
	if !slices.Contains(c[file], key) {
		c[file] = append(c[file], key)
	}
}

// script reads a program of data if it is nothing but an object. Of another one it reports what may matter.
func (r *reader) script(file string, data []byte) section {
	values, index, ok := source.Lex(string(data)).Object()
	if !ok {
		r.mentions(file, string(data), true)
		return section{file: file}
	}
	r.known(file, values, nil)
	return section{file: file, params: values, index: index}
}

// mentions reports the keys of a program that may matter, and what it spreads into an object or a list. A program that
// is data or loads some, and that names no key, is reported as a whole.
func (r *reader) mentions(file, program string, data bool) {
	names, t := false, source.Lex(program)
	for i, of := range t {
		key := t.Assigned(i) != nil || of.Kind == source.Text && t.Is(i+1, "]")
		if (key || of.Kind == source.Word && !t.Is(i-1, ".")) && r.states(of.Text) {
			r.computed.add(file, of.Text)
		} else if t.Spread(i) && t.Is(i-4, "{,") {
			r.computed.add(file, "..."+of.Text)
		}
		names = names || key && of.Text != "exports"
		data = data || of.Kind == source.Word && (of.Text == "require" || of.Text == "extends")
	}
	if data && !names && len(t) > 0 {
		r.computed.add(file, "what it exports")
	}
}

// known takes computed values out of what a program of data says, and reports those that matter.
func (r *reader) known(file string, values map[string]any, path []string) {
	for key, value := range values {
		path := append(path[:len(path):len(path)], key)
		list, _ := value.([]any)
		if below, ok := value.(map[string]any); ok {
			r.known(file, below, path)
		} else if value == source.Computed || slices.Contains(list, any(source.Computed)) {
			if delete(values, key); r.matters(path...) {
				r.computed.add(file, strings.Join(path, "."))
			}
		}
	}
}

// placingKeys say where a page is published, or whether it is. A computed title or date matters where no page is found.
var placingKeys = []string{"permalink", "draft", "published", "slug", "pagination"}

// matters reports whether a key whose value is not known may state something, or say where the page is.
func (r *reader) matters(path ...string) bool {
	for len(path) > 0 && (path[0] == "eleventyComputed" || frontmatter.IsTable(strings.ToLower(path[0]))) {
		path = path[1:]
	}
	return len(path) == 0 || strings.HasPrefix(path[0], "...") ||
		r.states(path[0]) && (len(path) == 1 || !slices.Contains(placingKeys, strings.ToLower(path[0])))
}

// states reports whether a key states something, or where the page is.
func (r *reader) states(key string) bool {
	return slices.Contains(placingKeys, strings.ToLower(key)) ||
		frontmatter.Mentions(map[string]any{key: map[string]any{}}, r.options)
}

// fileLoader is Astro's loader of entries from one file of data, which rarely state something.
const fileLoader = "file()"

// setByCode is one finding of what programs set, and what of it may matter.
func (m *pageMap) setByCode() (findings []policy.Finding) {
	s, code := m.reader.site, maps.Clone(m.reader.computed)
	f := policy.Finding{ID: "config-computed", Severity: policy.Note}
	if len(code) > 0 {
		f.Severity = policy.Warning
	}
	answered := s.content.Manifest != "" || exists(s.options.Source, manifestName)
	unread := s.computed
	hasNone := func(name string) bool {
		return !slices.ContainsFunc(m.behind[name], func(c *content) bool { return c.ext() != ".astro" })
	}
	if len(unread) > 0 && len(m.pages(hasNone)) == 0 {
		unread = nil // no content lies where nobody looks for it
	}
	for file, keys := range unread {
		for _, key := range keys {
			address := slices.Contains([]string{s.generator.URL, s.generator.At, "hostname"}, key) // and not its content
			switch {
			case address && s.options.BaseURL != "", key == s.generator.PublishKey && s.options.Destination != "":
				continue // the owner says it
			case !address && key != fileLoader && !answered:
				f.Severity = policy.Warning
			}
			code.add(file, key)
		}
	}
	if len(code) == 0 {
		return nil
	}
	files := slices.Sorted(maps.Keys(code))
	f.File = s.short(files[0])
	var keys []string
	for _, file := range files {
		keys = append(keys, strings.Join(slices.Sorted(slices.Values(code[file])), ", ")+" in "+s.short(file))
	}
	f.Message = listed(keys, "; ") + ": set by code, which metarobots does not " +
		"run, so the generator's default counts"
	f.Fix = ". To restrict a page, use its template, or a line of metarobots.json: " +
		"{\"url\": \"/where/\", \"robots\": \"…\"}. To name the folders of content and its URLs, use [site.content] " +
		"folders = [ \"…\" ] and permalinks = { \"folder\" = \"/where/:slug/\" }; to name the publish " +
		"folder, [site] destination"
	return []policy.Finding{f}
}

// pages are the published ones, but for later pages of lists, of which something holds.
func (m *pageMap) pages(holds func(name string) bool) []string {
	return slices.DeleteFunc(slices.Clone(m.published.html), func(name string) bool {
		if !holds(name) {
			return true
		}
		f := m.File(name)
		return f.Role != policy.RolePage || f.Pager > 1
	})
}
