package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"metarobots/internal/result"
	"metarobots/policy"
)

// part is one section of the report: a heading and Markdown below it.
type part struct {
	id, title string
	text      string
}

// defaultRows is how many files the Markdown lists where nothing is said.
const defaultRows = 200

// listed is how many entries of one list are written, of findings, changes and robots.txt: the reader wants to know
// what is wrong, and the data has them all.
const listed = 50

func writeMarkdown(w io.Writer, d *Data, o Options) error {
	v := newView(d)
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n%s", text(v.title()), v.lead(), v.numbers())
	parts := append(v.parts(), v.filesPart(cmp.Or(o.Rows, defaultRows)))
	for _, p := range parts {
		fmt.Fprintf(&b, "\n## %s\n\n%s", p.title, p.text)
	}
	fmt.Fprintf(&b, "\n%s", made(o))
	_, err := io.WriteString(w, b.String())
	return err
}

func (v *view) title() string {
	if v.Site == "" {
		return "What crawlers may do"
	}
	return "What crawlers may do: " + v.Site
}

// made says what made the report, and when.
func made(o Options) string {
	by := "Made by metarobots"
	if o.Version != "" {
		by += " " + text(o.Version)
	}
	if !o.Time.IsZero() {
		by += " on " + o.Time.Format("2 January 2006, 15:04 MST")
	}
	return by + ".\n"
}

// lead is the headline in a sentence, and what the numbers are of.
func (v *view) lead() string {
	var b strings.Builder
	total, hidden := v.total(), v.pages[result.Noindex]
	switch {
	case total == 0:
		b.WriteString("**The site has no pages.**")
	case hidden == 0:
		fmt.Fprintf(&b, "**All %s may be indexed.**", number(total, "page"))
	case hidden == total:
		fmt.Fprintf(&b, "**None of %s may be indexed.**", number(total, "page"))
	default:
		fmt.Fprintf(&b, "**%s of %s may be indexed, %s (%s) may not.**", thousands(total-hidden), number(total, "page"),
			thousands(hidden), percent(hidden, total))
	}
	if name := v.Summary.Environment; name != "" {
		fmt.Fprintf(&b, " The environment is %s", code(name))
		if by := v.Summary.ChosenBy; by != "" {
			fmt.Fprintf(&b, " (%s)", text(by))
		}
		if v.Summary.Private {
			b.WriteString(", which is no public site and restricts every page")
		}
		b.WriteString(".")
	}
	if file := v.Summary.Policy; file != "" {
		fmt.Fprintf(&b, " The policy is %s.", code(file))
	}
	return b.String() + "\n"
}

// numbers are the headline's, in a list.
func (v *view) numbers() string {
	var b strings.Builder
	for _, n := range []struct {
		count int
		noun  string
		rest  string
	}{
		{v.pages[result.Indexable], "indexable page", ""},
		{v.pages[result.Limited], "limited page", ""},
		{v.pages[result.Noindex], "noindex page", ""},
		{v.others, "restricted other file", ""},
		{v.unpoliced, "file", " without a policy"},
		{len(v.Findings), "finding", v.severest()},
	} {
		count, noun, _ := strings.Cut(number(n.count, n.noun), " ")
		fmt.Fprintf(&b, "- **%s** %s%s\n", count, noun, n.rest)
	}
	return b.String()
}

