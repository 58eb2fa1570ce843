package plan

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
	"metarobots/internal/address"
	"metarobots/internal/config"
	"metarobots/internal/headerfile"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/internal/state"
	"metarobots/policy"
)

// toCarry is what carriers say of what is decided about AI: all of it, but no permission where the
// environment hides the site. It is a copy, since Preferences are an array.
func (mk *Maker) toCarry(stated policy.Preferences) policy.Preferences {
	for u, p := range stated {
		if mk.hides && p == policy.Allowed {
			stated[u] = policy.Unstated
		}
	}
	return stated
}

// preferences are what is stated about AI for the files of a host (I). Where nothing is, no carrier
// is chosen. URLs are only listed if not all of them state what is stated of the site.
func (mk *Maker) preferences(s *Plan, h project.Host) robotstxt.Preferences {
	c := &mk.project.Config.Robots.AI
	a := robotstxt.Preferences{Carriers: c.Carriers, Token: c.Token, License: c.License}
	for _, st := range slices.Concat(mk.project.Policy.AI, mk.project.Policy.Environment) {
		a.Site = policy.Strictest(a.Site, st.AI)
	}
	a.Site = mk.toCarry(a.Site)
	stated, differs := !a.Site.IsZero() || a.License != "", false
	for _, pg := range s.Pages {
		if _, ok := h.Serves(pg.File.Name); ok && pg.File.Role.Policed() {
			states := mk.toCarry(pg.Decision.AI)
			stated, differs = stated || !states.IsZero(), differs || states != a.Site
		}
	}
	if !stated {
		return robotstxt.Preferences{}
	}
	if differs {
		mk.listURLs(s, h, &a)
	}
	return a
}

// listURLs sets in a the lists of a host's URLs, from which carriers make their rules (S7): URLs
// are all addresses at which it serves a file with a policy, with what is stated of that; Others
// are those of other files, which a rule for a folder may reach; Open are the beginnings of
// addresses that cannot be listed, since a route of the owner's leads any of them to a file, with
// what is stated of that file. Files that a run makes are among Others, whether they are published
// or not; header files are in no list, since hosts do not serve them.
//
//	docs/a.html, which is also served at /docs/a   URLs    /docs/a, /docs/a.html
//	sitemap.xml, a control file                    Others  /sitemap.xml
//	the route "/app/*  /app.html  200"             Open    /app/, with what is stated of app.html
func (mk *Maker) listURLs(s *Plan, h project.Host, a *robotstxt.Preferences) {
	addresses := s.Sites.byRoot[h.Root]
	for _, made := range madeFiles { // one that is not published yet is so in the next run
		a.Others = append(a.Others, h.Base+"/"+made)
	}
	for _, pg := range s.Pages {
		file, isServed := h.Serves(pg.File.Name) // its name from the host's root
		if isServed && !slices.Contains(madeFiles, file) && !mk.IsHeaderFile(pg.File.Name) {
			mk.addURLs(addresses, h.Base, pg, file, a)
		}
	}
	slices.Sort(a.Others)
	a.URLs = mergeByPath(a.URLs)
}

// addURLs adds the addresses of one file to the lists of [Maker.listURLs]: those that the host has
// for it, below the path of the host's base URL. file is the name of pg from the host's root.
func (mk *Maker) addURLs(addresses *address.Site, base string, pg *Page, file string,
	a *robotstxt.Preferences) {
	states := mk.toCarry(pg.Decision.AI)
	for at := range addresses.Serving(file) { // without those that redirect to it
		if pg.File.Role.Policed() {
			a.URLs = append(a.URLs, robotstxt.URL{Path: base + at.Path, States: states})
		} else {
			a.Others = append(a.Others, base+at.Path)
		}
	}
	for _, open := range addresses.Opens(file) {
		if open.Route != nil { // else it is what hosts serve where nothing is published
			a.Open = append(a.Open, robotstxt.URL{Path: base + beginningOf(&open), States: states})
		}
	}
}

// mergeByPath sorts URLs by path, and makes one of those with the same path, at which the handlings
// of a host serve several files: a use is denied there if any of them denies it, and allowed if all
// allow it.
func mergeByPath(urls []robotstxt.URL) (merged []robotstxt.URL) {
	sort.SliceStable(urls, func(i, j int) bool { return urls[i].Path < urls[j].Path })
	for _, url := range urls {
		last := len(merged) - 1
		if last >= 0 && merged[last].Path == url.Path {
			merged[last].States = policy.Agreed(merged[last].States, url.States)
			continue
		}
		merged = append(merged, url)
	}
	return merged
}

// madeFiles are those that a run makes and hosts serve, by their names from the host's root.
var madeFiles = madeNames()

// madeNames returns them: robots.txt, and the files about AI.
func madeNames() []string {
	names := []string{"robots.txt"}
	for _, kind := range robotstxt.AIFiles {
		names = append(names, kind.Path()[1:])
	}
	return names
}

