// Package project opens a site with its policy: its configuration and environment, its generator,
// its folders, and the hosts that serve it. Everything that is read of a site is read through it,
// within limits.
//
// Words of this package:
//
//	site's folder    p.Source: where the content and the generator's configuration lie (-s)
//	working folder   Options.WorkDir: where the command runs
//	publish folder   Settings.Publish: where the generated pages lie. It is named as an argument (Dir), by
//	                 -d (Destination), in the policy, or by the generator.
//	name             of a published file: its path from the publish folder, with slashes, "a/index.html".
//	                 p.Path makes it absolute; p.Published and p.Short name a file in messages.
//	policy file      metarobots.toml; Config is what it says, with the defaults
//	generator        what made the pages: Hugo, Jekyll …, or "html" for any folder of pages. "auto" in the
//	                 configuration asks each whether the site's folder is one of its sites (Detect).
//	AnyFolder        said of a generator that takes any folder of pages: "html" alone
//	KnowsContent     said of a generator that tells where its content lies: Hugo alone
//	Host             what serves a folder of the publish folder (Root, "de/") at the path of its base URL
//	                 (Base, "/docs"); nearly every site has one, whose Root is empty
//	Listing          the files of the publish folder; Temps are left from a run that was interrupted
//	Source           (the type) where the bytes of published files come from: the folder, or a build
//	State            what earlier runs wrote, so that it is not taken for the site's own; Found if any
//	                 run has written there
//
// An InvalidError ends a run before anything is written; other faults are findings.
package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"metarobots/frontmatter"
	"metarobots/internal/config"
	"metarobots/internal/disk"
	"metarobots/internal/hosts"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// Options are what the command line and the environment say.
type Options struct {
	WorkDir     string // the working folder, absolute
	Source      string // -s: the site's folder, relative to the working folder
	Dir         string // the publish folder named as an argument, relative to the working folder
	Destination string // -d: the publish folder, relative to the source
	Policy      string // --policy: the policy file, relative to the working folder
	Environment string // -e
	BaseURL     string // -b
	Now         string // --now, a date; empty for SOURCE_DATE_EPOCH or the system's clock
	Writing     Writing
	Earlier     EarlierRuns
	Generator   GeneratorOptions
	Getenv      func(name string) string // reads an environment variable
	Progress    func(files int)          // is called with how many files are decided, one call at a time; nil if unset
	// Audit asks what crawlers read now: a tag or a directive of the site's own that none reads
	// states nothing. Else it counts as its author meant it, which is what a run would write.
	Audit  bool
	Titles bool // asks for the titles of pages, for reports
}

// Writing says whether a run writes into the publish folder.
type Writing struct {
	// By is the name of the command if it does, for others that have to wait.
	By    string
	Force bool // --force: also if the folder shows no sign of a published site
}

// EarlierRuns says how what earlier runs wrote is known.
type EarlierRuns struct {
	State string // --state: the folder of remembered state, relative to the working folder
	// AssumeOurs takes for ours what may be: pages that are newer than the last run and hold what
	// it left, and where no state is remembered every tag in our form (M7).
	AssumeOurs bool
}

// GeneratorOptions are those of a generator beside where its site is.
type GeneratorOptions struct {
	Flags   map[string]any // its own, by their names
	Log     io.Writer      // takes its messages
	Verbose bool           // asks for more of them
}

// An InvalidError is a fault of usage, configuration or front matter: nothing is written (exit code
// 2).
type InvalidError struct{ Err error }

func (e *InvalidError) Error() string { return e.Err.Error() }
func (e *InvalidError) Unwrap() error { return e.Err }

// Invalid makes an error an [*InvalidError]; nil stays nil.
func Invalid(err error) error {
	if err == nil {
		return nil
	}
	return &InvalidError{err}
}

// A Project is a site with its policy, ready to be planned.
type Project struct {
	Config      *config.Config
	Environment config.Chosen
	Policy      *policy.Policy
	Settings    site.Settings
	Options     Options
	Source      string // the site's folder, absolute
	Generator   string // its name in the configuration

	Hosts      Hosts
	Site       site.Site
	PolicyFile string // the policy file, for messages; empty without one
	Findings   []policy.Finding
	State      *state.State
	now        time.Time
	closers    []func() // of what is held while it is open, in the order of its closing
	Root       disk.Root
}

