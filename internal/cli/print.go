package cli

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"metarobots/internal/config"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/result"
	"metarobots/policy"
)

// most is how many findings of one kind are printed.
const most = 10

// severities in the order in which findings are printed, each with its colour.
var severities = []struct {
	of    policy.Severity
	color string
}{{policy.Error, red}, {policy.Warning, yellow}, {policy.Note, blue}}

// findings prints errors first, then warnings, then notes; of many of one kind only some.
func (p *printer) findings(findings []policy.Finding, quiet, all bool) {
	for _, severity := range severities {
		if quiet && severity.of != policy.Error {
			break
		}
		count := map[string]int{}
		var more []string // IDs of which there are too many
		for _, f := range findings {
			if f.Severity != severity.of {
				continue
			}
			if count[f.ID]++; count[f.ID] == most+1 && !all {
				more = append(more, f.ID)
			}
			if count[f.ID] > most && !all {
				continue
			}
			at := config.Place(f.File, f.Line)
			if at == "" && f.URL != "" {
				at = f.URL + ": "
			}
			p.printf("%s %s%s %s\n", p.paint(severity.color, string(severity.of)+":"), at, f.Message,
				p.paint(faint, "("+f.ID+")"))
		}
		for _, id := range more {
			p.messages(severity.color, string(severity.of),
				fmt.Sprintf("%d more (%s); --verbose prints all", count[id]-most, id))
		}
	}
}

// summary prints the counts; its first line names the environment and what chose it.
func (p *printer) summary(s result.Summary, dryRun bool) {
	from, states, verb := "no policy file: defaults only (metarobots init writes one)", "public", "written"
	if s.Policy != "" {
		from = "policy " + s.Policy
	}
	if s.Private {
		states = "not public"
	}
	if dryRun {
		verb = "to write"
	}
	p.printf("%s: environment %s (%s, from %s), %s\n",
		p.paint(bold, s.Publish), p.paint(bold, s.Environment), states, s.ChosenBy, from)
	line := func(name, format string, args ...any) { p.row(9, name, format, args...) }
	line("pages", "%d: %s indexable, %s noindex", s.Pages,
		p.paint(green, fmt.Sprint(s.Indexable)), p.paint(yellow, fmt.Sprint(s.Noindex)))
	line("files", "%s: %d restricted, %s, %s", count(s.Files-s.Pages, "other file"), s.OtherRestricted,
		count(s.Redirects, "redirect"), count(s.Errors, "error page"))
	line("HTML", "%s %s, %d unchanged; %s", count(s.Changed, "file"), verb, s.Unchanged, count(s.Tags, "robots tag"))
	if s.Links > 0 {
		line("links", "%d links and snippets marked on %s", s.Links, count(s.LinkPages, "page"))
	}
	for _, h := range s.Headers {
		line("headers", "%s", headerFile(h, verb))
	}
	if s.SitemapEntries > 0 {
		line("sitemap", "%s left out of %s", count(s.SitemapEntries, "page"), count(s.Sitemaps, "file"))
	}
	for _, r := range s.Robots {
		switch {
		case r.Removed:
			line("robots", "%s removed", r.File)
		case r.Changed:
			line("robots", "%s %s", r.File, verb)
		}
	}
	if e, w, n := s.Findings[policy.Error], s.Findings[policy.Warning],
		s.Findings[policy.Note]; e+w+n+s.Suppressed > 0 {
		suppressed := ""
		if s.Suppressed > 0 {
			suppressed = fmt.Sprintf("; %d suppressed", s.Suppressed)
		}
		line("findings", "%s, %s, %s%s", count(e, "error"), count(w, "warning"), count(n, "note"), suppressed)
	}
}

// headerFile says what becomes of one.
func headerFile(h result.HeaderFile, verb string) string {
	limit, given, none, change := "", "", "none needed", "unchanged"
	if h.Limit > 0 {
		limit = fmt.Sprintf(" (the limit is %d)", h.Limit)
	}
	if h.GivenUp > 0 {
		given, none = fmt.Sprintf("; %s restricted by tag alone", count(h.GivenUp, "HTML file")), "no rules"
	}
	if h.Changed {
		change = verb
	}
	switch {
	case h.Rules == 0 && h.Total == 0 && !h.Changed:
		return fmt.Sprintf("%s: %s%s", h.Target, none, given)
	case h.Removed:
		return fmt.Sprintf("%s (%s) removed: no rules are left", h.File, h.Target)
	}
	return fmt.Sprintf("%s (%s) %s: %s generated, %d in all%s%s", h.File, h.Target, change, count(h.Rules, "rule"),
		h.Total, limit, given)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// changes lists the files of a dry run that would change, and how.
func (c *command) changes(site *plan.Site) error {
	show := func(name string, before, after []byte) {
		if c.diff {
			name = printable.Line(name)
			c.stdout.diff(diff.Diff(name, before, name+" (planned)", after))
		}
	}
	for _, pg := range site.Pages {
		if !pg.Changes {
			continue
		}
		c.stdout.printf("%s\n", site.Published(pg.Name))
		if c.diff {
			before, after, err := site.NewBytes(pg)
			if err != nil {
				return err
			}
			show(site.Published(pg.Name), before, after)
		}
	}
	for _, o := range site.Outputs() {
		if o.Changes() {
			c.stdout.printf("%s\n", o.File)
			show(o.File, o.Old, o.New)
		}
	}
	return nil
}

// diff prints whole lines, however long: what changes in a page of one line is seen.
func (p *printer) diff(text []byte) {
	for line := range strings.Lines(string(text)) {
		color := ""
		switch line[0] {
		case '+':
			color = green
		case '-':
			color = red
		}
		p.printf("%s\n", p.paintFit(color, printable.Whole(strings.TrimRight(line, "\r\n"))))
	}
}
