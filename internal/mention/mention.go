// Package mention finds lines that set X-Robots-Tag, or another header that speaks to crawlers, in
// the text files around a site: those that hosts, web servers and code at the edge read. It does
// not say what such a line means. Whoever reads a file says which of its lines count; a line that
// nobody accounts for is a finding, so that no restriction is lost in a file or a form that
// metarobots does not read.
//
// Words of this package: a Reader is a host, a server or code that reads files of some name, such
// as Netlify reading netlify.toml; Lookup finds it by the name of a file. To mention a header is to
// have its name in a line that is no comment. A Walk visits a site's own files by their paths from
// its Folder, with slashes. Ignored files are those that a .gitignore names; its patterns count
// from the root of the repository, and above is the path of Folder from there. ignored are the
// patterns of several .gitignore files, those of the inner folders behind the others: addingPatterns
// adds those of one more, and ignores asks the last that matches a path.
package mention

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/source"
	"metarobots/policy"
)

// A Reader is what reads a file outside of metarobots.
type Reader struct {
	// Names are patterns, as in [path.Match], of the file's path from any folder above it, "**" for
	// any file below a folder.
	Names []string
	// By says who reads the file, for messages.
	By string
	// IsLoose says that most files of these names are about something else, and that none is read
	// from among the published ones: a line counts only with a directive that restricts near it.
	IsLoose bool
	// IsScript says that the file may have written the header file that is read: its lines are there
	// then.
	IsScript bool
	// endings are those of the files below a folder that count; nil for all.
	endings []string
	// comments blanks the comments of its language: every other byte keeps its place.
	comments func([]byte) []byte
}

// Readers are asked in their order: the first that knows a name counts.
var Readers = []*Reader{
	{Names: []string{"_headers"}, By: "Netlify and Cloudflare", comments: withoutHashLines},
	{Names: []string{".htaccess"}, By: "Apache", comments: withoutHashLines},
	{Names: []string{"netlify.toml"}, By: "Netlify", comments: withoutHashComments},
	{Names: []string{"netlify/edge-functions/**", "netlify/functions/**"}, By: "Netlify", comments: withoutSlashComments},
	{Names: []string{"vercel.json", "now.json"}, By: "Vercel", comments: source.WithoutComments},
	{Names: []string{"vercel.toml"}, By: "Vercel", comments: withoutHashComments},
	{Names: []string{"vercel.[cm][jt]s", "vercel.[jt]s"}, By: "Vercel", comments: withoutSlashComments},
	middleware,
	{Names: []string{"firebase.json"}, By: "Firebase Hosting", comments: source.WithoutComments},
	{Names: []string{"customHttp.yml", "customHttp.yaml", "amplify.yml", "amplify.yaml"}, By: "AWS Amplify",
		comments: withoutHashComments},
	{Names: []string{"staticwebapp.config.json", "routes.json"}, By: "Azure Static Web Apps",
		comments: source.WithoutComments},
	{Names: []string{"wrangler.toml"}, By: "Cloudflare", comments: withoutHashComments},
	{Names: []string{"wrangler.json", "wrangler.jsonc"}, By: "Cloudflare", comments: source.WithoutComments},
	{Names: []string{"_worker.js", "_worker.js/**", "functions/**"}, By: "Cloudflare", comments: withoutSlashComments},
	{Names: []string{"render.yaml", "render.yml"}, By: "Render", comments: withoutHashComments},
	{Names: []string{"static.json"}, By: "Heroku", comments: source.WithoutComments},
	{Names: []string{"fly.toml"}, By: "Fly.io", comments: withoutHashComments},
	{Names: []string{"app.yaml", "app.yml"}, By: "App Engine", comments: withoutHashComments},
	{Names: []string{"serve.json"}, By: "serve", comments: source.WithoutComments},
	// IIS reads the name in any case. Builds make the file of one for an environment (Web.Release.config).
	{Names: []string{"web.config", "[Ww]eb.config", "[Ww]eb.*.config"}, By: "IIS", comments: withoutXMLComments},
	{Names: []string{"Caddyfile", "Caddyfile.*", "*.Caddyfile", "*.caddy"}, By: "Caddy", comments: withoutHashComments},
	{Names: []string{"*.conf", "*.conf.*"}, By: "a web server", comments: withoutHashComments},
	{Names: []string{"*.php"}, By: "PHP", comments: withoutSlashComments},
	{Names: []string{"*.vcl"}, By: "Varnish or Fastly", comments: withoutSlashComments},
	// What follows deploys sites, among other things.
	{Names: []string{"Dockerfile", "Dockerfile.*", "*.dockerfile"}, By: "Docker", IsLoose: true,
		comments: withoutHashLines},
	{Names: []string{"*.tf", "*.tf.json", "*.hcl"}, By: "Terraform", IsLoose: true, comments: withoutHashComments},
	{Names: []string{"*.nix"}, By: "Nix", IsLoose: true, comments: withoutHashComments},
	{Names: []string{"*.cfg"}, By: "a proxy", IsLoose: true, comments: withoutHashComments},
	{Names: []string{"*.config.[jt]s", "*.config.[cm][jt]s", "server.[jt]s", "server.[cm][jt]s"},
		By: "code that may serve the site", IsLoose: true, comments: withoutSlashComments},
	{Names: []string{"*.yml", "*.yaml"}, By: "what deploys the site", IsLoose: true, comments: withoutHashComments},
	{Names: []string{"template.json", "*.template.json"}, By: "CloudFormation", IsLoose: true,
		comments: source.WithoutComments},
	{Names: []string{"traefik*.toml"}, By: "Traefik", IsLoose: true, comments: withoutHashComments},
	{Names: []string{"traefik/**"}, By: "Traefik", IsLoose: true, endings: []string{".toml"},
		comments: withoutHashComments},
	{Names: []string{"sws.toml"}, By: "static-web-server", IsLoose: true, comments: withoutHashComments},
	{Names: []string{"htaccess", "_htaccess", "htaccess.*", `.htaccess[._\-]*`},
		By: "Apache, if it is deployed as .htaccess", IsLoose: true, comments: withoutHashLines},
	{Names: []string{"*.nginx", "*.vhost", "*.template", "sites-available/**", "sites-enabled/**"}, By: "a web server",
		IsLoose: true, comments: withoutHashLines},
	{Names: []string{"nginx/**", "apache/**", "apache2/**", "httpd/**", "caddy/**", "conf.d/**"}, By: "a web server",
		IsLoose: true, comments: withoutHashLines,
		endings: []string{"", ".inc", ".include", ".tmpl", ".tpl", ".j2", ".erb", ".sample", ".dist", ".default"}},
	{Names: []string{"*.sh", "*.bash", "Makefile", "justfile"}, By: "what the script writes", IsLoose: true,
		IsScript: true, comments: withoutQuestions},
}

