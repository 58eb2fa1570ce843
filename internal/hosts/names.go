package hosts

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"metarobots/emit/redirects"
	"metarobots/internal/disk"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/source"
	"metarobots/policy"
)

// A Name is the name of a host that the owner's files say may serve the site.
type Name struct {
	Host string
	// Unknown is a part of Host, in capitals, that no file tells: nobody can be asked under such a
	// name.
	Unknown string
	// Off is the setting that switches a partly unknown name off; empty if there is none.
	Off string
	By  policy.Origin
}

// Hint says what an owner can do about a name with an unknown part.
func (n *Name) Hint() string {
	if n.Off == "" {
		return "--also asks that host"
	}
	return "--also asks that host, and " + n.Off + " switches it off"
}

// A naming says how files of one kind name hosts.
type naming struct {
	files []string // from a folder of the site, or patterns as in [path.Match]
	read  func(f *namingFile)
}

// namings are all kinds, each with the form of a host's own name. What a host makes of a name may
// differ, such as a suffix where the name was taken: then another site may answer there.
var namings = []naming{
	// NAME.pages.dev, NAME.ACCOUNT.workers.dev, and the hosts of routes.
	// https://developers.cloudflare.com/workers/wrangler/configuration/
	{[]string{"wrangler.json", "wrangler.jsonc", "wrangler.toml"}, readWrangler},
	// NAME.pages.dev, PROJECT.web.app, cname; LABEL.NUMBER.azurestaticapps.net by the file's own
	// name.
	// https://developers.cloudflare.com/workers/wrangler/commands/, https://github.com/cloudflare/pages-action,
	// https://github.com/peaceiris/actions-gh-pages, https://github.com/FirebaseExtended/action-hosting-deploy
	{[]string{".github/workflows/*.y*ml"}, readWorkflow},
	// NAME.vercel.app. https://vercel.com/docs/projects/project-configuration
	{[]string{".vercel/project.json"}, readVercelProject},
	// SITE.web.app and SITE.firebaseapp.com. https://firebase.google.com/docs/cli/targets
	{[]string{".firebaserc"}, readFirebaseRC},
	{[]string{"firebase.json"}, readFirebase},
	// A domain.
	// https://docs.github.com/pages/configuring-a-custom-domain-for-your-github-pages-site
	{[]string{"CNAME", "static/CNAME", "public/CNAME"}, readCNAME},
	// Hosts that the owner redirects.
	// https://docs.netlify.com/manage/routing/redirects/redirect-options/
	{[]string{"netlify.toml"}, readNetlify},
	{[]string{"_redirects", "static/_redirects", "public/_redirects"}, readRedirects},
	// NAME.onrender.com, and domains. https://render.com/docs/blueprint-spec
	{[]string{"render.yaml"}, readRender},
	// APP.fly.dev. https://fly.io/docs/reference/configuration/
	{[]string{"fly.toml"}, readFly},
}

// Names returns the hosts that the owner's files in some folders name, each once. short is how
// messages name a file. The error has every file that is there and cannot be read.
func Names(root disk.Root, folders []string, short func(file string) string) (names []Name, err error) {
	known := map[string]bool{}
	var unread []error
	for _, kind := range namings {
		for _, file := range filesOf(folders, kind.files) {
			f := &namingFile{name: short(file)}
			err := f.open(root, file)
			if err == nil {
				kind.read(f)
			} else if !errors.Is(err, fs.ErrNotExist) {
				unread = append(unread, err)
			}
			for i := range f.names {
				if name := &f.names[i]; !known[name.Host] {
					known[name.Host] = true
					names = append(names, *name)
				}
			}
		}
	}
	return names, errors.Join(unread...)
}

// filesOf are the files of some names in folders that are there.
func filesOf(folders, names []string) (files []string) {
	for _, folder := range folders {
		for _, name := range names {
			found, _ := filepath.Glob(filepath.Join(folder, filepath.FromSlash(name))) // ours are well-formed
			files = append(files, found...)
		}
	}
	return files
}

// A namingFile is a file that may name hosts, and the names that were read in it.
type namingFile struct {
	name  string // for messages
	text  string
	root  any // the values of a file of TOML, YAML or JSON
	index *source.Index
	names []Name
}

