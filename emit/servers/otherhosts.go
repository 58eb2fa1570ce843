package servers

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// Rules for every host but the site's own (N11). On a web server they add a line, which no rule for
// a path takes away. On Vercel the last rule of a header counts: there they are one rule behind all
// others, which says all that any of them says.

// noindexElsewhere is the line that other hosts send.
const noindexElsewhere = "noindex"

// writesOthers reports whether the file has rules for other hosts. If an environment keeps
// everything out of the index, it needs none.
func (d *draft) writesOthers() bool { return len(d.ownHosts) > 0 && d.headers[0].everywhere == "" }

// hostPattern is an expression for some names of hosts. It has brackets in place of backslashes,
// which each file would have to escape.
func hostPattern(names []string) string {
	return strings.ReplaceAll(strings.Join(names, "|"), ".", "[.]")
}

// apacheOthers are the directives for other hosts. <If> is merged after all other sections. What
// "always add" sends is beside what other directives set, and is on errors too. HTTP_HOST may have
// a port.
// https://httpd.apache.org/docs/2.4/sections.html#merging
// https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header
func (d *draft) apacheOthers() []string {
	lines := []string{
		fmt.Sprintf(`<If "%%{HTTP_HOST} !~ m#^(%s)(:[0-9]+)?$#i">`, hostPattern(d.ownHosts)),
		fmt.Sprintf(`Header always add %s "%s"`, robotstag.Name, noindexElsewhere),
	}
	if d.redirectsOthers() {
		lines = append(lines, apacheIfAlias, apacheRedirect(d.home), apacheEndIf)
	}
	return append(lines, `</If>`)
}

// nginxOthers is the variable for other hosts, and nginxHost the one that has the host's name: in
// lower case, without a port.
// https://nginx.org/en/docs/http/ngx_http_core_module.html#var_host
const (
	nginxOthers = "$metarobots_others"
	nginxHost   = "$host"
)

// nginxOthersUsage is the line that the owner's configuration needs.
const nginxOthersUsage = "#   add_header " + robotstag.Name + " " + nginxOthers + " always;"

// nginxOthersTodo is said once, in the run that first writes the variable.
var nginxOthersTodo = fmt.Sprintf("other hosts are noindex as soon as your server block has %q, and each location with "+
	"add_header lines of its own has it too", strings.TrimPrefix(nginxOthersUsage, "#   "))

// nginxOthersMap is the map from the host's name to what is sent there.
func (d *draft) nginxOthersMap() *nginxMap { return d.nginxHostMap(nginxOthers, noindexElsewhere) }

// nginxHostMap is a map from the host's name to a variable, which is empty at the site's own hosts
// and has some text at every other one.
func (d *draft) nginxHostMap(variable, elsewhere string) *nginxMap {
	m := &nginxMap{from: nginxHost, to: variable, standard: elsewhere}
	for _, name := range d.ownHosts {
		m.entries = append(m.entries, "    "+nginxQuoted(name)+` "";`)
		m.texts, m.longest = m.texts+1, max(m.longest, len(name))
	}
	return m
}

// caddyOthers are the lines for other hosts. A "+" adds a line to those that are there by then.
// https://caddyserver.com/docs/caddyfile/matchers#host
func (d *draft) caddyOthers() []string {
	lines := []string{
		"@metarobots_others not host " + strings.Join(d.ownHosts, " "),
		fmt.Sprintf(`header @metarobots_others +%s "%s"`, robotstag.Name, noindexElsewhere),
	}
	if d.redirectsOthers() {
		lines = append(lines, caddyRedirect(d.home))
	}
	return lines
}

// otherHostsRule is the rule of a list for other hosts. Nothing that another rule says may be lost
// there, so it says, to everyone, all that is said of any file to anyone.
func (h *ruleList) otherHostsRule(d *draft) listRule {
	robots := d.headers[0]
	said := map[string]bool{noindexElsewhere: true}
	for _, v := range robots.user.views {
		for i := range v.rules {
			said[v.rules[i].sends.Text] = true
		}
	}
	for i := range robots.wants {
		said[strings.Join(robots.wants[i].Values, "\n")] = true
	}
	text := robotstag.ForEveryone(maps.Keys(said)).String()
	header := fmt.Sprintf(h.text.header, robotstag.Name, h.file.quote(text))
	ownHosts := "(" + hostPattern(d.ownHosts) + ")"
	return listRule{atEnd, fmt.Sprintf(h.text.otherHosts,
		h.file.quote(h.ours.everything), h.file.quote(ownHosts), header)}
}

