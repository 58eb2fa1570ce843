package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"metarobots/internal/initpolicy"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/write"
	"metarobots/policy"
)

type initCommand struct {
	siteCommand
	output string // the file to write; empty for the usual one
	dryRun bool
}

func (c *initCommand) addFlags(flags *pflag.FlagSet) {
	flags.StringVarP(&c.output, "output", "o", "", "")
	flags.BoolVarP(&c.dryRun, "dry-run", "n", false, "")
	c.addFolder(flags)
	c.addJSON(flags)
	c.addVerbose(flags)
}

// A start is a first policy of a site, and what it is made from.
type start struct {
	project    *project.Project
	file       string // of the policy
	isRendered bool   // the pages are those that a build would publish
	starter    *initpolicy.Starter
	text       []byte // of the policy
}

// run writes the first policy of a site, unless there is one, and prints what the policy does. With
// --dry-run nothing is written, and the policy is printed, too; with --json it is in the object.
func (c *initCommand) run() error {
	// Hugo's setting: a build in memory leaves no .hugo_build.lock in the site.
	c.options.Generator.Flags = map[string]any{"noBuildLock": true}
	// dir is the folder of the pages, "" if opening the project finds it. It goes before -d.
	dir, err := c.findFolders(c.arg())
	if err != nil {
		return project.Invalid(err)
	}
	p, err := c.open(dir)
	if err != nil {
		return err
	}
	defer p.Close()
	s := &start{project: p, file: filepath.Join(p.Source, "metarobots.toml")}
	if c.output != "" {
		s.file = project.Absolute(p.Options.WorkDir, c.output)
	}
	if err := s.checkNoPolicy(); err != nil {
		return err
	}
	// The pages' folder that DIR, -d or a guess gave: a later run finds it by the policy alone.
	mustNameFolder := dir != "" || c.options.Destination != ""
	if err := c.makePolicy(s, mustNameFolder); err != nil { // it sets s.text and s.starter
		return err
	}
	if !c.dryRun {
		if _, err := save(s.file, s.text); err != nil {
			return err
		}
	}
	return c.printStart(s)
}

// checkNoPolicy returns why there is no first policy to write, such as a policy that is there
// already; nil if there is one to write.
func (s *start) checkNoPolicy() error {
	p := s.project
	_, err := os.Lstat(s.file)
	switch {
	case p.Configured() != "":
		return invalidf("%s: there is already a policy, and init does not overwrite it: edit it and run "+
			"metarobots check, or move it away to start anew", p.Configured())
	case p.Environment.Private:
		return invalidf("the environment is %s (from %s), in which everything is noindex; run init with -e production",
			p.Environment.Name, p.Environment.By)
	case err == nil:
		return invalidf("%s exists already, and init does not replace it", p.Short(s.file))
	}
	return nil
}

// makePolicy plans the site as it is, and makes a policy from that (s.text). mustNameFolder says
// that the policy names the publish folder, if that is in the site's.
func (c *initCommand) makePolicy(s *start, mustNameFolder bool) error {
	site, isRendered, err := write.Look(c.cmd.Context(), s.project)
	c.stderr.clear()
	if err != nil {
		return err
	}
	s.isRendered = isRendered
	if !slices.ContainsFunc(site.Pages, func(pg *plan.Page) bool { return pg.File.Role == policy.RolePage }) {
		fix := "build the site first, or name the folder of its pages: metarobots init DIR"
		if isRendered {
			fix = "Hugo rendered none from this source (is the theme there?)"
		}
		return invalidf("%s has no pages: %s", s.project.Short(s.project.Settings.Publish), fix)
	}
	if !c.isCollectorSet() {
		// What the site holds stays as large while it is planned anew, and what that needs is soon
		// garbage.
		defer debug.SetGCPercent(debug.SetGCPercent(60))
	}
	s.starter, err = initpolicy.New(c.cmd.Context(), site, s.file, mustNameFolder)
	if err == nil {
		s.text = []byte(c.stdout.named(string(s.starter.Text(initpolicy.AsComments))))
	}
	return err
}

// printStart prints the policy if it is not written, and what the policy does.
func (c *initCommand) printStart(s *start) error {
	name := s.project.Short(s.file)
	if c.json {
		return c.printJSON(struct {
			File   string `json:"file"`   // where the policy is, or would be
			Policy string `json:"policy"` // its text
			// Pages as published, with this policy, and with all suggestions.
			Now         initpolicy.Tally         `json:"now"`
			Applied     initpolicy.Tally         `json:"applied"`
			All         initpolicy.Tally         `json:"all"`
			Suggestions []*initpolicy.Suggestion `json:"suggestions"`
		}{name, string(s.text), s.starter.Now, s.starter.Applied, s.starter.All, s.starter.Suggestions})
	}
	if c.dryRun {
		if _, err := c.stdout.w.Write(s.text); err != nil {
			return err
		}
	} else if !c.quiet {
		c.stderr.printf("%s written\n", name)
	}
	if !c.quiet {
		c.printSuggestions(s)
		if !c.dryRun {
			c.printNext(s)
		}
	}
	return nil
}

