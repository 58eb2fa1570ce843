package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/printable"
	"metarobots/policy"
)

// The part of SARIF 2.1.0 that is written, by the names of its objects.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string     `json:"id"`
		ShortDescription     sarifText  `json:"shortDescription"`
		FullDescription      *sarifText `json:"fullDescription,omitempty"`
		Help                 *sarifText `json:"help,omitempty"`
		HelpURI              string     `json:"helpUri,omitempty"`
		DefaultConfiguration struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               string            `json:"level"`
		Message             sarifText         `json:"message"`
		Locations           []sarifLocation   `json:"locations,omitempty"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		PhysicalLocation *sarifPhysical `json:"physicalLocation,omitempty"`
		LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// writeSARIF writes the findings, each with the file and line that it has: never an invented line (L8).
func writeSARIF(w io.Writer, d *Data, o Options) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "metarobots", Version: o.Version, Rules: []sarifRule{}}
	rules := map[string]int{}
	for _, g := range groups(d.Findings) {
		rule, ok := rules[g.id]
		if !ok { // of a kind with several severities the worst stands first
			rule = len(run.Tool.Driver.Rules)
			rules[g.id] = rule
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, newRule(g))
		}
		for _, f := range g.Findings {
			run.Results = append(run.Results, newResult(f, rule))
		}
	}
	return printable.WriteJSON(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

func newRule(g group) sarifRule {
	kind := g.Kind()
	r := sarifRule{ID: g.id, ShortDescription: sarifText{Text: g.Title()}, HelpURI: kind.Source}
	r.DefaultConfiguration.Level = level(g.Severity)
	if kind.Why != "" {
		r.FullDescription = &sarifText{Text: kind.Why}
	}
	if kind.Fix != "" {
		r.Help = &sarifText{Text: kind.Fix, Markdown: kind.Fix}
	}
	return r
}

func newResult(f policy.Finding, rule int) sarifResult {
	r := sarifResult{RuleID: f.ID, RuleIndex: rule, Level: level(f.Severity),
		Message: sarifText{Text: printable.Line(f.Message)}}
	var l sarifLocation
	if f.File != "" {
		l.PhysicalLocation = &sarifPhysical{}
		l.PhysicalLocation.ArtifactLocation.URI = fileURI(f.File)
		if f.Line > 0 {
			l.PhysicalLocation.Region = &sarifRegion{f.Line}
		}
	}
	if f.URL != "" {
		l.LogicalLocations = []sarifLogical{{printable.Line(f.URL), "resource"}}
	}
	if f.File != "" || f.URL != "" {
		r.Locations = []sarifLocation{l}
	}
	// The same finding keeps its fingerprint when lines move.
	sum := sha256.Sum256([]byte(strings.Join([]string{f.ID, f.URL, f.File, f.Message}, "\x00")))
	r.PartialFingerprints = map[string]string{"metarobots/v1": hex.EncodeToString(sum[:16])}
	return r
}

// level is a severity by its name in SARIF, which is the same.
func level(s policy.Severity) string {
	if slices.Contains(severities, s) {
		return string(s)
	}
	return "none"
}

// fileURI is a file's name as a URI reference: relative names stay so, to whatever the reader's root is.
func fileURI(name string) string {
	name = filepath.ToSlash(name)
	if strings.HasPrefix(name, "/") {
		return (&url.URL{Scheme: "file", Path: name}).String()
	}
	return (&url.URL{Path: name}).String() // ./ before a name whose first segment has a colon
}
