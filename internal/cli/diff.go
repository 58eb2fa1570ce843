package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"metarobots/internal/snapshot"
	"metarobots/internal/verify"
)

// askFlags adds the flags about how a deployed site is asked.
func askFlags(f *pflag.FlagSet, v *verifying) {
	o := &v.options
	f.StringSliceVar(&o.Crawlers, "crawler", nil, "")
	f.BoolVar(&v.private, "allow-private", false, "")
	f.StringVar(&v.user, "user", "", "")
	f.StringArrayVar(&v.headers, "header", nil, "")
	f.StringVar(&o.UserAgent, "user-agent", "", "")
	f.IntVar(&o.Concurrency, "concurrency", 4, "")
	f.Float64Var(&o.Rate, "rate", 10, "")
	v.rateGiven = func() bool { return f.Changed("rate") }
	f.DurationVar(&o.Timeout, "timeout", 30*time.Second, "")
	f.IntVar(&o.Retries, "retries", 2, "")
}

// forSites returns an error for a flag about how a deployed site is asked where no argument is one.
func forSites(cmd *cobra.Command, args []string) (err error) {
	if slices.ContainsFunc(args, isURL) {
		return nil
	}
	var ask pflag.FlagSet
	askFlags(&ask, &verifying{})
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "against" || f.Name != "crawler" && ask.Lookup(f.Name) != nil {
			err = fmt.Errorf("--%s is for deployed sites: name the URL of one", f.Name)
		}
	})
	return err
}

