package pages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A site of Eleventy in txtar, whose published files are those of the section "published", is described: what is behind
// every page, then what is found.
func eleventyOf(t *testing.T, text string) string {
	t.Helper()
	x := &fixture{name: "eleventy", root: t.TempDir()}
	for _, f := range txtar.Parse([]byte(text)).Files {
		if f.Name == "published" {
			x.published = strings.Fields(string(f.Data))
			continue
		}
		write(t, x.root, f.Name, string(f.Data))
	}
	if !exists(x.root, eleventy.configs...) {
		write(t, x.root, "eleventy.config.js", "export default function (c) {}")
	}
	m, err := x.open(t, x.published)
	var all []string
	if err != nil {
		all = strings.Split(err.Error(), "\n")
	}
	for _, name := range m.published.html {
		all = append(all, describe(m.File(name)))
	}
	var findings []string
	for _, f := range m.Findings() {
		line := brief(f)
		if f.ID == "config-computed" {
			line += ": " + strings.SplitAfter(f.Message, "computed")[0]
		}
		findings = append(findings, line)
	}
	slices.Sort(findings)
	return strings.Join(append(all, findings...), "\n")
}

// A siteCase is a site and its description.
type siteCase struct{ name, files, want string }

func eleventyCases(t *testing.T, cases []siteCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, want := eleventyOf(t, c.files), strings.TrimSpace(c.want); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Of the program in a data file that is read which it exports, whatever stands around it; what cannot be followed is
// said. https://www.11ty.dev/docs/data-js/
func TestEleventy_DataFilesThatArePrograms(t *testing.T) {
	const page = "\n-- d/p.md --\n---\ntitle: P\n---\n-- published --\nd/p/index.html\n"
	const noindex = "d/p/index.html < d/p.md: noindex (d/d.11tydata.js:2)"
	const nothing = "d/p/index.html < d/p.md\n"
	eleventyCases(t, []siteCase{
		{"a constant before it", "-- d/d.11tydata.js --\nconst title = \"T\";\nexport default { title, layout: " +
			"\"x\", robots: \"noindex\" };" + page, noindex},
		{"a function that returns it", "-- d/d.11tydata.js --\nconst layout = \"x\";\nexport default function () { " +
			"return { layout, robots: \"noindex\" }; }" + page, noindex +
			"\nwarning config-computed d/d.11tydata.js: layout is computed"},
		{"an arrow", "-- d/d.11tydata.js --\n\nmodule.exports = async () => ({ robots: 'noindex' })" + page, noindex},
		{"an arrow with a body", "-- d/d.11tydata.js --\nexport default (config) => {\n  return { noindex: true }\n}" +
			page, noindex},
		{"a constant that is exported", "-- d/d.11tydata.js --\nconst data = {\n  robots: \"noindex\" " +
			"}\nmodule.exports = data;" + page, noindex},
		{"named exports", "-- d/d.11tydata.js --\nexport const layout = \"x\"\nexport const robots = \"noindex\"" +
			page, noindex},
		{"named in CommonJS", "-- d/d.11tydata.js --\nexports.layout = \"x\";\nexports.robots = \"noindex\";" + page,
			"d/p/index.html < d/p.md: noindex (d/d.11tydata.js:2)"},
		{"a constant as a value", "-- d/d.11tydata.js --\nconst layout = \"x\"\nconst robots = \"noindex\"\nexport " +
			"default { layout, robots }" + page, nothing +
			"warning config-computed d/d.11tydata.js: layout, robots are computed"},
		{"what it takes over from a constant", "-- d/d.11tydata.js --\nconst shared = {\n robots: \"noindex\" " +
			"}\nexport default { ...shared, title: \"T\" }" + page, noindex +
			"\nwarning config-computed d/d.11tydata.js: ...shared is computed"},
		{"a map of directives",
			"-- d/d.11tydata.js --\nexport default {\n robots: { index: false, 'max-snippet': 5 } }" + page,
			"d/p/index.html < d/p.md: noindex (d/d.11tydata.js:2), max-snippet:5 (d/d.11tydata.js:2)"},
		{"under seo", "-- d/d.11tydata.js --\nexport default {\n seo: { noindex: true, title: x() } }" + page, noindex},
		{"what is said under another key is that key's", "-- d/d.11tydata.js --\nexport default { menu: { robots: " +
			"\"noindex\" }, layout: \"x\" }" + page, nothing[:len(nothing)-1]},
		{"any crawler", "-- d/d.11tydata.js --\nexport default {\n \"otherbot\": \"noindex\" }" + page,
			"d/p/index.html < d/p.md: otherbot: noindex (d/d.11tydata.js:2)"},

		{"a constant that nothing exports", "-- d/d.11tydata.js --\nconst robots = \"noindex\"\nexport default { " +
			"layout: \"x\" }" + page, nothing + "warning config-computed d/d.11tydata.js: robots is computed"},
		{"one that is changed", "-- d/d.11tydata.js --\nlet robots = \"noindex\"\nif (x) robots = \"\"\nexport " +
			"default { robots }" + page, nothing + "warning config-computed d/d.11tydata.js: robots is computed"},
		{"put in later", "-- d/d.11tydata.js --\nconst data = {}\ndata.robots = \"noindex\"\nexport default data" +
			page, noindex},
		{"put in by a name in brackets", "-- d/d.11tydata.js --\nconst data = {}\ndata['robots'] = " +
			"\"noindex\"\nexport default data" + page, noindex},
		{"spread from elsewhere", "-- d/d.11tydata.js --\nimport shared from './x.js'\nexport default { ...shared, " +
			"title: \"T\" }" + page, nothing + "warning config-computed d/d.11tydata.js: ...shared is computed"},
		{"exported from elsewhere", "-- d/d.11tydata.js --\nmodule.exports = require('../x.js')" + page, nothing +
			"warning config-computed d/d.11tydata.js: what it exports is computed"},
		{"one of two", "-- d/d.11tydata.js --\nexport default function () { if (x) { return {} } return { robots: " +
			"\"noindex\" } }" + page, nothing + "warning config-computed d/d.11tydata.js: robots is computed"},
		{"a key that is computed", "-- d/d.11tydata.js --\nexport default { [k]: \"noindex\" }" + page, nothing +
			"warning config-computed d/d.11tydata.js: [k] is computed"},
		{"a method", "-- d/d.11tydata.js --\nexport default { get robots() { return \"noindex\" } }" + page, nothing +
			"warning config-computed d/d.11tydata.js: robots is computed"},
		{"in a list of its own", "-- d/d.11tydata.js --\nexport default { robots: [\"noindex\", ...more] }" + page,
			nothing + "warning config-computed d/d.11tydata.js: robots is computed"},
		{"a part of it", "-- d/d.11tydata.js --\nexport default {\n robots: { index: false, googlebot: x() } }" + page,
			noindex + "\nwarning config-computed d/d.11tydata.js: robots.googlebot is computed"},
		{"what says nothing of robots", "-- d/d.11tydata.js --\nexport default { items: load(), title: x(), " +
			"eleventyComputed: { url: (d) => d.x } }" + page, nothing[:len(nothing)-1]},
		{"by another base name", "-- eleventy.config.js --\nc.setDataFileBaseName('index')\n-- d/index.11tydata.js " +
			"--\n\nmodule.exports = { robots: 'noindex' }" + page, nothing +
			"warning config-computed eleventy.config.js: setDataFileBaseName is computed"},
		{"by another suffix", "-- eleventy.config.js --\nc.setDataFileSuffixes(all)" + page, nothing +
			"warning config-computed eleventy.config.js: setDataFileSuffixes is computed"},
		{"an empty one", "-- d/d.11tydata.js --\n// nothing yet\n" + page, nothing[:len(nothing)-1]},
	})
}

// A template may be a program, whose data stands in data: exported, or of the object or class that it exports.
// https://www.11ty.dev/docs/languages/javascript/
func TestEleventy_TemplatesThatArePrograms(t *testing.T) {
	const published = "\n-- published --\na/index.html\n"
	const noindex = "a/index.html < a.11ty.js: noindex (a.11ty.js:2)"
	eleventyCases(t, []siteCase{
		{"exported", "-- a.11ty.js --\nexport const data = { title: \"S\",\n robots: \"noindex\" };\nexport default " +
			"(d) => `<p>${d.robots}`" + published, noindex},
		{"a function that is exported", "-- a.11ty.js --\nexport function data() {\n return { robots: \"noindex\" } " +
			"}\nexport function render({ robots }) { return JSON.stringify({ robots: robots }) }" + published,
			noindex + "\nwarning config-computed a.11ty.js: robots is computed"}, // which of both, it is not known
		{"of an object", "-- a.11ty.js --\nmodule.exports = { data: {\n noindex: true }, render(d) { return '' } }" +
			published, noindex},
		{"in CommonJS", "-- a.11ty.js --\n\nexports.data = { robots: \"noindex\" }; exports.render = () => ''" +
			published, noindex},
		{"of a class", "-- a.11ty.js --\nmodule.exports = class {\n data() { return { robots: \"noindex\" } }\n " +
			"render({ title }) { return `` } }" + published, noindex},
		{"of a class with a name", "-- a.11ty.js --\nclass Page { async\n data() { return { robots: \"noindex\" } } " +
			"}\nexport default Page" + published, noindex},
		{"a field of a class", "-- a.11ty.js --\nexport default class Page {\n data = { robots: \"noindex\" }; " +
			"render() {} }" + published, noindex},
		{"a getter", "-- a.11ty.js --\nexport default class Page {\n get data() { return { robots: \"noindex\" } }; " +
			"render() {} }" + published, noindex},
		{"without data", "-- a.11ty.js --\nmodule.exports = (d) => `<meta name=\"robots\" content=\"${d.x}\">`" +
			published, "a/index.html < a.11ty.js"},
		{"at its permalink", "-- b.11ty.cjs --\nexports.data = { permalink: '/a/', robots: 'noindex' }" + published,
			"a/index.html < b.11ty.cjs: noindex (b.11ty.cjs:1)"},
		{"paginated", "-- b.11ty.js --\nexport const data = { pagination: { data: 'x', size: 1, before: (p) => p }, " +
			"permalink: '/{{ pagination.pageNumber }}/x/', robots: 'noindex' }\n-- published --\n0/x/index.html " +
			"1/x/index.html y/x/index.html",
			"0/x/index.html < b.11ty.js: noindex (b.11ty.js:1)\n1/x/index.html < b.11ty.js: noindex " +
				"(b.11ty.js:1)\ny/x/index.html <"},
		{"with a data file beside it", "-- a.11ty.js --\nexport default () => ''\n-- a.json --\n{ \"robots\": " +
			"\"noindex\" }" + published, "a/index.html < a.11ty.js: noindex (a.json:1)"},
		{"its data is another's", "-- a.11ty.js --\nmodule.exports = require('./x')" + published,
			"a/index.html < a.11ty.js\nwarning config-computed a.11ty.js: what it exports is computed"},
		{"of a class that may inherit it", "-- a.11ty.js --\nexport default class extends Base { render() {} }" +
			published, "a/index.html < a.11ty.js\nwarning config-computed a.11ty.js: what it exports is computed"},
		{"put in later", "-- a.11ty.js --\nclass P {}\nP.prototype.data = { robots: 'noindex' }\nmodule.exports = P" +
			published, noindex},
		{"a program that is none", "-- a.js --\nexport const data = { robots: 'noindex' }\n-- a.md --\n" + published,
			"a/index.html < a.md"},
		{"a layout", "-- a.md --\n---\nlayout: base\n---\n-- _includes/base.11ty.js --\nexport const data = {\n " +
			"robots: 'noindex' }\nexport function render(d) {}" + published,
			"a/index.html < a.md: noindex (_includes/base.11ty.js:2)"},
		{"a layout that computes", "-- a.md --\n---\nlayout: base.njk\n---\n-- _includes/base.njk --\n---js\n{ " +
			"robots: x() }\n---\n" + published, "a/index.html < a.md\nwarning config-computed _includes/base.njk: " +
			"robots is computed"},
	})
}

// Global data speaks for every template, under the file's name or the key that the configuration gives it; what is
// nearer goes before it. https://www.11ty.dev/docs/data-global/ https://www.11ty.dev/docs/data-global-custom/
func TestEleventy_GlobalData(t *testing.T) {
	const page = "\n-- a.md --\n---\ntitle: A\n---\n-- b.md --\n---\nrobots: index\n---\n-- published " +
		"--\na/index.html b/index.html\n"
	of := func(at string) string {
		return "a/index.html < a.md: noindex (" + at + ")\nb/index.html < b.md: index (b.md:2)"
	}
	const both = "a/index.html < a.md\nb/index.html < b.md: index (b.md:2)\n"
	eleventyCases(t, []siteCase{
		{"a file of that name", "-- _data/robots.json --\n\"noindex\"" + page, of("_data/robots.json:1")},
		{"a program of that name", "-- _data/robots.js --\n\nmodule.exports = \"noindex\"" + page,
			of("_data/robots.js:2")},
		{"a function", "-- _data/robots.js --\nexport default async function () {\n return 'noindex' }" + page, both +
			"warning config-computed _data/robots.js: robots is computed"},
		{"a map", "-- _data/seo.json --\n{\n \"noindex\": true }" + page,
			"a/index.html < a.md: noindex (_data/seo.json:2)\nb/index.html < b.md: index (b.md:2), noindex " +
				"(_data/seo.json:2)"},
		{"a file of a folder", "-- _data/seo/noindex.json --\ntrue" + page,
			"a/index.html < a.md: noindex (_data/seo/noindex.json:1)\nb/index.html < b.md: index (b.md:2), noindex " +
				"(_data/seo/noindex.json:1)"},
		{"YAML", "-- eleventy.config.js --\nc.addDataExtension('yaml', f)\n-- _data/robots.yaml --\n# all of " +
			"it\nnoindex" + page, of("_data/robots.yaml:2")},
		{"another folder", "-- eleventy.config.js --\nexport default () => ({ dir: { data: 'facts' } })\n-- " +
			"facts/robots.json --\n\"noindex\"" + page, of("facts/robots.json:1")},
		{"what says nothing of a page", "-- _data/site.json --\n{ \"robots\": \"noindex\" }\n-- _data/items.js " +
			"--\nmodule.exports = load()" + page, both[:len(both)-1]},
		{"computed", "-- _data/robots.js --\nmodule.exports = () => process.env.X" + page, both +
			"warning config-computed _data/robots.js: robots is computed"},
		{"broken", "-- _data/robots.json --\n\n\"noindex" + page, "_data/robots.json:2: invalid character '\\n' in " +
			"string literal\na/index.html <\nb/index.html < b.md: index (b.md:2)"},

		{"computed for every page", "-- _data/eleventyComputed.js --\nexport default {\n robots: \"noindex\",\n " +
			"title: (d) => d.x }" + page, "a/index.html < a.md: noindex (_data/eleventyComputed.js:2)\nb/index.html " +
			"< b.md: noindex (_data/eleventyComputed.js:2)"},
		{"by a function", "-- _data/eleventyComputed.js --\nexport default {\n robots: (d) => d.x }" + page, both +
			"warning config-computed _data/eleventyComputed.js: eleventyComputed.robots is computed"},
		{"by a program", "-- _data/eleventyComputed.js --\nmodule.exports = require('x')" + page, both +
			"warning config-computed _data/eleventyComputed.js: eleventyComputed is computed"},
		{"in JSON", "-- _data/eleventyComputed.json --\n{\n \"robots\": \"noindex\" }" + page,
			"a/index.html < a.md: noindex (_data/eleventyComputed.json:2)\nb/index.html < b.md: noindex " +
				"(_data/eleventyComputed.json:2)"},
		{"in JSON, by a template", "-- _data/eleventyComputed.json --\n{ \"robots\": { \"index\": \"{{ x }}\" } }" +
			page, both + "warning config-computed _data/eleventyComputed.json: eleventyComputed.robots is computed"},

		{"of the configuration", "-- eleventy.config.js --\nexport default (c) => {\n c.addGlobalData(\"robots\", " +
			"\"noindex\") }" + page, of("eleventy.config.js:2")},
		{"a function there", "-- eleventy.config.js --\nexport default (c) => {\n c.addGlobalData('robots', () => " +
			"'noindex') }" + page, both + "warning config-computed eleventy.config.js: robots is computed"},
		{"a path there", "-- eleventy.config.js --\nexport default (c) => {\n " +
			"c.addGlobalData('eleventyComputed.robots', 'noindex') }" + page,
			"a/index.html < a.md: noindex (eleventy.config.js:2)\nb/index.html < b.md: noindex " +
				"(eleventy.config.js:2)"},
		{"an object there", "-- eleventy.config.js --\nexport default (c) => {\n c.addGlobalData('eleventyComputed', " +
			"{ title: f,\nrobots: 'noindex' }) }" + page, "a/index.html < a.md: noindex " +
			"(eleventy.config.js:3)\nb/index.html < b.md: noindex (eleventy.config.js:3)"},
		{"a constant there", "-- eleventy.config.js --\nconst said = 'noindex'\nexport default (c) => { " +
			"c.addGlobalData('robots', said) }" + page, of("eleventy.config.js:2")},
		{"computed there", "-- eleventy.config.js --\nexport default (c) => { c.addGlobalData('robots', env ? " +
			"'noindex' : ''); c.addGlobalData('items', load()) }" + page, both +
			"warning config-computed eleventy.config.js: robots is computed"},
		{"a key that is computed there", "-- eleventy.config.js --\nexport default (c) => { c.addGlobalData(key, " +
			"'noindex') }" + page, both + "warning config-computed eleventy.config.js: addGlobalData is computed"},
		{"a template that the configuration adds", "-- eleventy.config.js --\nexport default (c) => { " +
			"c.addTemplate('x.md', '# X', { robots: 'noindex' }) }" + page, both +
			"warning config-computed eleventy.config.js: addTemplate is computed"},
		{"one with front matter", "-- eleventy.config.js --\nc.addTemplate('x.md', `---\nnoindex: true\n---\n# X`)" +
			page, both + "warning config-computed eleventy.config.js: addTemplate is computed"},
		{"one that says nothing of robots", "-- eleventy.config.js --\nc.addTemplate('x.njk', '# robots', { " +
			"permalink: '/x/' }); const robots = 1" + page, both[:len(both)-1]},
		{"the configuration before a file", "-- eleventy.config.js --\nc.addGlobalData('robots', 'noindex')\n-- " +
			"_data/robots.json --\n\"noarchive\"" + page, of("eleventy.config.js:1")},
		{"a layout of all", "-- eleventy.config.js --\nc.addGlobalData('layout', 'x.njk')\n-- _includes/x.njk " +
			"--\n---\nrobots: noindex\n---\n" + page, of("_includes/x.njk:2")},
		{"a layout by another name", "-- eleventy.config.js --\nc.addLayoutAlias('x', 'y.njk')\n-- _data/layout.json " +
			"--\n\"x\"\n-- _includes/y.njk --\n---\nrobots: noindex\n---\n" + page, of("_includes/y.njk:2")},
	})
}

// Pages of a list that has no permalink are numbered, and nothing else below its URL is one of them. Of two patterns
// that a page fits the one counts that tells more; where they tell the same it may be either's.
// https://www.11ty.dev/docs/pagination/
func TestEleventy_Pagination(t *testing.T) {
	const list = "-- blog.njk --\n---\npagination: { data: cms, size: 2 }\nrobots: noindex\n---\n"
	eleventyCases(t, []siteCase{
		{"pages of its items below a list", list + "-- posts.njk --\n---\npagination: { data: cms, size: 1, alias: " +
			"post }\npermalink: \"/blog/{{ post.slug }}/\"\n---\n-- published --\nblog/index.html blog/1/index.html " +
			"blog/alpha/index.html blog/2026/index.html",
			"blog/1/index.html < blog.njk: noindex (blog.njk:3)\nblog/2026/index.html < " +
				"posts.njk\nblog/alpha/index.html < posts.njk\nblog/index.html < blog.njk: noindex (blog.njk:3)"},
		{"the other way round", "-- blog.njk --\n---\npagination: { data: cms, size: 2 }\n---\n-- posts.njk " +
			"--\n---\npagination: { data: cms, size: 1, alias: post }\npermalink: \"/blog/{{ post.slug " +
			"}}/\"\nrobots: noindex\n---\n-- published --\nblog/index.html blog/1/index.html blog/alpha/index.html",
			"blog/1/index.html < blog.njk\nblog/alpha/index.html < posts.njk: noindex (posts.njk:4)\nblog/index.html " +
				"< blog.njk"},
		{"what nothing makes", list + "-- published --\nblog/index.html blog/1/index.html blog/2/index.html " +
			"blog/4/index.html blog/x/index.html",
			"blog/1/index.html < blog.njk: noindex (blog.njk:3)\nblog/2/index.html < blog.njk: noindex " +
				"(blog.njk:3)\nblog/4/index.html <\nblog/index.html < blog.njk: noindex " +
				"(blog.njk:3)\nblog/x/index.html <"},
		{"at the root", "-- index.njk --\n---\npagination: { data: cms, size: 2 }\nrobots: noindex\n---\n-- " +
			"published --\nindex.html 1/index.html x/index.html",
			"1/index.html < index.njk: noindex (index.njk:3)\nindex.html < index.njk: noindex " +
				"(index.njk:3)\nx/index.html <"},
		{"by its number", "-- blog.njk --\n---\npagination: { data: cms, size: 2 }\npermalink: \"/blog/{{ " +
			"pagination.pageNumber + 1 }}/\"\nrobots: noindex\n---\n-- published --\nblog/1/index.html " +
			"blog/2/index.html blog/x/index.html",
			"blog/1/index.html < blog.njk: noindex (blog.njk:4)\nblog/2/index.html < blog.njk: noindex " +
				"(blog.njk:4)\nblog/x/index.html <"},
		{"one that tells more", "-- a.njk --\n---\npagination: { data: cms, size: 1 }\npermalink: \"/{{ x }}/{{ y " +
			"}}/\"\nrobots: noindex\n---\n-- b.njk --\n---\npagination: { data: cms, size: 1 }\npermalink: " +
			"\"/tags/{{ y }}/\"\n---\n-- published --\ntags/x/index.html",
			"tags/x/index.html < b.njk\nerror no-page a.njk:4"},
		{"two that tell the same", "-- a.njk --\n---\npagination: { data: cms, size: 1 }\npermalink: \"/tags/{{ y " +
			"}}/\"\n---\n-- b.njk --\n---\npagination: { data: cms, size: 1 }\npermalink: \"/tags/{{ z " +
			"}}/\"\nrobots: noindex\n---\n-- published --\ntags/x/index.html",
			"tags/x/index.html < a.njk: noindex (b.njk:4)\nerror two-pages a.njk"},
	})
}

// Eleventy by itself knows no drafts, and a program that does is not read: a file that says that it is one, and whose
// page is not found, is a warning.
// https://www.11ty.dev/docs/config-preprocessors/#example-drafts
func TestEleventy_Drafts(t *testing.T) {
	const front = "\n-- d/a.md --\n---\n%s\nrobots: noindex\npermalink: \"/{{ where }}/\"\n---\n"
	const page = "-- published --\nattic/index.html\n"
	draft, published := fmt.Sprintf(front, "draft: true"), fmt.Sprintf(front, "published: false")
	const doubtful = "attic/index.html <\nwarning no-page d/a.md:3"
	const preprocessor = "-- eleventy.config.js --\nexport default (c) => { c.addPreprocessor('x', '*', (data) => " +
		"data.draft ? false : undefined) }"
	eleventyCases(t, []siteCase{
		{"no program knows drafts", draft + page, doubtful},
		{"a preprocessor does", preprocessor + draft + page, doubtful},
		{"published", published + page, doubtful},
		{"computed data does", "-- d/d.11tydata.js --\nmodule.exports = { eleventyComputed: { permalink: (d) => " +
			"d.draft } }" + draft + page,
			"attic/index.html <\nwarning config-computed d/d.11tydata.js: eleventyComputed.permalink is " +
				"computed\nwarning no-page d/a.md:3"},
		{"several are one warning", draft + strings.ReplaceAll(draft, "d/a.md", "d/b.md") + page, doubtful},
	})
}

// What slugify and slug make of a title. https://www.11ty.dev/docs/filters/slugify/
// https://www.11ty.dev/docs/filters/slug/
func TestEleventy_Slugs(t *testing.T) {
	for _, c := range []struct{ title, slugify, slug string }{
		{"Don't Panic", "dont-panic", "don't-panic"},
		{"The cat's ears'", "the-cats-ears", "the-cat's-ears'"},
		{"rock 'n' roll", "rock-n-roll", "rock-'n'-roll"},
		{"I'd say it'sx", "i-d-say-it-sx", "i'd-say-it'sx"},
		{"Third & Last", "third-and-last", "third-and-last"},
		{" a_b  c.d/e - 100% ", "a-b-c-d-e-100", "a_b-c.de-100percent"},
		{"Größe — ja", "gr*e*ja", "gr*e*ja"},
		{"♥ you", "*you", "*you"},
		{"Don’t", "don*t", "don*t"},
	} {
		if got := plainSlug(c.title); got != c.slugify {
			t.Errorf("slugify %q: %q, want %q", c.title, got, c.slugify)
		}
		if got := oldSlug(c.title); got != c.slug {
			t.Errorf("slug %q: %q, want %q", c.title, got, c.slug)
		}
	}
}

// What the configuration ignores makes no page; and where a permalink is computed, a page of the file's name is taken
// for its own, since nothing else makes such.
// https://www.11ty.dev/docs/ignores/#configuration-api https://www.11ty.dev/docs/permalinks/#remove-trailing-slashes
func TestEleventy_IgnoresAndComputedPermalinks(t *testing.T) {
	const noindex = "---\nrobots: noindex\n---\n"
	eleventyCases(t, []siteCase{
		{"ignored", "-- .eleventy.js --\nmodule.exports = (c) => {\n c.ignores.add('README.md'); " +
			"c.ignores.add(\"./drafts/**\"); c.ignores.add(`x${y}`)\n}\n-- README.md --\n" + noindex +
			"-- drafts/a.md --\n" + noindex + "-- sub/README.md --\n" + noindex + "-- published --\nx.html",
			"x.html <\nerror no-page sub/README.md:2\nnote no-page README.md"},
		{"computed", "-- .eleventy.js --\nmodule.exports = (c) => {\n c.addGlobalData('permalink', () => (data) => " +
			"`${data.page.filePathStem}.${data.page.outputFileExtension}`)\n}\n-- a.md --\n" + noindex +
			"-- b/index.md --\n" + noindex + "-- c.md --\n---\npermalink: /elsewhere/\nrobots: noindex\n---\n-- " +
			"d.md --\n" + noindex + "-- published --\na.html b/index.html c.html d.html",
			"a.html < a.md: noindex (a.md:2)\nb/index.html < b/index.md: noindex (b/index.md:2)\nc.html <\nd.html < " +
				"d.md: noindex (d.md:2)\nerror no-page c.md:3\nwarning config-computed .eleventy.js: permalink is " +
				"computed"},
	})
}

// A data file that cannot be read is an error with its line, and no front matter.
func TestHouse_BrokenDataFile(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"d/d.json", "{\n \"a\": 1,\n}", "d/d.json:3: "},
		{"d/d.json", "{\n \"a\": 1\n}\nx", "d/d.json:4: "},
		{"d/d.11tydata.json", "{\n \"a\"\n", "d/d.11tydata.json:2: "},
		{"d/d.yaml", "a: 1\nb: [\n", "d/d.yaml:3: "},
		{"d/d.toml", "a = 1\nb = \n", "d/d.toml:2: "},
	} {
		got := eleventyOf(t, "-- .eleventy.js --\nc.addDataExtension('yaml, toml', f)\n-- "+c.name+" --\n"+c.text+"\n-- d/p.md --\n-- published --\nx.html")
		got, _, _ = strings.Cut(got, "\n")
		if !strings.HasPrefix(got, c.want) || strings.Contains(got, "front matter") {
			t.Errorf("%q: %q, want %s", c.text, got, c.want)
		}
	}
}
