package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/term"

	"metarobots/internal/plan"
	"metarobots/internal/result"
	"metarobots/internal/site"
	"metarobots/policy"
)

// printer writes for people: in colour on a terminal, unless NO_COLOR is set (https://no-color.org) or TERM is dumb.
type printer struct {
	w        io.Writer
	terminal bool
	color    bool
	last     time.Time // of the progress line
	shown    bool
}

func newPrinter(w io.Writer, getenv func(string) string) *printer {
	p := &printer{w: w, last: time.Now()} // a short run shows no progress
	if f, ok := w.(*os.File); ok {
		p.terminal = term.IsTerminal(int(f.Fd())) && getenv("TERM") != "dumb"
	}
	p.color = p.terminal && getenv("NO_COLOR") == ""
	return p
}

// Colours by what they mean.
const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	blue   = "36"
)

func (p *printer) paint(color, text string) string {
	if !p.color || color == "" || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// progress shows how many pages are decided, ten times a second at most.
func (p *printer) progress(pages int) {
	if now := time.Now(); now.Sub(p.last) > 100*time.Millisecond {
		p.last, p.shown = now, true
		fmt.Fprintf(p.w, "\r%d pages …\x1b[K", pages)
	}
}

// clear takes the progress line away.
func (p *printer) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// errors prints every error of a joined one on lines of its own.
func (p *printer) errors(err error) {
	p.clear()
	for _, e := range flat(err) {
		fmt.Fprintf(p.w, "%s %s\n", p.paint(red, "error:"), e)
	}
}

// flat takes joined errors apart.
func flat(err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var all []error
		for _, e := range e.Unwrap() {
			all = append(all, flat(e)...)
		}
		return all
	case *plan.InvalidError:
		return flat(e.Err)
	case *site.ListError:
		return flat(e.Err)
	}
	return []error{err}
}

// most is how many findings of one kind are printed.
const most = 10

// findings prints errors first, then warnings, then notes; of many of one kind only some.
func (p *printer) findings(findings []policy.Finding, quiet, all bool) {
	colors := map[policy.Severity]string{policy.Error: red, policy.Warning: yellow, policy.Note: blue}
	for _, severity := range []policy.Severity{policy.Error, policy.Warning, policy.Note} {
		if quiet && severity != policy.Error {
			break
		}
		count := map[string]int{}
		for _, f := range findings {
			if f.Severity != severity {
				continue
			}
			if count[f.ID]++; count[f.ID] > most && !all {
				continue
			}
			at := f.File
			if f.Line > 0 {
				at += fmt.Sprintf(":%d", f.Line)
			}
			if at == "" {
				at = f.URL
			}
			if at != "" {
				at += ": "
			}
			fmt.Fprintf(p.w, "%s %s%s %s\n", p.paint(colors[severity], string(severity)+":"), at, f.Message, p.paint(faint, "("+f.ID+")"))
		}
		for _, f := range findings {
			if n := count[f.ID]; n > most && !all && f.Severity == severity {
				fmt.Fprintf(p.w, "%s %d more (%s); --verbose prints all\n", p.paint(colors[severity], string(severity)+":"), n-most, f.ID)
				count[f.ID] = 0
			}
		}
	}
}

