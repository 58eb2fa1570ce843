package headers

import (
	"bytes"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/policy"
)

// Verify proves a finished _headers file: it asks each dialect of the target what a response carries, for every served
// request path of every file, and reports what differs from the wants. It shares with [Compile] how a file is read, and
// knows nothing of how rules are chosen.
//
// A file passes with exactly its values, or with what says the same where all of it is the user's own or the
// environment's, or where lines of the user's stand beside ours. One without values, or in Result.GivenUp, Missed or
// Lost, must get nothing of ours, but for the environment's. For the target cloudflare a preview host must keep its
// noindex wherever a rule of ours applies, unless the user's rules for preview hosts say otherwise.
func Verify(res robotstag.Result, demands []robotstag.Demand, o robotstag.Task) []policy.Finding {
	dialects, _ := Dialects(o.Target) // which the compiler has checked
	own, ours := withoutOurs(res.File)
	v := &verifier{host: o.Host, oursAt: ours}
	for i, demand := range demands {
		v.header, v.everywhere = demand.Header, ""
		left := slices.Clone(res.Lost[v.header.Name])
		if i == 0 {
			v.everywhere, left = strings.Join(o.Everywhere, ", "), slices.Concat(left, res.GivenUp, res.Missed)
		}
		slices.Sort(left)
		for _, d := range dialects {
			v.site = d.site(o.Addresses)
			v.dialect, v.full, v.own = d, d.Parse(res.File, v.header.Name), d.Parse(own, v.header.Name)
			if i == 0 && d.limit > 0 && v.full.Count > d.limit && len(v.oursAt) > 0 {
				v.out.Report("header-budget", policy.Error, v.full.Cut, "", "%d rules, more than %s's limit of %d",
					v.full.Count, d.title, d.limit)
			}
			v.preview = v.header.Preview != "" && o.Target == TargetCloudflare && len(o.Everywhere) == 0 &&
				!v.own.rulesPreviews()
			for n := range demand.Wants {
				if w := &demand.Wants[n]; !w.Free {
					_, spared := slices.BinarySearch(left, w.Path)
					v.want(w, spared)
				}
			}
		}
	}
	return v.out.Findings
}

type verifier struct {
	header     robotstag.Header
	dialect    *Dialect
	site       *address.Site
	full, own  *Parsed
	oursAt     map[int]bool // the lines that are ours
	everywhere string
	host       string
	preview    bool
	out        robotstag.Result
}

func (v *verifier) want(w *robotstag.Want, left bool) {
	for _, form := range v.dialect.Requests(v.site, w.Path, w.Source) {
		readings, own := v.dialect.readings(v.full, v.host, form), v.dialect.readings(v.own, v.host, form)
		joined := strings.Join(w.Values, ", ")
		if first := robotstag.Join(own[0]); v.header.Join && joined != "" && first != "" {
			joined = first + ", " + joined
		}
		for i, values := range readings {
			v.request(w, left, form, values, robotstag.Join(own[min(i, len(own)-1)]), joined)
		}
		values := readings[0]
		if v.preview && slices.ContainsFunc(values, v.isOurs) {
			if got := robotstag.Join(v.dialect.Values(v.full, previewHost, form)); !genericNoindex(got) {
				v.out.Report("header-preview", policy.Error, 0, w.URL,
					"a preview host would serve %s with %q, without its noindex", form, got)
			}
		}
	}
}

// request checks the values of one request path, where the user's rules alone give own, and joined is wanted.
func (v *verifier) request(w *robotstag.Want, left bool, form string, values []robotstag.Value,
	own, joined string) {
	for _, sent := range v.dialect.send(&v.header, values) {
		if got := sent.String(); got != joined && !v.passes(w, left, values, got, own, joined) {
			v.out.Report("header-mismatch", policy.Error, 0, w.URL,
				"%s would serve %s with %q instead of %q", v.dialect.Name(), form, got, joined)
		}
	}
}

func (v *verifier) isOurs(value robotstag.Value) bool { return v.oursAt[value.Line] }

// passes reports whether values that are sent as got, which is not the wanted text, will do. The
// user's rules alone give own.
func (v *verifier) passes(w *robotstag.Want, left bool, values []robotstag.Value,
	got, own, joined string) bool {
	var ours, theirs []robotstag.Value
	for _, value := range values {
		if v.isOurs(value) {
			ours = append(ours, value)
		} else {
			theirs = append(theirs, value)
		}
	}
	untouched := ours == nil && robotstag.Join(values) == own
	switch {
	case joined == "":
		return untouched
	case ours != nil && v.everywhere == "":
		// Lines of the user's are sent beside ours, and say no more.
		return len(theirs) > 0 && v.header.Equal(got, joined)
	case v.header.Equal(got, joined):
		return true
	case untouched:
		return left || w.Found && own != ""
	}
	return left && v.everywhere != "" && (v.header.Equal(got, v.everywhere) || robotstag.Join(ours) == v.everywhere)
}

// withoutOurs returns the file with our lines turned into comments, so that lines keep their numbers, and the numbers
// of the lines that were ours.
func withoutOurs(file []byte) (own []byte, oursAt map[int]bool) {
	lines := bytes.Split(slices.Clone(file), []byte("\n"))
	theirs, oursAt := make(map[int]bool), make(map[int]bool)
	for _, l := range readUser(file).lines.Lines {
		theirs[l.Number] = true
	}
	for i := range lines {
		if len(lines[i]) > 0 && !theirs[i+1] {
			oursAt[i+1], lines[i] = true, []byte("#")
		}
	}
	return bytes.Join(lines, []byte("\n")), oursAt
}
