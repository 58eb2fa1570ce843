package pages

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"metarobots/internal/disk"
	"metarobots/internal/site"
	"metarobots/internal/source"
	"metarobots/policy"
)

// sidecarName is the file in which a site says what it knows of its pages: a list of objects, each with the url of
// a page and the keys of a [site.PageMeta]. It lies beside the publish folder, or in it, where it is published.
const sidecarName = "metarobots.json"

// readSidecars reads the page metadata that stands in files. What cannot be read is an error: it may be what keeps pages private.
func (m *pageMap) readSidecars(publish string) (errs []error) {
	inside := filepath.Join(publish, sidecarName)
	for _, file := range []string{inside, filepath.Join(filepath.Dir(publish), sidecarName)} {
		data, err := disk.NewRoot(filepath.Dir(file)).ReadFile(file, maxContent)
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if disk.Refused(err) {
			errs = append(errs, placed(m.short(file), 0, notRead(err)))
			continue
		} else if err != nil {
			errs = append(errs, err)
			continue
		}
		if file == inside {
			m.findings = append(m.findings, policy.Finding{ID: "page-metadata-published", Severity: policy.Warning, URL: "/" + sidecarName, File: m.short(file),
				Message: "the metadata of the site's pages is published with it, the addresses of private ones included: write it beside the publish folder"})
		}
		errs = append(errs, m.readSidecar(m.short(file), data)...)
	}
	return errs
}

func (m *pageMap) readSidecar(file string, data []byte) (errs []error) {
	var entries []map[string]any
	if err := json.Unmarshal(data, &entries); err != nil {
		line := 0
		var syntax *source.SyntaxError
		if _, err := source.Of("json", data, 0); errors.As(err, &syntax) {
			line = syntax.Line
		}
		return []error{placed(file, line, "it is no list of JSON objects: "+err.Error())}
	}
	index, _ := source.Of("json", data, 0)
	for i, values := range entries {
		at := strconv.Itoa(i)
		h, err := site.NewPageMeta(values, m.options)
		if err != nil {
			errs = append(errs, placed(file, index.Line(at), err.Error()))
			continue
		}
		for _, p := range h.Problems {
			line := index.Line(append([]string{at}, p.Path...)...)
			if p.Severity == policy.Error {
				errs = append(errs, placed(file, line, p.Message))
				continue
			}
			m.findings = append(m.findings, policy.Finding{ID: p.ID, Severity: p.Severity, File: file, Line: line, Message: p.Message})
		}
		for j := range h.Statements {
			if o := &h.Statements[j].Origin; o.File == "" {
				o.File, o.Line = file, index.Line(append([]string{at}, h.Paths[j]...)...)
			}
		}
		name := ""
		if u, err := url.Parse(h.URL); err == nil && h.URL != "" {
			for _, candidate := range named(u.Path) {
				if m.published.has(candidate) {
					name = candidate
					break
				}
			}
		}
		if name != "" {
			m.sidecar[name] = append(m.sidecar[name], h)
			m.names(name, &h)
			continue
		}
		severity := policy.Note
		if len(h.Statements) > 0 {
			severity = policy.Error
		}
		m.findings = append(m.findings, policy.Finding{ID: "no-page", Severity: severity, File: file, Line: index.Line(at),
			Message: fmt.Sprintf("no page is published at %q, of which this file tells", h.URL)})
	}
	return errs
}
