package policy

import (
	"encoding/json"
	"testing"
)

// In JSON a finding has the members that it always had, and its whole text is the message.
func TestHouse_FindingsInJSONHaveTheWholeText(t *testing.T) {
	f := Origin{File: "a.md", Line: 3, Key: "robots"}.Finding("guard", Error, "%d <pages>", 2).
		Explain("; %s", "most").Advise(". Set %q", "x")
	f.More = "; the same for 1 more"
	const text = "robots: 2 <pages>; most. Set \"x\"; the same for 1 more"
	if f.Text() != text || f.Message != "robots: 2 <pages>" {
		t.Errorf("%q, of which %q is the message", f.Text(), f.Message)
	}
	const want = `{"id":"guard","severity":"error","url":"","file":"a.md","line":3,` +
		`"message":"robots: 2 \u003cpages\u003e; most. Set \"x\"; the same for 1 more"}`
	if got, err := json.Marshal(f); string(got) != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	var again Finding
	if err := json.Unmarshal([]byte(want), &again); err != nil || again.Text() != text {
		t.Errorf("%v, %v", again, err)
	}
}