// reportPreviews counts the files that a rule of ours gives a header without noindex. Such a rule
// takes the place of the noindex that the host's previews have, unless a rule for other hosts gives
// it back.
func (d *draft) reportPreviews() {
	robots := d.headers[0]
	if !d.format.hasPreviews || len(d.ownHosts) > 0 || robots.everywhere != "" {
		return
	}
	files := make(map[int]bool)
	for _, g := range robots.groups {
		if g.value.hasNoindex() {
			continue
		}
		for _, url := range g.paths {
			for _, i := range robots.wantsAt(url) {
				files[i] = true
			}
		}
	}
	if len(files) > 0 {
		d.report("header-preview", policy.Warning, "%s a header without noindex, which takes the place of the noindex that "+
			`previews have ([robots.hosts] others = "noindex" keeps them out)`,
			robotstag.Count(len(files), "file has", "files have"))
	}
}

// hasNoindex reports whether the value keeps some crawler from indexing.
func (v value) hasNoindex() bool {
	for _, directives := range robotstag.Told(string(v)) {
		if directives.NoIndex() {
			return true
		}
	}
	return false
}

// otherHosts is what rules of ours in a finished file say of other hosts.
type otherHosts struct {
	// has reports whether the rules are for a host.
	has func(host string) bool
	// sent are the lines that they send, beside those of other rules or, if replaces is set,
	// instead of them.
	sent     []robotstag.Value
	replaces bool
}

// notNamed is the function of [otherHosts] for hosts that an expression does not match.
func notNamed(expression string) (func(host string) bool, error) {
	own, err := regexp.Compile(expression)
	if err != nil {
		return nil, err
	}
	return func(host string) bool { return !own.MatchString(host) }, nil
}

// apacheOtherHosts reads the line that begins our section for other hosts.
var apacheOtherHosts = lazyregexp.New(`^<If "%\{HTTP_HOST\} !~ m#([^#]*)#i">$`)

// readOtherHosts reads a rule of ours for other hosts. Its condition is an expression for the whole
// name, as browsers send it.
// https://github.com/vercel/vercel/blob/main/packages/routing-utils/src/superstatic.ts (collectHasSegments)
func (h *ruleList) readOtherHosts(rule any, line int, value string) (*otherHosts, error) {
	conditions := elements(member(rule, "missing"))
	isOurs := scalar(member(rule, h.ourKey())) == h.ours.everything && value != "" && len(conditions) == 1
	if !isOurs || scalar(member(conditions[0], "type")) != "host" {
		return nil, fmt.Errorf("line %d: not a rule of ours for other hosts", line)
	}
	has, err := notNamed("^" + scalar(member(conditions[0], "value")) + "$")
	return &otherHosts{has: has, sent: valuesSent(line, value), replaces: true}, err
}

// at returns a reading as it is at a host for which these rules are.
func (o *otherHosts) at(r *reading) *reading {
	there := *r
	there.others = o
	return &there
}

// wrongHosts reports what is wrong at other hosts: that the site's own host would be served like
// another, or the first file that another host would serve without noindex, or without what it is
// served with at the site's own.
func (p *proof) wrongHosts(own []string) []policy.Finding {
	if len(own) == 0 || len(p.everywhere) > 0 {
		return nil
	}
	others := p.model.others
	if others == nil {
		return []policy.Finding{mismatchFinding("", "no rule would keep other hosts out of the index")}
	}
	if wrong := p.wrongCondition(own, others); wrong != "" {
		return []policy.Finding{mismatchFinding("", "%s", wrong)}
	}
	for i := range p.wants {
		for _, path := range p.paths(&p.wants[i]) {
			if wrong := p.openAt(p.base+path, others); wrong != "" {
				return []policy.Finding{mismatchFinding(p.wants[i].URL, "%s would serve %s", p.target, wrong)}
			}
		}
	}
	return nil
}

// wrongCondition says which host the rules for other hosts wrongly hold at, or do not hold at; ""
// for none.
func (p *proof) wrongCondition(own []string, others *otherHosts) string {
	for _, host := range own {
		if others.has(host) {
			return fmt.Sprintf("the rule for other hosts would hold at %s, which is the site's own", host)
		}
	}
	for _, host := range otherNames(own) {
		if !others.has(host) {
			return fmt.Sprintf("%s would serve the site at %s as at its own host", p.target, host)
		}
	}
	return ""
}

// otherNames are samples of names that are not the site's own, and that a careless expression could
// match. Without own names there are none.
func otherNames(own []string) []string {
	if len(own) == 0 {
		return nil
	}
	names := []string{"project.vercel.app", "203.0.113.7", own[0] + ".example", "any." + own[0], "x" + own[0]}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(own, name) })
}

// openAt says with what another host would serve a path if that is open, or looser than at the
// site's own; else "".
func (p *proof) openAt(path string, others *otherHosts) string {
	for _, r := range p.model.bothWays() {
		here, there := r.answer(path), others.at(r).answer(path)
		text := strings.Join(there.texts(), "\n")
		if !there.isRedirect && (!robotstag.Told(text)[""].NoIndex() || !restricts(there, here.texts())) {
			return fmt.Sprintf("%s at another host with %q, which is to be noindex there", path, text)
		}
	}
	return ""
}
