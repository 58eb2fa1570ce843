package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"metarobots/emit/robotstag"
	"metarobots/internal/check"
	"metarobots/internal/headerfile"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/published"
	"metarobots/internal/report"
	"metarobots/internal/result"
	"metarobots/internal/seen"
	"metarobots/internal/site"
	"metarobots/policy"
)

type explainCommand struct {
	siteCommand
	network networkFlags // its crawlers are those whose verdicts of robots.txt are printed, and what their vendors do
	showsAI bool         // what every vendor of AI does is printed
}

func (c *explainCommand) addFlags(flags *pflag.FlagSet) {
	c.addFolder(flags)
	c.addJSON(flags)
	c.addVerbose(flags)
	flags.BoolVar(&c.showsAI, "ai", false, "")
	c.network.add(flags)
}

func (c *explainCommand) wrongFlag(f *pflag.Flag) error { return c.network.wrongFlag(f, c.args) }

// run explains pages of the site at hand; or it asks deployed sites for URLs, if there is no site,
// or if all URLs are of other hosts than the site's.
func (c *explainCommand) run() error {
	p, err := c.open(noFolder)
	isSiteMissing := errors.Is(err, project.ErrNoSite)
	isFolderNamed := c.options.Source != "" || c.options.Destination != ""
	switch {
	case isSiteMissing && !isFolderNamed && c.areAll(isURL):
		return c.explainDeployed(c.args)
	case isSiteMissing && c.bareHost() != nil:
		return c.bareHost()
	case err != nil:
		return err
	case c.areAll(func(arg string) bool { return isElsewhere(p, arg) }):
		p.Close()
		c.note("another host than the site's (%s): the deployed site is asked", strings.Join(hostsOf(p), ", "))
		return c.explainDeployed(c.args)
	}
	c.noteUnknownHost(p)
	c.isAwaited = true
	return c.planOpen(p, plan.NewAwaited, func(site *plan.Plan) error { return c.explainPages(site, c.args) })
}

// areAll reports whether all arguments are of a kind.
func (c *explainCommand) areAll(isKind func(arg string) bool) bool {
	isOther := func(arg string) bool { return !isKind(arg) }
	return !slices.ContainsFunc(c.args, isOther)
}

// bareHost is the error of the first argument that is a host without its scheme; nil for none.
func (c *explainCommand) bareHost() error {
	for _, arg := range c.args {
		if err := lacksScheme(arg, "explain"); err != nil {
			return err
		}
	}
	return nil
}

// noteUnknownHost says that a URL is explained from the folder although nobody knows whether its
// host is the site's.
func (c *explainCommand) noteUnknownHost(p *project.Project) {
	at := slices.IndexFunc(c.args, isURL)
	if at < 0 || len(hostsOf(p)) > 0 {
		return
	}
	u, err := url.Parse(c.args[at])
	if err != nil || u.Host == "" {
		return
	}
	c.note("no base URL says whether %s is this site's host, so the folder answers for its path: -b names the "+
		"site's URL, and then a URL of another host is asked of the deployed site", u.Host)
}

// A question is a page that an argument names.
type question struct {
	page  *plan.Page
	query string // of the URL that the argument is, for robots.txt
	path  string // of that URL, from the publish root
	// headerLines are the values of X-Robots-Tag that the owner's header files have for it.
	headerLines []robotstag.Value
}

// explainPages explains the pages that the arguments name: as text, only the first [most] without
// --verbose, or with --json as one document; then the findings about them. It ends with an error of
// the arguments that name no page.
func (c *explainCommand) explainPages(site *plan.Plan, args []string) error {
	if err := checkNames(c.network.crawlers, site.Project.Policy.Crawlers); err != nil {
		return project.Invalid(err)
	}
	c.noteUnknown(c.network.crawlers, site.Project.Policy.Crawlers)
	questions := c.questions(site, args)
	outcome := check.Run(site)
	r := resultOf(site, outcome)
	r.Findings = slices.DeleteFunc(r.Findings, func(f policy.Finding) bool {
		return !isOfEveryPage(&f) && !slices.ContainsFunc(questions, func(q question) bool { return q.concerns(&f) })
	})
	if c.json {
		for _, q := range questions {
			r.Pages = append(r.Pages, c.answer(site, q))
		}
		if err := c.printJSON(r); err != nil {
			return err
		}
	} else {
		first, more := firstOf(questions, c.mostLines())
		for _, q := range first {
			c.printAnswer(site, q)
		}
		c.stdout.printMore(more)
		c.stderr.findings(r.Findings, c.quiet, c.verbose)
	}
	c.warnOfPolicyNotRead(outcome.Findings, site)
	return c.invalid()
}

