package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/config"
	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A policyFile is a policy file as it is read. The zero value is that of a site without one, whose
// policy is all defaults.
type policyFile struct {
	file   string // absolute
	values map[string]any
	locate config.Locate // finds the line of a key of the values; nil without a file
}

// findPolicy finds and reads the policy file: that of --policy, or else in the site's folder
// metarobots.toml, or config.toml if it is ours and not Hugo's. It is the first step of
// [Project.open], and sets p.PolicyFile and, for messages, p.Source.
func (p *Project) findPolicy() (found policyFile, err error) {
	o := &p.Options
	folder := Absolute(o.WorkDir, o.Source)
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return found, fmt.Errorf("%s is a file: -s names the site's folder", folder)
	} else if err != nil {
		return found, fmt.Errorf("site folder %s does not exist", folder)
	}
	p.Source = folder // findSource may find another
	if o.Policy != "" {
		file := Absolute(o.WorkDir, o.Policy)
		data, err := disk.ReadFile(file, MaxConfig)
		if errors.Is(err, os.ErrNotExist) {
			return found, fmt.Errorf("--policy %s: there is no such file", o.Policy)
		}
		return p.parsePolicy(file, data, err)
	}
	file := filepath.Join(folder, "metarobots.toml")
	data, err := disk.Around(folder).ReadFile(file, MaxConfig)
	if !errors.Is(err, os.ErrNotExist) {
		return p.parsePolicy(file, data, err)
	}
	if _, err := os.Readlink(file); err == nil {
		return found, &policy.Finding{File: p.Short(file),
			Message: "the file is not read: it is a symlink to no file"}
	}
	return p.policyInConfigTOML(folder)
}

// policyInConfigTOML reads config.toml of the site's folder if it is a policy file: it has [site] or
// [robots] and no baseURL. Hugo's configuration may have that name as well: then there is no policy
// file, and what is wrong with it, Hugo says.
func (p *Project) policyInConfigTOML(folder string) (found policyFile, err error) {
	file := filepath.Join(folder, "config.toml")
	data, err := disk.Around(folder).ReadFile(file, MaxConfig)
	if errors.Is(err, os.ErrNotExist) {
		return found, nil
	} else if err != nil {
		return found, p.notRead(file, err)
	}
	values, locate, err := config.ParseFile(p.Short(file), data)
	isOurs := err == nil && config.IsPolicy(values)
	isInFolder := func(name string) bool { return Exists(filepath.Join(folder, name)) }
	mayBeHugos := !slices.ContainsFunc(hugoFiles, isInFolder)
	switch {
	case isOurs:
		p.PolicyFile = p.Short(file)
		return policyFile{file, values, locate}, nil
	case mayBeHugos:
		return found, nil
	case err != nil:
		return found, err
	case len(values) > 0:
		p.report("policy-not-read", policy.Warning, p.Short(file),
			"neither Hugo nor metarobots reads this file: Hugo prefers its hugo.toml, and a policy has "+
				"[site] or [robots] and no baseURL")
	}
	return found, nil
}

// parsePolicy parses a file that can only be our policy; err is the error of reading it, or nil.
func (p *Project) parsePolicy(file string, data []byte, err error) (found policyFile, _ error) {
	if err != nil {
		return found, p.notRead(file, err)
	}
	values, locate, err := config.ParseFile(p.Short(file), data)
	if err != nil {
		return found, err
	}
	p.PolicyFile = p.Short(file)
	return policyFile{file, values, locate}, nil
}

// notRead is the error of a file that is there and cannot be read.
func (p *Project) notRead(file string, err error) error {
	return &policy.Finding{File: p.Short(file), Message: "the file is not read: " + Reason(err)}
}

// hugoFiles are those that Hugo reads in place of config.toml.
// https://gohugo.io/configuration/introduction/#configuration-file
var hugoFiles = []string{"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"}

// reportMistakenFiles reports files of the folder in which the policy is looked for that were meant
// for it, except the one that was read. Without any policy, what such a file restricts would be
// published, so that is an error.
func (p *Project) reportMistakenFiles() {
	folder := Absolute(p.Options.WorkDir, p.Options.Source)
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		file := p.Short(filepath.Join(folder, e.Name()))
		switch {
		case !e.Type().IsRegular() || !site.MistakenFile(e.Name()) ||
			strings.EqualFold(file, p.PolicyFile):
		case p.PolicyName() == "":
			p.report("policy-not-read", policy.Error, file, "this file is not read: the policy is "+
				"a TOML file called %s, and there is no other: rename this one", site.PolicyFile)
		default:
			p.report("policy-not-read", policy.Warning, file, "this file is not read: the policy "+
				"is a TOML file called %s",
				site.PolicyFile)
		}
	}
}

