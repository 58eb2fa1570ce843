package plan

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"metarobots/internal/disk"
	"metarobots/policy"
)

// precompressed are the endings of files that a server sends in place of a page:
// https://nginx.org/en/docs/http/ngx_http_gzip_static_module.html, https://caddyserver.com/docs/caddyfile/directives/file_server#precompressed.
var precompressed = []string{".gz", ".br", ".zst"}

// siblings reports the precompressed siblings of pages that change: what a crawler gets may be the sibling. One of
// gzip is refreshed, the others are the pipeline's to make anew.
func (p *Plan) siblings(names []string) {
	p.packed = map[string]bool{}
	for _, pg := range p.Pages {
		if !pg.Changes || !pg.HTML {
			continue
		}
		for _, ending := range precompressed {
			if _, ok := slices.BinarySearch(names, pg.Name+ending); !ok {
				continue
			}
			f := policy.Finding{ID: "precompressed", Severity: policy.Warning, URL: pg.URL, File: p.Published(pg.Name + ending),
				Message: "the page changes and this compressed copy of it does not: compress after metarobots, or the copy is served without the policy"}
			if ending == ".gz" {
				p.packed[pg.Name] = true
				f.Severity, f.Message = policy.Note, "the page changes: its compressed copy is made anew where it is a copy of the page"
			}
			p.report(f)
		}
	}
}

// refreshSibling makes the gzip sibling of a page anew, if there is one and it holds the page's old bytes.
func refreshSibling(file string, before, after []byte, sync bool) error {
	file += ".gz"
	data, err := disk.NewRoot(filepath.Dir(file)).ReadFile(file, maxPage)
	if disk.Refused(err) {
		return nil // it is no copy that we could make anew
	} else if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Equal(before, after) {
		return nil
	} else if err != nil {
		return err
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil // it is something else
	}
	if text, err := io.ReadAll(io.LimitReader(r, int64(len(before))+1)); err != nil || !bytes.Equal(text, before) {
		return nil
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(after)
	w.Close()
	return disk.Write(file, b.Bytes(), sync)
}