// Open finds the policy file and the site, reads the configuration and checks all of it. Generators
// are in the order in which they are asked whether a folder is theirs; the last takes any. An
// [*InvalidError] lists every fault of the configuration.
func Open(ctx context.Context, o Options, generators ...site.Generator) (*Project, error) {
	p := &Project{Options: o}
	err := Invalid(p.open(ctx, generators))
	if err == nil {
		err = p.openState(ctx)
	}
	if err == nil {
		p.leaveOutDefaults()
		return p, nil
	} else if p.Site != nil {
		err = errors.Join(err, p.Close())
	}
	return nil, err
}

// open does the work of [Open], in an order in which each step needs the one before, and sets all
// fields but State. It parses the policy file twice: first by itself (early), because [site] says
// which generator reads the site; then together with what the generator's own configuration says of
// our policy (readConfig). That may take the place of [robots], and never says [site], so that what
// early says of the site is final.
//
// Its error is the first fault, or all that one parsing finds. After an error p.Site may be open
// already, and has to be closed.
func (p *Project) open(ctx context.Context, generators []site.Generator) error {
	policyFile, err := p.findPolicy() // without values if there is none
	if err != nil {
		return err
	}
	if err := config.CheckBaseURL(p.Options.BaseURL); err != nil {
		return fmt.Errorf("--baseURL: %w", err)
	}
	early, err := config.Parse(policyFile.values, policyFile.locate, config.NoHome)
	if err != nil {
		return err
	}
	if err := p.findSource(policyFile.file, early.Site.Source); err != nil {
		return err
	}
	generator, err := p.chooseGenerator(early.Site, generators)
	if err != nil {
		return err
	}
	if p.now, err = config.Now(p.Options.Now, p.Options.Getenv); err != nil {
		return err
	}
	if err := p.openSite(ctx, generator, early.Site); err != nil {
		return err
	}
	if err := p.checkPublish(early.Site.Generator, generators); err != nil {
		return err
	}
	if err := p.readConfig(policyFile); err != nil {
		return err
	}
	p.reportMistakenFiles()
	return p.ChoosePolicy()
}

// openSite opens the site with its generator, and sets what follows from it: Generator, Site,
// Settings, Root and the hosts. c is [site] of the policy file; flags go before it.
func (p *Project) openSite(ctx context.Context, generator site.Generator, c config.Site) (
	err error) {
	o := &p.Options
	p.Generator = generator.Name()
	p.Site, err = generator.Open(ctx, site.Options{
		Source:      p.Source,
		Destination: p.destination(c),
		Environment: o.Environment,
		BaseURL:     cmp.Or(o.BaseURL, c.BaseURL),
		Build:       o.Generator.Flags,
		Content:     c.Content,
		Now:         p.now,
		Short:       p.Short,
		Log:         o.Generator.Log,
		Verbose:     o.Generator.Verbose,
	})
	if err != nil {
		return err
	}
	p.Settings = p.Site.Settings()
	p.reportIdleContent(c.Content)
	p.findRoot() // before anything of the site is read
	p.Hosts = hostsOf(&p.Settings)
	return nil
}

// readConfig reads all of the configuration: the policy file, with what the generator's own
// configuration says of our policy ([params.metarobots] of Hugo's), and the lists of crawlers that
// it names. Problems of the generator's configuration end the run here, too.
func (p *Project) readConfig(file policyFile) (err error) {
	inGenerator := &config.Home{
		Values: p.Settings.Params, // nil if it says nothing
		Path:   []string{"params", "metarobots"},
		Locate: p.Locate,
	}
	if p.Config, err = config.Parse(file.values, file.locate, inGenerator); err != nil {
		return err
	}
	return errors.Join(append(p.Settings.Problems, p.readCrawlerLists())...)
}

