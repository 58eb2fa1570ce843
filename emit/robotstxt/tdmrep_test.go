package robotstxt

import (
	"testing"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/ section 6.1: the first rule that matches counts.
func TestTDMRep_FirstRuleThatMatchesCounts(t *testing.T) {
	file := tdmRep{}
	r := tables.Value(file.Read([]byte(`[{"location": "/open/", "tdm-reservation": 0}, {"location": "/*.pdf$", "tdm-reservation": 1,
		"tdm-policy": "https://example.org/p.json"}, {"location": "/a"}, {"location": "/", "tdm-reservation": 1}]`)))(t)
	for url, want := range map[string]string{"/": "1 /", "/open/x.pdf": "", "/x.pdf": "1 /*.pdf$", "/x.pdfs": "1 /", "/ab": ""} {
		if got := file.Reader(r, policy.UseTraining)(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	if _, err := file.Read([]byte("<html>")); err == nil {
		t.Error("HTML is read")
	}
}
