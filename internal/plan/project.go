package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"

	"metarobots/internal/config"
	"metarobots/internal/disk"
	"metarobots/internal/state"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/policy"
)

// Options are what the user said on the command line and what the surroundings say.
type Options struct {
	// WorkDir is the working folder, absolute.
	WorkDir string
	// Source is -s: the site's folder, relative to the working folder.
	Source string
	// Dir is the publish folder named as an argument, relative to the working folder.
	Dir string
	// Destination is -d: the publish folder, relative to the source.
	Destination string
	// Policy is --policy: the policy file, relative to the working folder.
	Policy string
	// Environment is -e.
	Environment string
	// BaseURL is -b.
	BaseURL string
	// Now is --now, a date; empty for SOURCE_DATE_EPOCH or the system's clock.
	Now string
	// State is --state: the folder of remembered state, relative to the working folder.
	State string
	// AssumeOurs takes every tag in our form for one of ours where no state is remembered (M7).
	AssumeOurs bool
	// Sync asks for each page to be on the disk before it replaces the old one.
	Sync bool
	// Build holds the generator's own flags by their names.
	Build map[string]any
	// Getenv reads an environment variable.
	Getenv func(string) string
	// Log takes the generator's messages.
	Log     io.Writer
	Verbose bool
	// Titles asks for the titles of pages, for reports.
	Titles bool
	// Progress is told how many files are decided, one call at a time; nil for nobody.
	Progress func(files int)
}

// An InvalidError is a fault of usage, configuration or front matter: nothing is written (exit code 2).
type InvalidError struct{ Err error }

func (e *InvalidError) Error() string { return e.Err.Error() }
func (e *InvalidError) Unwrap() error { return e.Err }

func invalid(err error) error {
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

	options  Options
	source   string // absolute
	settings site.Settings
	bases    map[string]*url.URL // the base URL of each host, by its root
	site     site.Site
	policyAt string // the policy file, for messages; empty without one
	// generatorName is what the generator is called in the configuration.
	generatorName string
	findings      []policy.Finding
	state         *state.State
	root          disk.Root
}

// Open finds the policy file and the site, reads the configuration and checks all of it. An [*InvalidError] lists
// every fault of the configuration.
func Open(ctx context.Context, o Options, generators ...site.Generator) (*Project, error) {
	p := &Project{options: o}
	file, values, at, err := p.policyFile()
	if err != nil {
		return nil, invalid(err)
	}
	early, err := config.Parse(values, at, nil)
	if err != nil {
		return nil, invalid(err)
	}
	if err := p.findSource(file, early.Site.Source); err != nil {
		return nil, invalid(err)
	}
	generator, err := p.generator(early.Site, generators)
	if err != nil {
		return nil, invalid(err)
	}
	p.generatorName = generator.Name()
	if early.Site.Content != nil && p.generatorName == "hugo" {
		p.findings = append(p.findings, policy.Finding{ID: "config", Severity: policy.Warning, File: p.policyAt,
			Message: "site.content says nothing here: Hugo itself tells where its content lies and where it is published"})
	}
	now, err := config.Now(o.Now, o.Getenv)
	if err != nil {
		return nil, invalid(err)
	}
	p.site, err = generator.Open(ctx, site.Options{Source: p.source, Destination: p.destination(early.Site), Environment: o.Environment,
		BaseURL: o.BaseURL, Build: o.Build, Content: early.Site.Content, Now: now, Short: p.short, Log: o.Log, Verbose: o.Verbose})
	if err != nil {
		return nil, invalid(err)
	}
	p.settings = p.site.Settings()
	p.findRoot()
	p.parseBases()
	if err := p.checkPublish(early.Site.Generator, generators); err != nil {
		return nil, errors.Join(invalid(err), p.site.Close())
	}
	if err := p.configure(values, at); err != nil {
		return nil, errors.Join(invalid(err), p.site.Close())
	}
	return p, nil
}

// Close frees what the site holds.
func (p *Project) Close() error { return p.site.Close() }