// questions are the pages that the arguments name, each once for a query: of several URLs of a page
// the first counts. What is wrong with an argument goes to [command.wrong]. One that is a URL
// without a page is wrong, and is answered here all the same: [explainCommand.printAbsent] prints
// what a page there would get, unless the answer is JSON.
func (c *explainCommand) questions(site *plan.Plan, args []string) (all []question) {
	for _, arg := range args {
		pages, path, err := lookup(site, arg) // path is that of a URL, with a page or an error
		if err == nil && len(args) > 1 && isPublishFolder(site.Project, arg) {
			c.wrong(invalidf("%s is the publish folder, so all of its pages would be explained: leave it out", arg))
			continue
		}
		c.wrong(err) // nil is nothing wrong
		isURLWithoutPage := len(pages) == 0 && path != ""
		if isURLWithoutPage && !c.json {
			c.printAbsent(site, path, queryOf(arg))
		}
		for _, pg := range pages {
			q := question{page: pg, query: queryOf(arg), path: path, headerLines: plan.Reaching(site, pg)}
			isAsked := func(o question) bool { return o.page == q.page && o.query == q.query }
			if !slices.ContainsFunc(all, isAsked) {
				all = append(all, q)
			}
		}
	}
	return all
}

// concerns reports whether a finding is about the page, about the content file behind it, or about
// a line of a header file that is for it.
func (q question) concerns(f *policy.Finding) bool {
	source := q.page.File.Source
	isPlace := func(v robotstag.Value) bool { return v.File == f.File && v.Line == f.Line }
	return q.page.URL == f.URL || source != "" && source == f.File ||
		f.ID != ofGuard && slices.ContainsFunc(q.headerLines, isPlace)
}

// ofGuard is the kind of findings of the guard. It is about how many pages are noindex, or about
// the home page.
const ofGuard = "guard"

// ofContent is the kind of findings about a content file without a page.
const ofContent = "no-page"

// isOfEveryPage reports whether a finding is an error in what every answer rests on, such as the
// policy, robots.txt or a header file: it is about no URL, and not about the content of another page.
func isOfEveryPage(f *policy.Finding) bool {
	return f.Severity == policy.Error && f.URL == "" && f.ID != ofGuard && f.ID != ofContent
}

// answer is the page in its public form, with what a single page alone is asked for.
func (c *explainCommand) answer(site *plan.Plan, q question) result.Page {
	page := result.PageOf(site, q.page)
	page.Addresses = result.AddressesOf(site, q.page, q.path)
	page.RobotsTxt = result.RobotsTxt(site, q.page, q.query, c.network.crawlers)
	if isAsked := c.showsAI || len(c.network.crawlers) > 0; isAsked || published.Addressed(site, q.page) {
		page.Vendors, page.Signals = published.Answers(site, q.page, q.query), published.Signals(site, q.page)
	}
	return page
}

// printAnswer prints whether search engines list a page, the decision on it, where it is served,
// what is not written yet, and if they are asked for, what robots.txt and AI have to do with it.
func (c *explainCommand) printAnswer(site *plan.Plan, q question) {
	page := c.answer(site, q)
	usual := page.RobotsTxt
	if len(c.network.crawlers) > 0 { // else these are the usual ones
		usual = result.RobotsTxt(site, q.page, q.query, nil)
	}
	inSearch := searchAnswer(q.page.File.Role, q.page.Decision, usual)
	if q.page.File.Role == policy.RoleError {
		inSearch = errorPageAnswer(site, q.page)
	}
	c.stdout.explain(site, q.page, inSearch, c.served(site, q))
	c.stdout.show("explain now", pageNow{Outdated: unwritten(site, q.page), RobotsTxt: page.RobotsTxt,
		All: len(c.network.crawlers) > 0})
	if !c.showsAI {
		page.Signals = nil
	}
	page.Vendors = c.askedAbout(page.Vendors)
	c.stdout.vendors(page.Signals, page.Vendors, q.page.Decision.AI)
}

// pageNow is what the template "explain now" shows of a page beside the decision.
type pageNow struct {
	Outdated  []string     // published files that do not say yet what is decided
	RobotsTxt []seen.Fetch // what robots.txt says, for each crawler that is asked about
	All       bool         // show what it allows, too
}

// askedAbout are the answers of all vendors with --ai, else of those whose crawlers are named.
func (c *explainCommand) askedAbout(all []published.Answer) []published.Answer {
	if c.showsAI {
		return all
	}
	return slices.DeleteFunc(all, func(v published.Answer) bool {
		isItsName := func(name string) bool { return strings.EqualFold(name, v.Crawler) }
		return !slices.ContainsFunc(c.network.crawlers, isItsName)
	})
}

