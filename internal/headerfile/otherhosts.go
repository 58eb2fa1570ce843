package headerfile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/hosts"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/policy"
)

// otherNames are names at which the site is served, and that are not its own: those of a staging
// site in wrangler.toml (N11k), and the name with or without www. of each own one. Names of hosts'
// own, such as project.pages.dev, are not among them.
func (fs *Files) otherNames() []string {
	names := fs.project.OtherNames(fs.own,
		func(name string) bool { return hosts.OfName(name) == nil })
	for _, own := range fs.own {
		other, hasOther := project.WithWWW(own)
		if hasOther && !slices.Contains(fs.own, other) && !slices.Contains(names, other) {
			names = append(names, other)
		}
	}
	return names
}

// addNamesBelow adds the patterns of hosts below a domain at which a Worker serves the site, as a
// rule of Cloudflare's writes them. One that would be for a host of the site's own has none, which
// is a finding: these names stay open.
func (fs *Files) addNamesBelow() {
	below := fs.project.NamesBelow()
	for _, domain := range slices.Sorted(maps.Keys(below)) {
		isOwn := func(own string) bool {
			label, isBelow := strings.CutSuffix(own, "."+domain)
			return isBelow && !strings.Contains(label, ".")
		}
		i := slices.IndexFunc(fs.own, isOwn)
		if i < 0 {
			fs.others = append(fs.others, ":subdomain."+domain)
			continue
		}
		f := below[domain].Finding("other-hosts", policy.Warning, "a rule for all names below %s "+
			"would be for %s too, which is the site's own: the others stay open", domain, fs.own[i])
		f.Fix = `: state those that are served, [robots.hosts] also = ["NAME.` + domain + `"]`
		fs.Findings = append(fs.Findings, f)
	}
}

// reportOpenHosts reports that other hosts than the site's own stay in the index, because no rule
// in the file of this host can be for them, and what its owner can do instead (N11f), or that they
// do not redirect although that is asked for (N11n). An environment that keeps everything out of
// the index needs no rule.
func (c *compiler) reportOpenHosts(h *File) {
	p := c.files.project
	if len(c.files.own) == 0 || h.Former || p.Policy.Hides() {
		return
	}
	isCovered := h.kind.Others.ByHost && h.instead == nil
	redirects := p.Config.Robots.Headers.Hosts.SendsOthersHome
	switch {
	case isCovered && redirects:
		c.reportNotRedirected(h)
	case isCovered:
	case h.Target == headers.TargetNetlify && h.instead == nil:
		c.reportNetlifysOthers(h)
	default:
		c.reportStays(h)
	}
}

// reportStays reports a host whose file is not ours, or knows no other hosts.
func (c *compiler) reportStays(h *File) {
	stays, instead := h.kind.Others.Stays, h.kind.Others.Instead
	if o := h.instead; o != nil {
		stays = fmt.Sprintf("%s is configured by %s, which metarobots does not write", h.kind.Name,
			o.file)
		instead = cmp.Or(o.config.Fix, "state it there")
	} else if h.Target == headers.TargetPortable {
		instead = cmp.Or(c.signOfHost(), instead)
	}
	c.reportOthers(policy.Warning, stays, instead)
}

// signOfHost says how to name the host that a file in the site's folders shows; "" if none does.
func (c *compiler) signOfHost() string {
	for _, seen := range hosts.InFolders(c.files.project.Folders()...) {
		if !seen.Weak {
			return fmt.Sprintf(`name your host: %s shows %s, so targets = [%q]`, seen.By,
				seen.Host.Name, seen.Host.Target)
		}
	}
	return ""
}

