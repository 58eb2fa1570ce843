// Package hosts is the one table of hosts: in which file each reads headers, what shows that a site
// is there, and what its build says of the environment. How a file of its own is written and read
// is in emit/servers, for _headers in emit/headers.
//
//	hosts    the Table, and how the file of a host is compiled, verified and read
//	signs    which host a site is for, by files, variables and names
//
// # Words of this package
//
//   - A target is what robots.headers.targets calls a host, or several (portable); "none" is any
//     that sends no headers of a site's own.
//   - Ours are the rules that we write into the file of a host, which may be its owner's file with other rules.
//   - A sign shows that a site is for a host: a file in its folder or, where the host builds it, a
//     variable. A weak one is not enough for a new policy.
//   - A host builds a site if it runs the command that publishes it, and sets variables for it.
package hosts

import (
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/emit/servers"
	"metarobots/internal/address"
	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// HeadersFile is what Netlify and Cloudflare read:
// https://docs.netlify.com/manage/routing/headers/,
// https://developers.cloudflare.com/pages/configuration/headers/.
const HeadersFile = "_headers"

// A Host serves sites.
type Host struct {
	// Name is for messages, and Target what robots.headers.targets calls it: [headers.TargetNone]
	// for a host that sends no headers of a site's own.
	Name, Target string

	// File is the name of the file in which it reads headers, empty without one. Format is that of
	// a file that only this host reads.
	File   string
	Format *servers.Format
	// Configs are other files in which its owner may configure it, and beside which it takes no
	// File.
	Configs []Config
	// InProject says that the file belongs into the project's root, not into what is published.
	InProject bool
	// Committed says that the host reads the file of the repository, before anything is built: what
	// a preview wrote there would go into production with the next commit.
	Committed bool
	// Handlings are how it serves files, in each of the ways that are open if the owner's files set
	// nothing.
	Handlings []*address.Handling
	// Nested says that files of this name in published folders count for those, and go before that
	// of the root.
	Nested bool
	// Below says that a site may be served below a path of its host.
	Below bool
	// Step is what the owner has to do with the file, in a few words behind "which"; empty for
	// nothing.
	Step string

	// Others says whether rules of its File can be for other names than the site's own.
	Others Others

	// Domains are what the names of its hosts end with.
	Domains []string
	// Signs are files that show that a site is there.
	Signs []Sign
	// Build is what it tells the command that builds a site; zero for a host that builds none.
	Build Build
}

// A Build is what a host tells the command that builds a site, by environment variables.
type Build struct {
	// Variables are set whenever it builds a site.
	Variables []string
	// Context is the variable that names the environment; zero for none.
	Context Context
	// Branches are variables: one of them names the branch that is built.
	Branches []string
	// Label is the variable with the first label of the name that the host itself gives the site,
	// below the first of [Host.Domains]; empty for none.
	Label string
}

// A Context is the name of a variable. Its value decides if the variable If is "true", or if there
// is no If.
type Context struct{ Name, If string }

// Others says whether a host's rules can be for other names than the site's own, at which it serves
// the site too (N11).
type Others struct {
	ByHost bool // a rule can be for one name
	// If they cannot, Stays says which names stay open and why, and Instead what keeps them out of
	// the index, the best way first. HOST is the site's own host.
	Stays, Instead string
	// StaysBeside and InsteadBeside say the same if a redirect sends the host's usual name home.
	StaysBeside, InsteadBeside string
	// Redirects says which other names a file of the host can send home.
	Redirects Redirects
	// NotRedirected and RedirectInstead say why it can send none, and what does, if a rule can be
	// for one name all the same.
	NotRedirected, RedirectInstead string
}

// Redirects says which names, other than the site's own, a file of a host can redirect.
type Redirects int

const (
	RedirectsNone  Redirects = iota
	RedirectsNamed           // those that are known
	RedirectsAll             // whatever the name is
)

// A Config is a file in which the owner configures a host, in place of the one that we write.
type Config struct {
	Name string
	// Format is how it is read; nil if it is a program.
	Format *servers.Format
	// Stops says what the host does with two, and Fix what its owner can do.
	Stops, Fix string
}

// vercelConfigs are other configurations of Vercel, which stops with conflicting_config_files if it
// finds two.
// https://vercel.com/docs/project-configuration
// https://github.com/vercel/vercel packages/cli/src/util/compile-vercel-config.ts
func vercelConfigs() (all []Config) {
	const stops = "Vercel stops (conflicting_config_files) where another configuration is beside this one"
	for _, ending := range []string{"ts", "mts", "cts", "js", "mjs", "cjs"} {
		all = append(all, Config{Name: "vercel." + ending, Stops: stops,
			Fix: "move what it states to vercel.json, or state the headers in it and set robots.headers.targets = [\"none\"]"})
	}
	return append(all,
		Config{Name: "vercel.toml", Format: servers.VercelTOML, Stops: stops, Fix: "move what it states to vercel.json"},
		Config{Name: "now.json", Format: servers.Vercel, Stops: "Vercel stops where it finds a file of this name",
			Fix: "rename it to vercel.json"})
}

// weakSigns are the configurations as signs by which a new policy does not go.
func weakSigns(configs []Config) (signs []Sign) {
	for _, c := range configs {
		signs = append(signs, Sign{Name: c.Name, Weak: true})
	}
	return signs
}

// A Sign is a file that shows which host serves a site.
type Sign struct {
	// Name is the file's, from a folder of the site, or a pattern as in [path.Match].
	Name string
	// Tells reports whether its contents, without carriage returns, are about a site of pages; nil
	// if the name is enough.
	Tells func(data []byte) bool
	// Auto says that target "auto" goes by it, and Weak that a new policy does not.
	Auto, Weak bool
}

// Table are the hosts, in the order in which their targets are listed: hosts with the same target
// are neighbours. portable means several hosts, and none means any.
var Table = []*Host{
	{Target: headers.TargetPortable, File: HeadersFile,
		Others: Others{Stays: "one file for Netlify and Cloudflare has no rules for hosts, because Netlify would take them " +
			"for rules for every host",
			Instead: `name your host: targets = ["cloudflare"], which has such rules, or targets = ["netlify"]`},
		Handlings: []*address.Handling{address.CloudflarePages, address.Workers(""), address.Netlify}},
	{Name: "Netlify", Target: headers.TargetNetlify, File: HeadersFile, Domains: []string{".netlify.app"},
		// https://docs.netlify.com/manage/routing/redirects/redirect-options/#domain-level-redirects
		Others: Others{Stays: "Netlify's headers know no host, so NAME.netlify.app, BRANCH--NAME.netlify.app, permalinks " +
			"and other domains stay open",
			Instead: `send the first home by a line of _redirects, "https://NAME.netlify.app/* https://HOST/:splat 301!", ` +
				`which [robots.hosts] others = "redirect" writes; ` +
				"have each page name its address at HOST as canonical; builds of branches are noindex by their environment " +
				"(CONTEXT)",
			StaysBeside: "Netlify's headers know no host, so permalinks of deployments and other domains stay open",
			InsteadBeside: "builds of branches are noindex by their environment (CONTEXT); have each page name its address " +
				"at HOST as canonical", Redirects: RedirectsNamed},
		Handlings: []*address.Handling{address.Netlify},
		// https://docs.netlify.com/build/configure-builds/file-based-configuration/
		Signs: []Sign{{Name: "netlify.toml"}},
		// https://docs.netlify.com/configure-builds/environment-variables/
		Build: Build{Variables: []string{"NETLIFY"}, Context: Context{"CONTEXT", "NETLIFY"}, Label: "SITE_NAME"}},
	{Name: "Cloudflare", Target: headers.TargetCloudflare, File: HeadersFile,
		// https://developers.cloudflare.com/pages/configuration/redirects/
		Others: Others{ByHost: true, NotRedirected: "Cloudflare's _redirects know no domains, so other names are noindex " +
			"and do not redirect", RedirectInstead: "a Bulk Redirect of your account sends each to https://HOST"},
		Domains:   []string{".pages.dev", ".workers.dev"},
		Handlings: []*address.Handling{address.CloudflarePages, address.Workers("")},
		// https://developers.cloudflare.com/workers/wrangler/configuration/
		Signs: []Sign{{Name: "wrangler.toml", Auto: true}, {Name: "wrangler.json", Auto: true},
			{Name: "wrangler.jsonc", Auto: true}, {Name: "_routes.json"}},
		// https://developers.cloudflare.com/pages/configuration/build-configuration/
		Build: Build{Variables: []string{"CF_PAGES", "WORKERS_CI"},
			Branches: []string{"CF_PAGES_BRANCH", "WORKERS_CI_BRANCH"}}},
	{Name: "Apache", Target: "apache", File: ".htaccess", Format: servers.Apache, Nested: true, Below: true,
		Others:    Others{ByHost: true, Redirects: RedirectsAll},
		Handlings: []*address.Handling{address.Apache}, Signs: []Sign{{Name: ".htaccess"}}},
	{Name: "nginx", Target: "nginx", File: "metarobots.nginx.conf", Format: servers.Nginx, InProject: true, Below: true,
		Others:    Others{ByHost: true, Redirects: RedirectsAll},
		Step:      "your configuration must include (docs/hosts.md)",
		Handlings: []*address.Handling{address.Nginx}, Signs: []Sign{{Name: "nginx.conf"}}},
	{Name: "Caddy", Target: "caddy", File: "metarobots.caddy", Format: servers.Caddy, InProject: true, Below: true,
		Others:    Others{ByHost: true, Redirects: RedirectsAll},
		Step:      "your configuration must import (docs/hosts.md)",
		Handlings: []*address.Handling{address.Caddy, address.CaddyTries}, Signs: []Sign{{Name: "Caddyfile"}}},
	{Name: "Vercel", Target: "vercel", File: "vercel.json", Format: servers.Vercel, InProject: true, Committed: true,
		Others: Others{ByHost: true, Redirects: RedirectsNamed},
		Step:   "you commit", Domains: []string{".vercel.app"},
		Handlings: []*address.Handling{address.Vercel(false, address.SlashUnset)},
		// https://vercel.com/docs/project-configuration
		Configs: vercelConfigs(), Signs: append([]Sign{{Name: "vercel.json"}}, weakSigns(vercelConfigs())...),
		// https://vercel.com/docs/environment-variables/system-environment-variables
		Build: Build{Variables: []string{"VERCEL"}, Context: Context{Name: "VERCEL_ENV"}}},
	{Name: "Firebase Hosting", Target: "firebase", File: "firebase.json", Format: servers.Firebase, InProject: true,
		// https://firebase.google.com/docs/hosting/test-preview-deploy
		Others: Others{Stays: "Firebase's headers know no host, and neither SITE.web.app nor SITE.firebaseapp.com can be " +
			"switched off",
			Instead: "have each page name its address at HOST as canonical, and files by a Link header; no redirect and no " +
				"noindex of Firebase's is for one host alone"},
		Domains:   []string{".web.app", ".firebaseapp.com"},
		Handlings: []*address.Handling{address.Firebase(false, address.SlashUnset)},
		// https://firebase.google.com/docs/hosting/full-config
		Signs: []Sign{{Name: "firebase.json", Tells: hosting}}},
	{Name: "AWS Amplify", Target: "amplify", File: "customHttp.yml", Format: servers.Amplify, InProject: true,
		// https://github.com/aws-amplify/amplify-hosting/issues/3741, issues/3864
		Others: Others{Stays: "Amplify's headers know no host, so BRANCH.APPID.amplifyapp.com stays open",
			Instead: "send it home by a redirect in Amplify's console, from https://BRANCH.APPID.amplifyapp.com to " +
				"https://HOST; have each page name its address at HOST as canonical"},
		Committed: true, Step: "you commit", Domains: []string{".amplifyapp.com"},
		Handlings: []*address.Handling{address.Amplify},
		// https://docs.aws.amazon.com/amplify/latest/userguide/build-settings.html,
		// https://docs.aws.amazon.com/amplify/latest/userguide/custom-headers.html
		Signs: []Sign{{Name: "amplify.yml"}, {Name: "customHttp.yml"}}},
	{Name: "Azure Static Web Apps", Target: "azure", File: "staticwebapp.config.json", Format: servers.Azure,
		// https://learn.microsoft.com/azure/static-web-apps/custom-domain
		Others: Others{Stays: "Azure's routes know no host, so NAME.azurestaticapps.net and previews stay open",
			Instead: "make HOST the default domain in Azure's portal, if it redirects there; have each page name its address " +
				"at HOST as canonical"},
		Domains: []string{".azurestaticapps.net"}, Handlings: []*address.Handling{address.Azure},
		// https://learn.microsoft.com/azure/static-web-apps/configuration
		Signs: []Sign{{Name: "staticwebapp.config.json"}}},
	{Name: "GitHub Pages", Target: headers.TargetNone,
		Others: Others{Stays: "a host without headers serves the same at each of its names",
			Instead: "have it redirect its other names to HOST, as a custom or primary domain may; have each page name its " +
				"address at HOST as canonical"},
		Domains:   []string{".github.io"},
		Handlings: []*address.Handling{address.GitHubPages},
		// https://github.com/actions/deploy-pages, https://github.com/peaceiris/actions-gh-pages
		Signs: []Sign{{Name: "CNAME", Weak: true}, {Name: ".github/workflows/*.y*ml", Tells: lazyregexp.New(
			`(?m)^[\s-]*uses:\s*["']?(?:actions/deploy-pages|peaceiris/actions-gh-pages|` +
				`JamesIves/github-pages-deploy-action)@`).Match}}},
	{Name: "GitLab Pages", Target: headers.TargetNone, Domains: []string{".gitlab.io"},
		Handlings: []*address.Handling{address.GitLabPages},
		// https://docs.gitlab.com/user/project/pages/
		Signs: []Sign{{Name: ".gitlab-ci.yml", Tells: lazyregexp.New(`(?m)^pages:`).Match}}},
}

// OwnName is the name that a host itself gives the site, by the variables of its build; "" if it
// does not say.
func (h *Host) OwnName(getenv func(string) string) string {
	isBuilding := func(name string) bool { return getenv(name) != "" }
	if h.Build.Label == "" || !slices.ContainsFunc(h.Build.Variables, isBuilding) || getenv(h.Build.Label) == "" {
		return ""
	}
	return getenv(h.Build.Label) + h.Domains[0]
}

// Targets are what robots.headers.targets may name: auto, and the targets of the table, each once.
func Targets() []string {
	names := []string{"auto"}
	for _, h := range Table {
		names = append(names, h.Target)
	}
	return slices.Compact(names)
}

// Lookup returns the host of a target, the first of several; for an unknown target, a host without
// a file.
func Lookup(target string) *Host {
	if i := slices.IndexFunc(Table, func(h *Host) bool { return h.Target == target }); i >= 0 {
		return Table[i]
	}
	return &Host{Target: target}
}

// Serves reports whether a host name is one that the host gives to sites.
func (h *Host) Serves(name string) bool {
	return slices.ContainsFunc(h.Domains, func(domain string) bool { return strings.HasSuffix(name, domain) })
}

// Compile adds rules of ours to the owner's file for a target, which is the user's. If it has no
// room for all, those that deny go first.
func Compile(user []byte, demands []robotstag.Demand, o robotstag.Task) (robotstag.Result, error) {
	h := Lookup(o.Target)
	if h.Format != nil && !h.Below { // rules are for paths from its root
		o.Base = ""
	}
	return robotstag.DenyFirst(demands, func(demands []robotstag.Demand) (robotstag.Result, error) {
		if h.Format == nil {
			return headers.Compile(user, demands, o)
		}
		return h.Format.In(o.Folder).Compile(user, demands, o)
	})
}

// Verify proves what [Compile] returns, by a model of the target that reads the finished file (N3).
func Verify(res robotstag.Result, demands []robotstag.Demand, o robotstag.Task) []policy.Finding {
	h := Lookup(o.Target)
	if h.Format == nil {
		return headers.Verify(res, demands, o)
	}
	if !h.Below {
		o.Base = ""
	}
	return h.Format.In(o.Folder).Verify(res, demands, o)
}

// Owners are the rules of an owner's about one header.
type Owners struct {
	// Sent returns what they send for a published file: an answer for each of its request paths and
	// each way in which a host of the target may send it, some of them empty. The source is as in
	// [robotstag.Want].
	Sent func(path, source string) []robotstag.Sent
	// Counted is what of Sent is not lost to crawlers. Of X-Robots-Tag that is all of it: what is
	// stated for a path at which the file would be served by another setting of its host is decided,
	// and our rules say it where the file is served now. Nobody says another header again.
	Counted func(path, source string) []robotstag.Sent
	// Served is what of Sent crawlers read without our rules.
	Served func(path, source string) []robotstag.Sent
	// Rules are the values of all rules that are read, as they are written.
	Rules func() []robotstag.OwnRule
	// Strays are the values at the request paths that a host of the target redirects to a published
	// file, and at those from which the owner redirects elsewhere, and which would be the file's
	// otherwise. A crawler goes on and judges what is served.
	Strays func(path string) []robotstag.Stray
	// Unserved are the values of rules for a single request path at which only other hosts would
	// serve a file: a crawler finds nothing of the file there.
	Unserved func() []robotstag.Stray
	// Accounts reports whether a line of the file that names the header counts, or has a finding.
	Accounts func(line int) bool
}

// ReadUser reads the owner's own rules for a header in the file for a target.
func ReadUser(file []byte, header robotstag.Header, o robotstag.Task) (Owners, error) {
	h := Lookup(o.Target)
	if h.Format == nil {
		u, err := headers.ReadUser(file, header, o)
		return Owners{Sent: u.Sent, Counted: u.Sent, Served: u.Sent, Rules: u.Rules,
			Strays: u.Strays, Unserved: u.Unserved, Accounts: readWhole}, err
	}
	u, err := h.Format.In(o.Folder).ReadUser(file, header.Name)
	if err != nil {
		return Owners{}, err
	}
	if o.Addresses != nil {
		u.Serve(o.Addresses.On(h.Target))
	}
	return OwnersOf(u, header), nil
}

// OwnersOf are the rules for a header in a file that has a form of its own.
func OwnersOf(u *servers.User, header robotstag.Header) Owners {
	counted, served := u.Sent, u.AsServed().Sent
	if !header.Is(robotstag.Name) {
		counted = served
	}
	return Owners{Sent: u.Sent, Counted: counted, Served: served, Rules: u.Rules,
		Strays: u.Strays, Unserved: u.Unserved, Accounts: u.Accounts}
}

// readWhole is [Owners.Accounts] of a _headers file: the model of its reader accounts for every
// line.
func readWhole(int) bool { return true }
