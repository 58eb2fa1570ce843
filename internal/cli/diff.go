package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"metarobots/emit/robotstag"
	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
)

type diffCommand struct {
	command
	network           networkFlags
	ignoreEnvironment bool            // leaves out what one side restricts at every URL
	unread            []string        // URLs that are compared by robots.txt alone
	warned            map[string]bool // what is printed of a deployed site, which may be asked twice
}

func (c *diffCommand) addFlags(flags *pflag.FlagSet) {
	c.addQuiet(flags)
	c.addJSON(flags)
	c.addVerbose(flags)
	flags.BoolVar(&c.ignoreEnvironment, "ignore-environment", false, "")
	c.network.add(flags)
}

func (c *diffCommand) wrongFlag(f *pflag.Flag) error { return c.network.wrongFlag(f, c.args) }

// run compares two sides, each a snapshot's file or a deployed site, prints how they differ, and
// fails if they do. That no URL can be read on either side is an error of the arguments: such a run
// would succeed without having compared anything.
func (c *diffCommand) run() error {
	c.warned = map[string]bool{}
	sides, err := c.readSides() // the files; of deployed sites only how to ask them
	if err != nil {
		return err
	}
	if err := c.askDeployed(&sides); err != nil {
		return err
	}
	old, now := c.compared(sides) // without what cannot be compared, which it notes; it sets c.unread
	counts := c.countURLs(old, now)
	if counts.all == 0 {
		return invalidf("nothing was compared: no URL can be read on either side, %s and %s "+
			"(metarobots snapshot -o FILE lists the URLs of a built site, and metarobots diff FILE URL compares them)",
			c.args[0], c.args[1])
	}
	c.noteUnknownRobots(sides)
	c.noteUnknownLeads(sides)
	crawlers := c.network.names() // none compares what all of them read
	changes := snapshot.Diff(old.ReadBy(crawlers), now.ReadBy(crawlers))
	if err := c.printChanges(changes, counts); err != nil {
		return err
	}
	if changes.Empty() {
		return nil
	}
	return failed(allPrinted)
}

// printChanges prints how the sides differ, as text or with --json, and then, unless --quiet is
// given, how many URLs were compared and how many changes there are. The error is one of writing.
func (c *diffCommand) printChanges(changes *snapshot.Changes, counts urlCount) error {
	if !c.json {
		changes.Print(c.mostLines(), c.stdout.printf)
	} else if err := c.printJSON(changes); err != nil {
		return err
	}
	if !c.quiet {
		c.printCounts(counts, changes.Counts())
	}
	return nil
}

// A urlCount is how many URLs are compared.
type urlCount struct {
	all           int
	byRobotsAlone int // of them: crawlers may read nothing else there
}

// countURLs counts the URLs of both sides that are compared. One that crawlers cannot read at a
// deployed site is compared by robots.txt, and not at all if a side does not know that file.
func (c *diffCommand) countURLs(old, now *snapshot.Snapshot) urlCount {
	all := len(now.WithURLsOf(old).Entries)
	if snapshot.KnowBothRobots(old, now) {
		return urlCount{all: all, byRobotsAlone: len(c.unread)}
	}
	return urlCount{all: all - len(c.unread)}
}

// printCounts prints how many URLs were compared, and how many changes of each kind there are.
func (c *diffCommand) printCounts(counts urlCount, changes []string) {
	text := robotstag.Count(counts.all, "URL", "URLs") + " compared"
	if counts.byRobotsAlone > 0 {
		text += fmt.Sprintf(", %d of them by robots.txt alone", counts.byRobotsAlone)
	}
	c.stderr.printf("%s: %s\n", text, cmp.Or(strings.Join(changes, ", "), "no differences"))
}

// A diffSide is one of the two that are compared: a file, or a deployed site.
type diffSide struct {
	snapshot   *snapshot.Snapshot // of a deployed site, what is known of it by now
	isDeployed bool
	asking     verify.AskOptions // of a deployed site
}

