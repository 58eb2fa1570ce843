package headers

import (
	"strings"
	"testing"
)

// N5e: which rules a request is compared with, by how their paths begin and end, leaves out none
// that matches: all short paths of rules with all short paths of requests.
func TestHouse_NoRuleThatMatchesIsLeftOut(t *testing.T) {
	t.Parallel()
	inRules := []string{"/", "a", "S", "ſ", "*", "*)", "(*", ":", "|", ".", "?", "%2F"}
	inRequests := []string{"/", "a", "S", "s", ".", "%2f"}
	requests := texts(inRequests, 3)
	compared := 0
	for _, line := range texts(inRules, 4) {
		r, err := netlifyRule("/" + line)
		if err != nil || r.re == nil {
			continue
		}
		for _, path := range requests {
			path = "/" + path
			key := netlifyKey(path)
			isCompared := strings.HasPrefix(key, r.head) && strings.HasSuffix(key, r.tail)
			if !isCompared && r.re.MatchString(path) {
				t.Errorf("%s matches %s, which does not begin with %q and end with %q", r.Path, path, r.head, r.tail)
			}
			if isCompared {
				compared++
			}
		}
	}
	if compared == 0 {
		t.Error("no rule was compared with any request")
	}
}

// texts are all that have up to so many of some pieces.
func texts(pieces []string, most int) []string {
	all, longest := []string{""}, []string{""}
	for range most {
		var longer []string
		for _, begin := range longest {
			for _, p := range pieces {
				longer = append(longer, begin+p)
			}
		}
		all, longest = append(all, longer...), longer
	}
	return all
}