// checkNames returns an error for each crawler's name that is none, or that is nearly a known
// one's. Any other unknown name is only noted, by noteUnknown.
func checkNames(crawlers []string, known policy.Crawlers) error {
	names := known.Names()
	for _, c := range policy.AllCrawlers() {
		names = append(names, c.Name)
	}
	var errs []error
	for _, name := range crawlers {
		switch hint := policy.DidYouMeanCrawler(name, names); {
		case slices.Contains(names, strings.ToLower(name)), policy.Everyone(name):
		case !policy.IsToken(name):
			errs = append(errs, fmt.Errorf("%q is not the name of a crawler", name))
		case hint != "":
			errs = append(errs, fmt.Errorf("unknown crawler %q%s", name, hint))
		}
	}
	return errors.Join(errs...)
}

// unwritten are the published files that do not say yet what is decided on a page: its own, and if
// it needs a header its host's header files.
func unwritten(s *plan.Plan, pg *plan.Page) (files []string) {
	if pg.Bytes.Change {
		files = append(files, s.Project.Published(pg.File.Name))
	}
	others := slices.ContainsFunc(pg.Others, func(l headerfile.Line) bool { return !l.Found })
	if (len(pg.Header()) == 0 || s.LeftToTag(pg)) && !others {
		return files
	}
	for _, h := range s.Headers {
		if h.Change.Differs() && h.Host.Root == s.Project.HostOf(pg.File.Name).Root {
			files = append(files, h.Change.File)
		}
	}
	return files
}

// explain prints the decision for a file and what decided it, after an answer in a sentence, empty
// for none. served is a line about its addresses; empty for none. No template is asked, since check
// -v prints this of every file.
func (p *printer) explain(site *plan.Plan, pg *plan.Page, answer, served string) {
	p.printf("%s  %s\n", p.paint(bold, pg.URL), p.paint(faint, traits(&pg.File)))
	if answer != "" {
		p.printf("%s\n", p.sentence("  ", answer))
	}
	if served != "" {
		p.printf("  %s\n", p.paint(faint, served))
	}
	p.showDecision(site, pg)
	p.table("    ", widest/2, explanation(pg.Decision, site.Project.Policy.Style))
}

// traits says what a file is: "page, section posts, language en, format html".
func traits(f *site.File) string {
	text := f.Role.String()
	if f.Unknown {
		text = "unknown"
	}
	kind, pager := f.Facts.Kind, ""
	if kind == "page" { // as nearly every file: the kind says nothing that its role does not
		kind = ""
	}
	if f.Pager > 1 {
		pager = strconv.Itoa(f.Pager)
	}
	for _, fact := range []struct{ name, value string }{
		{"kind ", kind}, {"type ", f.Facts.Type}, {"section ", f.Facts.Section},
		{"language ", f.Facts.Language}, {"format ", f.Facts.Format}, {"pager ", pager}, {"", f.Source},
	} {
		if fact.value != "" {
			text += ", " + fact.name + fact.value
		}
	}
	return text
}

// showDecision prints the lines that state the decision for a file: its tags, X-Robots-Tag or why
// there is none, other headers, and the canonical link of a page of an old version.
func (p *printer) showDecision(site *plan.Plan, pg *plan.Page) {
	for _, tag := range pg.Carries {
		p.printf("  <meta name=%s content=%s />\n", quote(tag.Name), quote(tag.Content))
	}
	sent := plan.Sent(site, pg)
	p.showHeader(site, pg, sent)
	for _, line := range pg.Others {
		lost := styled("")
		if line.Lost {
			lost = " " + p.paint(yellow, "not served")
		}
		p.printf("  %s: %s  %s%s\n", line.Name, line.Value, p.paint(faint, place(line.Origin)), lost)
	}
	newest := pg.TagsNewest() // what its canonical link names because its version is old
	if newest != "" {
		p.printf("  <link rel=\"canonical\" href=%s />  %s\n", quote(newest),
			p.paint(faint, place(*site.Project.Config.Robots.Versions.Canonical)))
	}
	isNothing := len(pg.Carries) == 0 && len(pg.Header()) == 0 && len(sent.Owners) == 0 &&
		len(pg.Others) == 0 && newest == ""
	if pg.File.Role.Policed() && isNothing {
		p.printf("  no robots tag and no header: nothing is restricted\n")
	}
}

