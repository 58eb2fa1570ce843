package head

import (
	"encoding/json"
	"os"
	"testing"
)

const noindex = `<meta name="robots" content="noindex">`

// A trap is a page that deceives whoever looks for a meta without building the tree. Head is how
// many robots metas are in the head by the HTML standard, scripting enabled; Body, how many in the
// body.
//
// https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
type trap struct {
	Name    string `json:"name"`
	Page    string `json:"page"`
	Head    int    `json:"head"`
	Body    int    `json:"body"`
	NotXNet string `json:"notXNet"` // why x/net reads the page otherwise; the row fails when it no longer does
}

// traps are the sixty and more, in a file because the end-to-end tests give them to another parser
// too.
var traps = func() (all []trap) {
	data, err := os.ReadFile("testdata/traps.json")
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		panic(err)
	}
	return all
}()

// M2a.
func TestStandard_SixtyTrapsAndMore(t *testing.T) {
	var s Scanner
	for _, c := range traps {
		want := count{c.Head, c.Body}
		if got := ours(&s, []byte(c.Page)); got != want {
			t.Errorf("%s: got %v, want %v\n%q", c.Name, got, want, c.Page)
		}
		other, err := theirs([]byte(c.Page))
		switch {
		case err != nil:
			t.Errorf("%s: x/net: %v", c.Name, err)
		case c.NotXNet == "" && other != want:
			t.Errorf("%s: x/net has %v, want %v\n%q", c.Name, other, want, c.Page)
		case c.NotXNet != "" && other == want:
			t.Errorf("%s: x/net no longer %s", c.Name, c.NotXNet)
		}
	}
}
