package plan

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"metarobots/internal/disk"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// dataFile is what templates find the data under: [Data] is site data "metarobots".
const dataFile = "metarobots.json"

// Data are the robots tags of a site's pages for templates to print in a live preview, as text ready to be written.
//
// The keys are what a template knows of the page in hand: its language, and below it the page's link without the path
// of baseURL and without escapes, such as /übung/.
type Data struct {
	// Environment is the policy's for which the tags are.
	Environment string `json:"environment"`
	// Pages are the tags of pages and of their other HTML outputs.
	Pages map[string]map[string]string `json:"pages"`
	// Pagers are those of the second and all further parts of a list, by the link of its first. What is said of one
	// part alone, by a rule on its URL, is told of the second part for all.
	Pagers map[string]map[string]string `json:"pagers"`
}

// NewData decides on the pages that a build would write and reads nothing that is published, so that pages are there
// before their first build. What is known when a page is rendered is not in it: a theme's own tags, a template that
// redirects. An [*InvalidError] lists front matter that cannot be read.
func NewData(ctx context.Context, p *project.Project) (*Data, error) {
	previewer, ok := p.Site.(site.Previewer)
	if !ok {
		return nil, project.Invalid(fmt.Errorf("generator %q has no templates that could read data: see what it publishes "+
			"with metarobots explain", p.Generator))
	}
	m, err := p.Site.List(ctx, p.Config.Robots.FrontMatter, nil)
	if err != nil {
		return nil, project.Invalid(err)
	}
	pl, err := newPlanner(p, m, true, nil) // header rules are read from static files
	if err != nil {
		return nil, err
	}
	d := &Data{Environment: p.Environment.Name, Pages: map[string]map[string]string{},
		Pagers: map[string]map[string]string{}}
	tell := func(in map[string]map[string]string, f site.File, first string) {
		if f.Role != policy.RolePage {
			return
		}
		if in[f.Language] == nil {
			in[f.Language] = map[string]string{}
		}
		in[f.Language][linkOf(p, first)] = pl.asset(f).html
	}
	for _, name := range m.Expected() {
		f := m.File(name)
		tell(d.Pages, f, name)
		pager := previewer.Pager(f, 2)
		if pager == "" {
			continue
		}
		if second := m.File(pager); second.Pager == 2 {
			tell(d.Pagers, second, name)
		}
	}
	return d, nil
}

// linkOf is a page's own link as [Data] has it; name is the file from the publish root.
func linkOf(p *project.Project, name string) string {
	name = strings.TrimPrefix(name, p.HostOf(name).Root)
	if folder, base := path.Split(name); base == "index.html" {
		return "/" + folder
	}
	return "/" + name
}

// WriteData writes data to a file, relative to the working folder; empty for metarobots.json in the site's data folder.
// It returns the file's name for messages, and whether its bytes were others before.
func WriteData(p *project.Project, d *Data, file string) (name string, changed bool, err error) {
	if file != "" {
		file = project.Absolute(p.Options.WorkDir, file)
	} else {
		folder := p.Site.(site.Previewer).DataFolder()
		if folder == "" {
			return "", false, project.Invalid(errors.New("the site has no data folder of its own: name a file with --output"))
		}
		if p.LeadsOut(folder) {
			return "", false, project.Invalid(fmt.Errorf("%s leads out of the site, and nothing is written there: name a "+
				"file with --output", p.Short(folder)))
		}
		file = filepath.Join(folder, dataFile)
	}
	name = p.Short(file)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		return name, false, err
	}
	if old, err := disk.ReadFile(file, int64(b.Len())); err == nil && bytes.Equal(old, b.Bytes()) {
		return name, false, nil // a server that watches it renders anew at every write
	}
	return name, true, write(disk.Replace, file, b.Bytes(), p.Options.Sync)
}
