package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
)

type diffCommand struct {
	command
	network           networkFlags
	ignoreEnvironment bool // leaves out what one side restricts at every URL
}

func (c *diffCommand) addFlags(flags *pflag.FlagSet) {
	c.addQuiet(flags)
	c.addJSON(flags)
	c.addVerbose(flags)
	flags.BoolVar(&c.ignoreEnvironment, "ignore-environment", false, "")
	c.network.add(flags)
}

func (c *diffCommand) wrongFlag(f *pflag.Flag) error { return c.network.wrongFlag(f, c.args) }

func (c *diffCommand) run() error {
	sides, err := c.sides()
	if err != nil {
		return err
	}
	old, now := c.compared(sides)
	if len(old.Entries)+len(now.Entries) == 0 {
		return invalidf("nothing was compared: no URL can be read on either side, %s and %s (metarobots snapshot -o FILE "+
			"lists the URLs of a built site, and metarobots diff FILE URL compares them)", c.args[0], c.args[1])
	}
	changes := snapshot.Diff(old, now)
	if !c.json {
		changes.Print(c.most(), c.stdout.printf)
	} else if err := c.printJSON(changes); err != nil {
		return err
	}
	var what []string
	for _, l := range changes.Lists() {
		what = append(what, fmt.Sprintf("%d %s", len(l.List), l.Title))
	}
	if !c.quiet {
		c.stderr.printf("%s compared: %s\n", count(len(now.With(old).Entries), "URL"),
			cmp.Or(strings.Join(what, ", "), "no differences"))
	}
	if changes.Empty() {
		return nil
	}
	return failed("")
}

// compared is what of two sides is compared, and says what is not.
func (c *diffCommand) compared(sides [2]*snapshot.Snapshot) (old, now *snapshot.Snapshot) {
	old, now = sides[0], sides[1]
	if isURL(c.args[0]) != isURL(c.args[1]) { // a file says nothing of robots.txt
		if closed := append(old.Role(seen.Disallowed), now.Role(seen.Disallowed)...); len(closed) > 0 {
			c.warn("not compared, because robots.txt disallows it: %s", snapshot.FirstURLs(closed))
			old, now = old.Except(closed), now.Except(closed)
		}
	}
	var aside snapshot.Aside
	if c.ignoreEnvironment {
		old, now, aside = snapshot.WithoutPreview(old, now)
	}
	was, is := sides[0].Environment, sides[1].Environment
	switch {
	case aside.Except != "":
		c.warn("--ignore-environment leaves nothing out: almost every page is noindex, and %s is not", aside.Except)
	case aside.Nothing:
		c.warn("--ignore-environment leaves nothing out: neither side is noindex at every URL")
	case len(aside.Hidden) > 0:
		c.note("whether these are noindex on both sides does not show behind the preview's tag: %s",
			snapshot.FirstURLs(aside.Hidden))
	case c.ignoreEnvironment:
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
	return old, now
}

// sides are the two that are compared: files or deployed sites. A deployed site is asked for the URLs of the other
// side; where both are deployed, for those that the sitemaps of either list.
func (c *diffCommand) sides() (sides [2]*snapshot.Snapshot, err error) {
	live, getenv := [2]bool{isURL(c.args[0]), isURL(c.args[1])}, c.getenv
	if live[0] && live[1] {
		if c.network.user != "" || len(c.network.headers) > 0 {
			return sides, invalidf("--user and --header would go to both hosts: write https://name:password@host/")
		}
		getenv = func(string) string { return "" }
	}
	var ask [2]verify.AskOptions
	for i, arg := range c.args {
		if live[i] {
			sides[i], ask[i] = &snapshot.Snapshot{}, c.network.askOptions(&c.command, arg, getenv)
		} else {
			sides[i], err = readSnapshot(arg)
			c.wrong(err)
		}
	}
	if err := c.invalid(); err != nil || !live[0] && !live[1] {
		return sides, err
	}
	if live[0] && live[1] {
		for i := range sides { // what a site's own sitemaps list
			ask[i].Twin = ask[1-i].Base
			if sides[i], err = c.answered(ask[i], nil); err != nil {
				return sides, err
			}
		}
	}
	listed := sides
	var own []string
	for i := range sides {
		own = slices.AppendSeq(own, maps.Values(sides[i].Hosts))
		if !live[i] {
			continue
		}
		further, err := c.answered(ask[i], listed[1-i].Without(listed[i]))
		if err != nil {
			return sides, err
		}
		sides[i] = listed[i].With(further)
		own = append(own, ask[i].Base.String())
	}
	old, now, others := snapshot.Deployed(sides[0], sides[1], own)
	if len(others) > 0 {
		c.note("not compared with a deployed site: %s (metarobots verify --against FILE compares these headers)",
			strings.Join(others, ", "))
	}
	return [2]*snapshot.Snapshot{old, now}, nil
}

// answered is what a deployed site tells crawlers of the URLs of a snapshot, or, where that is nil, of those that its
// sitemaps list; nothing for a site without sitemaps.
func (c *diffCommand) answered(o verify.AskOptions, urls *snapshot.Snapshot) (*snapshot.Snapshot, error) {
	if urls != nil && len(urls.Entries) == 0 {
		return &snapshot.Snapshot{}, nil
	}
	r, err := c.network.ask(&c.command, o, urls)
	if urls == nil && errors.Is(err, verify.ErrNoSitemap) {
		err = nil
	}
	for _, warning := range slices.Concat(r.Summary.Warnings, r.Summary.Notes) {
		c.stderr.messages(yellow, "warning", o.Base.String()+": "+warning)
	}
	return r.Snapshot(), err
}
