package servers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// Redirects from other hosts to the same path at the site's own (N11l). They are beside the rules
// that keep other hosts out of the index, in the same conditions. Vercel alone redirects only the
// names that its rule has, so that previews can still be looked at.

// redirectsOthers reports whether the file redirects other hosts home.
func (d *draft) redirectsOthers() bool { return d.home != "" && d.writesOthers() }

// apacheRedirect is the directive that redirects every path, within the section for other hosts. It
// is carried out before the owner's rewrites lead anywhere, and it keeps the query.
// https://httpd.apache.org/docs/2.4/mod/mod_alias.html#redirect
func apacheRedirect(home string) string {
	return `Redirect 301 "` + home + `%{REQUEST_URI}"`
}

// The lines around apacheRedirect.
const (
	apacheIfAlias = "<IfModule mod_alias.c>"
	apacheEndIf   = "</IfModule>"
)

// caddyRedirect is the line that redirects every path of other hosts, with the query.
// https://caddyserver.com/docs/caddyfile/directives/redir
func caddyRedirect(home string) string {
	return "redir @metarobots_others " + home + "{uri} permanent"
}

// nginxHome is the variable that has the site's host at every other one, and is empty at the site's
// own.
const nginxHome = "$metarobots_home"

// nginxHomeUsage is the line that the owner's configuration needs.
// https://nginx.org/en/docs/http/ngx_http_rewrite_module.html#return
const nginxHomeUsage = "#   if (" + nginxHome + ") { return 301 " + nginxHome + "$request_uri; }"

// nginxHomeTodo is said once, in the run that first writes the variable.
var nginxHomeTodo = fmt.Sprintf("other hosts redirect as soon as your server block has %q",
	strings.TrimPrefix(nginxHomeUsage, "#   "))

// nginxHomeMap is the map from the host's name to where it redirects.
func (d *draft) nginxHomeMap() *nginxMap { return d.nginxHostMap(nginxHome, d.home) }

// The list of Vercel's redirects, beside that of its headers. The source of our rule is that of all
// paths, with our mark, and the destination takes over what it matched.
// https://vercel.com/docs/project-configuration/vercel-json#redirects
const (
	vercelRedirects   = "redirects"
	vercelEveryPath   = "/:path(" + patternMark + ".*)"
	vercelMatchedPath = "/:path"
)

// vercelRedirect is the rule that redirects the other names that are known; ok is false if there is
// none. A condition for a host is an expression for its whole name.
func (h *ruleList) vercelRedirect(d *draft) (r listRule, ok bool) {
	if h.text.redirect == "" || !d.redirectsOthers() || len(d.knownHosts) == 0 {
		return listRule{}, false
	}
	return listRule{atEnd, fmt.Sprintf(h.text.redirect, h.file.quote(vercelEveryPath),
		h.file.quote("("+hostPattern(d.knownHosts)+")"), h.file.quote(d.home+vercelMatchedPath))}, true
}

// addRedirect returns a file with our rule behind the owner's redirects, since the first that
// matches counts. Without a rule of ours it is the same file.
func (h *ruleList) addRedirect(file []byte, d *draft) []byte {
	rule, ok := h.vercelRedirect(d)
	if !ok {
		return file
	}
	return findList(file, []string{vercelRedirects}).add([]listRule{rule})
}

// cutRedirect opens a document anew without our rule in its list of redirects. If there is none, it
// is the same document.
func (h *ruleList) cutRedirect(d *document) (*document, error) {
	if h.text.redirect == "" || h.file.format != "json" {
		return d, nil
	}
	var isOurs []bool
	for _, rule := range elements(member(d.root, vercelRedirects)) {
		isOurs = append(isOurs, IsRedirectOfOurs(scalar(member(rule, "source"))))
	}
	if !slices.Contains(isOurs, true) {
		return d, nil
	}
	return h.open(findList(d.text, []string{vercelRedirects}).cut(isOurs))
}

// IsRedirectOfOurs reports whether the source of a redirect in vercel.json is that of the rule that
// sends other hosts home.
func IsRedirectOfOurs(source string) bool { return source == vercelEveryPath }