// showHeader prints the lines of X-Robots-Tag that hosts send with a file: the owner's with their
// places, then ours, or why there is none of these.
func (p *printer) showHeader(site *plan.Plan, pg *plan.Page, sent headerfile.Sent) {
	for _, v := range sent.Owners {
		p.printf("  X-Robots-Tag: %s  %s\n", v.Text, p.paint(faint, policy.Place(v.File, v.Line)))
	}
	color, why := faint, ""
	switch isLeftToTag := site.LeftToTag(pg); {
	case isLeftToTag && len(pg.Decision.Untagged()) > 0:
		color, why = yellow, "its rule does not fit the host's limit, and no tag reaches "+
			strings.Join(pg.Decision.Untagged(), ", ")
	case isLeftToTag:
		why = "for this HTML page the tag is enough"
	case len(pg.Header()) > 0 && site.Headerless():
		why = "robots.headers.targets is none"
	case len(pg.Header()) > 0 && sent.IsLacking: // no rule is written, or another one overrides it
		color, why = yellow, "a host does not send it"
	case sent.HasOurs:
		for _, line := range pg.Header() {
			p.printf("  X-Robots-Tag: %s\n", line)
		}
	}
	if why == "" {
		return
	}
	what := "no X-Robots-Tag header"
	switch isOfAnotherHost := sent.HasOurs && sent.IsLacking; {
	case isOfAnotherHost:
		what = "not everywhere with the X-Robots-Tag header that is decided"
	case len(sent.Owners) > 0:
		what = "no X-Robots-Tag header of metarobots"
	}
	p.printf("  %s\n", p.paint(color, what+": "+why))
}

// explanation returns a row for each statement that fixed something, with the words that it fixed,
// then one for each that something stricter overrides: words, place, layer and key.
func explanation(d *policy.Decision, style policy.Style) [][]cell {
	table := explanationTable{decision: d, used: map[int]bool{}}
	table.addCauses(everyone, d.Causes(everyone, style))
	for _, agent := range d.Agents {
		name := agent.Crawler.Name
		table.addCauses(name, table.withoutGeneral(d.Causes(name, style)))
	}
	for _, use := range policy.Uses {
		for _, i := range d.Preferring(use) {
			table.addFixed(use.String()+" = "+d.AI[use].String(), i)
		}
	}
	for i, s := range d.Statements {
		if !table.used[i] {
			table.add(faint, cmp.Or(s.States(), s.AI.String()), i, " (overridden)")
		}
	}
	return table.rows
}

// An explanationTable is an explanation in the making. Statements are named by their index in the
// decision.
type explanationTable struct {
	decision *policy.Decision
	rows     [][]cell
	used     map[int]bool // the statements that have a row
	above    string       // the words that were printed last
}

// add adds the row of a statement.
func (t *explanationTable) add(color, words string, statement int, note string) {
	s := t.decision.Statements[statement]
	t.rows = append(t.rows, []cell{{color, words}, {"", place(s.Origin)},
		{faint, report.Layer(s.Origin.Layer.String()) + ", " + s.Origin.Key + note}})
	t.used[statement] = true
}

// addFixed adds the row of a statement that fixed words. Words that the row above has too are left
// out.
func (t *explanationTable) addFixed(words string, statement int) {
	shown := words
	if words == t.above {
		shown = ""
	}
	t.above = words
	t.add(green, shown, statement, "")
}

// addCauses adds the statements that fixed the words for a crawler, or for [everyone].
func (t *explanationTable) addCauses(crawler string, causes []policy.Cause) {
	for _, i := range fixing(causes) {
		words := strings.Join(wordsOf(causes, i), ", ")
		if crawler != everyone {
			words = crawler + ": " + words
		}
		t.addFixed(words, i)
	}
}

// withoutGeneral takes out of the causes for a crawler the statements to everyone, which have their
// rows above. It modifies causes.
func (t *explanationTable) withoutGeneral(causes []policy.Cause) []policy.Cause {
	isGeneral := func(i int) bool { return t.decision.Statements[i].Crawler == "" }
	for i := range causes {
		causes[i].By = slices.DeleteFunc(causes[i].By, isGeneral)
	}
	return causes
}

// fixing returns the statements that fixed any of the words, each once, those of the first word
// first.
func fixing(causes []policy.Cause) (statements []int) {
	for _, c := range causes {
		for _, i := range c.By {
			if !slices.Contains(statements, i) {
				statements = append(statements, i)
			}
		}
	}
	return statements
}

// wordsOf are the words that a statement fixed.
func wordsOf(causes []policy.Cause, statement int) (words []string) {
	for _, c := range causes {
		if slices.Contains(c.By, statement) {
			words = append(words, c.Word.Text)
		}
	}
	return words
}

// place prints where a statement stands.
func place(o policy.Origin) string {
	switch {
	case o.File != "":
		return policy.Place(o.File, o.Line)
	case o.Layer == policy.LayerDefault || o.Layer == policy.LayerEnvironment:
		return "built-in " + o.Layer.String()
	}
	return "(" + o.Layer.String() + ")"
}