// readSides reads the files among the two sides, and how the deployed sites among them are to be
// asked.
func (c *diffCommand) readSides() (sides [2]diffSide, err error) {
	areBothDeployed, usualUser := isURL(c.args[0]) && isURL(c.args[1]), c.getenv(verifyUser)
	if areBothDeployed {
		if c.network.user != "" || len(c.network.headers) > 0 {
			return sides, invalidf("--user and --header would go to both hosts: write https://name:password@host/")
		}
		usualUser = ""
	}
	for i, arg := range c.args {
		side := &sides[i]
		if side.isDeployed = isURL(arg); side.isDeployed {
			side.snapshot = &snapshot.Snapshot{Answered: true}
			side.asking = c.network.askOptions(&c.command, arg, usualUser)
			side.asking.Files.ReadsAI, side.asking.Files.LeavesRobots = true, true
			continue
		}
		side.snapshot, err = readSnapshot(arg)
		c.wrong(err)
	}
	return sides, c.invalid()
}

// askDeployed asks each deployed site for the URLs of the other side, and sets its snapshot. Two
// deployed sites are first asked for the URLs that their own sitemaps list; then each is asked for
// those of the other's that it has not answered yet. The sitemaps of either may list the other's
// URLs: each is the Twin of the other.
func (c *diffCommand) askDeployed(sides *[2]diffSide) (err error) {
	if sides[0].isDeployed && sides[1].isDeployed {
		for i := range sides {
			side, other := &sides[i], &sides[1-i]
			side.asking.Twin = other.asking.Base
			if side.snapshot, err = c.answersOfSitemaps(side.asking); err != nil {
				return err
			}
		}
	}
	before := [2]*snapshot.Snapshot{sides[0].snapshot, sides[1].snapshot}
	for i := range sides {
		if !sides[i].isDeployed {
			continue
		}
		known, others := before[i], before[1-i]
		asking := sides[i].asking
		asking.Sampling.IsFurther = len(known.Entries) > 0 // else 404 for all is a warning
		further, err := c.answers(asking, others.WithoutURLsOf(known))
		if err != nil {
			return err
		}
		sides[i].snapshot = known.WithURLsOf(further) // and what hosts say, if known is empty
	}
	return nil
}

// compared is what of two sides can be compared and is to be. It warns of what is left out.
func (c *diffCommand) compared(sides [2]diffSide) (old, now *snapshot.Snapshot) {
	old, now = sides[0].snapshot, sides[1].snapshot
	if old.Answered || now.Answered {
		old, now = c.withoutDisallowed(c.asDeployed(sides))
	}
	if c.ignoreEnvironment {
		return c.withoutPreview(old, now)
	}
	c.warnOfPreview(old, now)
	return old, now
}

// asDeployed leaves out what a deployed site does not tell.
func (c *diffCommand) asDeployed(sides [2]diffSide) (old, now *snapshot.Snapshot) {
	var own []string // the base URLs of both sides
	for _, side := range sides {
		own = slices.AppendSeq(own, maps.Values(side.snapshot.Hosts))
		if side.isDeployed {
			own = append(own, side.asking.Base.String())
		}
	}
	old, now, others := snapshot.ComparableAsDeployed(sides[0].snapshot, sides[1].snapshot, own)
	if len(others) > 0 {
		c.note("not compared with a deployed site: %s (metarobots verify --against FILE compares these headers)",
			strings.Join(others, ", "))
	}
	return old, now
}

// noteUnknownRobots says which file does not say what robots.txt says, so that it is not compared.
func (c *diffCommand) noteUnknownRobots(sides [2]diffSide) {
	for i, side := range sides {
		switch {
		case side.isDeployed || !side.snapshot.RobotsUnknown(sides[1-i].snapshot):
		case side.snapshot.IsBelowHosts():
			c.note("robots.txt is not compared: the site of %s is below a path of its host, where none is read",
				c.args[i])
		default:
			c.note("what robots.txt says is not in %s, so it is not compared (metarobots snapshot writes it)",
				c.args[i])
		}
	}
}

// noteUnknownLeads says which file does not say where canonical links lead, so that they are not
// compared.
func (c *diffCommand) noteUnknownLeads(sides [2]diffSide) {
	for i, side := range sides {
		if side.snapshot.LeadsUnknown(sides[1-i].snapshot) {
			c.note("where canonical links lead is not in %s, so it is not compared (metarobots snapshot writes it)",
				c.args[i])
		}
	}
}

