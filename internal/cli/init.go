package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"metarobots/internal/initpolicy"
	"metarobots/internal/plan"
	"metarobots/internal/site"
	"metarobots/policy"
)

// initCommand writes the first policy of a site.
func (c *command) initCommand() *cobra.Command {
	cmd := newCommand("init", oneFolder, c.init)
	cmd.Flags().StringVarP(&c.output, "output", "o", "",
		"the `file` to write (default: metarobots.toml in the site's folder)")
	cmd.Flags().BoolVarP(&c.dryRun, "dry-run", "n", false, "write nothing, print the policy")
	cmd.Flags().Bool("noBuildLock", true, "don't create .hugo_build.lock")
	passOn(cmd.Flag("noBuildLock"))
	cmd.Flag("noBuildLock").Hidden = true // see init
	c.siteFlags(cmd)
	return cmd
}

func (c *command) init(cmd *cobra.Command, args []string) error {
	dir, err := c.siteOf(cmd, first(args))
	if err != nil {
		return invalid(err)
	}
	if err := cmd.Flags().Set("noBuildLock", "true"); err != nil { // a site that is built in memory stays as it is
		return err
	}
	p, err := c.open(cmd, dir)
	if err != nil {
		return err
	}
	defer p.Close()
	about := p.About()
	file := filepath.Join(about.Source, "metarobots.toml")
	if c.output != "" {
		if file, err = filepath.Abs(c.output); err != nil {
			return err
		}
	}
	switch _, err := os.Lstat(file); {
	case about.Configured != "":
		return invalid(initpolicy.Configured(about))
	case about.Environment.Private:
		return invalid(initpolicy.Private(about))
	case err == nil:
		return invalidf("%s exists already, and init does not replace it", p.Short(file))
	}
	site, rendered, err := p.Look(cmd.Context())
	c.stderr.clear()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(site.Pages, func(pg *plan.Page) bool { return pg.Role == policy.RolePage }) {
		return invalidf("%s has no pages: build the site first, or name the folder of its pages: metarobots init DIR",
			p.Short(about.Publish))
	}
	s, err := initpolicy.New(cmd.Context(), p, site,
		initpolicy.Options{File: file, Named: dir != "" || c.options.Destination != ""})
	if err != nil {
		return err
	}
	text := s.Text(nil)
	if !c.dryRun {
		if err := save(file, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
			return err
		}
	}
	if c.json {
		return c.printJSON(struct {
			File        string                   `json:"file"`   // where the policy stands, or would stand
			Policy      string                   `json:"policy"` // its text
			Now         initpolicy.Tally         `json:"now"`    // pages as published, with this policy, with all suggestions
			Applied     initpolicy.Tally         `json:"applied"`
			All         initpolicy.Tally         `json:"all"`
			Suggestions []*initpolicy.Suggestion `json:"suggestions"`
		}{p.Short(file), string(text), s.Survey.Now, s.Survey.Applied, s.Survey.All, s.Suggestions})
	}
	if c.dryRun {
		if _, err := c.stdout.w.Write(text); err != nil {
			return err
		}
	}
	if !c.quiet {
		if !c.dryRun {
			c.stderr.printf("%s written\n", p.Short(file))
		}
		c.stderr.starter(s, p.Short(about.Publish), about.Generator, rendered, c.verbose)
		if !c.dryRun {
			c.next(p, file)
		}
	}
	return nil
}

// siteOf finds out which folder is the site and which holds its pages: DIR may be either, and without it pages of an
// unknown generator are looked for where such pages usually lie.
func (c *command) siteOf(cmd *cobra.Command, dir string) (string, error) {
	o := &c.options
	known := func(folder string) bool {
		return slices.ContainsFunc(generators(), func(g site.Generator) bool { return g.Detect(folder) })
	}
	source, err := filepath.Abs(o.Source)
	if err != nil {
		return dir, err
	}
	elsewhere := o.Policy != "" || o.Destination != "" || cmd.Flags().Changed("config") ||
		cmd.Flags().Changed("configDir")
	for _, name := range []string{"metarobots.toml", "config.toml"} {
		_, err := os.Stat(filepath.Join(source, name))
		elsewhere = elsewhere || err == nil
	}
	switch {
	case dir != "" && o.Source == "" && !known(source) && known(dir):
		o.Source = dir
		return "", nil
	case dir != "" || elsewhere || known(source):
		return dir, nil
	}
	return initpolicy.PagesFolder(source)
}