// beginningOf is what all request paths begin with at which a host serves a file and that cannot be
// listed: /app/ for a route of /app/*, and / for one whose pattern does not begin with a path, or
// for a host that answers so wherever nothing is published.
func beginningOf(open *address.Open) string {
	sample := open.Sample() // /app/~: a name that nobody uses takes the place of a wildcard
	if i := strings.IndexAny(sample, wildcards); i >= 0 {
		sample = sample[:i]
	}
	if !strings.HasPrefix(sample, "/") {
		return "/"
	}
	return sample
}

// wildcards are characters that may match other text in the pattern of a host's route, or in its
// sample.
const wildcards = "~.?[](){}+*^$\\|@!"

// aiHeaders adds what headers say of AI to what each file is to be served with (I5). A file without
// a policy of its own gets what is stated of the site, so that one rule can be for all.
func (mk *Maker) aiHeaders(s *Plan) []policy.Finding {
	c := &mk.project.Config.Robots.AI
	ai := robotstxt.Preferences{Carriers: c.Carriers, License: c.License}
	var conflicts headerfile.Repeated
	ofSite := slices.Concat(mk.project.Policy.AI, mk.project.Policy.Environment)
	site := mk.project.Policy.Resolve(ofSite)
	for _, pg := range s.Pages {
		d := pg.Decision
		if pg.File.Name == hosts.HeadersFile { // hosts do not serve it
			continue
		} else if !pg.File.Role.Policed() {
			d = &site
		}
		for _, line := range ai.Headers(mk.toCarry(d.AI)) {
			mk.addHeader(pg, d, line, &conflicts)
		}
	}
	return conflicts.All("; the same for %d more")
}

// addHeader adds a line to those of a file, by what is decided about AI. If a rule of the owner's
// sets the same header, its line gets what is stricter of both, and conflicts a finding if one
// allows what the other denies. A link is added beside other links, unless it is there already.
func (mk *Maker) addHeader(pg *Page, d *policy.Decision, h robotstxt.Header,
	conflicts *headerfile.Repeated) {
	line := headerfile.Line{Name: h.Name, Value: h.Value, Origin: mk.originOfHeader(d, h)}
	for i := range pg.Others {
		rule := &pg.Others[i]
		if rule.Name != h.Name {
			continue
		}
		if h.Name == robotstag.LinkName {
			if robotstag.SameLinks(rule.Value, h.Value) {
				return
			}
			continue
		}
		stricter, isConflict := robotstxt.StricterHeader(h.Name, rule.Value, h.Value)
		if isConflict {
			f := rule.Origin.Finding("header-conflict", policy.Warning,
				"%s: %s contradicts %s for %s, where %s is asked for", h.Name, rule.Value,
				line.Origin.Place(), pg.URL, h.Value).Explain("; what is stricter is served")
			f.URL = pg.URL
			conflicts.Add(fmt.Sprint(h.Name, rule.Origin, line.Origin), f)
		}
		rule.Value = stricter
		return
	}
	pg.Others = append(pg.Others, line)
}

// originOfHeader is the place that a header about AI goes back to: that of the first statement
// which denies one of its uses, or else of the last that allows one. A header about no use, a link
// to the terms of a license, goes back to the list of carriers.
func (mk *Maker) originOfHeader(d *policy.Decision, h robotstxt.Header) (at policy.Origin) {
	for _, u := range h.Uses {
		at = d.PreferredAt(u)
		if d.AI[u] == policy.Denied {
			return at
		}
	}
	if len(h.Uses) == 0 {
		at.Key = "robots.ai.carriers"
		at.File, at.Line = mk.project.Config.Locate("ai", "carriers")
	}
	return at
}

// A hostSignals is what files beside the pages say of AI to the readers of a host, and what they
// were to say.
type hostSignals struct {
	robots *RobotsFile
	host   project.Host
	stated robotstxt.Preferences // what is stated for the host's files
	said   robotstxt.Said        // by robots.txt and the files about AI
}

// addresses are those at which the host serves a file, as carriers name them. If they are not
// listed, one stands for all.
func (signals *hostSignals) addresses(s *Plan, file string) (paths []string) {
	if signals.stated.URLs == nil {
		return []string{signals.host.At(file)}
	}
	for at := range s.Sites.byRoot[signals.host.Root].Serving(file) {
		paths = append(paths, signals.host.Base+at.Path)
	}
	return paths
}

// says reports whether carriers say of a use what is stated of it for a file, at each of its
// addresses.
func (signals *hostSignals) says(s *Plan, file string, u policy.Use,
	stated policy.Preference) bool {
	isSilent := func(path string) bool { return !signals.said.Says(path, u, stated) }
	return !slices.ContainsFunc(signals.addresses(s, file), isSilent)
}