// configure reads the configuration from both of its homes and makes the policy of it.
func (p *Project) configure(file map[string]any, fileAt config.Locate) (err error) {
	own := &config.Home{Values: p.settings.Params, Path: []string{"params", "metarobots"}, Locate: p.locate}
	if p.Config, err = config.Parse(file, fileAt, own); err != nil {
		return err
	}
	if err := errors.Join(p.settings.Problems...); err != nil {
		return err
	}
	o := &p.options
	if p.Environment, err = p.Config.Choose(o.Environment, o.Getenv); err != nil {
		return err
	}
	now, err := config.Now(o.Now, o.Getenv)
	if err != nil {
		return err
	}
	p.Policy = p.Config.Policy(p.Environment, now)
	p.findings = append(p.findings, p.Config.Findings...)
	p.findings = append(p.findings, p.settings.Findings...)
	p.findings = append(p.findings, p.Environment.Findings...)
	if p.Environment.By == config.ByDefault && o.Getenv("CI") != "" {
		p.findings = append(p.findings, policy.Finding{ID: "environment-unnamed", Severity: policy.Note,
			Message: "nobody named the environment, so this is production: where the pipeline builds previews too, name each (-e, HUGO_ENVIRONMENT or [site] environment)"})
	}
	if p.settings.ThemeRobots != nil {
		p.theme()
	}
	folder, err := p.stateFolder()
	var damaged error
	if p.state, damaged = state.Open(folder, p.settings.Publish); cmp.Or(err, damaged) != nil {
		p.findings = append(p.findings, policy.Finding{ID: "state", Severity: policy.Warning,
			Message: fmt.Sprintf("what earlier runs wrote is not known (%v): their tags count as found, until the site is built anew", cmp.Or(err, damaged))})
	}
	return nil
}

// theme reads a theme's own params.robots into the default layer. What cannot be read there is a finding that states
// nothing: the owner did not write it for us.
func (p *Project) theme() {
	r := frontmatter.Value(p.settings.ThemeRobots, []string{"params", "robots"}, p.Config.Robots.FrontMatter)
	faulty := false
	for _, problem := range r.Problems {
		file, line := p.locate(problem.Path...)
		faulty = faulty || problem.Severity == policy.Error
		p.findings = append(p.findings, policy.Finding{ID: problem.ID, Severity: policy.Warning, File: file, Line: line,
			Message: problem.Message + " (the site's own parameter; it states nothing)"})
	}
	if faulty {
		return
	}
	for i, s := range r.Statements {
		s.Origin.Layer = policy.LayerDefault
		s.Origin.File, s.Origin.Line = p.locate(r.Paths[i]...)
		p.Policy.Default = append(p.Policy.Default, s)
	}
}

// locate finds a key of the generator's configuration; the file is shortened for messages.
func (p *Project) locate(path ...string) (string, int) {
	if p.settings.Locate == nil {
		return "", 0
	}
	file, line := p.settings.Locate(path...)
	return p.short(file), line
}