// middleware answers at paths of its own. Next.js calls it proxy since version 16.
// https://vercel.com/docs/routing-middleware
// https://nextjs.org/docs/app/api-reference/file-conventions/proxy
var middleware = &Reader{
	Names: []string{"middleware.[jt]s", "middleware.[cm][jt]s", "proxy.[jt]s", "proxy.[cm][jt]s"},
	By:    "Vercel", comments: withoutSlashComments,
}

// IsMiddleware reports whether a file is middleware, by its name without a folder.
func IsMiddleware(base string) bool { return middleware.reads(base, base) }

// Lookup returns what reads a file, by the file's path with slashes; nil for a file that no host
// reads.
func Lookup(name string) *Reader {
	base := path.Base(name)
	if r := byName[base]; r != nil {
		return r
	}
	ending := path.Ext(base)
	if ending == ".html" || ending == ".md" { // as most files
		return nil
	}
	for _, r := range Readers {
		// A file without an ending has its whole name in the table, or is in a server's folder.
		if mayRead := ending != "" || r.IsLoose; mayRead && r.reads(name, base) {
			return r
		}
	}
	return nil
}

// reads reports whether one of the patterns of a reader is for a file.
func (r *Reader) reads(name, base string) bool {
	return slices.ContainsFunc(patternsOf()[r], func(p pattern) bool {
		return p.matches(name, base) && (r.endings == nil || slices.Contains(r.endings, path.Ext(base)))
	})
}

// A pattern is one of a reader's [Reader.Names], in parts: every published file is asked for, and
// hardly any has the parts.
type pattern struct {
	below          string // "/folder/", for any file below a folder of that name
	prefix, suffix string // what is before the first wildcard, and behind the last
	whole          string // for [path.Match]; "" if its only wildcard is one star
}

// patternsOf are the patterns of all readers.
var patternsOf = sync.OnceValue(func() map[*Reader][]pattern {
	all := map[*Reader][]pattern{}
	for _, r := range Readers {
		for _, name := range r.Names {
			all[r] = append(all[r], newPattern(name))
		}
	}
	return all
})