// findSource sets p.Source, the site's folder: that of -s if there is no policy file, or if both -s
// and --policy are given; otherwise what the policy file says, relative to itself. file is the
// policy file, absolute, or empty; source is its site.source, "." by default.
func (p *Project) findSource(file, source string) error {
	if file != "" && !(p.Options.Policy != "" && p.Options.Source != "") {
		p.Source = Absolute(filepath.Dir(file), source)
	}
	if info, err := os.Stat(p.Source); err != nil || !info.IsDir() {
		return fmt.Errorf("%s: site.source: folder %s does not exist", p.PolicyFile, p.Source)
	}
	return nil
}

// destination is the publish folder where somebody named it.
func (p *Project) destination(c config.Site) string {
	switch o := &p.Options; {
	case o.Dir != "":
		return Absolute(o.WorkDir, o.Dir)
	case o.Destination != "":
		return Absolute(p.Source, o.Destination)
	case c.Destination != "":
		return Absolute(p.Source, c.Destination)
	}
	return ""
}

// chooseGenerator returns the generator that the configuration names or, with auto, the first that
// knows the site's folder (Detect). If none knows it and the publish folder is named, that is the
// last one, which takes any folder. It is an error if the named one is not built in, or if there is
// no site (noSite).
func (p *Project) chooseGenerator(c config.Site, generators []site.Generator) (
	site.Generator, error) {
	isAuto := c.Generator == "auto"
	for _, g := range generators {
		if g.Name() == c.Generator || isAuto && g.Detect(p.Source, p.Options.Generator.Flags) {
			return g, nil
		}
	}
	isPublishFolderNamed := p.destination(c) != ""
	switch {
	case isAuto && !isPublishFolderNamed:
		return nil, p.noSite(generators)
	case isAuto && len(generators) > 0:
		return generators[len(generators)-1], nil
	}
	return nil, fmt.Errorf("generator %q is not built in", c.Generator)
}

// noSite is the error of a folder that no generator knows: an [ErrNoSite], which says what there is
// in place of a site. That is pages in a folder that may be meant, or a site around this folder.
func (p *Project) noSite(generators []site.Generator) error {
	if found := PagesFolders(p.Source); len(found) > 0 {
		likeliest := found[len(found)-1] // the first may be the site's folder itself
		return fmt.Errorf("%w of a known generator found in %s, but pages in %s: to use them as "+
			"they are, add -d %s", ErrNoSite, p.Source, strings.Join(found, ", "), likeliest)
	}
	if folder, name := siteAround(p.Source, generators); folder != "" {
		return fmt.Errorf("%w found in %s, but the %s site in %s: run metarobots there, or with -s",
			ErrNoSite, p.Source, name, folder)
	}
	return fmt.Errorf("%w found in %s: no Hugo site (hugo.toml, hugo.yaml, hugo.json or config "+
		"folder), nor any other known generator; change to the site's folder, name it with -s, "+
		"set [site] generator = \"jekyll\", for example, or name a folder of HTML pages: "+
		"metarobots apply DIR, or -d DIR", ErrNoSite, p.Source)
}

// ErrNoSite is matched by the error of a folder in which no site is found, while nothing else names
// one.
var ErrNoSite = errors.New("no site")

// OwnsFolder reports whether the site's folder holds this site and little else: its generator is
// known, it holds the policy, or it is a repository. A folder in which somebody happens to work may
// hold anything.
func (p *Project) OwnsFolder() bool {
	return p.PolicyFile != "" || !p.Settings.AnyFolder || disk.Repository(p.Source) == p.Source
}

// PublishFolders are where generators put pages unless they are told otherwise.
var PublishFolders = []string{"public", "dist", "_site", "site", "build", "out", "output",
	"_book", "book", "docs", "www", "html", "_build/html", ".output/public", ".vitepress/dist",
	".vuepress/dist"}

// PagesFolders are the folders of pages in one whose generator is not known, by their usual names
// and a home page in each; the folder itself, ".", may be one.
func PagesFolders(source string) (found []string) {
	for _, name := range append([]string{"."}, PublishFolders...) {
		if info, err := os.Stat(filepath.Join(source, name, "index.html")); err == nil &&
			info.Mode().IsRegular() {
			found = append(found, name)
		}
	}
	return found
}

