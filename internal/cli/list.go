package cli

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"metarobots/internal/plan"
	"metarobots/internal/result"
	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
	"metarobots/policy"
)

// listing says which URLs are listed; without a state, all that crawlers may ask for.
type listing struct {
	noindex, indexable, restricted bool
	section                        string
	why                            bool
	deployed                       verifying // of a deployed site
}

func (c *command) listCommand() *cobra.Command {
	l := &listing{}
	cmd := newCommand("list", cobra.MatchAll(oneFolder, forSites),
		func(cmd *cobra.Command, args []string) error { return c.list(cmd, l, args) })
	f := cmd.Flags()
	f.BoolVar(&l.noindex, "noindex", false, "")
	f.BoolVar(&l.indexable, "indexable", false, "")
	f.BoolVar(&l.restricted, "restricted", false, "")
	f.StringVar(&l.section, "section", "", "")
	f.BoolVar(&l.why, "why", false, "")
	f.StringVar(&l.deployed.against, "against", "", "")
	askFlags(f, &l.deployed)
	c.siteFlags(cmd)
	return cmd
}

func (c *command) list(cmd *cobra.Command, l *listing, args []string) error {
	if err := errors.Join(notEmpty(cmd, "against", "section"), verify.CheckCrawlers(l.deployed.options.Crawlers)); err != nil {
		return invalid(err)
	}
	c.options.Audit = true
	print := func(s *snapshot.Snapshot) error { return c.printList(l, s) }
	arg := first(args)
	if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
		s, err := readSnapshot(arg)
		if err != nil {
			return invalid(err)
		}
		return print(s)
	}
	if !isURL(arg) {
		return c.plan(cmd, arg, func(site *plan.Plan) error {
			c.unread(site)
			return print(snapshot.Of(site))
		})
	}
	v := l.deployed
	if err := v.check(args, c.getenv); err != nil {
		return invalid(err)
	}
	r, err := c.askSite(cmd.Context(), &v)
	if err != nil {
		return err
	}
	if v.against == "" {
		c.note("asked for the %s that the sitemaps list and for the home page. Most sitemaps leave noindex pages out: "+
			"--against FILE asks for the URLs of a snapshot", count(r.Summary.Asked, "URL"))
	}
	return print(r.Snapshot())
}

// listed is a URL with what one crawler, or everyone, is told.
type listed struct {
	URL    string       `json:"url"`
	State  result.State `json:"state"`
	Robots string       `json:"robots"`
	Why    string       `json:"why"`
	File   string       `json:"file,omitempty"`
	Line   int          `json:"line,omitempty"`
	Since  string       `json:"since,omitempty"`
}

// of are the URLs of a snapshot that are to be listed.
func (l *listing) of(s *snapshot.Snapshot) []listed {
	urls := []listed{}
	for _, e := range s.Entries {
		d := e.Decision
		if len(l.deployed.options.Crawlers) > 0 && d.Role == "" {
			d = result.Decision{Robots: d.Told(l.deployed.options.Crawlers...)}
		}
		state := d.State()
		any := !l.noindex && !l.indexable && !l.restricted
		if any && (state == result.Control || state == result.ErrorPage) ||
			!any && !(l.noindex && state == result.Noindex || l.restricted && state == result.Limited ||
				l.indexable && (state == result.Indexable || state == result.Limited)) ||
			l.section != "" && l.section != cmp.Or(e.Section, sectionOf(e.URL)) {
			continue
		}
		told := cmp.Or(d.Role, d.Brief(), string(result.Indexable))
		urls = append(urls, listed{e.URL, state, told, e.Reason, e.File, e.Line, e.Since})
	}
	return urls
}

// sectionOf is the first folder of a URL, where nothing else says to which section it belongs.
func sectionOf(url string) string {
	section, _, _ := strings.Cut(strings.TrimPrefix(url, "/"), "/")
	return section
}

// printList prints a line for each URL: on a terminal in columns, into a pipe the URL alone, or with --why what else
// there is behind tabs.
func (c *command) printList(l *listing, s *snapshot.Snapshot) error {
	urls := l.of(s)
	if c.json {
		return c.printJSON(struct {
			URLs []listed `json:"urls"`
		}{urls})
	}
	var table [][]cell
	for _, u := range urls {
		row := []cell{{"", u.URL}}
		if c.stdout.terminal || l.why {
			row = append(row, cell{stateColors[u.State], u.Robots})
		}
		if l.why {
			row = append(row, cell{faint, policy.Placed(u.File, u.Line, u.Why)})
		}
		table = append(table, row)
	}
	if c.stdout.terminal {
		c.stdout.table("", widest, table)
	} else {
		c.stdout.tabbed(table)
	}
	switch names := sections(s); {
	case len(urls) > 0:
	case l.section != "" && !slices.Contains(names, l.section):
		c.note("there is no section %q%s", l.section, policy.DidYouMean(l.section, names))
	default:
		c.note("none of the %s is so", count(len(s.Entries), "URL"))
	}
	return nil
}

// sections are those of the URLs.
func sections(s *snapshot.Snapshot) (names []string) {
	for _, e := range s.Entries {
		names = append(names, cmp.Or(e.Section, sectionOf(e.URL)))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var stateColors = map[result.State]string{result.Noindex: yellow, result.Limited: blue, result.Indexable: green}