// summary prints the counts; its first line names the environment and what chose it.
func (p *printer) summary(s result.Summary, dryRun bool) {
	from := ""
	if s.Policy != "" {
		from = ", policy " + s.Policy
	}
	states := "public"
	if s.Private {
		states = "not public"
	}
	fmt.Fprintf(p.w, "%s: environment %s (%s, from %s)%s\n", p.paint(bold, s.Publish), p.paint(bold, s.Environment), states, s.ChosenBy, from)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(p.w, "  %s %s\n", p.paint(faint, fmt.Sprintf("%-9s", name)), fmt.Sprintf(format, args...))
	}
	line("pages", "%d: %s indexable, %s noindex", s.Pages, p.paint(green, fmt.Sprint(s.Indexable)), p.paint(yellow, fmt.Sprint(s.Noindex)))
	line("others", "%s, %d of them restricted; %s, %s without a tag", count(s.Files-s.Pages, "file"), s.OtherRestricted, count(s.Redirects, "redirect"), count(s.Errors, "error page"))
	verb := "written"
	if dryRun {
		verb = "to write"
	}
	line("tags", "%d; HTML files %s: %d, unchanged: %d", s.Tags, verb, s.Changed, s.Unchanged)
	if s.Links > 0 {
		line("links", "%d links and snippets marked on %s", s.Links, count(s.LinkPages, "page"))
	}
	for _, h := range s.Headers {
		limit, given := "", ""
		if h.Limit > 0 {
			limit = fmt.Sprintf(" of %d", h.Limit)
		}
		if h.GivenUp > 0 {
			given = fmt.Sprintf("; %s left to their tag", count(h.GivenUp, "HTML file"))
		}
		if h.Rules == 0 && h.Total == 0 && !h.Changed {
			none := "none needed"
			if h.GivenUp > 0 {
				none = "no rules"
			}
			line("headers", "%s: %s%s", h.Target, none, given)
			continue
		}
		if h.Removed {
			line("headers", "%s (%s) removed: no rules are left", h.File, h.Target)
			continue
		}
		change := "unchanged"
		if h.Changed {
			change = verb
		}
		line("headers", "%s (%s), %s: %s of ours, %d%s in all%s", h.File, h.Target, change, count(h.Rules, "rule"), h.Total, limit, given)
	}
	if s.SitemapEntries > 0 {
		line("sitemap", "%s taken out of %s", count(s.SitemapEntries, "page"), count(s.Sitemaps, "file"))
	}
	for _, r := range s.Robots {
		switch {
		case r.Removed:
			line("robots", "%s removed", r.File)
		case r.Changed:
			line("robots", "%s %s", r.File, verb)
		}
	}
	if e, w, n := s.Findings[policy.Error], s.Findings[policy.Warning], s.Findings[policy.Note]; e+w+n+s.Suppressed > 0 {
		suppressed := ""
		if s.Suppressed > 0 {
			suppressed = fmt.Sprintf("; %d suppressed", s.Suppressed)
		}
		line("findings", "%s, %s, %s%s", count(e, "error"), count(w, "warning"), count(n, "note"), suppressed)
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// changes lists the files of a dry run that would change, and how.
func (c *command) changes(site *plan.Plan) error {
	show := func(name string, before, after []byte) {
		if c.diff {
			c.stdout.diff(diff.Diff(name, before, name+" (planned)", after))
		}
	}
	for _, pg := range site.Pages {
		if !pg.Changes {
			continue
		}
		fmt.Fprintln(c.stdout.w, site.Published(pg.Name))
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
			fmt.Fprintln(c.stdout.w, o.File)
			show(o.File, o.Old, o.New)
		}
	}
	return nil
}

func (p *printer) diff(text []byte) {
	for _, line := range strings.SplitAfter(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "+"):
			line = p.paint(green, line)
		case strings.HasPrefix(line, "-"):
			line = p.paint(red, line)
		}
		fmt.Fprint(p.w, line)
	}
}

// widest is the room that explanations have for directives in front of the place.
const widest = 34

// explain prints the decision for a file and what decided it.
func (p *printer) explain(site *plan.Plan, pg *plan.Page) {
	facts := []string{pg.Role.String()}
	for _, fact := range [][2]string{{"kind", pg.Kind}, {"type", pg.Type}, {"section", pg.Section}, {"language", pg.Language}, {"format", pg.Format}} {
		if fact[1] != "" && !(fact[0] == "kind" && fact[1] == "page") {
			facts = append(facts, fact[0]+" "+fact[1])
		}
	}
	if pg.Pager > 1 {
		facts = append(facts, fmt.Sprintf("pager %d", pg.Pager))
	}
	if pg.Source != "" {
		facts = append(facts, pg.Source)
	}
	fmt.Fprintf(p.w, "%s  %s\n", p.paint(bold, pg.URL), p.paint(faint, strings.Join(facts, ", ")))
	if !pg.Role.Policed() {
		fmt.Fprintf(p.w, "  no policy: %s\n", map[policy.Role]string{
			policy.RoleError:    "an error page is served with an error status, which says enough",
			policy.RoleRedirect: "crawlers judge the page that it leads to",
			policy.RoleControl:  "the file itself speaks to crawlers or hosts",
		}[pg.Role])
	}
	carried := map[string]bool{}
	for _, t := range pg.Carries {
		carried[t.Name] = true
		fmt.Fprintf(p.w, "  <meta name=%q content=%q />\n", t.Name, t.Content)
	}
	for _, h := range pg.Header {
		fmt.Fprintf(p.w, "  X-Robots-Tag: %s\n", h)
	}
	if len(pg.Header) > 0 && site.Headerless() {
		fmt.Fprintf(p.w, "  %s\n", p.paint(faint, "(headers.targets says that the host serves no headers: nobody reads this)"))
	}
	if pg.Role.Policed() && len(pg.Carries) == 0 && len(pg.Header) == 0 {
		fmt.Fprintf(p.w, "  nothing is said\n")
	}
	rows := explanation(&pg.Decision, site.Style())
	words, places := 0, 0
	for _, r := range rows {
		words, places = max(words, min(len(r.word), widest)), max(places, len(r.at))
	}
	for _, r := range rows {
		color := green
		if strings.HasPrefix(r.word, "(") {
			color = faint
		}
		if len(r.word) > widest { // a line of its own
			fmt.Fprintf(p.w, "    %s\n", p.paint(color, r.word))
			r.word = ""
		}
		fmt.Fprintf(p.w, "    %s  %-*s  %s\n", p.paint(color, fmt.Sprintf("%-*s", words, r.word)), places, r.at, p.paint(faint, r.key))
	}
	if slices.ContainsFunc(rows, func(r row) bool { return strings.HasPrefix(r.word, "(") }) && p.terminal {
		fmt.Fprintf(p.w, "    %s\n", p.paint(faint, "in brackets: said, and outdone by a stricter word"))
	}
}

