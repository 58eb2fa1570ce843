package seen

import (
	"encoding/json"
	"testing"
)

// X14: snapshots and results keep a header as the line that is served, whose value may have colons.
func TestHouse_AHeaderIsItsLineInJSON(t *testing.T) {
	for _, want := range []Header{{Name: "Link", Value: `<https://example.org/a>; rel="canonical"`}, {Name: "X-Own", Value: ""},
		{Name: "Content-Signal", Value: "search=yes, ai-train=no"}} {
		line, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Header
		if err := json.Unmarshal(line, &got); err != nil || got != want {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
}
