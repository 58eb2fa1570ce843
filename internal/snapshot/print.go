package snapshot

import (
	"math"
	"slices"
	"strings"

	"metarobots/policy"
)

// Print prints the changes as text, whole lines at a time: each list with its number, and what was,
// what is and why, once for the URLs that have it in common. Canonical links that differ in their
// targets alone, as each page names its own, count as the same (WithoutTargets). most is how many
// of these URLs are named; [math.MaxInt] names all.
//
//	newly noindex (2)
//	  /a/
//	  /b/
//	    index, follow → noindex, follow
//	    metarobots.toml:2: visibility, robots.visibility.sections.blog
func (c *Changes) Print(most int, printf func(format string, args ...any)) {
	stepAndWhy := func(c Change) string { return WithoutTargets(c.Step() + "\n" + c.Why()) }
	for _, l := range c.Lists() {
		printf("%s (%d)\n", l.Title, len(l.List))
		for _, alike := range Group(l.List, stepAndWhy) {
			printAlike(alike, most, printf)
		}
	}
	if len(c.OthersOpened) > 0 {
		printf("%s (they were noindex by %s)\n", othersAreOpen, strings.Join(c.OthersOpened, ", "))
	}
	if len(c.HostsOpened) > 0 {
		printf("hosts that are no longer kept out of the index: %s\n",
			strings.Join(c.HostsOpened, ", "))
	}
	if len(c.StayingOpen) > 0 {
		printf("no longer redirected to the site's host: %s\n", strings.Join(c.StayingOpen, ", "))
	}
	for _, l := range c.FetchLists() {
		namesAll := most == math.MaxInt
		l.print(namesAll, printf)
	}
}

// print prints a list of what crawlers may fetch otherwise than before. Each change names its first
// URL, and counts the others; they are named below it if namesAll.
func (l *FetchList) print(namesAll bool, printf func(format string, args ...any)) {
	printf("%s (%d)\n", l.Title, l.URLs)
	for _, change := range l.List {
		printf("  %s\n", change.String())
		if !namesAll {
			continue
		}
		for _, url := range change.URLs[1:] {
			printf("    %s\n", url)
		}
	}
}

// printAlike prints changes with the same step and reason, if the targets of canonical links do not
// count. If they differ in these targets, the step is printed without them.
func printAlike(changes []Change, most int, printf func(format string, args ...any)) {
	for _, change := range changes[:min(most, len(changes))] {
		printf("  %s\n", change.URL)
	}
	if more := len(changes) - most; more > 0 {
		printf("  … and %d more (-v)\n", more)
	}
	step, why := changes[0].Step(), changes[0].Why()
	if slices.ContainsFunc(changes, func(c Change) bool { return c.Step() != step || c.Why() != why }) {
		step, why = WithoutTargets(step), WithoutTargets(why)
	}
	printf("    %s\n", step)
	if why != "" {
		printf("    %s\n", why)
	}
}

// Step prints what was and what is: "index, follow → noindex, follow", or the one of them that
// there is.
func (c Change) Step() string {
	switch {
	case c.Was == "":
		return c.Is
	case c.Is == "":
		return c.Was
	}
	return c.Was + " → " + c.Is
}

// Why is the reason and its place: "metarobots.toml:2: visibility,
// robots.visibility.sections.blog".
func (c Change) Why() string { return policy.Placed(c.File, c.Line, c.Reason.Text) }
