package hosts

import (
	"fmt"
	"slices"
	"testing"

	"metarobots/emit/robotstag"
)

// Within a host's limit, what denies goes before what allows, whatever the names of their headers
// (H5c).
func TestLaw_WhatDeniesGoesFirst(t *testing.T) {
	for target, n := range map[string]int{"cloudflare": 60, "portable": 60, "amplify": 170, "azure": 150} {
		// Each file needs a rule of its own, for its neighbour wants none.
		var usage, reservation []robotstag.Want
		for i := range 2 * n {
			u := robotstag.Want{Path: fmt.Sprintf("d%d/a.txt", i)}
			r := u
			if i < n {
				u.Values = []string{"train-ai=y"}
			} else {
				r.Values = []string{"1"}
			}
			none := robotstag.Want{Path: fmt.Sprintf("d%d/b.txt", i)}
			usage, reservation = append(usage, u, none), append(reservation, r, none)
		}
		usage[2*n].Values = []string{"train-ai=n, search=y"}
		res, err := Compile(nil, []robotstag.Demand{{Header: robotstag.XRobotsTag()},
			{Header: robotstag.Header{Name: "Content-Usage"}, Wants: usage},
			{Header: robotstag.Header{Name: "tdm-reservation"}, Wants: reservation},
		}, robotstag.Task{Target: target})
		lost := res.Lost["Content-Usage"]
		if err != nil || len(lost) == 0 || len(res.Lost) > 1 || slices.Contains(lost, usage[2*n].Path) {
			t.Errorf("%s: lost %d and %d, %v", target, len(lost), len(res.Lost["tdm-reservation"]), err)
		}
	}
}
