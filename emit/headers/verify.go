package headers

import (
	"bytes"
	"fmt"
	"maps"
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
// environment's. One without values, or among Result.GivenUp and Result.Missed, must get nothing of ours; in an
// environment that states noindex, nothing but the environment's. For the target cloudflare a preview host must keep
// its noindex wherever a rule of ours applies, unless the user's rules for preview hosts say otherwise. At each of
// Result.Hosts every known request path gets exactly that host's values. Free files are passed over.
func Verify(made robotstag.Result, wants []robotstag.Want, o robotstag.Options) []policy.Finding {
	v := &verifier{everywhere: strings.Join(o.Everywhere, ", "), host: o.Host}
	dialects, err := Dialects(o.Target)
	if err != nil {
		v.fail("header-mismatch", 0, "", "%v", err)
	}
	spared := make(map[string]bool)
	for _, p := range slices.Concat(made.GivenUp, made.Missed) {
		spared[p] = true
	}
	own, ours := withoutOurs(made.File)
	v.ours = ours
	for _, d := range dialects {
		v.Dialect, v.full, v.own = d, d.Parse(made.File), d.Parse(own)
		v.preview = o.Target == TargetCloudflare && len(o.Everywhere) == 0 && !v.own.rulesPreviews()
		if d == Cloudflare && v.full.Count > CloudflareRules && len(ours) > 0 {
			v.fail("header-budget", v.full.Cut, "",
				"%d rules, more than Cloudflare's limit of %d", v.full.Count, CloudflareRules)
		}
		for i := range wants {
			if w := &wants[i]; !w.Free {
				v.want(w, spared[w.Path])
			}
		}
	}
	if len(made.Hosts) > 0 {
		v.Dialect, v.full = Cloudflare, Cloudflare.Parse(made.File)
		v.hosts(wants, made.Hosts)
	}
	return v.findings
}

// hosts proves the rules for other hosts.
func (v *verifier) hosts(wants []robotstag.Want, hosts map[string][]string) {
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		joined := strings.Join(hosts[host], ", ")
		for i := range wants {
			served, redirected := Forms(v.Dialect, wants[i].Path)
			for _, form := range append(served, redirected...) {
				if got := robotstag.Join(v.Values(v.full, host, form)); got != joined {
					v.mismatch(&wants[i], "https://"+host+form, got, joined)
				}
			}
		}
	}
}

type verifier struct {
	*Dialect
	full, own  *File
	ours       map[int]bool // the lines that are ours
	everywhere string
	host       string
	preview    bool
	findings   []policy.Finding
}

func (v *verifier) fail(id string, line int, url, format string, args ...any) {
	v.findings = append(v.findings, policy.Finding{ID: id, Severity: policy.Error, Line: line, URL: url,
		Message: fmt.Sprintf(format, args...)})
}

func (v *verifier) mismatch(w *robotstag.Want, form, got, joined string) {
	v.fail("header-mismatch", 0, w.URL, "%s would serve %s with %q instead of %q", v.Name(), form, got, joined)
}

func (v *verifier) want(w *robotstag.Want, left bool) {
	joined := strings.Join(w.Values, ", ")
	served, _ := Forms(v.Dialect, w.Path)
	for _, form := range served {
		values := v.Values(v.full, v.host, form)
		if got := robotstag.Join(values); got != joined && !v.passes(w, left, form, values, joined) {
			v.mismatch(w, form, got, joined)
		}
		if v.preview && slices.ContainsFunc(values, v.isOurs) {
			if got := robotstag.Join(v.Values(v.full, previewHost, form)); !genericNoindex(got) {
				v.fail("header-preview", 0, w.URL,
					"a preview host would serve %s with %q, without its noindex", form, got)
			}
		}
	}
}

func (v *verifier) isOurs(value robotstag.Value) bool { return v.ours[value.Line] }

// isExact reports whether a line is ours and says more than the environment.
func (v *verifier) isExact(value robotstag.Value) bool {
	if !v.isOurs(value) {
		return false
	}
	for crawler, said := range robotstag.Stated(value.Text) {
		everywhere := robotstag.Stated(v.everywhere)[crawler]
		differs := func(w policy.Word) bool { return said.On(w.Axis) != everywhere.On(w.Axis) }
		if slices.ContainsFunc(said.Words(policy.Style{KeepRedundant: true}), differs) {
			return true
		}
	}
	return false
}

// passes reports whether values that are not the wanted text will do.
func (v *verifier) passes(w *robotstag.Want, left bool, form string, values []robotstag.Value, joined string) bool {
	got, own := robotstag.Join(values), robotstag.Join(v.Values(v.own, v.host, form))
	switch {
	case joined == "":
		return got == own && !slices.ContainsFunc(values, v.isOurs)
	case slices.ContainsFunc(values, v.isExact):
		return false // a rule of ours that is not what was wanted
	case robotstag.Same(got, joined):
		return true
	}
	return w.Found && got == own && own != "" || left && (v.everywhere != "" || got == own)
}

// withoutOurs returns the file with our lines turned into comments, so that lines keep their numbers, and the numbers
// of the lines that were ours.
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