// short shows a path relative to the working folder or, failing that, to the site.
func (p *Project) short(file string) string {
	if !filepath.IsAbs(file) {
		return file
	}
	for _, base := range []string{p.options.WorkDir, p.source} {
		if rel, err := filepath.Rel(base, file); base != "" && err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return file
}

// policyFile finds and reads the policy file: --policy, else in the site's folder metarobots.toml, else config.toml
// where it is one. Without one, all its values are defaults.
func (p *Project) policyFile() (file string, values map[string]any, at config.Locate, err error) {
	o := &p.options
	folder := o.WorkDir
	if o.Source != "" {
		folder = absolute(o.WorkDir, o.Source)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return "", nil, nil, fmt.Errorf("site folder %s does not exist", folder)
	}
	p.source = folder // so that short knows it
	read := disk.Around(folder).ReadFile
	candidates := []string{filepath.Join(folder, "metarobots.toml"), filepath.Join(folder, "config.toml")}
	if o.Policy != "" {
		read, candidates = disk.ReadFile, []string{absolute(o.WorkDir, o.Policy)}
	}
	for i, file := range candidates {
		data, err := read(file, maxConfig)
		if errors.Is(err, os.ErrNotExist) && o.Policy == "" {
			continue
		} else if errors.Is(err, os.ErrNotExist) {
			return "", nil, nil, fmt.Errorf("--policy %s: there is no such file", o.Policy)
		} else if disk.Refused(err) {
			return "", nil, nil, &config.Error{File: p.short(file), Msg: "the file is not read: " + reason(err)}
		} else if err != nil {
			return "", nil, nil, err
		}
		values, at, err := config.ParseFile(p.short(file), data)
		if i == 1 && config.HugoReads(folder) && (err != nil || !config.IsPolicy(values)) {
			continue // Hugo's own configuration; what is wrong with it, Hugo says
		}
		if i == 1 && err == nil && !config.IsPolicy(values) {
			if len(values) > 0 {
				p.findings = append(p.findings, policy.Finding{ID: "config", Severity: policy.Warning, File: p.short(file),
					Message: "neither Hugo nor metarobots reads this file: it has no [site] or [robots], and Hugo prefers its hugo.toml"})
			}
			continue
		}
		if err != nil {
			return "", nil, nil, err
		}
		p.policyAt = p.short(file)
		return file, values, at, nil
	}
	return "", nil, nil, nil
}

// findSource sets the site's folder: -s beside --policy, else what the policy file says relative to itself.
func (p *Project) findSource(file, source string) error {
	if file != "" && !(p.options.Policy != "" && p.options.Source != "") {
		p.source = absolute(filepath.Dir(file), source)
	}
	if info, err := os.Stat(p.source); err != nil || !info.IsDir() {
		return fmt.Errorf("%s: site.source: folder %s does not exist", p.policyAt, p.source)
	}
	return nil
}

// destination is the publish folder where somebody named it.
func (p *Project) destination(c config.Site) string {
	switch o := &p.options; {
	case o.Dir != "":
		return absolute(o.WorkDir, o.Dir)
	case o.Destination != "":
		return absolute(p.source, o.Destination)
	case c.Destination != "":
		return absolute(p.source, c.Destination)
	}
	return ""
}

func (p *Project) generator(c config.Site, generators []site.Generator) (site.Generator, error) {
	_, config := p.options.Build["config"]
	_, configDir := p.options.Build["configDir"]
	for _, g := range generators {
		hugosOwn := g.Name() == "hugo" && (config || configDir) // the flag says where its configuration is
		if g.Name() == c.Generator || c.Generator == "auto" && (hugosOwn || g.Detect(p.source)) {
			return g, nil
		}
	}
	if c.Generator == "auto" {
		if p.destination(c) == "" {
			return nil, fmt.Errorf("%s holds no Hugo site (no hugo.toml, hugo.yaml, hugo.json or config folder) and none of another generator that is seen there; [site] generator = %q, for one, says which it is; for pages made in any other way name their folder: metarobots apply DIR, or -d DIR", p.source, "jekyll")
		}
		for _, g := range generators {
			if g.Name() == "html" {
				return g, nil
			}
		}
	}
	return nil, fmt.Errorf("generator %q is not built in", c.Generator)
}

// siteAround finds the closest folder around a publish folder, within its repository, that is a generator's site, and the
// generator's name.
func siteAround(publish string, generators []site.Generator) (folder, name string) {
	for folder = publish; folder != filepath.Dir(folder); {
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			break
		}
		folder = filepath.Dir(folder)
		for _, g := range generators {
			if g.Detect(folder) {
				return folder, g.Name()
			}
		}
	}
	return "", ""
}

// checkPublish refuses a publish folder that holds the sources of a site: pages and templates there are not ours to
// edit.
func (p *Project) checkPublish(named string, generators []site.Generator) error {
	publish := p.settings.Publish
	there := func(name string) bool {
		info, err := os.Lstat(filepath.Join(publish, name))
		return err == nil && info.IsDir()
	}
	found := ""
	if rel, err := filepath.Rel(publish, p.source); err == nil && filepath.IsLocal(rel) && p.generatorName != "html" {
		found = p.short(p.source)
	}
	if there("node_modules") {
		found = "node_modules" // nobody publishes that
	}
	for _, g := range generators {
		if g.Detect(publish) && (there("content") || there("layouts") || there("archetypes")) {
			found = "a site of " + g.Name()
		}
	}
	if found == "" && named == "auto" && p.generatorName == "html" {
		around, name := siteAround(publish, generators)
		if around == "" {
			return nil
		}
		if rel, err := filepath.Rel(p.options.WorkDir, around); err == nil {
			around = filepath.ToSlash(rel)
		}
		return fmt.Errorf("%s lies in a site of %s, whose front matter would not be read: -s %s reads it, [site] generator = \"html\" does without", p.short(publish), name, around)
	}
	if found == "" {
		return nil
	}
	return fmt.Errorf("publish folder %s holds the site's own sources (%s): name the folder of generated pages", p.short(publish), found)
}

// stateFolder is where state is remembered: --state or the site's, which may be no link that leads out of it.
func (p *Project) stateFolder() (string, error) {
	if p.options.State != "" {
		return absolute(p.options.WorkDir, p.options.State), nil
	}
	folder := p.settings.State
	if p.leadsOut(folder) {
		return "", fmt.Errorf("%s: %w; --state names a folder anywhere", p.short(folder), disk.ErrOutside)
	}
	return folder, nil
}

func absolute(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}
