package project

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ConfirmFolder returns an error where a folder that the command line alone names shows no sign of a published site, so
// that whatever lies there would be edited or written over; nil where an earlier run wrote there, where it is new, and
// with --force. expected are the files of the pages that the generator publishes.
func (p *Project) ConfirmFolder(expected []string) error {
	o, publish, own := &p.Options, p.Settings.Publish, p.Config.Site.Destination
	if o.Force || p.State.Found || o.Dir == "" && o.Destination == "" || own != "" && Absolute(p.Source, own) == publish {
		return nil
	}
	above := func(folder string) bool {
		rel, err := filepath.Rel(publish, folder)
		return err == nil && folder != "" && filepath.IsLocal(rel)
	}
	why := ""
	switch rel, _ := filepath.Rel(publish, o.WorkDir); {
	case above(cmp.Or(o.Getenv("HOME"), o.Getenv("USERPROFILE"))):
		why = "holds your home folder"
	case rel != "." && above(o.WorkDir):
		why = "holds the folder that you work in"
	case Exists(filepath.Join(publish, "package.json")):
		why = "holds sources: package.json is one of theirs"
	case !p.isPublished(expected):
		why = "holds files, and no page of this site nor an index.html"
	default:
		return nil
	}
	return Invalid(fmt.Errorf("%s %s: is it the published site? Say --force, or name it in [site] destination",
		p.Short(publish), why))
}

// isPublished reports whether the publish folder is new, or has a page that is expected, or the home page of a host.
func (p *Project) isPublished(expected []string) bool {
	for _, h := range p.Hosts {
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
