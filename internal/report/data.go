package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// Data is what a report shows: the result that --json prints (X), and what else the caller knows. Fields that are not
// part of that result are optional.
type Data struct {
	// Site names the site: its title, or its base URL.
	Site     string           `json:"site,omitempty"`
	Pages    []Page           `json:"pages"`
	Findings []policy.Finding `json:"findings"`
	Summary  Summary          `json:"summary"`
	// Changes are those since a baseline; nil without one.
	Changes *snapshot.Changes `json:"changes,omitempty"`
}

// A Page is one published file.
type Page struct {
	// URL is the encoded path from the publish root, File the path of the file in it.
	URL  string `json:"url"`
	File string `json:"file"`
	// Role is page, output, resource, static, redirect, error or control; empty where it is not said.
	Role     string `json:"role,omitempty"`
	Title    string `json:"title,omitempty"`
	Kind     string `json:"kind"`
	Type     string `json:"type"`
	Section  string `json:"section"`
	Language string `json:"language"`
	Format   string `json:"format"`
	// Meta are the robots tags that the file carries, by name; Header the X-Robots-Tag lines that its decision asks for.
	Meta   map[string]string `json:"meta"`
	Header []string          `json:"header"`
	Why    []snapshot.Why    `json:"why"`
	// Since is the day, as 2006-01-02, since when the page is noindex.
	Since     string      `json:"since,omitempty"`
	RobotsTxt []RobotsTxt `json:"robotsTxt,omitempty"`
}

// A RobotsTxt is what robots.txt says to one crawler of one page, in the form of explain --crawler (X).
type RobotsTxt struct {
	Crawler string `json:"crawler"`
	Allowed bool   `json:"allowed"`
	// File, Line and Rule are what decided; empty where no rule matches.
	File string `json:"file"`
	Line int    `json:"line"`
	Rule string `json:"rule"`
}

// A Summary holds what a report shows of the run. The report counts decisions itself, by the files that it lists. What
// else the summary of --json says is kept for the format json.
type Summary struct {
	// Environment of the policy, what chose it, and whether it states something, so that the site is no public one.
	Environment string `json:"environment"`
	ChosenBy    string `json:"chosenBy"`
	Private     bool   `json:"private"`
	// Policy is the policy file.
	Policy string `json:"policy"`
	// Hosts are the base URLs of the site, as in a snapshot.
	Hosts map[string]string `json:"hosts,omitempty"`
	// Headers tell of each header file.
	Headers []HeaderFile `json:"headers"`
	// NewlyNoindex are the URLs that an earlier run left in the index and this one takes out. They are shown where the
	// data has no changes since a baseline.
	NewlyNoindex []string `json:"newlyNoindex"`

	rest map[string]json.RawMessage
}

// UnmarshalJSON reads the summary and keeps what it does not know.
func (s *Summary) UnmarshalJSON(data []byte) error {
	type plain Summary
	if err := json.Unmarshal(data, (*plain)(s)); err != nil {
		return err
	}
	return json.Unmarshal(data, &s.rest)
}

// MarshalJSON writes the summary and, behind it, what was kept.
func (s Summary) MarshalJSON() ([]byte, error) {
	type plain Summary
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // whoever writes the whole says whether to
	if err := e.Encode(plain(s)); err != nil {
		return nil, err
	}
	var own map[string]json.RawMessage
	if err := json.Unmarshal(b.Bytes(), &own); err != nil {
		return nil, err
	}
	b.Truncate(bytes.LastIndexByte(b.Bytes(), '}'))
	for _, key := range slices.Sorted(maps.Keys(s.rest)) {
		if _, ok := own[key]; ok {
			continue
		}
		b.WriteByte(',')
		if err := e.Encode(key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		b.Write(s.rest[key])
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// A HeaderFile tells of one header file.
type HeaderFile struct {
	File   string `json:"file"`
	Target string `json:"target"`
	// Rules are ours, Total with the site's own; Limit is how many the host reads, 0 where there is none.
	Rules int `json:"rules"`
	Total int `json:"total"`
	Limit int `json:"limit"`
	// GivenUp is how many pages were left to their tags because rules did not fit.
	GivenUp int  `json:"givenUp"`
	Changed bool `json:"changed"`
	Removed bool `json:"removed"`
}

// FromJSON reads the result that --json prints, or what the format json wrote.
func FromJSON(r io.Reader) (*Data, error) {
	var d Data
	if err := json.NewDecoder(r).Decode(&d); err != nil {
		return nil, fmt.Errorf("no result of --json: %w", err)
	}
	if d.Pages == nil {
		return nil, errors.New("no result of --json: pages are missing")
	}
	return &d, nil
}

// Snapshot returns what d decides for every URL.
func (d *Data) Snapshot() *snapshot.Snapshot {
	s := snapshot.New(d.Summary.Environment, d.Summary.Policy, func(yield func(snapshot.Page) bool) {
		for i := range d.Pages {
			if !yield(d.Pages[i].facts()) {
				return
			}
		}
	})
	s.Hosts = d.Summary.Hosts
	return s
}

func (p *Page) facts() snapshot.Page {
	return snapshot.Page{URL: p.URL, Role: p.role(), Meta: p.Meta, Header: p.Header, Why: p.Why}
}

// role returns what the file is. A result that does not say it names Hugo's kinds of some; an alias cannot be told
// from a file of which nothing is said.
func (p *Page) role() string {
	if p.Role != "" {
		return p.Role
	}
	switch p.Kind {
	case "404":
		return "error"
	case "robotstxt", "sitemap", "sitemapindex":
		return "control"
	}
	return ""
}
