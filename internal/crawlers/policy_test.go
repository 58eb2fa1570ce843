package crawlers

import (
	"slices"
	"testing"

	"metarobots/policy"
)

// A1: whoever can be told something of its own is a crawler of this table, and reads under that name what it is told.
func TestHouse_WhoIsToldSomethingIsKnown(t *testing.T) {
	gone := []string{"otherbot", "teoma"} // Google's example, and a search engine that has closed
	var read []string
	for _, c := range All() {
		read = append(read, c.Reads...)
	}
	for _, name := range (policy.Crawlers{}).Names() {
		if slices.Contains(read, name) == slices.Contains(gone, name) {
			t.Errorf("%s: read by a crawler of the table: %v", name, slices.Contains(read, name))
		}
	}
	for _, name := range policy.InertNames() {
		// which has been Googlebot since 2014
		if policy.LookupCrawler(name).Purpose == "" && name != "googlebot-mobile" {
			t.Errorf("%s is said to be a token of robots.txt, and is none of those listed", name)
		}
	}
}