// uncarried returns two kinds of findings about what is stated of the uses by AI for the files of a
// host, and none if the owner wants no carrier:
//
//   - statements that reach nobody, because none of the carriers that the owner chose can say them
//     there: neither a header, nor the tag noai, nor robots.txt or another file beside the pages.
//     Each is reported once, at its line, with a count of files (I3).
//   - uses that are denied for some files and not for the whole site, and that carriers leave open
//     at addresses which cannot be listed ([hostSignals.unlisted]): at the line of the route.
func (mk *Maker) uncarried(s *Plan, signals *hostSignals) []policy.Finding {
	carriers := strings.Join(mk.project.Config.Robots.AI.Carriers, ", ") // for messages
	if carriers == "" {
		return nil
	}
	if mk.project.Config.Robots.Txt.Write == config.WriteNothing {
		carriers += "; robots.txt.write is false"
	}
	var uncarried headerfile.Repeated // one finding a statement, which counts its files
	var unlisted []policy.Finding
	for _, pg := range s.Pages {
		file, isServed := signals.host.Serves(pg.File.Name) // its name from the host's root
		if !isServed || !pg.File.Role.Policed() {
			continue
		}
		stated := mk.toCarry(pg.Decision.AI)
		for _, u := range policy.Uses {
			if stated[u] == policy.Unstated {
				continue
			}
			if signals.isDeniedHereAlone(u, stated[u]) {
				unlisted = append(unlisted, signals.unlisted(s, file, u)...)
			}
			comesWithPage := isInHeader(pg, &signals.stated, u) || mk.isInTags(pg, u)
			if !comesWithPage && !signals.says(s, file, u, stated[u]) {
				addUncarried(&uncarried, pg, u, stated[u], carriers)
			}
		}
	}
	return append(uncarried.All("; the same holds for %d more"), unlisted...)
}

// isDeniedHereAlone reports whether what is stated of a use for a file denies it, and the whole
// site does not: what that denies holds at addresses that cannot be listed too.
func (signals *hostSignals) isDeniedHereAlone(u policy.Use, stated policy.Preference) bool {
	return stated == policy.Denied && signals.stated.Site[u] != policy.Denied
}

// addUncarried adds a finding for each statement about a use that holds for a page and that no
// carrier says.
func addUncarried(all *headerfile.Repeated, pg *Page, u policy.Use, stated policy.Preference,
	carriers string) {
	for _, i := range pg.Decision.Preferring(u) {
		at := pg.Decision.Statements[i].Origin
		all.Add(fmt.Sprint(u, at), policy.Finding{ID: "ai-carrier", Severity: policy.Warning, URL: pg.URL,
			File: at.File, Line: at.Line, Message: fmt.Sprintf("%s = %s is not written for this file: no carrier of "+
				"robots.ai.carriers can say it there (%s)", u, stated, carriers)})
	}
}

// unlisted reports where a host serves a file at addresses that cannot be listed, and carriers
// beside the pages do not deny there a use that is denied for the file. Each carrier counts, since
// each has readers of its own; the site's own rules for crawlers do for all of them.
func (signals *hostSignals) unlisted(s *Plan, file string, u policy.Use) (all []policy.Finding) {
	for _, open := range s.Sites.byRoot[signals.host.Root].Opens(file) {
		begin := signals.host.Base + beginningOf(&open)
		silent := signals.said.Silent(begin, u)
		if len(silent) == 0 || signals.robots.File.ShutsOut(u.Purpose(), begin) {
			continue
		}
		lacks := fmt.Sprintf("there %s = deny is not said by %s", u, strings.Join(silent, ", "))
		if open.Route != nil {
			lacks += " (a Disallow of your own for these URLs in robots.txt does)"
		} else if page := open.Host.ErrorPage; page != "" {
			lacks += fmt.Sprintf(" (once you publish %s, %s serves that instead)", page, open.Host.Name)
		}
		all = append(all, headerfile.Unlisted(open, file, s.Page(signals.host.Root+file).URL, lacks))
	}
	return all
}

// unsaid are errors: what carriers do not deny in a finished file, though they were to (S7, I7).
func unsaid(c state.Output, lost []robotstxt.Loss) (all []policy.Finding) {
	for _, l := range lost {
		more := ""
		if l.Count > 1 {
			more = fmt.Sprintf(" and %d more", l.Count-1)
		}
		all = append(all, policy.Finding{ID: "ai-mismatch", Severity: policy.Error, File: c.File,
			Message: fmt.Sprintf("the carrier %s does not say there that %s = deny for %s%s",
				l.Carrier, l.Of, l.Path, more)})
	}
	return all
}

// isInHeader reports whether a header that is served says of a file what is stated of a use.
func isInHeader(pg *Page, ai *robotstxt.Preferences, u policy.Use) bool {
	return slices.ContainsFunc(ai.Headers(pg.Decision.AI), func(h robotstxt.Header) bool {
		return slices.Contains(h.Uses, u) && slices.ContainsFunc(pg.Others, func(l headerfile.Line) bool {
			return l.Name == h.Name && !l.Lost
		})
	})
}

// isInTags reports whether noai in tags and X-Robots-Tag says of a file what is stated of a use.
func (mk *Maker) isInTags(pg *Page, u policy.Use) bool {
	return mk.project.Policy.NoAI && u == policy.UseTraining && pg.Decision.AI[u] == policy.Denied
}