// reportNetlifysOthers reports what stays open on Netlify, where redirects send home the names that
// they name, and headers know none. A finding begins with the names that redirects send home
// (c.files.sentHome), the owner's and ours. Then it says which others stay open, and what the owner
// can do. Of these texts of [hosts.Others], Stays and Instead are about all other names,
// NAME.netlify.app among them; StaysBeside and InsteadBeside are about those that are left beside
// it.
//
//	sent home                      the policy asks for redirects   finding
//	NAME.netlify.app, and others   yes or no                       a note: StaysBeside
//	others, or none                yes                             a warning: Stays; name the names
//	others                         no                              a warning: Stays, with Instead
//	none                           no                              as for any host: reportStays
func (c *compiler) reportNetlifysOthers(h *File) {
	others, sent := &h.kind.Others, c.files.sentHome
	asksForRedirects := c.files.project.Home(h.Host) != ""
	if asksForRedirects {
		c.reportLeftToOwner(h)
	}
	isNetlifysOwn := func(name string) bool { return hosts.OfName(name) == h.kind } // NAME.netlify.app
	switch {
	case slices.ContainsFunc(sent, isNetlifysOwn):
		c.reportOthers(policy.Note, sentHome(sent)+others.StaysBeside, others.InsteadBeside)
	case asksForRedirects:
		instead := others.InsteadBeside
		if len(c.files.leftToOwner) == 0 { // else reportLeftToOwner says what to do for its names
			instead = namesOf(h.kind) + "; " + instead
		}
		c.reportOthers(policy.Warning, sentHome(sent)+others.Stays, instead)
	case len(sent) > 0:
		c.reportOthers(policy.Warning, sentHome(sent)+others.Stays, others.Instead)
	default:
		c.reportStays(h)
	}
}

// sentHome begins a finding with the names that redirects send home, "a and b lead home by
// redirects; "; it is empty for none.
func sentHome(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " leads home by redirects; "
	}
	return printable.JoinAnd(names) + " lead home by redirects; "
}

// reportLeftToOwner reports names that are not sent home because the owner has a rule for them,
// which may be for some paths alone.
func (c *compiler) reportLeftToOwner(h *File) {
	for _, name := range slices.Sorted(maps.Keys(c.files.leftToOwner)) {
		at := c.files.leftToOwner[name]
		f := at.Finding("other-hosts", policy.Warning, "this rule is for %s, so metarobots adds "+
			"none for that name: what the rule does not redirect stays open there", name)
		f.Fix = fmt.Sprintf(": redirect the rest behind it, https://%s/* %s/:splat 301!", name,
			c.files.project.Home(h.Host))
		c.findings = append(c.findings, f)
	}
}

// reportNotRedirected notes that other hosts are noindex and do not redirect.
func (c *compiler) reportNotRedirected(h *File) {
	others := &h.kind.Others
	isUnnamed := others.Redirects == hosts.RedirectsNamed &&
		len(c.files.project.RedirectedNames(h.kind, c.files.own)) == 0
	switch {
	case others.Redirects == hosts.RedirectsNone:
		c.reportOthers(policy.Note, others.NotRedirected, others.RedirectInstead)
	case isUnnamed:
		c.reportOthers(policy.Note, "no name is known that "+h.kind.Name+" could send home, so "+
			"other names are noindex and do not redirect", namesOf(h.kind))
	}
}

// namesOf says how the owner states the names that a host is to redirect.
func namesOf(kind *hosts.Host) string {
	return `state the names, [robots.hosts] also = ["NAME` + kind.Domains[0] + `"], and they ` +
		`redirect`
}

// reportOthers reports which names stay as they are, and what the owner can do instead, at the key.
func (c *compiler) reportOthers(severity policy.Severity, stays, instead string) {
	file, line := c.files.project.Config.Locate("hosts", "others")
	at := policy.Origin{File: file, Line: line, Key: "robots.hosts.others"}
	named := strings.NewReplacer("HOST", c.files.own[0])
	f := at.Finding("other-hosts", policy.Warning, "%s", named.Replace(stays))
	f.Severity, f.Fix = severity, ": "+named.Replace(instead)
	c.findings = append(c.findings, f)
}
