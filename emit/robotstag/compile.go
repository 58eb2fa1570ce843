package robotstag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"metarobots/internal/address"
	"metarobots/policy"
)

// Scopes of a [Task].
const (
	// ScopeAuto covers HTML where the host's limit allows.
	ScopeAuto = "auto"
	// ScopeFiles leaves HTML to its meta tag, if that tells every crawler. A page still gets a
	// header where a rule that other files need says just what the page wants.
	ScopeFiles = "files"
	// ScopeAll covers HTML; where it does not fit that is an error.
	ScopeAll = "all"
)

// A Task says for which host a file of header rules is written, and how much. Scope and Everywhere
// are about X-Robots-Tag alone.
type Task struct {
	// Target is the host.
	Target string
	// Scope is one of the Scope constants, which the configuration checks; empty means [ScopeAuto].
	Scope string
	// Everywhere, where not empty, are the X-Robots-Tag lines of an environment that states them
	// for everything, the generic one first. One rule carries them, and only files that want
	// something else get rules of their own.
	Everywhere []string
	// Host is the site's own host name, for the user's full-URL rules in _headers.
	Host string
	// Own, where not empty, are the names of all hosts that are the site's own: at any other, every
	// file is to be noindex (N11).
	Own []string
	// Others are hosts that serve the site too, by the owner's files, and are not the site's own,
	// such as a staging host. At those that a rule can name, every file is to be noindex.
	Others []string
	// Home, where not empty, is the scheme and the host to which other hosts are to redirect every
	// path besides: "https://example.com".
	Home string
	// Folder is the publish folder, from that of the file: some files are for several sites.
	Folder string
	// Addresses are those of the files on the hosts that may serve the site; nil is for hosts that
	// nobody has configured, with the files that the task is about.
	Addresses *address.Site
	// Base is the path, "/docs", below which a server of one's own serves the site; empty at the
	// root of its host.
	Base string
}

// Auto reports whether HTML is covered where the limit allows.
func (o *Task) Auto() bool { return o.Scope == "" || o.Scope == ScopeAuto }

// Left says which HTML is left to its meta tags, so that no rule is made for it (N2).
type Left uint8

const (
	LeftNone   Left = iota
	LeftTagged      // HTML whose tags tell every crawler
	LeftHTML        // all HTML: some tags do not tell crawlers that read headers alone
)

// Has reports whether a file is left to its tags.
func (l Left) Has(w *Want) bool { return w.HTML && l >= LeftTagged || w.Untagged && l >= LeftHTML }

// Left is the HTML that the scope leaves to its tags even if all rules fit.
func (o *Task) Left() Left {
	if o.Scope == ScopeFiles {
		return LeftTagged
	}
	return LeftNone
}

// LeaveMore returns what to leave to its tags if rules do not fit where l is left. ok is false if
// no more rules can be given up.
func (o *Task) LeaveMore(l Left, wants []Want) (more Left, ok bool) {
	for more = l + 1; more <= LeftHTML && o.Scope != ScopeAll; more++ {
		for i := range wants {
			if w := &wants[i]; !w.Free && len(w.Values) > 0 && more.Has(w) && !l.Has(w) {
				return more, true
			}
		}
	}
	return l, false
}

// Result is the file for a host, and what came of it.
type Result struct {
	// File is the whole new file; nil where there is nothing to write and the user has none.
	File []byte
	// Rules is the number of rules of ours, Total that of the file as the host counts them, and
	// Limit how many it takes; 0 is no limit. Lines that were put into a block of the user's make
	// no rule.
	Rules, Total, Limit int
	// GivenUp are the HTML files left to their meta tag for which the header would have said more
	// than the user's own rules do, sorted.
	GivenUp []string
	// Missed are the other files that get less than they need, each with an error among the
	// Findings.
	Missed []string
	// Lost are, by the name of another header than X-Robots-Tag, the files that do not get it,
	// sorted. See [Result.Lose].
	Lost map[string][]string
	// Findings are about the user's file, and about what was left out. They name no file.
	Findings []policy.Finding
}

// ErrBudget is returned where the rules that cannot be given up do not fit the host's limit.
// Nothing is to be written then.
var ErrBudget = errors.New("the X-Robots-Tag rules do not fit the host's limit")

