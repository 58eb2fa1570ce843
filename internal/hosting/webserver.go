package hosting

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/redirects"
	"metarobots/internal/address"
	"metarobots/internal/hosts"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/project"
	"metarobots/policy"
)

// reportServedElsewhere reports a line by which a host may serve files at paths that nobody knows.
func (h *Hosting) reportServedElsewhere(at policy.Origin, why string) {
	h.Findings = append(h.Findings, policy.Finding{ID: "served-elsewhere", Severity: policy.Note, File: at.File,
		Line: at.Line, Message: why + ": metarobots does not know these paths, and no header states there what is " +
			"decided for the files (a rule of your own for these paths can)"})
}

// A webServer is a host whose configuration is a program. Of what it says of paths nothing is
// guessed: the first line of a file by which files may be served at other paths is reported.
type webServer struct {
	file string
	// ends are where directives end within a line; nil where each has a line of its own.
	ends *lazyregexp.Regexp
	// reasonOf returns why a directive may serve files elsewhere, by its name and its arguments,
	// one at least; "" if it does not.
	reasonOf func(words []string) (why string)
}

var webServers = map[string]*webServer{
	"apache": {".htaccess", nil, apacheReason},
	"nginx":  {"nginx.conf", lazyregexp.New(`[;{}](?:\s|$)`), nginxReason},
	"caddy":  {"Caddyfile", nil, caddyReason},
}

// readServerFile adds the handlings of a web server, "apache", "nginx" or "caddy", and reports what
// its configuration says of other paths, which is not read as routes.
func (h *Hosting) readServerFile(target string) {
	h.handlings = append(h.handlings, hosts.Lookup(target).Handlings...)
	s, p := webServers[target], h.project
	if target == "apache" {
		for _, host := range p.Hosts.All {
			// Of one that cannot be read, those who read its headers speak.
			data, name, _ := h.readPublished(host.Root + s.file)
			h.reportFirstLine(s, name, data)
		}
		return
	}
	for _, folder := range slices.Compact([]string{p.Source, p.Options.WorkDir}) {
		path := filepath.Join(folder, s.file)
		data, err := p.Read(path, project.MaxConfig)
		if err != nil {
			h.reportUnreadable(p.Short(path), err)
		}
		h.reportFirstLine(s, p.Short(path), data)
	}
}

// reportFirstLine reports the first line of a file by which files may be served at other paths.
func (h *Hosting) reportFirstLine(s *webServer, name string, data []byte) {
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		if why := s.reasonIn(line); why != "" {
			h.reportServedElsewhere(policy.Origin{File: name, Line: number}, why)
			return
		}
	}
}

// reasonIn returns why a line may serve files elsewhere: the reason of the first of its directives
// that has one; "" if none has, and for a comment.
func (s *webServer) reasonIn(line string) (why string) {
	if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
		return ""
	}
	directives := []string{line}
	if s.ends != nil {
		directives = s.ends.Split(line, -1)
	}
	for _, directive := range directives {
		if words := strings.Fields(directive); len(words) > 1 && why == "" {
			why = s.reasonOf(words)
		}
	}
	return why
}

// Why files may be served at other paths; %s is the directive.
const (
	byRule  = "%s may serve files at other paths than their own"
	byIndex = "%s may serve other files than index.html at the path of a folder"
)

// apacheReason returns why a directive of .htaccess may serve files at other paths than their own,
// as a sentence for [Hosting.reportServedElsewhere]; "" if it does not. words are the directive's
// name and its arguments, one at least. .htaccess compares names of directives in any case of
// letters.
// https://httpd.apache.org/docs/2.4/mod/quickreference.html
func apacheReason(words []string) string {
	name, args := words[0], words[1:]
	servesElsewhere, why := false, fmt.Sprintf(byRule, name)
	switch strings.ToLower(name) {
	case "options": // +MultiViews serves p.html at /p, -MultiViews does not
		isOn := func(w string) bool { return strings.EqualFold(strings.Trim(w, "+"), "MultiViews") }
		servesElsewhere, why = slices.ContainsFunc(args, isOn), fmt.Sprintf(byRule, "MultiViews")
	case "directoryindex": // names of index files
		servesElsewhere, why = !areIndexHTML(args), fmt.Sprintf(byIndex, name)
	case "fallbackresource": // a file for all paths where nothing is, or the word that turns it off
		servesElsewhere = !strings.EqualFold(args[0], "disabled")
	case "acceptpathinfo": // On serves p.html at /p.html/anything
		servesElsewhere = strings.EqualFold(args[0], "On")
	case "rewriterule":
		servesElsewhere = apacheRewrites(args)
	}
	if !servesElsewhere {
		return ""
	}
	return why
}

// apacheRewrites reports whether a RewriteRule with these arguments, PATTERN SUBSTITUTION [FLAGS],
// may serve a file at another path: not without a substitution, with one that is "-" and so changes
// nothing, or with a URL, and not if its flags redirect, refuse or ask another server.
func apacheRewrites(args []string) bool {
	if len(args) < 2 {
		return false
	}
	substitution, flags := args[1], strings.Join(args[2:], "") // flags may have blanks between them
	return substitution != "-" && !isURL.MatchString(substitution) && !servesNoFile.MatchString(flags)
}

