// Package html takes any folder of generated pages for a site: every HTML file is a page of which nothing else is
// known.
package html

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"metarobots/frontmatter"
	"metarobots/policy"
	"metarobots/site"
)

// Generator is the generator "html".
type Generator struct{}

// Name returns "html".
func (Generator) Name() string { return "html" }

// Detect is never sure: any folder may be one of pages.
func (Generator) Detect(string) bool { return false }

// Open takes the destination, or else the source itself, for the folder of pages.
func (Generator) Open(_ context.Context, o site.Options) (site.Site, error) {
	publish := o.Destination
	if publish == "" {
		publish = o.Source
	}
	info, err := os.Stat(publish)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("publish folder %s does not exist: build the site first", short(o, publish))
	} else if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("publish folder %s is a file", short(o, publish))
	}
	return pages{publish, o.BaseURL}, nil
}

func short(o site.Options, file string) string {
	if o.Short == nil {
		return file
	}
	return o.Short(file)
}

type pages struct{ publish, baseURL string }

func (p pages) Settings() site.Settings {
	return site.Settings{Publish: p.publish, BaseURL: p.baseURL,
		State: filepath.Join(filepath.Dir(p.publish), ".metarobots")}
}

func (p pages) List(context.Context, frontmatter.Options) (site.Map, error) { return files{}, nil }

func (p pages) Close() error { return nil }

// files knows a file by its name alone.
type files struct{}

// File returns the file: HTML is a page, everything else static.
func (files) File(name string) site.File {
	f := site.File{Name: name}
	f.Path = policy.PathOf(name)
	f.HTML = site.IsHTML(name)
	switch {
	case site.IsControlFile(name):
		f.Role = policy.RoleControl
	case f.HTML && site.IsErrorFile(name, nil):
		f.Role = policy.RoleError
	case f.HTML:
		f.Role = policy.RolePage
	default:
		f.Role = policy.RoleStatic
	}
	return f
}

// Expected is empty: what stands there is what there is.
func (files) Expected() []string { return nil }

// Findings is empty: the list is the folder.
func (files) Findings() []policy.Finding { return nil }
