package headers

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Verify proves a finished _headers file: it asks each dialect of the target what a response carries, for every served
// request path of every file, and reports what differs from the wants. It knows nothing of how [Compile] came to the
// file.
//
// A file passes with exactly its values, or with the same directives where all of them are the user's own or the
// environment's. One without values, or in left (Result.GivenUp and Result.Missed), must get nothing of ours; in an
// environment that states noindex, nothing but the environment's. For the target cloudflare a preview host must keep
// its noindex wherever a rule of ours applies, unless the user's rules for preview hosts say otherwise. Free files are
// passed over.
func Verify(target string, file []byte, wants []robotstag.Want, everywhere []string, host string,
	left []string) []policy.Finding {
	dialects, err := Dialects(target)
	if err != nil {
		return []policy.Finding{{ID: robotstag.IDMismatch, Severity: policy.Error, Message: err.Error()}}
	}
	spared := make(map[string]bool)
	for _, p := range left {
		spared[p] = true
	}
	own, ours := withoutOurs(file)
	var findings []policy.Finding
	for _, d := range dialects {
		v := &verifier{d: d, full: d.Parse(file), own: d.Parse(own), ours: ours, everywhere: everywhere, host: host}
		v.preview = target == TargetCloudflare && len(everywhere) == 0 && !v.own.rulesPreviews()
		if d == Cloudflare && v.full.Count > CloudflareRules && len(ours) > 0 {
			findings = append(findings, policy.Finding{ID: robotstag.IDBudget, Severity: policy.Error, Line: v.full.Cut,
				Message: fmt.Sprintf("%d rules, more than Cloudflare's limit of %d", v.full.Count, CloudflareRules)})
		}
		for _, w := range wants {
			if !w.Free {
				findings = append(findings, v.want(w, spared[w.Name()])...)
			}
		}
	}
	return findings
}

type verifier struct {
	d          *Dialect
	full, own  *File
	ours       map[int]bool
	everywhere []string
	host       string
	preview    bool
}

func (v *verifier) want(w robotstag.Want, left bool) (findings []policy.Finding) {
	joined := strings.Join(w.Values, ", ")
	served, _ := Forms(v.d, w.Path)
	for _, form := range served {
		values := v.d.Values(v.full, v.host, form)
		if !v.passes(w, left, form, values, joined) {
			findings = append(findings, policy.Finding{ID: robotstag.IDMismatch, Severity: policy.Error, URL: w.URL,
				Message: fmt.Sprintf("%s would serve %s with %q instead of %q", v.d.Name(), form, text(values),
					joined)})
		}
		if v.preview && slices.ContainsFunc(values, v.isOurs) {
			if got := text(v.d.Values(v.full, previewHost, form)); !genericNoindex(got) {
				findings = append(findings, policy.Finding{ID: robotstag.IDPreview, Severity: policy.Error, URL: w.URL,
					Message: fmt.Sprintf("a preview host would serve %s with %q, without its noindex", form, got)})
			}
		}
	}
	return findings
}

func (v *verifier) isOurs(value robotstag.Value) bool { return v.ours[value.Line] }

// isExact reports whether a line is ours and says more than the environment.
func (v *verifier) isExact(value robotstag.Value) bool {
	if !v.isOurs(value) {
		return false
	}
	all := robotstag.Statements(strings.Join(v.everywhere, ", "))
	for s := range robotstag.Statements(value.Text) {
		if !all[s] {
			return true
		}
	}
	return false
}

func (v *verifier) passes(w robotstag.Want, left bool, form string, values []robotstag.Value, joined string) bool {
	got := text(values)
	if got == joined {
		return true
	}
	own := text(v.d.Values(v.own, v.host, form))
	if joined == "" {
		return got == own && !slices.ContainsFunc(values, v.isOurs)
	}
	switch {
	case slices.ContainsFunc(values, v.isExact):
		return false // a rule of ours that is not what was wanted
	case robotstag.Same(got, joined):
		return true
	case w.Found && got == own && own != "":
		return true
	case left:
		return len(v.everywhere) > 0 || got == own
	}
	return false
}

// withoutOurs returns the file with our lines turned into comments, so that
// lines keep their numbers, and the numbers of the lines that were ours.
func withoutOurs(file []byte) (own []byte, ours map[int]bool) {
	lines := bytes.Split(slices.Clone(file), []byte("\n"))
	ours = make(map[int]bool)
	begin := -1
	for i, l := range lines {
		s := string(bytes.TrimSpace(l))
		if strings.HasPrefix(s, "# metarobots: begin") {
			begin = i
		}
		if s == "# metarobots: end" && begin >= 0 {
			for n := begin; n <= i; n++ {
				ours[n+1] = true
			}
			begin = -1
		}
		if (s == "# metarobots" || s == "# metarobots (with the line end before it)") && i+1 < len(lines) {
			next := strings.ToLower(string(bytes.TrimSpace(lines[i+1])))
			if strings.HasPrefix(next, "x-robots-tag") || next == "! x-robots-tag" {
				ours[i+2] = true
			}
		}
	}
	for n := range ours {
		lines[n-1] = []byte("#")
	}
	return bytes.Join(lines, []byte("\n")), ours
}
