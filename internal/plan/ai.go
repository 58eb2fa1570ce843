package plan

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/headerfile"
	"metarobots/internal/project"
	"metarobots/policy"
)

// preferences are what is stated about AI for the files of a host (I). Where nothing is, no carrier is chosen.
func (mk *Maker) preferences(s *Plan, h project.Host) robotstxt.Preferences {
	c := &mk.project.Config.Robots.AI
	a := robotstxt.Preferences{Carriers: c.Carriers, Token: c.Token, License: c.License}
	for _, st := range slices.Concat(mk.project.Policy.AI, mk.project.Policy.Environment) {
		a.Site = policy.Strictest(a.Site, st.AI)
	}
	if a.Site.IsZero() && a.License == "" &&
		!slices.ContainsFunc(s.Pages, func(pg *Page) bool { return !pg.Decision.AI.IsZero() }) {
		return robotstxt.Preferences{}
	}
	for _, pg := range s.Pages {
		if file, ok := h.Serves(pg.File.Name); ok && pg.File.Role.Policed() {
			url := h.At(file)
			if a.URLs = append(a.URLs, url); pg.Decision.AI != a.Site {
				a.Paths = append(a.Paths, robotstxt.PathPreference{Path: url, Preferences: pg.Decision.AI})
			}
		}
	}
	return a
}

// uncarried reports what no chosen carrier says of the files of a host, each statement once (I3).
func (mk *Maker) uncarried(s *Plan, h project.Host, ai *robotstxt.Preferences,
	unsaid []robotstxt.Unsaid) []policy.Finding {
	carriers, names := ai.Carriers, strings.Join(ai.Carriers, ", ")
	if len(carriers) == 0 {
		return nil
	}
	silent := make(map[robotstxt.Unsaid]bool, len(unsaid))
	for _, u := range unsaid {
		silent[u] = true
	}
	says := func(carrier string, u policy.Use, pg *Page, url string) bool {
		asSite := pg.Decision.AI[u] == ai.Site[u]
		return carrier != "rsl" && // which names terms and no use
			!silent[robotstxt.Unsaid{Carrier: carrier, Use: u, Path: url}] &&
			!(asSite && silent[robotstxt.Unsaid{Carrier: carrier, Use: u}])
	}
	if mk.project.Config.Robots.Txt.Write == "false" {
		carriers, names = nil, names+"; robots.txt.write is false"
	}
	var all headerfile.Repeated
	for _, pg := range s.Pages {
		file, ok := h.Serves(pg.File.Name)
		for _, u := range policy.Uses {
			if !ok || slices.ContainsFunc(carriers, func(c string) bool { return says(c, u, pg, h.At(file)) }) {
				continue
			}
			for _, i := range pg.Decision.Preferring(u) {
				at := pg.Decision.Statements[i].Origin
				all.Add(fmt.Sprint(u, at), policy.Finding{ID: "ai-carrier", Severity: policy.Warning, URL: pg.URL, File: at.File,
					Line: at.Line, Message: fmt.Sprintf("%s = %s is not written for this file: no carrier of "+
						"robots.ai.carriers can say it there (%s)", u, pg.Decision.AI[u], names)})
			}
		}
	}
	return all.All("; the same holds for %d more")
}
