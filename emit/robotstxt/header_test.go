package robotstxt

import (
	"testing"

	"metarobots/policy"
)

// headerSays is what a value of a header says, read with none of the package's code.
func headerSays(name, value string) (p policy.Preferences) {
	switch all := pairs(value); name {
	case "Content-Usage":
		p = policy.Preferences{all["train-ai"], all["search"]}
	case "Content-Signal":
		p = policy.Preferences{all["ai-train"], all["search"], all["ai-input"]}
	case "tdm-reservation":
		p[0] = map[string]policy.Preference{"1": policy.Denied, "0": policy.Allowed}[value]
	}
	return p
}

// I5b, I5c, I5g: every combination of preferences reads in each header as it is stated, of the uses
// that the header names, and no header allows a use that is denied.
func TestLaw_HeadersSayWhatIsStated(t *testing.T) {
	ai := Preferences{Carriers: CarrierNames(), License: "https://example.org/license.xml"}
	for _, stated := range allPreferences() {
		headers := ai.Headers(stated)
		for _, h := range headers {
			says := headerSays(h.Name, h.Value)
			for _, u := range h.Uses {
				if says[u] != stated[u] || says[u] == policy.Unstated {
					t.Errorf("%v: %s: %s says %v of %v", stated, h.Name, h.Value, says[u], u)
				}
			}
			if policy.Strictest(says, stated) != stated {
				t.Errorf("%v: %s: %s says what nobody stated", stated, h.Name, h.Value)
			}
			if h.Name == "tdm-reservation" && h.Value == "0" && !(policy.Preferences{}).AtLeast(stated) {
				t.Errorf("%v: leave to mine content for any purpose", stated)
			}
		}
		if last := headers[len(headers)-1]; last.Name != "Link" ||
			last.Value != `<https://example.org/license.xml>; rel="license"; type="application/rsl+xml"` {
			t.Errorf("%v: %+v", stated, last)
		}
	}
}

// I5: of two values the stricter is served, whatever their order, and a finding says that they
// differ.
func TestLaw_TwoValuesOfAHeaderDenyWhatEitherDenies(t *testing.T) {
	values := map[string][]string{
		"tdm-reservation": {"0", "1"},
		"Content-Usage": {"train-ai=y", "train-ai=n", "search=n", "train-ai=n, search=y", "train-ai=y,search=n",
			"train-ai=y, train-ai=y"},
		"Content-Signal": {"ai-train=yes", "ai-train=no", "search=no", "ai-train=no, search=yes", "ai-train=yes,search=no",
			"ai-input=no, ai-train=yes"},
	}
	for name, list := range values {
		for _, a := range list {
			for _, b := range list {
				value, differ := StricterHeader(name, a, b)
				x, y := headerSays(name, a), headerSays(name, b)
				if got := headerSays(name, value); got != policy.Strictest(x, y) {
					t.Errorf("%s: %q and %q: %q", name, a, b, value)
				}
				contradict := false
				for u := range x {
					contradict = contradict || x[u] != y[u] && x[u] != policy.Unstated && y[u] != policy.Unstated
				}
				if differ != contradict {
					t.Errorf("%s: %q and %q differ: %t", name, a, b, differ)
				}
			}
		}
	}
}
