package pages

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/policy"
)

// Findings are those of the content, after the pages have told what they know of it. Every statement that was read is
// used, or it lies in a file that is named here: one whose page was not found, or one that is a draft.
func (m *pageMap) Findings() []policy.Finding {
	findings := slices.Concat(m.findings, slices.Collect(maps.Keys(m.learned)))
	slices.SortFunc(findings, func(a, b policy.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Message, b.Message),
			strings.Compare(a.URL, b.URL))
	})
	var silent, unpublished, drafts []*content
	for _, c := range m.content {
		switch {
		case m.used(c):
		case len(c.statements) == 0:
			if len(c.claimed) == 0 {
				silent = append(silent, c)
			}
		case slices.ContainsFunc(c.claimed, func(name string) bool { return !m.anothers(name, c) }):
			findings = append(findings, m.noPage(c, "it makes "+strings.Join(c.claimed,
				", ")+", where that does not count"))
		case c.unpublished:
			unpublished = append(unpublished, c)
		case c.isDraft(draftKeys...):
			drafts = append(drafts, c)
		default:
			findings = append(findings, m.noPage(c, ""))
		}
	}
	if len(drafts) > 0 {
		findings = append(findings, m.noPage(drafts[0], "it says that it is a draft, a word that its generator may "+
			"not know"+
			m.naming(drafts[1:])))
	}
	if all := append(unpublished, silent...); len(all) > 0 {
		message := "no published page was found for this content file" + andMore(len(all)-1) +
			": drafts, what is due later, what states nothing"
		if len(unpublished) > 0 {
			message += "; these state something and are not published, as they say or the configuration: " +
				m.list(unpublished)
		}
		findings = append(findings, policy.Finding{ID: "no-page", Severity: policy.Note,
			File: m.site.short(all[0].file), Message: message})
	}
	return findings
}

// noPage is a finding of a content file whose statements reach no page; why says more, where it may be as its author
// wants it.
func (m *pageMap) noPage(c *content, why string) policy.Finding {
	looked := "nothing tells where it is published"
	if len(c.places) > 0 {
		looked = "looked for " + strings.ReplaceAll(strings.Join(c.places[:min(4, len(c.places))], ", "), aNumber, "*")
	}
	message := fmt.Sprintf("no published page was found for it (%s)", looked)
	if why != "" && len(c.claimed) > 0 {
		message = why
	} else if why != "" {
		message += "; " + why
	}
	at := c.statements[0].Origin
	f := policy.Finding{ID: "no-page", Severity: policy.Error, File: at.File, Line: at.Line,
		Message: fmt.Sprintf("%s, and %s: it may be public under another name; [site.content] permalinks = { %q = "+
			"\"/where/\" } says which, "+
			"or its template or metarobots.json names it; where it has none, exclude = [ %q ] there", m.says(c),
			message, c.file, "/"+c.file)}
	if why != "" {
		f.Severity = policy.Warning
	}
	return f
}

// most is how many files a message names.
const most = 20

// naming are further files of a message.
func (m *pageMap) naming(all []*content) string {
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("; so do %d more: %s", len(all), m.list(all))
}

// list are the names of files, the first of them.
func (m *pageMap) list(all []*content) string {
	var names []string
	for _, c := range all[:min(most, len(all))] {
		names = append(names, m.site.short(c.file))
	}
	return strings.Join(names, ", ") + andMore(len(all)-len(names))
}

// says begins a message about the first statement of a content file, which stands where the finding does.
func (m *pageMap) says(c *content) string {
	s := &c.statements[0]
	who := m.site.short(c.file)
	if who == s.Origin.File {
		who = "this file"
	}
	return who + " says " + s.States()
}

// used reports whether all that a content file states is said of a published file: of one that is no page what it
// states itself (L5).
func (m *pageMap) used(c *content) bool {
	return len(m.told[c]) > 0 || slices.ContainsFunc(c.claimed, func(name string) bool {
		f := m.File(name)
		missing := func(s policy.Statement) bool {
			return (f.HTML || s.Origin.File == m.site.short(c.file)) && !slices.Contains(f.Page, s)
		}
		return !m.anothers(name, c) && !slices.ContainsFunc(c.statements, missing)
	})
}

// anothers reports whether a page names another content file as its own.
func (m *pageMap) anothers(name string, c *content) bool {
	for other, names := range m.told {
		if other != c && slices.Contains(names, name) {
			return true
		}
	}
	return false
}
