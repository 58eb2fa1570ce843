package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"metarobots/emit/robotstag"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/published"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
	"metarobots/policy"
)

type listCommand struct {
	siteCommand
	network                        networkFlags
	noindex, indexable, restricted bool // the states that are listed; all if none is given
	section                        string
	why                            bool   // prints what decided, too
	against                        string // the snapshot whose URLs are asked for; empty for the sitemaps'
}

func (c *listCommand) addFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&c.noindex, "noindex", false, "")
	flags.BoolVar(&c.indexable, "indexable", false, "")
	flags.BoolVar(&c.restricted, "restricted", false, "")
	flags.StringVar(&c.section, "section", "", "")
	flags.BoolVar(&c.why, "why", false, "")
	flags.StringVar(&c.against, "against", "", "")
	c.network.addURLs(flags)
	c.network.add(flags)
	c.addFolder(flags)
	c.addJSON(flags)
	c.addVerbose(flags)
}

func (c *listCommand) wrongFlag(f *pflag.Flag) error {
	if f.Name == "against" && !isURL(c.arg()) {
		return forDeployed(f)
	}
	return c.network.wrongFlag(f, c.args)
}

func (c *listCommand) run() error {
	if err := verify.CheckCrawlers(c.network.crawlers); err != nil {
		return project.Invalid(err)
	}
	name := c.arg()
	info, err := os.Stat(name)
	switch {
	case err == nil && info.Mode().IsRegular(), err != nil && strings.HasSuffix(name, ".json"):
		return c.listSnapshot(name)
	case isURL(name):
		return c.listDeployed()
	}
	return c.listFolder(name)
}

func (c *listCommand) listSnapshot(file string) error {
	s, err := readSnapshot(file)
	if err != nil {
		return err
	}
	s.ApplyRobots(c.fetcher())
	return c.printList(s)
}

func (c *listCommand) listFolder(dir string) error {
	c.options.Audit = true
	return c.plan(dir, plan.New, func(site *plan.Plan) error {
		c.unread(site)
		c.noteUnknown(c.network.crawlers, site.Project.Policy.Crawlers)
		s := snapshot.OfPlan(site)
		closeOff(s, site, c.fetcher())
		return c.printList(s)
	})
}

func (c *listCommand) listDeployed() error {
	c.network.asking.Files.LeavesRobots = true
	c.network.asking.Files.AsksHomeAlone = true
	r, err := c.network.askSite(&c.command, c.against)
	if err != nil {
		return err
	}
	c.noteAsked(r)
	return c.printList(r.Snapshot())
}

// noteAsked says which URLs of a deployed site were asked for, and what else is to be known of
// that.
func (c *command) noteAsked(r *verify.Report) {
	for _, text := range r.Summary.Warnings {
		c.warn("%s", text)
	}
	for _, text := range r.Summary.Notes {
		c.note("%s", text)
	}
	against := "" // which list alone has
	if c.cmd.Flags().Lookup("against") != nil {
		against = "--against FILE asks for the URLs of a snapshot, "
	}
	if r.Summary.Source == verify.FromSitemaps && !r.IsHomeAlone {
		c.note("asked for the %s that the sitemaps list and for the home page. Most sitemaps leave noindex pages out: "+
			"%s--urls FILE asks for those of a list", robotstag.Count(r.Summary.Asked, "URL", "URLs"), against)
	}
}

// fetcher is the crawler whose verdict of robots.txt counts, as for a deployed site: everyone, or
// the first of those that are named.
func (c *listCommand) fetcher() string {
	if len(c.network.crawlers) == 0 || slices.ContainsFunc(c.network.crawlers, policy.Everyone) {
		return "*"
	}
	return slices.Min(c.network.names())
}

// noteUnknown says of the crawlers that are named and not known that nothing is said to them by
// their names.
func (c *command) noteUnknown(crawlers []string, known policy.Crawlers) {
	for _, name := range crawlers {
		if _, ok := known.Lookup(name); !ok && policy.LookupCrawler(name) == nil && !policy.Everyone(name) {
			c.note("%s is none of the crawlers that metarobots knows: it is taken at its name", name)
		}
	}
}

// closeOff says of each URL that robots.txt keeps a crawler from that it is disallowed: nothing
// else is read there.
func closeOff(s *snapshot.Snapshot, site *plan.Plan, crawler string) {
	closed := map[string]seen.Fetch{}
	for _, pg := range site.Pages {
		role := pg.File.Role
		if !role.Policed() && role != policy.RoleRedirect {
			continue
		}
		if f := published.Fetch(site, pg, noQuery, crawler); !f.Allowed {
			closed[pg.URL] = f
		}
	}
	for i := range s.Entries {
		e := &s.Entries[i]
		if by, ok := closed[e.URL]; ok {
			e.Disallow(by)
		}
	}
}

// listed are the URLs of a snapshot in the states and the section that flags choose; without a
// state, all except control files and error pages. With --crawler a URL's state is what that one
// reads; of several names, what the first of them reads that has directives of its own, or else
// everyone. The cause is that of all that the site tells crawlers there, whoever is named.
func (c *listCommand) listed(s *snapshot.Snapshot) []snapshot.ListedURL {
	isChosen := map[seen.State]bool{seen.Noindex: c.noindex, seen.Indexable: c.indexable,
		seen.Limited: c.restricted || c.indexable, seen.Disallowed: c.restricted}
	urls := []snapshot.ListedURL{}
	for _, e := range s.Entries {
		told := c.readBy(e.Told)
		state := told.State()
		isListed := isChosen[state] || c.listsEveryState() && isUsual(state)
		if !isListed || c.section != "" && c.section != sectionOf(e) {
			continue
		}
		urls = append(urls, snapshot.ListedURL{URL: e.URL, State: state,
			Robots: cmp.Or(told.Role, told.Brief(), string(seen.Indexable)),
			Why:    e.Reason, File: e.File, Line: e.Line, Since: e.Since})
	}
	return urls
}