// withoutDisallowed leaves out what else the URLs say that could not be read for the robots.txt of
// a deployed site.
func (c *diffCommand) withoutDisallowed(old, now *snapshot.Snapshot) (_, _ *snapshot.Snapshot) {
	old, now, c.unread = snapshot.WithoutDisallowed(old, now)
	if len(c.unread) == 0 {
		return old, now
	}
	what := "not compared"
	if snapshot.KnowBothRobots(old, now) {
		what = "compared by robots.txt alone"
	}
	c.warn("%s, because robots.txt disallows it: %s", what, snapshot.FirstURLs(c.unread))
	return old, now
}

// withoutPreview leaves out what a preview restricts at every URL.
func (c *diffCommand) withoutPreview(old, now *snapshot.Snapshot) (_, _ *snapshot.Snapshot) {
	old, now, aside := snapshot.WithoutPreview(old, now)
	if aside.Closed != "" {
		c.note("robots.txt of %s is not compared: one side disallows everything, as a preview may", aside.Closed)
	}
	c.warnOfExceptions(aside)
	if len(aside.Hidden) > 0 {
		c.note("whether these are noindex on both sides does not show behind the preview's tag: %s",
			snapshot.FirstURLs(aside.Hidden))
	}
	return old, now
}

// warnOfExceptions warns if a side is no preview, although almost every page of it is noindex, or
// if neither side is one.
func (c *diffCommand) warnOfExceptions(aside snapshot.Aside) {
	first := cmp.Or(aside.Excepted[:]...)
	switch {
	case aside.Nothing && first != "":
		c.warn("--ignore-environment leaves nothing out: almost every page is noindex, and %s is not", first)
		return
	case aside.Nothing:
		c.warn("--ignore-environment leaves nothing out: neither side is noindex at every URL")
		return
	}
	for i, excepted := range aside.Excepted {
		if excepted != "" {
			c.warn("--ignore-environment takes %s for no preview: almost every page is noindex, and %s is not",
				c.args[i], excepted)
		}
	}
}

// warnOfPreview warns if one of the sides may be a preview, whose URLs then all differ.
func (c *diffCommand) warnOfPreview(old, now *snapshot.Snapshot) {
	switch was, is := old.Environment, now.Environment; {
	case was != is && was != "" && is != "":
		c.warn("%s is of environment %s and %s of %s, and a preview is noindex throughout: "+
			"--ignore-environment compares the rest", c.args[0], was, c.args[1], is)
	case old.IsPreview() != now.IsPreview():
		preview := c.args[0]
		if now.IsPreview() {
			preview = c.args[1]
		}
		c.warn("%s is noindex at every URL, like a preview: --ignore-environment compares the rest", preview)
	}
}

// answers is what a deployed site tells crawlers of the URLs of a snapshot.
func (c *diffCommand) answers(o verify.AskOptions, urls *snapshot.Snapshot) (*snapshot.Snapshot, error) {
	if len(urls.Entries) == 0 {
		return &snapshot.Snapshot{Answered: true}, nil
	}
	return c.ask(o, against(urls))
}

// answersOfSitemaps is what a deployed site tells crawlers of the URLs that its sitemaps list;
// nothing for a site without sitemaps.
func (c *diffCommand) answersOfSitemaps(o verify.AskOptions) (*snapshot.Snapshot, error) {
	answers, err := c.ask(o, verify.Sitemaps)
	if errors.Is(err, verify.ErrNoSitemap) {
		err = nil
	}
	return answers, err
}

// ask asks a deployed site, and prints the warnings about that, each once.
func (c *diffCommand) ask(o verify.AskOptions, ask asker) (*snapshot.Snapshot, error) {
	r, err := c.network.ask(&c.command, o, ask)
	for _, text := range slices.Concat(r.Summary.Warnings, r.Summary.Notes) {
		if warning := o.Base.String() + ": " + text; !c.warned[warning] {
			c.warned[warning] = true
			c.stderr.messages(yellow, "warning", warning)
		}
	}
	return r.Snapshot(), err
}