// findFolders returns the folder of the pages, which is empty if opening the project will find it,
// and sets the site's folder in the options if DIR is that. dir is DIR, which may be either folder:
//
//	init DIR      a generator knows DIR and not this folder   DIR is the site
//	init DIR      otherwise                                   DIR holds the pages
//	init          flags, a policy or a generator name them    opening the project finds them
//	init          otherwise                                   they are looked for in public, dist, …
//
// "This folder" is the one of --source, or the working folder.
func (c *initCommand) findFolders(dir string) (pages string, err error) {
	source, err := filepath.Abs(c.options.Source)
	if err != nil {
		return dir, err
	}
	isDirTheSite := dir != "" && c.options.Source == "" && !hasGenerator(source) && hasGenerator(dir)
	switch {
	case isDirTheSite:
		c.options.Source = dir
		return "", nil
	case dir != "" || c.statesFolders(source) || hasGenerator(source):
		return dir, nil
	}
	return guessPages(source)
}

// hasGenerator reports whether a generator knows a folder as a site of its own, by its files alone.
func hasGenerator(folder string) bool {
	var noFlags map[string]any
	knows := func(g site.Generator) bool { return g.Detect(folder, noFlags) }
	return slices.ContainsFunc(generators(), knows)
}

// statesFolders reports whether flags name the folders of a site or its configuration, or there is
// a configuration in its folder. A config.toml may be a policy, too (C1b), or Hugo's.
func (c *initCommand) statesFolders(source string) bool {
	flags := c.cmd.Flags()
	return c.options.Policy != "" || c.options.Destination != "" ||
		flags.Changed("config") || flags.Changed("configDir") ||
		project.Exists(filepath.Join(source, "metarobots.toml")) ||
		project.Exists(filepath.Join(source, "config.toml"))
}

// guessPages returns the one usual publish folder below a site's folder that holds pages. None, and
// several, are an error that shows how to name the folder.
func guessPages(source string) (string, error) {
	found := project.PagesFolders(source)
	switch len(found) {
	case 0:
		return "", fmt.Errorf("no site found in %s: no configuration of a known generator, and no pages in public, "+
			"dist, _site, build or out; name the folder of HTML pages: metarobots init DIR", source)
	case 1:
		return filepath.Join(source, filepath.FromSlash(found[0])), nil
	}
	example := found[len(found)-1] // the first may be ".", which shows little
	return "", fmt.Errorf("there are pages in %s, and no generator's configuration says which are published; name "+
		"the folder: metarobots init %s", strings.Join(found, ", "), example)
}

// printSuggestions prints what was seen, what is decided now and then, and what is suggested.
func (c *initCommand) printSuggestions(s *start) {
	most := 3
	if c.verbose {
		most = 0
	}
	now := s.starter.Now
	c.stderr.show("init", struct {
		Starter            *initpolicy.Starter
		Publish, Generator string
		Rendered           bool
		Pages, Most        int
	}{s.starter, s.project.Short(s.project.Settings.Publish), s.project.Generator, s.isRendered,
		now.Indexable + now.Noindex, most})
	var rows [][]cell
	for _, g := range s.starter.Suggestions {
		rows = append(rows, []cell{{"", g.Noun()}, {yellow, g.Name}, {faint, g.Hides.Addresses(most)}})
	}
	c.stderr.table("  ", widest, rows)
}

// printNext prints the commands that go on from a policy, with the flags that they need.
func (c *initCommand) printNext(s *start) {
	p, flags := s.project, ""
	if c.options.Source != "" {
		flags += " -s " + c.options.Source
	}
	if s.file != filepath.Join(p.Source, "metarobots.toml") {
		flags += " --policy " + p.Short(s.file)
	}
	if rel, err := filepath.Rel(p.Source, p.Settings.Publish); err != nil || !filepath.IsLocal(rel) {
		flags += " -d " + p.Short(p.Settings.Publish) // which the policy does not name
	}
	look, write := "check", "apply"
	if p.Builds() {
		look, write = "-n", "build"
	}
	c.stderr.printf("next: metarobots %s%s shows what would be written, metarobots %s%s writes it\n", look, flags,
		write, flags)
}
