package report

import (
	"encoding/csv"
	"fmt"
	"strings"

	"metarobots/internal/seen"
)

// record writes a row of CSV (RFC 4180); a list is one field.
func record(values ...any) string {
	fields := make([]string, len(values))
	for i, v := range values {
		if list, ok := v.([]string); ok {
			v = strings.Join(list, "; ")
		}
		fields[i] = field(fmt.Sprint(v))
	}
	var b strings.Builder
	c := csv.NewWriter(&b)
	c.UseCRLF = true
	_ = c.Write(fields) // a builder takes every text
	c.Flush()
	return b.String()
}

// Crawlers are what those are told that are told something else.
func (r *row) Crawlers() (texts []string) {
	for _, name := range r.Decision.Names() {
		texts = append(texts, name+": "+r.Decision.Crawlers[name].Printed)
	}
	return texts
}

// Barred are the crawlers that robots.txt keeps from the file, with its rules.
func (r *row) Barred() (texts []string) {
	for _, t := range r.Page.RobotsTxt {
		if !t.Allowed {
			texts = append(texts, t.Crawler+" may not fetch it ("+t.Rule+")")
		}
	}
	return texts
}

// metas are robots metas as texts.
func metas(list []seen.Meta) (texts []string) {
	for _, m := range list {
		texts = append(texts, m.Name+": "+m.Content)
	}
	return texts
}
