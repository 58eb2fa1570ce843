package plan

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
	"metarobots/internal/headerfile"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/policy"
)

// carried is what carriers say of what is decided about AI: all of it, but no permission where the environment hides
// the site.
func (mk *Maker) carried(stated policy.Preferences) policy.Preferences {
	for u, p := range stated {
		if mk.hides && p == policy.Allowed {
			stated[u] = policy.Unstated
		}
	}
	return stated
}

// preferences are what is stated about AI for the files of a host (I). Where nothing is, no carrier is chosen.
func (mk *Maker) preferences(s *Plan, h project.Host) robotstxt.Preferences {
	c := &mk.project.Config.Robots.AI
	a := robotstxt.Preferences{Carriers: c.Carriers, Token: c.Token, License: c.License,
		URLs: map[string]policy.Preferences{}}
	for _, st := range slices.Concat(mk.project.Policy.AI, mk.project.Policy.Environment) {
		a.Site = policy.Strictest(a.Site, st.AI)
	}
	a.Site = mk.carried(a.Site)
	stated := !a.Site.IsZero() || a.License != ""
	for _, pg := range s.Pages {
		if file, ok := h.Serves(pg.File.Name); ok && pg.File.Role.Policed() {
			url, at := h.At(file), mk.carried(pg.Decision.AI)
			stated, a.URLs[url] = stated || !at.IsZero(), at
			if at != a.Site && strings.HasSuffix(url, "/") { // hosts serve the file by its own name too
				a.URLs[url+"index.html"] = at
			}
		}
	}
	if !stated {
		return robotstxt.Preferences{}
	}
	return a
}

// aiHeaders adds what headers say of AI to what each file is to be served with (I5). A file without a policy of its own
// gets what is stated of the site, so that one rule can be for all.
func (mk *Maker) aiHeaders(s *Plan) []policy.Finding {
	c := &mk.project.Config.Robots.AI
	ai := robotstxt.Preferences{Carriers: c.Carriers, License: c.License}
	var all headerfile.Repeated
	site := mk.project.Policy.Resolve(slices.Concat(mk.project.Policy.AI, mk.project.Policy.Environment))
	for _, pg := range s.Pages {
		d := pg.Decision
		if pg.File.Name == hosts.HeadersFile { // hosts do not serve it
			continue
		} else if !pg.File.Role.Policed() {
			d = &site
		}
		for _, line := range ai.Headers(mk.carried(d.AI)) {
			mk.addHeader(pg, d, line, &all)
		}
	}
	return all.All("; the same for %d more")
}

// addHeader adds a line to those of a file, by what is decided about AI. One that a rule of the owner's sets is served
// with what is stricter of both.
func (mk *Maker) addHeader(pg *Page, d *policy.Decision, h robotstxt.Header, all *headerfile.Repeated) {
	line := headerfile.Line{Name: h.Name, Value: h.Value, Origin: policy.Origin{Key: "robots.ai.carriers"}}
	line.Origin.File, line.Origin.Line = mk.project.Config.Locate("ai", "carriers")
	for _, u := range h.Uses {
		line.Origin = d.PreferredAt(u)
		if d.AI[u] == policy.Denied {
			break
		}
	}
	for i := range pg.Others {
		rule := &pg.Others[i]
		switch {
		case rule.Name != h.Name:
		case h.Name != robotstag.LinkName:
			value, differ := robotstxt.StricterHeader(h.Name, rule.Value, h.Value)
			if differ {
				f := rule.Origin.Finding("header-conflict", policy.Warning,
					"%s: %s contradicts %s for %s, where %s is asked for; what is stricter is served", h.Name, rule.Value,
					line.Origin.Place(), pg.URL, h.Value)
				f.URL = pg.URL
				all.Add(fmt.Sprint(h.Name, rule.Origin, line.Origin), f)
			}
			rule.Value = value
			return
		case robotstag.SameLinks(rule.Value, h.Value):
			return
		}
	}
	pg.Others = append(pg.Others, line)
}

// saidOf is what files beside the pages say of AI to the readers of a host.
type saidOf struct {
	host project.Host
	ai   robotstxt.Preferences
	said robotstxt.Said
}

// uncarried reports what no chosen carrier says of the files of a host, each statement once (I3).
func (mk *Maker) uncarried(s *Plan, of *saidOf) []policy.Finding {
	names := strings.Join(mk.project.Config.Robots.AI.Carriers, ", ")
	if names == "" {
		return nil
	}
	if mk.project.Config.Robots.Txt.Write == "false" {
		names += "; robots.txt.write is false"
	}
	var all headerfile.Repeated
	for _, pg := range s.Pages {
		file, ok := of.host.Serves(pg.File.Name)
		if !ok {
			continue
		}
		stated := mk.carried(pg.Decision.AI)
		for _, u := range policy.Uses {
			if stated[u] == policy.Unstated || inHeader(pg, &of.ai, u) || mk.inTags(pg, u) ||
				of.said.Says(of.host.At(file), u, stated[u]) {
				continue
			}
			for _, i := range pg.Decision.Preferring(u) {
				at := pg.Decision.Statements[i].Origin
				all.Add(fmt.Sprint(u, at), policy.Finding{ID: "ai-carrier", Severity: policy.Warning, URL: pg.URL, File: at.File,
					Line: at.Line, Message: fmt.Sprintf("%s = %s is not written for this file: no carrier of "+
						"robots.ai.carriers can say it there (%s)", u, stated[u], names)})
			}
		}
	}
	return all.All("; the same holds for %d more")
}

// inHeader reports whether a header that is served says of a file what is stated of a use.
func inHeader(pg *Page, ai *robotstxt.Preferences, u policy.Use) bool {
	return slices.ContainsFunc(ai.Headers(pg.Decision.AI), func(h robotstxt.Header) bool {
		return slices.Contains(h.Uses, u) && slices.ContainsFunc(pg.Others, func(l headerfile.Line) bool {
			return l.Name == h.Name && !l.Lost
		})
	})
}

// inTags reports whether noai in tags and X-Robots-Tag says of a file what is stated of a use.
func (mk *Maker) inTags(pg *Page, u policy.Use) bool {
	return mk.project.Policy.NoAI && u == policy.UseTraining && pg.Decision.AI[u] == policy.Denied
}