// verdicts prints what robots.txt says of a page: what it forbids, and with all what it allows too.
func (p *printer) verdicts(verdicts []result.Verdict, all bool) {
	for _, v := range verdicts {
		switch {
		case !v.Allowed:
			fmt.Fprintf(p.w, "    %s  %s:%d  %s\n", p.paint(red, "robots.txt keeps "+v.Crawler+" away"), v.File, v.Line, p.paint(faint, v.Rule))
		case all && v.Line > 0:
			fmt.Fprintf(p.w, "    %s  %s:%d  %s\n", p.paint(green, "robots.txt lets "+v.Crawler+" in"), v.File, v.Line, p.paint(faint, v.Rule))
		case all:
			fmt.Fprintf(p.w, "    %s\n", p.paint(green, "robots.txt lets "+v.Crawler+" in"))
		}
	}
}

// row is one line of an explanation: the directives that a place fixed, and the place.
type row struct{ word, at, key string }

// explanation lists what fixed each printed directive, words fixed by the same statements together, then what was said
// and outdone, in brackets.
func explanation(d *policy.Decision, style policy.Style) (rows []row) {
	used := make([]bool, len(d.Statements))
	explain := func(crawler string) {
		var groups [][]string
		var by [][]int
		for _, f := range d.Why(crawler, style) {
			var places []int
			for _, i := range f.By {
				used[i] = true
				if crawler == "" || d.Statements[i].Crawler != "" { // what is said to everyone stands above
					places = append(places, i)
				}
			}
			if len(places) == 0 {
				continue
			}
			if i := slices.IndexFunc(by, func(p []int) bool { return slices.Equal(p, places) }); i >= 0 {
				groups[i] = append(groups[i], f.Text)
				continue
			}
			groups, by = append(groups, []string{f.Text}), append(by, places)
		}
		for g, words := range groups {
			word := strings.Join(words, ", ")
			if crawler != "" {
				word = crawler + ": " + word
			}
			for _, i := range by[g] {
				at, key := place(d.Statements[i])
				rows = append(rows, row{word, at, key})
				word = ""
			}
		}
	}
	explain("")
	for _, a := range d.Agents {
		explain(a.Name)
	}
	for i, s := range d.Statements {
		if !used[i] {
			at, key := place(s)
			rows = append(rows, row{"(" + s.States() + ")", at, key})
		}
	}
	return rows
}

// place prints where a statement stands.
func place(s policy.Statement) (at, key string) {
	o := s.Origin
	at = o.File
	switch {
	case o.Line > 0:
		at = fmt.Sprintf("%s:%d", o.File, o.Line)
	case at == "" && o.Layer == policy.LayerDefault:
		at = "built-in default"
	case at == "" && o.Layer == policy.LayerEnvironment:
		at = "built-in environment"
	case at == "":
		at = "(" + o.Layer.String() + ")"
	}
	return at, o.Layer.String() + ", " + o.Key
}