// isURL reports whether an argument names a deployed site.
func isURL(arg string) bool {
	u, err := url.Parse(arg)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

func (c *command) diffCommand() *cobra.Command {
	v, ignore := &verifying{}, false
	two := takes(2, 2, "%[2]s compares two files or URLs, the old and the new one: %[3]d named")
	cmd := newCommand("diff", cobra.MatchAll(two, forSites), func(cmd *cobra.Command, args []string) error {
		return c.diffSites(cmd.Context(), v, args, ignore)
	})
	f := cmd.Flags()
	c.outputFlags(f)
	f.BoolVar(&ignore, "ignore-environment", false, "")
	askFlags(f, v)
	return cmd
}

func (c *command) diffSites(ctx context.Context, v *verifying, args []string, ignore bool) error {
	sides, err := c.sides(ctx, v, args)
	if err != nil {
		return err
	}
	old, now := c.compared(args, sides, ignore)
	if len(old.Entries)+len(now.Entries) == 0 {
		return invalidf("nothing was compared: no URL can be read on either side")
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
	return errFailed
}

// compared is what of two sides is compared, and says what is not.
func (c *command) compared(args []string, sides [2]*snapshot.Snapshot, ignore bool) (old, now *snapshot.Snapshot) {
	old, now = sides[0], sides[1]
	if isURL(args[0]) != isURL(args[1]) { // a file says nothing of robots.txt
		var closed []string
		if closed = now.Role(snapshot.Disallowed); isURL(args[0]) {
			closed = old.Role(snapshot.Disallowed)
		}
		if len(closed) > 0 {
			c.warn("not compared, because robots.txt disallows it: %s", snapshot.FirstURLs(closed))
			old, now = old.Except(closed), now.Except(closed)
		}
	}
	if ignore {
		var aside snapshot.Aside
		old, now, aside = snapshot.WithoutPreview(old, now)
		switch {
		case aside.Except != "":
			c.warn("--ignore-environment leaves nothing out: almost every page is noindex, and %s is not",
				aside.Except)
		case aside.Nothing:
			c.warn("--ignore-environment leaves nothing out: neither side is noindex at every URL")
		case len(aside.Hidden) > 0:
			c.note("whether these are noindex on both sides does not show behind the preview's tag: %s",
				snapshot.FirstURLs(aside.Hidden))
		}
		return old, now
	}
	if was, is := sides[0].Environment, sides[1].Environment; was != is && was != "" && is != "" {
		c.warn("%s is of environment %s and %s of %s, and a preview is noindex throughout: "+
			"--ignore-environment compares the rest", args[0], was, args[1], is)
		return old, now
	}
	if was, is := old.IsPreview(), now.IsPreview(); was != is {
		preview := args[0]
		if is {
			preview = args[1]
		}
		c.warn("%s is noindex at every URL, like a preview: --ignore-environment compares the rest", preview)
	}
	return old, now
}

// most is how many lines of a kind are printed: all with --verbose.
func (c *command) most() int {
	if c.verbose {
		return math.MaxInt
	}
	return most
}

// sides are the two that are compared: files or deployed sites. A deployed site is asked for the URLs of the other side;
// where both are deployed, for those that the sitemaps of either list.
func (c *command) sides(ctx context.Context, v *verifying, args []string) (sides [2]*snapshot.Snapshot, err error) {
	live, getenv := [2]bool{isURL(args[0]), isURL(args[1])}, c.getenv
	if live[0] && live[1] {
		if v.user != "" || len(v.headers) > 0 {
			return sides, invalidf("--user and --header would go to both hosts: write https://name:password@host/")
		}
		getenv = func(string) string { return "" }
	}
	var of [2]verifying
	var errs []error
	for i, arg := range args {
		if of[i] = *v; live[i] {
			errs = append(errs, of[i].check(args[i:i+1], getenv))
		} else {
			sides[i], err = readSnapshot(arg)
			if info, e := os.Stat(arg); e == nil && info.IsDir() {
				err = fmt.Errorf("%s is a folder: metarobots snapshot %s -o FILE makes a snapshot of it", arg, arg)
			} else if err == nil && len(sides[i].Entries) == 0 {
				err = fmt.Errorf("%s has no URLs, so there is nothing to compare: was it made of an empty site?", arg)
			}
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return sides, invalid(err)
	}
	if live[0] && live[1] {
		for i := range sides { // what a site's own sitemaps list
			of[i].options.Twin = of[1-i].options.Base
			if sides[i], err = c.published(ctx, &of[i], nil); err != nil {
				return sides, err
			}
		}
		if len(sides[0].Entries)+len(sides[1].Entries) == 0 {
			return sides, invalidf("no sitemap of %s or %s lists a URL there, so there is nothing to compare: "+
				"metarobots snapshot -o FILE lists the URLs of a built site, and metarobots diff FILE URL compares them",
				args[0], args[1])
		}
	}
	listed := sides
	for i := range sides {
		if !live[i] {
			continue
		}
		if listed[i] == nil { // of a site that is compared with a file no sitemap was read
			listed[i] = &snapshot.Snapshot{}
		}
		further, err := c.published(ctx, &of[i], listed[1-i].Without(listed[i]))
		if err != nil {
			return sides, err
		}
		sides[i] = listed[i].With(further)
	}
	if live[0] || live[1] {
		a, b := sides[0].Only(sides[1]), sides[1].Only(sides[0])
		var own []string
		for i := range sides {
			if own = slices.AppendSeq(own, maps.Values(sides[i].Hosts)); live[i] {
				base := *of[i].options.Base
				base.User = nil
				own = append(own, base.String())
			}
		}
		old, others := a.Known().Restrictions(own)
		now, more := b.Known().Restrictions(own)
		if others = append(others, more...); len(others) > 0 {
			c.note("not compared with a deployed site: %s (metarobots verify --against FILE compares these headers)",
				strings.Join(slices.Compact(others), ", "))
		}
		return [2]*snapshot.Snapshot{old, now}, nil
	}
	return sides, nil
}

// published is what a deployed site tells crawlers of the URLs of a snapshot, or, where that is nil, of those that its
// sitemaps list; nothing for a site without sitemaps.
func (c *command) published(ctx context.Context, v *verifying, urls *snapshot.Snapshot) (*snapshot.Snapshot, error) {
	if urls != nil && len(urls.Entries) == 0 {
		return &snapshot.Snapshot{}, nil
	}
	r, err := c.ask(ctx, v, urls)
	if urls == nil && errors.Is(err, verify.ErrNoSitemap) {
		err = nil
	}
	for _, warning := range slices.Concat(r.Summary.Warnings, r.Summary.Notes) {
		c.stderr.messages(yellow, "warning", v.options.Base.String()+": "+warning)
	}
	return r.Snapshot(), err
}
