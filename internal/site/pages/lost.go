package pages

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/policy"
)

// Findings are those of the content, after [pageMap.ReadPage]. Every statement that was read is used, or a finding
// names its file: one whose page was not found, or one that is a draft.
func (m *pageMap) Findings() []policy.Finding {
	findings := slices.AppendSeq(m.setByCode(), maps.Keys(m.reader.findings))
	slices.SortFunc(findings, func(a, b policy.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Message, b.Message),
			strings.Compare(a.URL, b.URL))
	})
	explicit := map[*content]bool{}
	for _, all := range m.explicit {
		for _, c := range all {
			explicit[c] = true
		}
	}
	var silent, unpublished, drafts []*content
	for _, c := range m.content {
		makes := slices.DeleteFunc(slices.Clone(c.claimed), func(name string) bool { return m.anothers(name, c) })
		switch {
		case explicit[c] || m.used(c):
		case len(c.statements) == 0 && len(c.claimed) > 0:
		case len(c.statements) == 0:
			silent = append(silent, c)
		case len(makes) > 0:
			findings = append(findings, m.noPage(c, policy.Warning,
				"it is published as "+strings.Join(makes, ", ")+", where that does not count"))
		case c.unpublished:
			unpublished = append(unpublished, c)
		case c.isDraft(draftKeys...):
			drafts = append(drafts, c)
		default:
			findings = append(findings, m.noPage(c, policy.Error, m.sought(c)))
		}
	}
	if len(drafts) > 0 {
		why := m.sought(drafts[0]) + "; it says that it is a draft, which its generator may not know"
		if more := drafts[1:]; len(more) > 0 {
			why += fmt.Sprintf("; so do %d more: %s", len(more), m.list(more))
		}
		findings = append(findings, m.noPage(drafts[0], policy.Warning, why))
	}
	if all := append(unpublished, silent...); len(all) > 0 {
		message := "this content file has no published page. It may be a draft, or due later"
		if len(all) > 1 {
			message = fmt.Sprintf("%d content files have no published page. They may be drafts, or due later", len(all))
		}
		if len(unpublished) > 0 {
			message += ". These have robots keys, but their front matter or the configuration keeps them unpublished: " +
				m.list(unpublished)
		}
		findings = append(findings, policy.Finding{ID: "no-page", Severity: policy.Note,
			File: m.reader.site.short(all[0].file), Message: message})
	}
	return findings
}

// sought says where a page was looked for.
func (m *pageMap) sought(c *content) string {
	looked := "nothing says where it would be"
	if len(c.places) > 0 {
		looked = "looked for " + strings.ReplaceAll(strings.Join(c.places[:min(4, len(c.places))], ", "), aNumber, "*")
	}
	return "no published page was found for it (" + looked + ")"
}

// noPage is a finding of a content file whose statements reach no page, at the first of them.
func (m *pageMap) noPage(c *content, severity policy.Severity, why string) policy.Finding {
	at, who := c.statements[0].Origin, m.reader.site.short(c.file)
	if who == at.File {
		who = "this file"
	}
	return policy.Finding{ID: "no-page", Severity: severity, File: at.File, Line: at.Line,
		Message: fmt.Sprintf("%s says %s, but %s: build the site if it is out of date; if the page has another URL, "+
			"set [site.content] permalinks = { %q = \"/where/\" }, or name the file in its template or in "+
			"metarobots.json; if it is not published, set exclude = [ %q ] there", who, c.statements[0].States(), why,
			c.file, "/"+c.file)}
}

// most is how many files a message names.
const most = 20

// list are the names of files, the first of them.
func (m *pageMap) list(all []*content) string {
	var names []string
	for _, c := range all[:min(most, len(all))] {
		names = append(names, m.reader.site.short(c.file))
	}
	return strings.Join(names, ", ") + andMore(len(all)-len(names))
}

// used reports whether all that a content file states counts for a published file: of one that is no page what it
// states itself (L5).
func (m *pageMap) used(c *content) bool {
	return slices.ContainsFunc(c.claimed, func(name string) bool {
		f := m.File(name)
		missing := func(s policy.Statement) bool {
			return (f.HTML || s.Origin.File == m.reader.site.short(c.file)) && !slices.Contains(f.Page, s)
		}
		return !m.anothers(name, c) && !slices.ContainsFunc(c.statements, missing)
	})
}

// anothers reports whether a page names another content file as its own.
func (m *pageMap) anothers(name string, c *content) bool {
	return slices.ContainsFunc(m.explicit[name], func(other *content) bool { return other != c })
}
