package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/policy"
)

// A sarif is what its template writes: the findings, each with the file and line that it has, never
// an invented line (L8).
type sarif struct {
	Rules   []*group // one for each kind of finding: its group of the worst severity
	Results []sarifResult
}

// A sarifResult is a finding and the index of its rule.
type sarifResult struct {
	Finding policy.Finding
	Rule    int
}

// Fingerprint tells a finding from others, also in a later run: it stays the same when lines move.
func (r sarifResult) Fingerprint() string {
	f := r.Finding
	sum := sha256.Sum256([]byte(strings.Join([]string{f.ID, f.URL, f.File, f.Text()}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// writeSARIF writes the findings of groups, the worst groups first.
func writeSARIF(w io.Writer, groups []*group) error {
	var log sarif
	for _, g := range groups {
		rule := slices.IndexFunc(log.Rules, func(o *group) bool { return o.ID == g.ID })
		if rule < 0 {
			rule, log.Rules = len(log.Rules), append(log.Rules, g)
		}
		for _, f := range g.Findings {
			log.Results = append(log.Results, sarifResult{f, rule})
		}
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(fill("sarif", log)), "", "  "); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

// level is a severity by its name in SARIF, which is the same.
func level(s policy.Severity) string {
	if slices.Contains(severities, s) {
		return string(s)
	}
	return "none"
}

// fileURI is a file's name as a URI reference: relative names stay so, to whatever the reader's
// root is.
func fileURI(name string) string {
	name = filepath.ToSlash(name)
	if strings.HasPrefix(name, "/") {
		return (&url.URL{Scheme: "file", Path: name}).String()
	}
	return (&url.URL{Path: name}).String() // ./ before a name whose first segment has a colon
}