// reportIdleContent reports [site.content] of the policy, nil if it says nothing, to a generator
// that knows its content itself.
func (p *Project) reportIdleContent(content *site.Content) {
	if content != nil && p.Settings.KnowsContent {
		p.report("config", policy.Warning, p.PolicyFile, "site.content says nothing here: Hugo "+
			"itself tells where its content lies and where it is published")
	}
}

// Close frees what the site holds, and its publish folder for other runs.
func (p *Project) Close() error {
	for _, free := range p.closers {
		free()
	}
	return p.Site.Close()
}

// AtClose has something freed when the project is closed.
func (p *Project) AtClose(free func()) { p.closers = append(p.closers, free) }

// openState opens the state, and keeps runs from each other that write and read the same publish
// folder at once: one would take the tags of the other for the site's own.
func (p *Project) openState(ctx context.Context) error {
	folder, err := p.stateFolder()
	unlock, busy := state.Lock(ctx, folder, p.Settings.Publish, p.Options.Writing.By)
	if busy != nil {
		return fmt.Errorf("%s: %w", p.Short(p.Settings.Publish), busy)
	}
	p.AtClose(unlock)
	var damaged error
	if p.State, damaged = state.Open(folder, p.Settings.Publish); cmp.Or(err, damaged) != nil {
		p.report("state", policy.Warning, "", "what earlier runs wrote is not known (%v): their "+
			"tags count as found, until the site is built anew", cmp.Or(err, damaged))
	}
	return nil
}

// report adds a finding about a file, by its name for messages; "" is the site as a whole.
func (p *Project) report(id string, severity policy.Severity, file, format string, args ...any) {
	p.Findings = append(p.Findings, policy.Finding{ID: id, Severity: severity, File: file,
		Message: fmt.Sprintf(format, args...)})
}

// ChoosePolicy makes the policy of the configuration and the environment.
func (p *Project) ChoosePolicy() (err error) {
	o := &p.Options
	if p.Environment, err = p.Config.Choose(o.Environment, o.Getenv); err != nil {
		return err
	}
	p.Policy = p.Config.Policy(p.Environment, p.now)
	p.Findings = slices.Concat(p.Findings, p.Config.Findings, p.Settings.Findings,
		p.Environment.Findings)
	if p.Environment.By == config.ByDefault {
		p.reportUnnamed()
	}
	if p.Settings.ThemeRobots != nil {
		p.addThemesRobots()
	}
	return nil
}

// leaveOutDefaults leaves our default line out of an audit of files as they are: nobody publishes
// that line.
func (p *Project) leaveOutDefaults() {
	if !p.AuditsFilesAsTheyAre() {
		return
	}
	isOurs := func(s policy.Statement) bool { return s.Origin.File == "" }
	p.Policy.Default = slices.DeleteFunc(p.Policy.Default, isOurs)
}

// AuditsFilesAsTheyAre reports whether this is an audit of a site that has neither a policy nor
// anything that a run of ours has written. Nothing is planned for it, so only what its files say
// counts.
func (p *Project) AuditsFilesAsTheyAre() bool {
	return p.Options.Audit && p.PolicyName() == "" && !p.State.Found
}

// reportUnnamed reports variables that speak of the environment or of its branch, if this is
// production only because nothing that counts says otherwise.
func (p *Project) reportUnnamed() {
	getenv := p.Options.Getenv
	host, _, branch := hosts.Branch(getenv)
	by, pipelines := hosts.PipelineBranch(getenv)
	production := p.Config.Site.ProductionBranch
	context, value, needs := hosts.UnreadContext(getenv)
	switch {
	case branch != "":
		p.report("environment-unnamed", policy.Warning, "",
			"%s builds branch %s, and every branch counts as production: [site] productionBranch "+
				"= \"main\", or whatever yours is called, tells previews apart", host, branch)
	case production != "" && pipelines != "" && pipelines != production:
		p.report("environment-unnamed", policy.Warning, "", "this counts as production, although "+
			"%s says that the branch is %s: [site] productionBranch = %q is compared with "+
			"variables of Cloudflare alone. Where this build is deployed as a preview, name its "+
			"environment (-e preview); where it only checks what production will be, -e production",
			by, pipelines, production)
	case context != "":
		p.report("environment-unnamed", policy.Note, "", "%s=%s does not count without %s=true, "+
			"so this is production: -e %s builds or shows that environment", context, value, needs,
			value)
	case getenv("CI") != "":
		p.report("environment-unnamed", policy.Note, "", "nobody named the environment, so this "+
			"is production: where the pipeline builds previews too, name each (-e, "+
			"HUGO_ENVIRONMENT or [site] environment)")
	}
}

