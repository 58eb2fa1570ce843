package result

import (
	"testing"

	"metarobots/internal/published"
	"metarobots/policy"
)

// I4: a file counts once for the line that decides on it, although the line keeps out two crawlers of the vendor.
func TestHouse_AFileCountsOnceForWhatDecides(t *testing.T) {
	denied := published.Answer{Vendor: "Google", Use: policy.UseInput, Answer: policy.Denied.String(), By: "Disallow: /",
		File: "robots.txt", Line: 2}
	other := denied
	other.Crawler, denied.Crawler = "Googlebot", "Google-Extended"
	third := other
	third.By, third.Line = "Disallow: /a", 3
	table := VendorTable{"Google", map[policy.Use]*UseCount{}}
	for range 2 {
		table.count(policy.UseInput, &published.Tally{Answers: []published.Answer{denied, other, third}, Files: 5})
	}
	c := table.Uses[policy.UseInput]
	if c.Denied != 10 || len(c.By) != 2 || c.By[0].Files != 10 || c.By[1].Files != 10 {
		t.Errorf("%+v", c)
	}
}