// readRedirect reads our redirect, for the model: to where, and from which hosts. Without one it is
// nil.
func (h *ruleList) readRedirect(d *document) (*homeRedirect, error) {
	if h.text.redirect == "" {
		return nil, nil
	}
	for i, rule := range elements(member(d.root, vercelRedirects)) {
		if !IsRedirectOfOurs(scalar(member(rule, "source"))) {
			continue
		}
		conditions := elements(member(rule, "has"))
		home, keepsPath := strings.CutSuffix(scalar(member(rule, "destination")), vercelMatchedPath)
		isOurs := keepsPath && member(rule, "missing") == nil && len(conditions) == 1 &&
			scalar(member(conditions[0], "type")) == "host" && member(rule, "permanent") == true
		if !isOurs {
			line := d.lineOf(vercelRedirects, fmt.Sprint(i))
			return nil, fmt.Errorf("line %d: not a redirect of ours", line)
		}
		hosts, err := regexp.Compile("^(?:" + scalar(member(conditions[0], "value")) + ")$")
		return &homeRedirect{home: home, has: func(host string) bool { return hosts.MatchString(host) }}, err
	}
	return nil, nil
}

// A homeRedirect is what a finished file does at hosts from which it redirects every path.
type homeRedirect struct {
	home string                 // the scheme and the host to which it leads
	has  func(host string) bool // reports whether a host redirects
}

// apacheHome reads the directive of [apacheRedirect].
var apacheHome = lazyregexp.New(`^Redirect 301 "(https?://[^%/]+)%\{REQUEST_URI\}"$`)

// nginxHomeRedirect reads the map of nginxHome; nil if it is empty everywhere, or if our comments
// do not show how to use it. That the owner's configuration does so, which is not read, is assumed.
func (m *serverMaps) nginxHomeRedirect() *homeRedirect {
	byHost := m.byVariable[nginxHome]
	isShown := byHost != nil && byHost.from == nginxHost &&
		slices.Contains(m.linesAround, nginxHomeUsage)
	if !isShown || byHost.outputs["default"].text == "" {
		return nil
	}
	return &homeRedirect{home: byHost.outputs["default"].text, has: byHost.isSetAt}
}

// caddyHome reads the line of [caddyRedirect].
var caddyHome = lazyregexp.New(`^redir @metarobots_others (https?://[^{}]+)\{uri\} permanent$`)

// caddyHomeRedirect reads the last of the lines around our maps, which has the matcher for other
// hosts; nil if that is no redirect.
func caddyHomeRedirect(rest []string, others *otherHosts) *homeRedirect {
	if others == nil { // else there are at least the two lines about them
		return nil
	}
	redirect := caddyHome.FindStringSubmatch(rest[len(rest)-1])
	if redirect == nil {
		return nil
	}
	return &homeRedirect{home: redirect[1], has: others.has}
}

// wrongRedirect reports the first fault of the rule that sends other hosts home: that there is none
// though one is wanted, or one though none is; that it leads elsewhere; that one of the site's own
// hosts would redirect, or that another host would not. It is nil if there is no fault. o.Home is
// where other hosts are to redirect, "" if they are not to, as on a host whose file cannot have
// such a rule; o.Own are the site's own hosts, none if nobody names them: then nothing is known to
// be another.
func (p *proof) wrongRedirect(o *robotstag.Task) []policy.Finding {
	redirect, others := p.model.redirect, p.redirectingHosts(o)
	isInEnvironment := len(p.everywhere) > 0 // see [draft.writesOthers]: then no rule is needed
	isWanted := o.Home != "" && !isInEnvironment && len(o.Own) > 0 && len(others) > 0
	fault := func(format string, args ...any) []policy.Finding {
		const noURL = "" // it is about hosts
		return []policy.Finding{mismatchFinding(noURL, format, args...)}
	}
	switch {
	case redirect == nil && !isWanted:
		return nil
	case redirect == nil:
		return fault("no rule would redirect other hosts to %s", o.Home)
	case !isWanted:
		return fault("a rule would redirect to %s, which is not asked for", redirect.home)
	case redirect.home != o.Home:
		return fault("other hosts would redirect to %s, and not to %s", redirect.home, o.Home)
	}
	if i := slices.IndexFunc(o.Own, redirect.has); i >= 0 {
		return fault("%s, which is the site's own, would redirect to %s", o.Own[i], o.Home)
	}
	stays := func(host string) bool { return !redirect.has(host) }
	if i := slices.IndexFunc(others, stays); i >= 0 {
		return fault("%s would not redirect to %s", others[i], o.Home)
	}
	return nil
}

// redirectingHosts are names of other hosts than the site's own at which a wanted redirect has to
// hold. On Vercel they are those that are known, which its rule names; perhaps none. A web server
// redirects every other name: they are samples of such names, and none without own hosts.
func (p *proof) redirectingHosts(o *robotstag.Task) []string {
	if p.target == vercel.host {
		return o.Others
	}
	return otherNames(o.Own)
}
