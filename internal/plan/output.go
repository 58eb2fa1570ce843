package plan

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"metarobots/internal/disk"
)

// An Output is a file beside the pages that a run may change: a header file, a sitemap, robots.txt.
type Output struct {
	// File is its name for messages.
	File string
	// Old are its bytes as they stand there, nil for no file; New what they should be, nil for no file.
	Old, New []byte

	path string // absolute
}

// Changes reports whether the file is not yet what it should be.
func (o *Output) Changes() bool {
	return !bytes.Equal(o.Old, o.New) || (o.Old == nil) != (o.New == nil)
}

// Outputs are all files of the plan beside the pages, whether they change or not.
func (p *Plan) Outputs() []*Output {
	var all []*Output
	for _, h := range p.Headers {
		all = append(all, &h.Output)
	}
	for _, s := range p.Sitemaps {
		all = append(all, &s.Output)
	}
	for _, r := range p.Robots {
		all = append(all, &r.Output)
	}
	return all
}

// writeOutputs writes those that change.
func (p *Plan) writeOutputs() error {
	var errs []error
	for _, o := range p.Outputs() {
		if !o.Changes() {
			continue
		}
		err := p.plain(o.path)
		switch {
		case err != nil:
		case o.New == nil:
			err = os.Remove(o.path)
		default:
			if err = os.MkdirAll(filepath.Dir(o.path), 0o777); err == nil {
				err = disk.Write(o.path, o.New, p.project.options.Sync)
			}
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
