package snapshot

import (
	"slices"
	"testing"
)

// X24g: a deployed site was asked at the addresses that the other snapshot has of the page,
// whichever of the two is older.
func TestHouse_ADeployedSiteHasTheAddressesOfTheOther(t *testing.T) {
	file := &Snapshot{Entries: []Entry{{URL: "/a.html", Served: []string{"/a"}}}}
	deployed := &Snapshot{Answered: true, Entries: []Entry{{URL: "/a.html"}}}
	for _, pair := range [][2]*Snapshot{{file, deployed}, {deployed, file}} {
		a, b, _ := ComparableAsDeployed(pair[0], pair[1], nil)
		for _, s := range []*Snapshot{a, b} {
			if len(s.Entries) != 1 || !slices.Equal(s.Entries[0].Served, []string{"/a"}) {
				t.Errorf("deployed first is %v: %+v", pair[0] == deployed, s.Entries)
			}
		}
	}
}