// addThemesRobots reads a theme's own params.robots into the default layer. What cannot be read
// there is a finding that states nothing: the owner did not write it for us.
func (p *Project) addThemesRobots() {
	o := p.Config.Robots.FrontMatter
	o.Layer, o.Locate = policy.LayerDefault, p.Locate
	r := frontmatter.Value(p.Settings.ThemeRobots, []string{"params", "robots"}, "", o)
	faulty := false
	for _, f := range r.Findings {
		faulty = faulty || f.Severity == policy.Error
		f.Severity = policy.Warning
		p.Findings = append(p.Findings, f.Explain(" (the site's own parameter; it has no effect)"))
	}
	if !faulty {
		p.Policy.Default = append(p.Policy.Default, r.Statements...)
	}
}

// Locate finds a key of the generator's configuration; the file is shortened for messages.
func (p *Project) Locate(path ...string) (string, int) {
	if p.Settings.Locate == nil {
		return "", 0
	}
	file, line := p.Settings.Locate(path...)
	return p.Short(file), line
}

// Folders are where files show which host serves the site: its own and the working one, and those
// of what is published or copied there.
func (p *Project) Folders() []string {
	return []string{p.Source, p.Options.WorkDir, p.Settings.Publish,
		filepath.Join(p.Source, "static"),
		filepath.Join(p.Source, "public")}
}

// Short shows a path relative to the working folder or, where it is not in there, to the site; else
// from the working folder upwards, because reports are handed on, and the folders of a machine are
// nobody's business.
func (p *Project) Short(file string) string {
	if !filepath.IsAbs(file) {
		return file
	}
	for _, base := range []string{p.Options.WorkDir, p.Source} {
		if rel, err := filepath.Rel(base, file); base != "" && err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	if rel, err := filepath.Rel(p.Options.WorkDir, file); err == nil {
		return filepath.ToSlash(rel)
	}
	return file // on another drive
}

// stateFolder is where state is remembered: --state or the site's, which may be no link that leads
// out of it.
func (p *Project) stateFolder() (string, error) {
	if folder := p.Options.Earlier.State; folder != "" {
		return Absolute(p.Options.WorkDir, folder), nil
	}
	if p.LeadsOut(p.Settings.State) {
		return "", fmt.Errorf("%s: %w; --state names a folder anywhere", p.Short(p.Settings.State),
			disk.ErrOutside)
	}
	return p.Settings.State, nil
}

// Absolute is a path from a base folder; one that is absolute stays as it is.
func Absolute(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// Builds reports whether a run can build the site, so that none has to judge what an earlier build
// left.
func (p *Project) Builds() bool {
	_, builds := p.Site.(site.Builder)
	return builds
}

// Configured is where the project has a policy already: a file, or a file and a line. Empty where
// it has none.
func (p *Project) Configured() string {
	if p.Settings.Params == nil || p.PolicyFile != "" {
		return p.PolicyFile
	}
	if file, line := p.Locate("params", "metarobots"); file != "" {
		return policy.Place(file, line)
	}
	return p.Short(p.Source)
}

// PolicyName is the policy file, or where else the policy stands; empty where there are defaults
// alone.
func (p *Project) PolicyName() string {
	if p.PolicyFile == "" && len(p.Settings.Params) > 0 {
		return "[params.metarobots] of the site's own configuration"
	}
	return p.PolicyFile
}

// Path is where a published file lies.
func (p *Project) Path(name string) string {
	return filepath.Join(p.Settings.Publish, filepath.FromSlash(name))
}

// Published is the name of a published file for messages.
func (p *Project) Published(name string) string { return p.Short(p.Path(name)) }

// Exists reports whether a file or folder is there.
func Exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
