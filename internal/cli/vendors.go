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

// vendors prints what is said to AI about a file, and what each vendor does, those together that do
// the same for the same reason. Where the policy denies what a vendor may do, its directives that
// would deny it are named, and where a vendor may ignore a denial, the source.
func (p *printer) vendors(signals []published.Signal, answers []published.Answer, decided policy.Preferences) {
	var told [][]cell
	for _, s := range signals {
		told = append(told, []cell{{"", "AI is told"}, {"", s.Text}, {"", policy.Place(s.File, s.Line)},
			{faint, "no vendor documents to obey it"}})
	}
	p.table("    ", widest/2, told)
	p.table("    ", widest/2, vendorRows(answers, decided))
}

// vendorRows returns a row for each group of answers with the same reason: use, answer, vendors,
// and place and reason if there are any. A use that the row above has too is left out.
func vendorRows(answers []published.Answer, decided policy.Preferences) (rows [][]cell) {
	reasonOf := func(v published.Answer) vendorReason { return newVendorReason(v, decided) }
	above := "" // the use of the last row
	for _, same := range snapshot.Group(answers, reasonOf) {
		reason, names := reasonOf(same[0]), []string{}
		for _, v := range same {
			if name := vendorName(v, same, answers); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		use := reason.use.String()
		shown := use
		if use == above {
			shown = ""
		}
		above = use
		row := []cell{{"", shown}, {reason.color, reason.answer}, {"", strings.Join(names, ", ")}}
		if reason.place+reason.why != "" {
			row = append(row, cell{"", reason.place}, cell{faint, reason.why})
		}
		rows = append(rows, row)
	}
	return rows
}

// newVendorReason returns what a vendor's answer is printed as, and why it is that.
func newVendorReason(v published.Answer, decided policy.Preferences) vendorReason {
	r := vendorReason{use: v.Use, color: green, answer: "allowed", place: policy.Place(v.File, v.Line), why: v.By}
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

// vendorName names a vendor, with the crawler if another crawler of it is not among the same
// answers for the use.
func vendorName(v published.Answer, same, all []published.Answer) string {
	isOtherwise := func(other published.Answer) bool {
		hasCrawler := func(s published.Answer) bool { return s.Crawler == other.Crawler }
		return other.Vendor == v.Vendor && other.Use == v.Use && !slices.ContainsFunc(same, hasCrawler)
	}
	if slices.ContainsFunc(all, isOtherwise) {
		return v.Vendor + " (" + v.Crawler + ")"
	}
	return v.Vendor
}