func newPattern(name string) (p pattern) {
	if folder, isFolder := strings.CutSuffix(name, "/**"); isFolder {
		return pattern{below: "/" + folder + "/"}
	}
	first, last := strings.IndexAny(name, `*?[\`), strings.LastIndexAny(name, "*?]")
	if first < 0 {
		return pattern{prefix: name, whole: name}
	}
	p.prefix, p.suffix = name[:first], name[last+1:]
	if name[first:last+1] != "*" {
		p.whole = name
	}
	return p
}

// matches reports whether a file's path, or its last part, is what the pattern names.
func (p *pattern) matches(name, base string) bool {
	switch {
	case p.below != "":
		return strings.HasPrefix(name, p.below[1:]) || strings.Contains(name, p.below)
	case len(base) < len(p.prefix)+len(p.suffix), !strings.HasPrefix(base, p.prefix), !strings.HasSuffix(base, p.suffix):
		return false
	case p.whole == "":
		return true
	}
	match, _ := path.Match(p.whole, base)
	return match
}

// byName are the readers by the names that hold no pattern.
var byName = func() map[string]*Reader {
	all := map[string]*Reader{}
	for _, r := range Readers {
		for _, name := range r.Names {
			if !strings.ContainsAny(name, "*[/") {
				all[name] = r
			}
		}
	}
	return all
}()

// A Line mentions a header.
type Line struct {
	Number int
	Header string
	Text   string // without comments
	// Path is the text of the nearest line above that begins with a slash, as the paths of a _headers
	// file do; "" for none.
	Path string
}

// Headers are those by which a response speaks to crawlers, X-Robots-Tag first.
// https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/, https://www.w3.org/community/reports/tdmrep/
// https://contentsignals.org/
var Headers = []string{robotstag.Name, "Content-Usage", "tdm-reservation", "Content-Signal"}

// Lines returns the numbers of the lines that mention X-Robots-Tag, in any case of letters.
// Comments do not count, nor does what metarobots wrote between its marks.
func (r *Reader) Lines(text []byte) (lines []int) {
	for _, l := range r.LinesOf(text, robotstag.Name) {
		lines = append(lines, l.Number)
	}
	return lines
}

// LinesOf returns the lines that mention one of some headers, as [Reader.Lines] does.
func (r *Reader) LinesOf(text []byte, headers ...string) (lines []Line) {
	if mentioned(text, headers) == "" {
		return nil
	}
	all := marks.Read(r.comments(text)).Lines
	path := ""
	for i, l := range all {
		if text := strings.TrimSpace(l.Text); strings.HasPrefix(text, "/") {
			path = text
		}
		header := mentioned([]byte(l.Text), headers)
		if header != "" && !isOurs(l.Text, header) && (!r.IsLoose || restrictsNear(all, i, header)) {
			lines = append(lines, Line{l.Number, header, l.Text, path})
		}
	}
	return lines
}

// isOurs reports whether a line sets a header to a variable of metarobots.nginx.conf and to nothing
// else, as that file asks for: what it sends is decided here.
func isOurs(line, header string) bool {
	times := strings.Count(strings.ToLower(line), strings.ToLower(header))
	return len(setsToOurs.FindAllString(line, -1)) == times
}

var setsToOurs = lazyregexp.New(`(?i)\badd_header[ \t]+["']?[a-z-]+["']?[ \t]+["']?\$metarobots\w*["']?[ \t]*(?:always[ \t]*)?;`)

// restrictsNear reports whether a value that restricts is near a header's name: on the line that has
// the name, lines[at], or on the two that follow, as in
//
//   - name: X-Robots-Tag
//     value: noindex
//
// The line before it counts if it is about a value.
func restrictsNear(lines []marks.Line, at int, header string) bool {
	var near strings.Builder
	from := at
	if at > 0 && strings.Contains(strings.ToLower(lines[at-1].Text), "value") {
		from--
	}
	for _, l := range lines[from:min(at+3, len(lines))] {
		near.WriteString(strings.ToLower(l.Text) + "\n")
	}
	around := strings.ReplaceAll(near.String(), strings.ToLower(header), "")
	if header != robotstag.Name {
		return strings.ContainsAny(around, "01ny") // tdm-reservation: 1, train-ai=n
	}
	notOfWord := func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("-_", r) }
	return slices.ContainsFunc(strings.FieldsFunc(around, notOfWord), func(word string) bool {
		d, hasValue, isKnown := policy.Lookup(word)
		return isKnown && (hasValue || d.Restricts())
	})
}

// mentioned is the first of some headers that a text mentions; empty for none.
func mentioned(text []byte, headers []string) string {
	text = bytes.ToLower(text)
	for _, header := range headers {
		if bytes.Contains(text, []byte(strings.ToLower(header))) {
			return header
		}
	}
	return ""
}