// starter prints what was seen, what is decided now and then, and what is suggested.
func (p *printer) starter(s *initpolicy.Starter, publish, generator string, rendered, all bool) {
	v := &s.Survey
	line := func(name, format string, args ...any) { p.row(9, name, format, args...) }
	kind := "a " + generator + " site"
	if generator == "html" {
		kind = "pages of an unknown generator: front matter is not read"
	}
	if rendered {
		kind += ", built in memory"
	}
	p.printf("%s: %s\n", p.paint(bold, publish), kind)
	line("pages", "%d: %s", v.Now.Indexable+v.Now.Noindex, counted(v.Kinds))
	if len(v.Languages) > 0 {
		var languages []string
		for _, c := range v.Languages {
			languages = append(languages, fmt.Sprintf("%s %d", c.Name, c.N))
		}
		line("languages", "%s", strings.Join(languages, ", "))
	}
	if len(v.Files) > 0 {
		line("others", "%s", counted(v.Files))
	}
	if v.Tagged > 0 {
		line("tags", "%s with the site's own robots tags, which count", count(v.Tagged, "page"))
	}
	if n := len(v.Barred); n > 0 {
		line("robots", "%s keeps crawlers from %s: %s", v.Rule, count(n, "page"), v.Barred.Addresses(3))
	}
	p.printf("  %s\n", p.paint(faint, fmt.Sprintf("%-16s %9s %9s", "", "indexable", "noindex")))
	tally := func(name string, t initpolicy.Tally, why string) {
		if why != "" {
			why = "  " + why
		}
		p.printf("  %-16s %s %s%s\n", name,
			p.paint(green, fmt.Sprintf("%9d", t.Indexable)), p.paint(yellow, fmt.Sprintf("%9d", t.Noindex)), why)
	}
	why, most := "", 3
	if all {
		most = 0
	}
	if len(v.Unprinted) > 0 {
		why = "hidden by front matter or the site's configuration, but the published pages have no tag yet: " +
			v.Unprinted.Addresses(most)
	}
	printed := ""
	if v.Now.Noindex > v.Now.Indexable {
		printed = "by the site's own tags and headers, which count; many themes print noindex unless they are told that " +
			"it is production (params.env, HUGO_ENV)"
	}
	tally("as published", v.Now, printed)
	tally("with this policy", v.Applied, why)
	if len(s.Suggestions) == 0 {
		return
	}
	tally("with suggestions", v.All, "")
	p.printf("suggestions, as comments in the policy, and what each would hide:\n")
	nouns, names := 0, 0
	for _, g := range s.Suggestions {
		nouns, names = max(nouns, len(g.Noun())), max(names, len(g.Name))
	}
	for _, g := range s.Suggestions {
		name := p.paint(yellow, fmt.Sprintf("%-*s", names, g.Name))
		p.printf("  %*s  %s  %s\n", nouns, g.Noun(), name, p.paint(faint, g.Hides.Addresses(most)))
	}
}

// counted lists counts.
func counted(counts []initpolicy.Count) string {
	var all []string
	for _, c := range counts {
		all = append(all, count(c.N, c.Name))
	}
	return strings.Join(all, ", ")
}

// next says how to go on.
func (c *command) next(p *plan.Project, file string) {
	about, flags := p.About(), ""
	if c.options.Source != "" {
		flags += " -s " + c.options.Source
	}
	if file != filepath.Join(about.Source, "metarobots.toml") {
		flags += " --policy " + p.Short(file)
	}
	look, write := "check", "apply"
	if about.Builds {
		look, write = "-n", "build"
	}
	c.stderr.printf("next: metarobots %s%s shows what would be written, metarobots %s%s writes it\n", look, flags,
		write, flags)
}