// Report adds a finding.
func (r *Result) Report(id string, severity policy.Severity, line int, url, format string,
	args ...any) *policy.Finding {
	r.Findings = append(r.Findings, policy.Finding{ID: id, Severity: severity, Line: line, URL: url,
		Message: fmt.Sprintf(format, args...)})
	return &r.Findings[len(r.Findings)-1]
}

// Lose notes that files do not get a header, and why, in one finding.
func (r *Result) Lose(header, why string, files []Want) {
	if len(files) == 0 {
		return
	} else if r.Lost == nil {
		r.Lost = make(map[string][]string)
	}
	lost, urls, more := r.Lost[header], []string(nil), ""
	for _, w := range files {
		lost, urls = append(lost, w.Path), append(urls, w.URL)
	}
	slices.Sort(lost)
	r.Lost[header] = slices.Compact(lost)
	if n := len(urls) - 3; n > 0 {
		urls, more = urls[:3], fmt.Sprintf(" and %d more", n)
	}
	r.Report("header-lost", policy.Warning, 0, "", "no %s for %s%s: %s",
		header, strings.Join(urls, ", "), more, why)
}

// DenyFirst compiles demands. If the host has no room for a value that may deny something, it does
// so once more, and no value that allows has a rule of its own, of any header. It returns the
// second result only if that loses fewer of the values that may deny.
func DenyFirst(demands []Demand, compile func([]Demand) (Result, error)) (Result, error) {
	res, err := compile(demands)
	if err != nil || len(res.Lost) == 0 {
		return res, err
	}
	spared := sparingAllowances(demands)
	lost := countLostDenials(spared, res.Lost)
	if lost == 0 {
		return res, nil
	}
	again, err := compile(spared)
	if err == nil && countLostDenials(spared, again.Lost) < lost {
		return again, nil
	}
	return res, nil
}

// sparingAllowances returns demands in which each value that allows is spare. The first demand,
// which is X-Robots-Tag, stays as it is.
func sparingAllowances(demands []Demand) []Demand {
	spared := slices.Clone(demands)
	for i, d := range demands[1:] {
		wants := slices.Clone(d.Wants)
		for k := range wants {
			wants[k].Spare = len(wants[k].Values) > 0 && d.Header.Allows(strings.Join(wants[k].Values, ", "))
		}
		spared[i+1].Wants = wants
	}
	return spared
}

// countLostDenials counts the wants that go without a value that may deny something. lost is that
// of [Result], spared what [sparingAllowances] returns.
func countLostDenials(spared []Demand, lost map[string][]string) (n int) {
	for _, d := range spared[1:] {
		for _, w := range d.Wants {
			if _, isLost := slices.BinarySearch(lost[d.Header.Name], w.Path); isLost && !w.Spare {
				n++
			}
		}
	}
	return n
}

// Sort orders the findings by line, URL and text and drops repetitions: two hosts often say the
// same of one line.
func (r *Result) Sort() {
	sort.SliceStable(r.Findings, func(i, j int) bool {
		a, b := &r.Findings[i], &r.Findings[j]
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.URL, b.URL), cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Text(), b.Text())) < 0
	})
	r.Findings = slices.Compact(r.Findings)
	slices.Sort(r.GivenUp)
	r.GivenUp = slices.Compact(r.GivenUp)
	slices.Sort(r.Missed)
}

// Count prints a number and the words that follow it, one if it is 1: Count(2, "page is", "pages
// are") is "2 pages are". Header formats need it, so it is here and not in a package that only
// output uses.
func Count(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// LeftToTags says how many pages get no rules.
func LeftToTags(pages int) string {
	return Count(pages, "HTML page is left to its meta tags", "HTML pages are left to their meta tags")
}

// Distinct orders values by their line and text, each once.
func Distinct(values []Value) []Value {
	// For so few values package sort, which is not compiled anew for each type, keeps the program small.
	sort.Slice(values, func(i, j int) bool {
		a, b := values[i], values[j]
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text, b.Text)) < 0
	})
	return slices.Compact(values)
}

// Join returns values as one line.
func Join(values []Value) string { return strings.Join(Texts(values), ", ") }

// Texts are the values alone.
func Texts(values []Value) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = v.Text
	}
	return all
}