// open reads a file. Its values are read by its ending.
func (f *namingFile) open(root disk.Root, file string) error {
	const most = 1 << 20 // owners write no longer ones
	data, err := root.ReadFile(file, most)
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: at.Op, Path: f.name, Err: at.Err}
	} else if err != nil {
		return err
	}
	f.text = string(data)
	format := strings.TrimPrefix(filepath.Ext(file), ".")
	switch {
	case filepath.Base(file) == ".firebaserc", format == "json", format == "jsonc":
		format, data = "json", source.WithoutComments(data)
	case format == "toml", filepath.Base(file) == "render.yaml":
	default:
		return nil // the text is all that is read
	}
	f.root, f.index, err = source.Data(format, data)
	if at, ok := errors.AsType[*source.SyntaxError](err); ok {
		return fmt.Errorf("%s: %s", policy.Origin{File: f.name, Line: at.Line}.Place(), at.Msg)
	}
	return err
}

var (
	hostLabel = lazyregexp.New(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`)
	wholeHost = lazyregexp.New(`^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$`)
)

// add takes in the name of a host, unless it is none, such as a pattern.
func (f *namingFile) add(host string, line int) {
	host, err := idna.Lookup.ToASCII(strings.ToLower(strings.TrimSpace(host)))
	if err == nil && wholeHost.MatchString(host) {
		f.names = append(f.names, Name{Host: host, By: policy.Origin{File: f.name, Line: line}})
	}
}

// addBelow takes in hosts' own names for a project: the name of that with each ending.
func (f *namingFile) addBelow(project string, line int, endings ...string) {
	project = strings.ToLower(project)
	if hostLabel.MatchString(project) {
		for _, ending := range endings {
			f.add(project+ending, line)
		}
	}
}

// addPartial takes in a name with a part that no file tells.
// off is the setting that switches it off.
func (f *namingFile) addPartial(project, unknown, ending, off string, line int) {
	project = strings.ToLower(project)
	if hostLabel.MatchString(project) {
		f.names = append(f.names, Name{Host: project + "." + unknown + ending, Unknown: unknown, Off: off,
			By: policy.Origin{File: f.name, Line: line}})
	}
}

// value is what a path of keys leads to; nil if there is nothing.
func (f *namingFile) value(path ...string) any {
	value := f.root
	for _, key := range path {
		switch below := value.(type) {
		case map[string]any:
			value = below[key]
		case []any: // whose elements each has counted
			i, err := strconv.ParseUint(key, 10, 31)
			if err != nil || i >= uint64(len(below)) {
				return nil
			}
			value = below[i]
		default:
			return nil
		}
	}
	return value
}

// textAt is a text that a path of keys leads to, and its line; empty if there is none.
func (f *namingFile) textAt(path ...string) (text string, line int) {
	text, _ = f.value(path...).(string)
	return text, f.index.Nearest(path...)
}

// keysAt are the keys of a table, in order.
func (f *namingFile) keysAt(path ...string) []string {
	table, _ := f.value(path...).(map[string]any)
	return slices.Sorted(maps.Keys(table))
}

// each reads the elements of a list, or one value in its place, with the path of keys to it.
func (f *namingFile) each(path []string, read func(value any, at ...string)) {
	var list []any
	switch value := f.value(path...).(type) {
	case []any:
		list = value
	case []map[string]any: // as TOML has tables
		for _, table := range value {
			list = append(list, table)
		}
	case nil:
	default:
		read(value, path...)
	}
	for i, value := range list {
		read(value, append(slices.Clone(path), strconv.Itoa(i))...)
	}
}

// textOf is the text of a key, if a value is a table that has one.
func textOf(value any, key string) string {
	table, _ := value.(map[string]any)
	text, _ := table[key].(string)
	return text
}

// readWrangler reads the project's name and the routes. Each environment of a Worker is a Worker of
// its own.
func readWrangler(f *namingFile) {
	name, line := f.textAt("name")
	folder, _ := f.textAt("pages_build_output_dir")
	isPages := folder != ""
	if isPages {
		f.addBelow(name, line, ".pages.dev")
	} else {
		f.addWorker(name, line)
	}
	f.readRoutes()
	for _, environment := range f.keysAt("env") {
		if !isPages {
			f.readEnvironment(environment)
		}
		f.readRoutes("env", environment)
	}
}

// readEnvironment reads the name that a Worker has in an environment: its own, or the Worker's with
// that of the environment. https://developers.cloudflare.com/workers/wrangler/environments/
func (f *namingFile) readEnvironment(environment string) {
	name, line := f.textAt("env", environment, "name")
	if worker, _ := f.textAt("name"); name == "" && worker != "" {
		name, line = worker+"-"+environment, f.index.Nearest("env", environment)
	}
	f.addWorker(name, line, "env", environment)
}

// addWorker takes in the name of a Worker that serves files, by the settings of a table, or else by
// those of the file.
func (f *namingFile) addWorker(name string, line int, table ...string) {
	setting := func(key string) any {
		if value := f.value(append(slices.Clone(table), key)...); value != nil {
			return value
		}
		return f.value(key)
	}
	_, hasAssets := setting("assets").(map[string]any)
	if hasAssets && setting("workers_dev") != false {
		f.addPartial(name, "ACCOUNT", ".workers.dev", "workers_dev = false", line)
	}
}

// readRoutes reads the routes of a Worker: patterns such as "example.com/*", or custom domains.
func (f *namingFile) readRoutes(table ...string) {
	for _, key := range []string{"route", "routes"} {
		f.each(append(slices.Clone(table), key), func(route any, at ...string) {
			pattern, _ := route.(string)
			f.addRoute(hostIn(cmp.Or(pattern, textOf(route, "pattern"))), f.index.Nearest(at...))
		})
	}
}

// anySubdomain is the part of a name that a route leaves open.
const anySubdomain = "SUBDOMAIN"

// addRoute takes in the host of a route's pattern: "*.example.org" is for all names below
// example.org, and "*example.org" for that too.
// https://developers.cloudflare.com/workers/configuration/routing/routes/#matching-behavior
func (f *namingFile) addRoute(host string, line int) {
	rest, isPattern := strings.CutPrefix(host, "*")
	domain, isBelow := strings.CutPrefix(rest, ".")
	if !isPattern || !isBelow {
		f.add(rest, line)
	}
	if domain, err := idna.Lookup.ToASCII(domain); isPattern && err == nil && wholeHost.MatchString(domain) {
		f.names = append(f.names, Name{Host: anySubdomain + "." + domain, Unknown: anySubdomain,
			By: policy.Origin{File: f.name, Line: line}})
	}
}

// Below is the domain below which a route is for every name; "" for a name that is no such pattern.
func (n *Name) Below() string {
	if n.Unknown != anySubdomain {
		return ""
	}
	return strings.TrimPrefix(n.Host, anySubdomain+".")
}

// hostIn is the host of a URL, whose scheme may be missing.
func hostIn(url string) string {
	if _, rest, hasScheme := strings.Cut(url, "://"); hasScheme {
		url = rest
	}
	host, _, _ := strings.Cut(url, "/")
	return host
}

// argument finds the value of an argument of an action, in a line of its own or within braces:
// "with: {projectName: garden}".
func argument(key, letters string) *lazyregexp.Regexp {
	return lazyregexp.New(`(?:^|[{,])\s*["']?` + key + `["']?:\s*["']?(` + letters + `+)["']?\s*(?:[,}#]|$)`)
}

// workflowNames are the arguments of commands and actions that name a project or a domain, the
// first group, in workflows that hold a text.
var workflowNames = []struct {
	holds   *lazyregexp.Regexp
	value   *lazyregexp.Regexp
	endings []string // none: the value is the whole name
}{
	{lazyregexp.New(`\bpages (?:deploy|publish)\b`), lazyregexp.New(`--project-name[= ]["']?([A-Za-z0-9-]+)["'\s]`),
		[]string{".pages.dev"}},
	{lazyregexp.New(`cloudflare/pages-action@`), argument("projectName", `[A-Za-z0-9-]`), []string{".pages.dev"}},
	{lazyregexp.New(`FirebaseExtended/action-hosting-deploy@`), argument("projectId", `[A-Za-z0-9-]`), firebaseEndings},
	{lazyregexp.New(`peaceiris/actions-gh-pages@`), argument("cname", `[A-Za-z0-9.-]`), nil},
}

// azureWorkflow is the name of the workflow that Azure writes: its end is the first label of the
// site's own host.
var azureWorkflow = lazyregexp.New(`^azure-static-web-apps-([a-z0-9-]+)\.ya?ml$`)

func readWorkflow(f *namingFile) {
	if m := azureWorkflow.FindStringSubmatch(filepath.Base(f.name)); m != nil {
		f.addPartial(m[1], "NUMBER", ".azurestaticapps.net", "", 0)
	}
	for _, kind := range workflowNames {
		if !kind.holds.MatchString(f.text) {
			continue
		}
		number := 0
		for line := range strings.Lines(f.text) {
			number++
			code, _, _ := strings.Cut(line, " #")
			m := kind.value.FindStringSubmatch(strings.TrimRight(code, "\r\n") + "\n")
			switch {
			case m == nil || strings.HasPrefix(strings.TrimSpace(code), "#"):
			case kind.endings == nil:
				f.add(m[1], number)
			default:
				f.addBelow(m[1], number, kind.endings...)
			}
		}
	}
}

func readVercelProject(f *namingFile) {
	name, line := f.textAt("projectName")
	f.addBelow(name, line, ".vercel.app")
}

// firebaseEndings are those of the names of a site: none can be switched off.
var firebaseEndings = []string{".web.app", ".firebaseapp.com"}

// readFirebaseRC reads the project, whose first site has its name, and the sites that are deploy
// targets.
func readFirebaseRC(f *namingFile) {
	name, line := f.textAt("projects", "default")
	f.addBelow(name, line, firebaseEndings...)
	for _, project := range f.keysAt("targets") {
		for _, target := range f.keysAt("targets", project, "hosting") {
			f.each([]string{"targets", project, "hosting", target}, func(site any, at ...string) {
				name, _ := site.(string)
				f.addBelow(name, f.index.Nearest(at...), firebaseEndings...)
			})
		}
	}
}

func readFirebase(f *namingFile) {
	f.each([]string{"hosting"}, func(hosting any, at ...string) {
		f.addBelow(textOf(hosting, "site"), f.index.Nearest(append(at, "site")...), firebaseEndings...)
	})
}

func readCNAME(f *namingFile) {
	first, _, _ := strings.Cut(f.text, "\n")
	f.add(first, 1)
}

// readNetlify reads the hosts that redirects are from.
func readNetlify(f *namingFile) {
	f.each([]string{"redirects"}, func(redirect any, at ...string) {
		f.addRedirected(textOf(redirect, "from"), f.index.Nearest(append(at, "from")...))
	})
}

func readRedirects(f *namingFile) {
	for _, rule := range redirects.Netlify([]byte(f.text), f.name) {
		f.addRedirected(rule.From, rule.Origin.Line)
	}
}

// addRedirected takes in the host of what a redirect is from, if that is a whole URL.
func (f *namingFile) addRedirected(from string, line int) {
	if strings.HasPrefix(from, "https://") || strings.HasPrefix(from, "http://") {
		f.add(hostIn(from), line)
	}
}

// readRender reads the services that are on the web, and their domains.
func readRender(f *namingFile) {
	f.each([]string{"services"}, func(service any, at ...string) {
		if kind := textOf(service, "type"); kind != "web" && kind != "static" {
			return
		}
		f.addBelow(textOf(service, "name"), f.index.Nearest(append(at, "name")...), ".onrender.com")
		f.each(append(slices.Clone(at), "domains"), func(domain any, at ...string) {
			name, _ := domain.(string)
			f.add(name, f.index.Nearest(at...))
		})
	})
}

func readFly(f *namingFile) {
	name, line := f.textAt("app")
	f.addBelow(name, line, ".fly.dev")
}

// OfName returns the host that a name is one of; nil if there is none.
func OfName(name string) *Host {
	if i := slices.IndexFunc(Table, func(h *Host) bool { return h.Serves(name) }); i >= 0 {
		return Table[i]
	}
	return nil
}