// siteAround finds the closest folder around a publish folder, within its repository, that is a
// generator's site, and the generator's name.
func siteAround(publish string, generators []site.Generator) (folder, name string) {
	top := disk.Repository(publish)
	for folder = publish; folder != top && folder != filepath.Dir(folder); {
		folder = filepath.Dir(folder)
		for _, g := range generators {
			if g.Detect(folder, nil) {
				return folder, g.Name()
			}
		}
	}
	return "", ""
}

// checkPublish refuses a publish folder that holds the sources of a site, and one inside of a site
// whose generator would say more: pages and templates there are not ours to edit. generatorName is
// [site] generator of the configuration, such as "hugo", or "auto" where it names none.
func (p *Project) checkPublish(generatorName string, generators []site.Generator) error {
	found := p.sourcesIn(p.Settings.Publish, generators)
	if found != "" {
		return fmt.Errorf("publish folder %s holds the site's own sources (%s): name the folder "+
			"of generated pages", p.Short(p.Settings.Publish), found)
	}
	isGuess := generatorName == "auto" && p.Settings.AnyFolder
	if !isGuess {
		return nil // somebody names the generator, or its own files show it
	}
	if why := p.whyPackagesAreSources(); why != "" {
		return fmt.Errorf("publish folder %s holds the site's own sources (%s), since %s: name the "+
			"folder of generated pages, or set [site] generator = %q if this is it",
			p.Short(p.Settings.Publish), packages, why, p.Generator)
	}
	return p.checkSiteAround(generators)
}

// sourcesIn names what shows that a publish folder holds sources; empty if nothing does. It is for
// a message: of several things any will do. Without a known generator the pages are their own
// source, and lie where they are published. The configuration of a generator may be there as a
// published copy, so it counts only beside a folder of those that Hugo's sites have.
func (p *Project) sourcesIn(publish string, generators []site.Generator) (found string) {
	rel, err := filepath.Rel(publish, p.Source)
	isSourceInside := err == nil && filepath.IsLocal(rel) // or the same folder
	if isSourceInside && !p.Settings.AnyFolder {
		found = p.Short(p.Source)
	}
	if p.hasFolder(packages) && !p.Settings.AnyFolder {
		found = packages // the generator publishes elsewhere
	}
	hasSources := p.hasFolder("content") || p.hasFolder("layouts") || p.hasFolder("archetypes")
	for _, g := range generators {
		if hasSources && g.Detect(publish, nil) {
			found = "a site of " + g.Name()
		}
	}
	return found
}

// whyPackagesAreSources says what shows that packages in the publish folder are those of a generator
// that nobody knows; empty if there are none, or if the pages may lie beside them.
func (p *Project) whyPackagesAreSources() string {
	switch {
	case !p.hasFolder(packages):
		return ""
	case !p.holdsPage():
		return "no page lies beside it"
	case p.hasBuildScript():
		return "the script build of package.json makes the site"
	}
	return ""
}

// hasBuildScript reports whether package.json in the publish folder has the script build, and that
// is not one of ours, which makes no pages.
func (p *Project) hasBuildScript() bool {
	var manifest struct {
		Scripts struct{ Build string }
	}
	data, err := p.Read(p.Path("package.json"), MaxConfig)
	isRead := err == nil && json.Unmarshal(data, &manifest) == nil
	build := manifest.Scripts.Build
	return isRead && build != "" && !strings.Contains(build, "metarobots")
}

// hasFolder reports whether the publish folder holds a folder of a name, without a link.
func (p *Project) hasFolder(name string) bool {
	info, err := os.Lstat(p.Path(name))
	return err == nil && info.IsDir()
}

// holdsPage reports whether a page lies in the publish folder itself, and in no folder of it.
func (p *Project) holdsPage() bool {
	entries, _ := os.ReadDir(p.Settings.Publish)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return site.IsHTML(e.Name()) })
}

// checkSiteAround refuses a publish folder that belongs to a site of a known generator, whose front
// matter would not be read.
func (p *Project) checkSiteAround(generators []site.Generator) error {
	publish := p.Settings.Publish
	folder, generator := siteAround(publish, generators)
	if folder == "" {
		return nil
	}
	if rel, err := filepath.Rel(p.Options.WorkDir, folder); err == nil {
		folder = filepath.ToSlash(rel)
	}
	return fmt.Errorf("%s belongs to the %s site in %s: run with -s %[3]s so that its front "+
		"matter is read, or set [site] generator = %q to ignore it", p.Short(publish), generator,
		folder, p.Generator)
}