// severest says how bad the findings are.
func (v *view) severest() string {
	var parts []string
	for _, s := range severities {
		if n := v.findings(s); n > 0 {
			parts = append(parts, number(n, string(s)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// parts are the sections above the table of files; those with nothing to say are left out.
func (v *view) parts() []part {
	all := []part{v.changesPart(), v.findingsPart(), v.causesPart(), v.sectionsPart(), v.headersPart(), v.robotsPart()}
	return slices.DeleteFunc(all, func(p part) bool { return p.text == "" })
}

// changesPart lists what changed since the baseline.
func (v *view) changesPart() part {
	p := part{id: "changes", title: "Changes since the baseline"}
	if v.Changes == nil {
		return v.newlyPart()
	}
	if v.Changes.Empty() {
		p.text = "Every URL is decided as before.\n"
		return p
	}
	var b strings.Builder
	for _, l := range v.Changes.Lists() {
		fmt.Fprintf(&b, "### %s (%s)\n\n", capital(l.Title), thousands(len(l.List)))
		head(&b, "URL", "Was and is", "Because")
		for _, c := range l.List[:min(listed, len(l.List))] {
			line(&b, cell(c.URL), text(c.Step()), text(c.Reason))
		}
		b.WriteString(more(len(l.List), listed) + "\n")
	}
	p.text = strings.TrimSuffix(b.String(), "\n")
	return p
}

// newlyPart lists the pages that were in the index after an earlier run.
func (v *view) newlyPart() part {
	p := part{id: "changes", title: "Newly noindex since an earlier run"}
	list := v.Summary.NewlyNoindex
	if len(list) == 0 {
		return p
	}
	because := make(map[string]string, len(v.rows))
	for i := range v.rows {
		because[v.rows[i].URL] = v.rows[i].because()
	}
	var b strings.Builder
	head(&b, "URL", "Because")
	for _, url := range list[:min(listed, len(list))] {
		line(&b, cell(url), because[url])
	}
	p.text = b.String() + more(len(list), listed)
	return p
}

// findingsPart lists the findings by kind, with why each matters and how to fix it.
func (v *view) findingsPart() part {
	p := part{id: "findings", title: "Findings", text: "Nothing to fix.\n"}
	var b strings.Builder
	for _, g := range v.groups {
		kind := g.kind()
		fmt.Fprintf(&b, "### %s: %s (%s)\n\n", capital(text(string(g.severity))), g.title(), thousands(len(g.findings)))
		if kind.Why != "" {
			b.WriteString(kind.Why + "\n\n")
		}
		if kind.Fix != "" {
			b.WriteString("How to fix: " + kind.Fix + "\n\n")
		}
		if kind.Source != "" {
			fmt.Fprintf(&b, "Source: <%s>\n\n", kind.Source)
		}
		pages := slices.ContainsFunc(g.findings, func(f policy.Finding) bool { return f.URL != "" && f.File != "" })
		if pages {
			head(&b, "Where", "URL", "What")
		} else {
			head(&b, "Where", "What")
		}
		for _, f := range g.findings[:min(listed, len(g.findings))] {
			if pages {
				line(&b, cell(where(f)), cell(f.URL), text(f.Message))
			} else {
				line(&b, cell(where(f)), text(f.Message))
			}
		}
		b.WriteString(more(len(g.findings), listed) + "\n")
	}
	if b.Len() > 0 {
		p.text = strings.TrimSuffix(b.String(), "\n")
	}
	return p
}

// where prints what a finding is about: its file and line, else its URL.
func where(f policy.Finding) string {
	if f.File == "" {
		return f.URL
	}
	return place(f.File, f.Line)
}

// causesPart lists what made pages noindex.
func (v *view) causesPart() part {
	p := part{id: "causes", title: "Why pages are noindex"}
	if len(v.causes) == 0 {
		return p
	}
	var b strings.Builder
	b.WriteString("A page with several causes counts under the first.\n\n")
	head(&b, "Cause", "Key", "Where", ">Pages")
	for _, c := range v.causes[:min(listed, len(v.causes))] {
		at := ""
		switch len(c.places) {
		case 0:
		case 1:
			at = cell(c.places[0])
		default:
			at = number(len(c.places), "place")
		}
		line(&b, capital(text(layer(c.layer))), cell(c.key), at, thousands(c.pages))
	}
	p.text = b.String() + more(len(v.causes), listed)
	return p
}

// sectionsPart lists the sections with their decisions.
func (v *view) sectionsPart() part {
	p := part{id: "sections", title: "Decisions by section"}
	if len(v.sections) == 0 {
		return p
	}
	var b strings.Builder
	head(&b, "Section", ">Pages", ">Indexable", ">Limited", ">Noindex", ">Noindex, share")
	for _, s := range v.sections[:min(listed, len(v.sections))] {
		line(&b, sectionName(s.name, cell), thousands(s.total), thousands(s.states[result.Indexable]),
			thousands(s.states[result.Limited]),
			thousands(s.states[result.Noindex]), percent(s.states[result.Noindex], s.total))
	}
	p.text = b.String() + more(len(v.sections), listed)
	return p
}

// sectionName prints a section; pages beside the home page are in none.
func sectionName(name string, print func(string) string) string {
	if name == "" {
		return "no section"
	}
	return print(name)
}

// headersPart tells how much room the header files have left.
func (v *view) headersPart() part {
	p := part{id: "headers", title: "Header rules"}
	if len(v.Summary.Headers) == 0 {
		return p
	}
	var b strings.Builder
	head(&b, "File", "Target", ">Ours", ">In all", ">Limit", ">Used", ">Not in headers (limit)")
	for _, h := range v.Summary.Headers {
		limit, used := "none", ""
		if h.Limit > 0 {
			limit, used = thousands(h.Limit), percent(h.Total, h.Limit)
		}
		line(&b, cell(h.File), text(h.Target), thousands(h.Rules), thousands(h.Total), limit, used,
			thousands(h.GivenUp))
	}
	p.text = b.String()
	return p
}

// robotsPart tells what robots.txt keeps crawlers from reading.
func (v *view) robotsPart() part {
	p := part{id: "robotstxt", title: "What robots.txt says"}
	type count struct{ allowed, disallowed int }
	counts := map[string]*count{}
	var crawlers []string
	var rows []string
	for i := range v.rows {
		r := &v.rows[i]
		for _, t := range r.RobotsTxt {
			c := counts[t.Crawler]
			if c == nil {
				c = &count{}
				counts[t.Crawler] = c
				crawlers = append(crawlers, t.Crawler)
			}
			if t.Allowed {
				c.allowed++
				continue
			}
			c.disallowed++
			note := ""
			if r.state == result.Noindex {
				note = "noindex, which this crawler cannot read"
			}
			var b strings.Builder
			line(&b, cell(r.URL), text(t.Crawler), cell(t.Rule), cell(place(t.File, t.Line)), note)
			rows = append(rows, b.String())
		}
	}
	if len(crawlers) == 0 {
		return p
	}
	slices.Sort(crawlers)
	var b strings.Builder
	head(&b, "Crawler", ">May read", ">May not")
	for _, name := range crawlers {
		line(&b, text(name), thousands(counts[name].allowed), thousands(counts[name].disallowed))
	}
	if len(rows) > 0 {
		b.WriteString("\nThese may not be read:\n\n")
		head(&b, "URL", "Crawler", "Rule", "Where", "Note")
		b.WriteString(strings.Join(rows[:min(listed, len(rows))], ""))
		b.WriteString(more(len(rows), listed))
	}
	p.text = b.String()
	return p
}

// filesPart lists the files: all where they fit, else those first that are kept out or limited.
func (v *view) filesPart(limit int) part {
	p := part{id: "files", title: filesTitle}
	rows := v.pointers()
	var b strings.Builder
	if len(rows) > limit {
		rank := func(r *row) int {
			if i := slices.Index([]result.State{result.Noindex, result.Limited}, r.state); i >= 0 {
				return i
			}
			return 2
		}
		slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(rank(a), rank(b)) })
		fmt.Fprintf(&b, "%s of %s, those first that are noindex or limited.\n\n", thousands(limit),
			thousands(len(rows)))
		rows = rows[:limit]
	}
	filesTable(&b, rows)
	p.text = b.String()
	return p
}

// filesTable writes the table of files.
func filesTable(b *strings.Builder, rows []*row) {
	head(b, "File", "Decision", "Because", "Kind", "Section", "Language")
	for _, r := range rows {
		name := cell(r.URL)
		if r.Title != "" {
			name += " " + text(r.Title)
		}
		line(b, name, text(r.decided()), r.because(), text(r.Kind), text(r.Section), text(r.Language))
	}
}

// because names the cause and where it stands, for a table's cell.
func (r *row) because() string {
	if r.cause == nil {
		return ""
	}
	o := r.cause.Origin
	because := capital(text(layer(o.Layer.String()))) + " " + cell(o.Key)
	if at := place(o.File, o.Line); at != "" {
		because += ", " + cell(at)
	}
	if n := r.others(); n > 0 {
		because += fmt.Sprintf(" and %d more", n)
	}
	return because
}

// head writes a table's heading; columns that begin with > are aligned to the right.
func head(b *strings.Builder, columns ...string) {
	names, rules := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		name, right := strings.CutPrefix(c, ">")
		names[i], rules[i] = name, "---"
		if right {
			rules[i] = "---:"
		}
	}
	line(b, names...)
	line(b, rules...)
}

// line writes a row of a table.
func line(b *strings.Builder, cells ...string) {
	b.WriteString("|")
	for _, c := range cells {
		b.WriteString(" ")
		b.WriteString(c)
		if c != "" {
			b.WriteString(" ")
		}
		b.WriteString("|")
	}
	b.WriteString("\n")
}

// more says what a list of n leaves out of which limit are written; nothing where it is whole.
func more(n, limit int) string {
	if n <= limit {
		return ""
	}
	return fmt.Sprintf("\nAnd %s more.\n", thousands(n-limit))
}

// capital is s with its first letter in upper case.
func capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}
