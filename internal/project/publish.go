package project

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ConfirmFolder returns an [*InvalidError] if the publish folder may be a mistake, so that a run
// would edit or replace whatever lies there: the command line alone names it, and nothing shows
// that it is the published site. Runs that write call it before they do. expected are the names of
// the pages that the generator publishes ([site.Map]); none if nobody knows. It returns nil if
//
//   - --force says that it is right, or the policy names the same folder, or nobody names one: then it
//     is the generator's own;
//   - an earlier run has written there;
//   - it is new or empty, or has one of the expected pages or a home page; it holds neither the home
//     folder nor the working folder, and no package.json.
func (p *Project) ConfirmFolder(expected []string) error {
	o, publish := &p.Options, p.Settings.Publish
	inPolicy := p.Config.Site.Destination // "" if it names none
	isOnCommandLine := o.Dir != "" || o.Destination != ""
	isInPolicy := inPolicy != "" && Absolute(p.Source, inPolicy) == publish
	if o.Writing.Force || p.State.Found || !isOnCommandLine || isInPolicy {
		return nil
	}
	if mistake := p.mistakeAbout(publish, expected); mistake != "" {
		return Invalid(fmt.Errorf("%s %s: is it the published site? Say --force, or name it in [site] destination",
			p.Short(publish), mistake))
	}
	return nil
}

// mistakeAbout says what a publish folder is or holds that no published site does; "" for nothing.
func (p *Project) mistakeAbout(publish string, expected []string) (mistake string) {
	o := &p.Options
	holds := func(folder string) bool { // or is that folder
		rel, err := filepath.Rel(publish, folder)
		return err == nil && folder != "" && filepath.IsLocal(rel)
	}
	home := cmp.Or(o.Getenv("HOME"), o.Getenv("USERPROFILE")) // the second on Windows
	fromPublish, _ := filepath.Rel(publish, o.WorkDir)
	worksInPublish := fromPublish == "." // who runs "metarobots apply ." in it means it
	switch {
	case holds(home):
		return "holds your home folder"
	case holds(o.WorkDir) && !worksInPublish:
		return "holds the folder that you work in"
	case Exists(filepath.Join(publish, "package.json")):
		return "holds sources: package.json is one of theirs"
	case !p.isPublished(expected):
		return "holds files, and no page of this site nor an index.html"
	}
	return ""
}

// isPublished reports whether the publish folder is new or empty, or has a page that is expected,
// or the home page of a host. Files that Git and GitHub Pages keep there do not count.
func (p *Project) isPublished(expected []string) bool {
	for _, h := range p.Hosts.All {
		expected = append(slices.Clip(expected), h.Root+"index.html", h.Root+"index.htm", h.Root+"index.xhtml")
	}
	if slices.ContainsFunc(expected, func(name string) bool { return Exists(p.Path(name)) }) {
		return true
	}
	entries, _ := os.ReadDir(p.Settings.Publish)
	return !slices.ContainsFunc(entries, func(e os.DirEntry) bool { // what Git and GitHub Pages keep there
		return !strings.HasPrefix(e.Name(), ".") && e.Name() != "CNAME"
	})
}