// readBy is what the crawlers of --crawler read at a URL, by all that is said there; without the flag
// it is what everyone reads.
func (c *listCommand) readBy(told seen.Told) seen.Told {
	crawlers := c.network.names()
	if hasDirectives := told.Role == ""; hasDirectives && len(crawlers) > 0 {
		return seen.Told{Robots: told.For(crawlers...)}
	}
	return told
}

// isUsual reports whether URLs in a state are listed if no flag chooses a state.
func isUsual(state seen.State) bool { return state != seen.Control && state != seen.ErrorPage }

// sectionOf is the section of a URL, or its first folder where nothing else says to which section
// it belongs.
func sectionOf(e snapshot.Entry) string {
	folder, _, _ := strings.Cut(strings.TrimPrefix(e.URL, "/"), "/")
	return cmp.Or(e.Section, folder)
}

var stateColors = map[seen.State]string{seen.Noindex: yellow, seen.Limited: blue, seen.Indexable: green}

// How many columns of a list are printed: URL, state, and what decided that.
const (
	urlAlone = iota + 1
	urlAndState
	urlStateAndCause
)

// printList prints a line for each URL: on a terminal in columns, into a pipe the URL alone, or
// with --why what else there is behind tabs. A note says why there is no URL, or what the lines do
// not show. With --json it prints one object in place of all that.
func (c *listCommand) printList(s *snapshot.Snapshot) error {
	urls := c.listed(s)
	if c.json {
		return c.printJSON(struct {
			URLs     []snapshot.ListedURL `json:"urls"`
			Crawlers []string             `json:"crawlers,omitempty"` // whose list it is; none of everyone's
		}{urls, c.network.crawlers})
	}
	columns := c.columns()
	var table [][]cell
	for _, u := range urls {
		row := []cell{{"", u.URL}, {stateColors[u.State], u.Robots},
			{faint, policy.Placed(u.File, u.Line, u.Why.Text)}}
		table = append(table, row[:columns])
	}
	if c.stdout.terminal {
		const noIndent = ""
		c.stdout.table(noIndent, widest, table)
	} else {
		c.stdout.tabbed(table)
	}
	switch {
	case len(urls) == 0:
		c.noteNothing(s)
	case columns == urlAlone && c.listsEveryState(): // the lines do not tell the states
		c.noteStates(urls, s.Passing)
	}
	c.noteUnread(s)
	return nil
}

// columns is how many columns are printed: with --why all, without it on a terminal URL and state,
// for a pipe the URL alone, which is what the next program reads.
func (c *listCommand) columns() int {
	switch {
	case c.why:
		return urlStateAndCause
	case c.stdout.terminal:
		return urlAndState
	default:
		return urlAlone
	}
}

// listsEveryState reports whether no flag chooses the states that are listed.
func (c *listCommand) listsEveryState() bool { return !c.noindex && !c.indexable && !c.restricted }

// noteStates says how many URLs are in each state, since the list does not show it. assets are how
// many files a list leaves out and a report counts, such as style sheets.
func (c *listCommand) noteStates(urls []snapshot.ListedURL, assets int) {
	var counts []string
	for _, same := range snapshot.Group(urls, func(u snapshot.ListedURL) seen.State { return u.State }) {
		counts = append(counts, fmt.Sprintf("%d %s", len(same), same[0].State))
	}
	left := ""
	if assets > 0 {
		left = ", without " + robotstag.Count(assets, "style sheet, script or the like",
			"style sheets, scripts and the like")
	}
	c.note("%s%s: %s (--why prints the state of each)",
		robotstag.Count(len(urls), "URL", "URLs"), left, strings.Join(counts, ", "))
}

// noteUnread says how many URLs --noindex leaves out because robots.txt disallows them: what is
// decided there is noindex, and crawlers do not read it.
func (c *listCommand) noteUnread(s *snapshot.Snapshot) {
	if !c.noindex || c.restricted { // which lists them
		return
	}
	count := 0
	for _, e := range s.Entries {
		isUnread := e.Told.State() == seen.Disallowed && c.readBy(e.Unread).State() == seen.Noindex
		if isUnread && (c.section == "" || c.section == sectionOf(e)) {
			count++
		}
	}
	if count > 0 {
		c.note("%s, so crawlers do not read the noindex (--restricted lists what is disallowed)", robotstag.Count(count,
			"more noindex URL is left out: robots.txt disallows it",
			"more noindex URLs are left out: robots.txt disallows them"))
	}
}

// noteNothing says why no URL of a snapshot is listed.
func (c *listCommand) noteNothing(s *snapshot.Snapshot) {
	var sections []string
	usual := 0 // as many as are listed without a flag
	for _, e := range s.Entries {
		sections = append(sections, sectionOf(e))
		if isUsual(e.Told.State()) {
			usual++
		}
	}
	if c.section != "" && !slices.Contains(sections, c.section) {
		c.note("there is no section %q%s", c.section, policy.DidYouMean(c.section, sections))
		return
	}
	c.note("none of the %s matches", robotstag.Count(usual, "URL", "URLs"))
}