// servesNoFile are the flags of a RewriteRule that redirects, refuses or asks another server.
var servesNoFile = lazyregexp.New(`(?i)[\[,](?:R|redirect|F|forbidden|G|gone|P|proxy)[=,\]]`)

var isURL = lazyregexp.New(`^"?(?:https?:)?//`)

// areIndexHTML reports whether the names of index files make no other file than index.html the page
// of a folder. Apache's word "disabled" is no file.
func areIndexHTML(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return name != "index.html" && name != "disabled" })
}

// nginxReason returns why a directive of nginx's configuration may serve files at other paths than
// their own, as a sentence for [Hosting.reportServedElsewhere]; "" if it does not. words are the
// directive's name and its arguments, one at least.
// https://nginx.org/en/docs/http/ngx_http_core_module.html#try_files
func nginxReason(words []string) string {
	name, args := words[0], words[1:]
	servesElsewhere, why := false, fmt.Sprintf(byRule, name)
	switch name {
	case "try_files": // $uri is the file of the path, =404 a status: any other word is elsewhere
		isElsewhere := func(w string) bool { return w != "$uri" && w != "$uri/" && w[0] != '=' }
		servesElsewhere = slices.ContainsFunc(args, isElsewhere)
	case "rewrite":
		servesElsewhere = nginxRewrites(args)
	case "alias": // a folder, for the paths of its location
		servesElsewhere = true
	case "error_page": // with =200, or = for its own status, a page is served at missing paths
		servesElsewhere = slices.Contains(args, "=200") || slices.Contains(args, "=")
	case "index": // names of index files
		servesElsewhere, why = !areIndexHTML(args), fmt.Sprintf(byIndex, name)
	}
	if !servesElsewhere {
		return ""
	}
	return why
}

// nginxRewrites reports whether a rewrite with these arguments, EXPRESSION REPLACEMENT [FLAG], may
// serve a file at another path: not without a replacement, and not if it redirects, by its flag or
// because the replacement is a URL, which may begin with the variable $scheme.
// https://nginx.org/en/docs/http/ngx_http_rewrite_module.html#rewrite
func nginxRewrites(args []string) bool {
	if len(args) < 2 {
		return false
	}
	replacement, last := args[1], args[len(args)-1]
	redirectsByFlag := last == "redirect" || last == "permanent"
	return !redirectsByFlag && !isURL.MatchString(replacement) && replacement[0] != '$'
}

// caddyReason returns why a directive of a Caddyfile may serve files at other paths than their own,
// as [apacheReason] does. try_files {path} {path}.html is one of Caddy's handlings, and no reason.
// https://caddyserver.com/docs/caddyfile/directives
func caddyReason(words []string) string {
	name, args := words[0], words[1:]
	servesElsewhere, why := false, fmt.Sprintf(byRule, name)
	switch name {
	case "try_files": // a word that is none of these, and no status such as =404, is elsewhere
		known := []string{"{path}", "{path}/", "{path}.html", "{path}/index.html"}
		isElsewhere := func(w string) bool { return !slices.Contains(known, w) && w[0] != '=' }
		servesElsewhere = slices.ContainsFunc(args, isElsewhere)
	case "rewrite", "uri", "handle_path":
		servesElsewhere = true
	case "index":
		servesElsewhere, why = !areIndexHTML(args), fmt.Sprintf(byIndex, name)
	}
	if !servesElsewhere {
		return ""
	}
	return why
}

// readHeaderless adds the handlings of the hosts that send no headers of a site's own: those that
// files of the site point to, or all if none does. On GitLab Pages, which may then be among them,
// it adds the routes of _redirects too: the other hosts do not read that file.
func (h *Hosting) readHeaderless() {
	signs := hosts.InFolders(h.project.Folders()...)
	var pointedTo, all []*address.Handling
	for _, host := range hosts.Table {
		if host.Target != headers.TargetNone {
			continue
		}
		all = append(all, host.Handlings...)
		isOfHost := func(s hosts.Seen) bool { return s.Host == host }
		if slices.ContainsFunc(signs, isOfHost) {
			pointedTo = append(pointedTo, host.Handlings...)
		}
	}
	possible := pointedTo
	if len(possible) == 0 {
		possible = all
	}
	h.handlings = append(h.handlings, possible...)
	if !slices.Contains(possible, address.GitLabPages) {
		return
	}
	h.readRedirects(func(data []byte, name string) []*address.Route {
		routes := h.netlifyRoutes(redirects.Netlify(data, name))
		for _, r := range routes { // https://docs.gitlab.com/user/project/pages/redirects/
			r.Host, r.Handling, r.BeforeFiles = headers.TargetNone, address.GitLabPages, false
		}
		return routes
	})
}
