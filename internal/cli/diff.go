package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
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
	f.IntVar(&o.Sample, "sample", 0, "")
	f.Uint64Var(&o.Seed, "seed", 1, "")
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

// isURL reports whether an argument names a deployed site.
func isURL(arg string) bool {
	u, err := url.Parse(arg)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

func (c *command) diffCommand() *cobra.Command {
	v, ignore := &verifying{}, false
	two := takes(2, 2, "%[2]s compares two files or URLs, the old and the new one: %[3]d named")
	cmd := newCommand("diff", two, func(cmd *cobra.Command, args []string) error {
		return c.diffSites(cmd.Context(), v, args, ignore)
	})
	f := cmd.Flags()
	f.BoolVar(&c.json, "json", false, "")
	f.BoolVar(&c.quiet, "quiet", false, "")
	f.BoolVarP(&c.verbose, "verbose", "v", false, "")
	f.BoolVar(&ignore, "ignore-environment", false, "")
	askFlags(f, v)
	return cmd
}

func (c *command) diffSites(ctx context.Context, v *verifying, args []string, ignore bool) error {
	sides, err := c.sides(ctx, v, args)
	if err != nil {
		return err
	}
	old, now := sides[0], sides[1]
	switch {
	case ignore:
		was, is := old.Common(), now.Common()
		old, now = old.Adding(is), now.Adding(was)
	case old.Environment != now.Environment && old.Environment != "" && now.Environment != "":
		c.stderr.messages(yellow, "warning", fmt.Sprintf("%s is of environment %s and %s of %s, and a preview is "+
			"noindex throughout: --ignore-environment compares the rest", args[0], old.Environment, args[1],
			now.Environment))
	case (old.Common() == "") != (now.Common() == ""):
		c.stderr.messages(yellow, "warning", "one of the two is noindex throughout, as a preview is: "+
			"--ignore-environment compares the rest")
	}
	changes := snapshot.Diff(old, now)
	if !c.json {
		changes.Print(c.most(), c.stdout.printf)
	} else if err := c.printJSON(changes); err != nil {
		return err
	}
	if !changes.Empty() {
		return errFailed
	}
	return nil
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
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return sides, invalid(err)
	}
	for i := range sides { // what a site's own sitemaps list
		if live[0] && live[1] {
			if sides[i], err = c.published(ctx, &of[i], nil); err != nil {
				return sides, err
			}
		}
	}
	listed := sides
	for i := range sides {
		if !live[i] {
			continue
		}
		further, err := c.published(ctx, &of[i], listed[1-i].Without(listed[i]))
		if err != nil {
			return sides, err
		}
		sides[i] = listed[i].With(further)
	}
	if live[0] || live[1] {
		return [2]*snapshot.Snapshot{sides[0].Only(sides[1]).Restrictions(), sides[1].Only(sides[0]).Restrictions()}, nil
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
