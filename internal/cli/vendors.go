package cli

import (
	"slices"
	"strings"

	"metarobots/internal/published"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// A vendorReason is what several vendors do for one use for the same reason.
type vendorReason struct {
	use                       policy.Use
	color, answer, place, why string
}

// vendors prints what is said to AI about a file, and what each vendor does, those together that do the same for the
// same reason. Where the policy denies what a vendor may do, its directives that would deny it are named, and where a
// vendor may ignore a denial, the source.
func (p *printer) vendors(signals []published.Signal, answers []published.Answer, decided policy.Preferences) {
	var told, rows [][]cell
	for _, s := range signals {
		told = append(told, []cell{{"", "AI is told"}, {"", s.Text}, {"", policy.Place(s.File, s.Line)},
			{faint, "no vendor documents to obey it"}})
	}
	p.table("    ", widest/2, told)
	reasonOf := func(v published.Answer) vendorReason {
		r := vendorReason{v.Use, green, "allowed", policy.Place(v.File, v.Line), v.By}
		switch {
		case v.Answer == published.Unknown:
			r.color, r.answer, r.why = yellow, "denied, undocumented", v.By+"  "+v.Source
		case v.MayIgnore: // only what robots.txt denies can be ignored
			r.color, r.answer, r.why = yellow, "denied, may ignore it", v.By+"  "+v.Source
		case v.Answer == policy.Denied.String():
			r.color, r.answer = red, "denied"
		case decided[v.Use] == policy.Denied && v.Unless != nil:
			r.why = strings.TrimSpace(v.By + "  " + strings.Join(v.Unless, " or ") + " would deny it")
		}
		return r
	}
	above := ""
	for _, same := range snapshot.Group(answers, reasonOf) {
		r, names, use := reasonOf(same[0]), []string{}, same[0].Use.String()
		for _, v := range same {
			if name := vendorName(v, same, answers); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if use == above {
			use = ""
		}
		above = same[0].Use.String()
		row := []cell{{"", use}, {r.color, r.answer}, {"", strings.Join(names, ", ")}}
		if r.place+r.why != "" {
			row = append(row, cell{"", r.place}, cell{faint, r.why})
		}
		rows = append(rows, row)
	}
	p.table("    ", widest/2, rows)
}

// vendorName names a vendor, with the crawler where another one of it does otherwise for the use.
func vendorName(v published.Answer, same, all []published.Answer) string {
	if slices.ContainsFunc(all, func(o published.Answer) bool {
		return o.Vendor == v.Vendor && o.Use == v.Use && !slices.ContainsFunc(same, func(s published.Answer) bool {
			return s.Crawler == o.Crawler
		})
	}) {
		return v.Vendor + " (" + v.Crawler + ")"
	}
	return v.Vendor
}
