package cli

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"metarobots/emit/robotstag"
	"metarobots/internal/plan"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

type dataCommand struct {
	siteCommand
	output string // the file to write; empty for the usual one
}

func (c *dataCommand) addFlags(flags *pflag.FlagSet) {
	c.addSite(flags)
	flags.StringVarP(&c.output, "output", "o", "", "")
}

// run writes what templates print in a live preview, and says how many pages it has tags for. The
// partial that reads the file is in the folder hugo.
func (c *dataCommand) run() error {
	p, err := c.open(noFolder) // no argument names the site's folder: flags do, or it is the working folder
	if err != nil {
		return err
	}
	defer p.Close()
	preview, err := previewData(c.cmd.Context(), p)
	if err != nil {
		return err
	}
	file, err := c.dataFile(p)
	if err != nil {
		return err
	}
	isChanged, err := preview.save(file)
	if err != nil || c.quiet {
		return err
	}
	done := "unchanged"
	if isChanged {
		done = "written"
	}
	c.stderr.printf("%s %s: the tags of %s in environment %s\n", c.stderr.paint(bold, p.Short(file)), done,
		robotstag.Count(preview.Pages.count(), "page", "pages"), preview.Environment)
	return nil
}

// save writes the preview to a file as JSON, unless that has it already.
func (v *preview) save(file string) (isChanged bool, err error) {
	const noIndent = ""
	text, err := printable.JSON(v, noIndent)
	if err != nil {
		return false, err
	}
	return save(file, text)
}

// dataFile is where the data is written: --output, or the file under which templates find it, as
// site data "metarobots".
func (c *dataCommand) dataFile(p *project.Project) (string, error) {
	if c.output != "" {
		return project.Absolute(p.Options.WorkDir, c.output), nil
	}
	switch folder := p.Site.(site.Previewer).DataFolder(); {
	case folder == "":
		return "", invalidf("the site has no data folder of its own: name a file with --output")
	case p.LeadsOut(folder):
		return "", invalidf("%s leads out of the site, and nothing is written there: name a file with --output",
			p.Short(folder))
	default:
		return filepath.Join(folder, "metarobots.json"), nil
	}
}

// preview has the robots tags of a site's pages for templates to print in a live preview, as text
// ready to be written.
type preview struct {
	// Environment is the policy's for which the tags are.
	Environment string `json:"environment"`
	// Pages are the tags of pages and of their other HTML outputs, whose role is RolePage, too.
	Pages linkedTags `json:"pages"`
	// Pagers are those of the second and all further parts of a list, by the link of its first.
	// What is decided on one part alone, by a rule on its URL, counts for all if that part is the
	// second.
	Pagers linkedTags `json:"pagers"`
}

// linkedTags are robots tags by what a template knows of the page in hand: its language, and below
// it the page's link without the path of baseURL and without escapes, such as /übung/.
type linkedTags map[string]map[string]string

func (t linkedTags) add(language, link, tag string) {
	if t[language] == nil {
		t[language] = map[string]string{}
	}
	t[language][link] = tag
}

// count is how many pages have an entry, of all languages.
func (t linkedTags) count() (pages int) {
	for _, tagByLink := range t {
		pages += len(tagByLink)
	}
	return pages
}

// secondPart is the number of the part of a list whose tags count for all parts behind the first.
const secondPart = 2

// previewData decides on the pages that a build would write and reads nothing that is published, so
// that pages are in it before their first build. What is known only when a page is rendered is not
// in it: a theme's own tags, a template that redirects. An [*project.InvalidError] lists front
// matter that cannot be read, or says that the generator has no templates.
func previewData(ctx context.Context, p *project.Project) (*preview, error) {
	previewer, ok := p.Site.(site.Previewer)
	if !ok {
		return nil, invalidf("generator %q has no templates that could read data: see what it publishes "+
			"with metarobots explain", p.Generator)
	}
	pages, tagsOf, err := plan.Tags(ctx, p)
	if err != nil {
		return nil, err
	}
	d := &preview{Environment: p.Environment.Name, Pages: linkedTags{}, Pagers: linkedTags{}}
	for _, name := range pages.Expected() {
		file := pages.File(name)
		if file.Role == policy.RolePage {
			d.Pages.add(file.Facts.Language, linkOf(p, name), tagsOf(file))
		}
		pager := previewer.Pager(file, secondPart) // "" if the page is no list
		if pager == "" {
			continue
		}
		// File answers by the name alone: a list of one part has an entry too, for which no
		// template asks. The pager of a feed is no RolePage.
		second := pages.File(pager)
		if isPart := second.Pager == secondPart; isPart && second.Role == policy.RolePage {
			d.Pagers.add(second.Facts.Language, linkOf(p, name), tagsOf(second))
		}
	}
	return d, nil
}

// linkOf is a page's own link as [preview] has it; name is the file from the publish root.
func linkOf(p *project.Project, name string) string {
	name = strings.TrimPrefix(name, p.HostOf(name).Root)
	if folder, base := path.Split(name); base == "index.html" {
		return "/" + folder
	}
	return "/" + name
}
