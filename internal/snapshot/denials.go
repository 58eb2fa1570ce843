package snapshot

import (
	"maps"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/site"
)

// A denial is what the files of one host, which serves a folder, deny to AI.
type denial struct {
	folder string
	robots *robotstxt.File // nil for nothing
	tdmrep robotstxt.Reservations
}

// denials are a function that finds those of the host that serves a URL.
func (s *Snapshot) denials() func(url string) (denial, bool) {
	var all []denial
	for folder, lines := range s.Robots {
		all = append(all, denial{folder, robotstxt.Parse([]byte(strings.Join(lines, "\n"))), s.TDMRep[folder]})
	}
	for folder, rules := range s.TDMRep {
		if s.Robots[folder] == nil {
			all = append(all, denial{folder, nil, rules})
		}
	}
	return func(url string) (denial, bool) {
		return site.Serving(all, url, func(d denial) string { return d.folder })
	}
}

// lost returns a function that says what robots.txt or tdmrep.json of the old snapshot denies to AI at a URL and that of
// the new one does not; "" for nothing. Of a deployed site a snapshot knows no such files, and nothing is compared.
func lost(old, new *Snapshot) func(url string) string {
	if new.Environment == "" ||
		maps.EqualFunc(old.Robots, new.Robots, slices.Equal) && maps.EqualFunc(old.TDMRep, new.TDMRep, slices.Equal) {
		return func(string) string { return "" }
	}
	was, is := old.denials(), new.denials()
	return func(url string) string {
		before, ok := was(url)
		if !ok {
			return ""
		}
		now, _ := is(url)
		path := "/" + strings.TrimPrefix(url, before.folder)
		var all []string
		if text := robotstxt.Lost(before.robots.Denials(path), now.robots.Denials(path)); text != "" {
			all = append(all, "robots.txt: "+text)
		}
		if rule := before.tdmrep.Reserves(path); rule != "" && now.tdmrep.Reserves(path) == "" {
			all = append(all, "tdmrep.json: "+rule)
		}
		return strings.Join(all, "; ")
	}
}
