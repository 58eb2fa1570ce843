package pages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"metarobots/internal/site"
)

// A site of Eleventy in txtar, whose published files are those of the section "published", is described: what is behind
// every page, then what is found.
func eleventyOf(t *testing.T, text string) string {
	t.Helper()
	var published []string
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		if f.Name == "published" {
			published = slashed(strings.Fields(string(f.Data)))
		} else {
			files[f.Name] = string(f.Data)
		}
	}
	if files[".eleventy.js"] == "" && files["eleventy.config.js"] == "" {
		files["eleventy.config.js"] = "export default function (c) {}"
	}
	m, err := list(t, files, site.Options{}, published...)
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
			set, _, _ := strings.Cut(f.Message, ": set by code")
			line += ": " + strings.ReplaceAll(set, " in "+f.File, "")
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

// A data file that is a program is read where it is nothing but an object of literal values; what of another matters is
// named, and a manifest or [site.content] answers it. https://www.11ty.dev/docs/data-js/
func TestEleventy_DataFilesThatArePrograms(t *testing.T) {
	const page = "\n-- d/p.md --\n---\ntitle: P\n---\n-- published --\nd/p/index.html\n"
	const noindex = "d/p/index.html < d/p.md: noindex (d/d.11tydata.js:2)"
	const nothing = "d/p/index.html < d/p.md"
	program := func(name, text, want string) siteCase {
		return siteCase{name, "-- d/d.11tydata.js --\n" + text + page, want}
	}
	unread := func(name, text, keys string) siteCase {
		return program(name, text, nothing+"\nwarning config-computed d/d.11tydata.js: "+keys)
	}
	eleventyCases(t, []siteCase{
		program("in CommonJS", "module.exports = {\n robots: 'noindex', layout: 'x' };", noindex),
		program("as a module", "// of all\nexport default { robots: 'noindex' }", noindex),
		program("a map of directives", "export default {\n robots: { index: false, 'max-snippet': 5 } }",
			"d/p/index.html < d/p.md: noindex (d/d.11tydata.js:2), max-snippet:5 (d/d.11tydata.js:2)"),
		program("under seo", "export default {\n seo: { noindex: true, title: x() } }", noindex),
		program("under another key", "export default { menu: { robots: 'noindex' }, layout: 'x' }", nothing),
		program("any crawler", "export default {\n \"otherbot\": \"noindex\" }",
			"d/p/index.html < d/p.md: otherbot: noindex (d/d.11tydata.js:2)"),
		program("a part of it by code", "export default {\n robots: { index: false, googlebot: x() } }",
			noindex+"\nwarning config-computed d/d.11tydata.js: robots.googlebot"),
		program("nothing of robots", "export default { items: load(), title: x(), eleventyComputed: { url: (d) => d.x } }",
			nothing),
		program("an empty one", "// nothing yet\n", nothing),
		program("what is another's", "const a = load()\na.robots.filter(x.robots)\nexport default { a }", nothing),
		unread("a value by code", "export default { robots: secret ? 'noindex' : '' }", "robots"),
		unread("a key by code", "export default { [k]: 'noindex' }", "...k"),
		unread("a method", "export default { get robots() { return 'noindex' } }", "robots"),
		unread("in a list", "export default { robots: ['noindex', ...more] }", "robots"),
		unread("a constant beside it", "const title = 'T'\nexport default { title, layout: 'x', robots: 'noindex' };",
			"layout, robots"),
		unread("a function", "export default function () { return { robots: 'noindex' } }", "robots"),
		unread("an arrow", "module.exports = async () => ({ robots: 'noindex' })", "robots"),
		unread("a constant that is exported", "const data = { robots: 'noindex' }\nmodule.exports = data;", "robots"),
		unread("named exports", "export const layout = 'x'\nexport const robots = 'noindex'", "layout, robots"),
		unread("named in CommonJS", "exports.robots = 'noindex';", "robots"),
		unread("put in by a name in brackets", "const data = {}\ndata['robots'] = 'noindex'\nexport default data",
			"robots"),
		unread("as a value", "const robots = 'noindex'\nexport default { robots }", "robots"),
		unread("spread from elsewhere", "import shared from './x.js'\nexport default { ...shared, title: 'T' }",
			"...shared"),
		unread("what is loaded", "export default async () => load()", "what it exports"),
		unread("exported from elsewhere", "module.exports = require('../x.js')", "what it exports"),
		{"by another base name", "-- eleventy.config.js --\nc.setDataFileBaseName('index')\n-- d/index.11tydata.js " +
			"--\n\nmodule.exports = { robots: 'noindex' }" + page, nothing +
			"\nwarning config-computed eleventy.config.js: setDataFileBaseName"},
		{"by another suffix", "-- eleventy.config.js --\nc.setDataFileSuffixes(all)" + page, nothing +
			"\nwarning config-computed eleventy.config.js: setDataFileSuffixes"},
	})
}

// A template or a layout may be a program, whose data is not read: what of it matters is named.
// https://www.11ty.dev/docs/languages/javascript/
func TestEleventy_TemplatesThatArePrograms(t *testing.T) {
	const published = "\n-- published --\na/index.html\n"
	template := func(name, text, keys string) siteCase {
		if keys != "" {
			keys = "\nwarning config-computed a.11ty.js: " + keys
		}
		return siteCase{name, "-- a.11ty.js --\n" + text + published, "a/index.html < a.11ty.js" + keys}
	}
	eleventyCases(t, []siteCase{
		template("exported", "export const data = { robots: 'noindex' };\nexport default (d) => `<p>${d.robots}`",
			"robots"),
		template("a function", "export function data() { return { robots: 'noindex' } }", "robots"),
		template("of an object", "module.exports = { data: {\n noindex: true }, render(d) { return '' } }", "noindex"),
		template("of a class", "export default class { data() { return { robots: 'noindex' } } }", "robots"),
		template("without data", "module.exports = (d) => `<meta name=\"robots\" content=\"${d.x}\">`", ""),
		template("another's", "module.exports = require('./x')", "what it exports"),
		template("of a class that may inherit it", "export default class extends Base { render() {} }",
			"what it exports"),
		{"at its permalink", "-- b.11ty.cjs --\nexports.data = { permalink: '/a/', robots: 'noindex' }" + published,
			"a/index.html <\nnote no-page b.11ty.cjs\nwarning config-computed b.11ty.cjs: permalink, robots"},
		{"with a data file beside it", "-- a.11ty.js --\nexport default () => ''\n-- a.json --\n{ \"robots\": " +
			"\"noindex\" }" + published, "a/index.html < a.11ty.js: noindex (a.json:1)"},
		{"a program that is none", "-- a.js --\nexport const data = { robots: 'noindex' }\n-- a.md --\n" + published,
			"a/index.html < a.md"},
		{"a layout", "-- a.md --\n---\nlayout: base\n---\n-- _includes/base.11ty.js --\nexport const data = {\n " +
			"robots: 'noindex' }\nexport function render(d) {}" + published,
			"a/index.html < a.md\nwarning config-computed _includes/base.11ty.js: robots"},
		{"a layout that computes", "-- a.md --\n---\nlayout: base.njk\n---\n-- _includes/base.njk --\n---js\n{ " +
			"robots: x() }\n---\n" + published, "a/index.html < a.md\nwarning config-computed _includes/base.njk: " +
			"robots"},
	})
}

// Global data speaks for every template, under the file's name; what is nearer goes before it. Of programs, and of what
// the configuration adds, it is said that it does not count. https://www.11ty.dev/docs/data-global/ https://www.11ty.dev/docs/data-global-custom/
func TestEleventy_GlobalDataCountsForEveryTemplate(t *testing.T) {
	const page = "\n-- a.md --\n---\ntitle: A\n---\n-- b.md --\n---\nrobots: index\n---\n-- published " +
		"--\na/index.html b/index.html\n"
	of := func(at string) string {
		return "a/index.html < a.md: noindex (" + at + ")\nb/index.html < b.md: index (b.md:2)"
	}
	const both = "a/index.html < a.md\nb/index.html < b.md: index (b.md:2)\n"
	added := func(name, call, says string) siteCase {
		want := both[:len(both)-1]
		if says != "" {
			want += "\nwarning config-computed eleventy.config.js: " + says
		}
		return siteCase{name, "-- eleventy.config.js --\nexport default (c) => { c." + call + " }" + page, want}
	}
	eleventyCases(t, []siteCase{
		{"a file of that name", "-- _data/robots.json --\n\"noindex\"" + page, of("_data/robots.json")},
		{"a program of that name", "-- _data/robots.js --\n\nmodule.exports = \"noindex\"" + page, both +
			"warning config-computed _data/robots.js: robots"},
		{"a function", "-- _data/robots.js --\nexport default async function () {\n return 'noindex' }" + page, both +
			"warning config-computed _data/robots.js: robots"},
		{"a map", "-- _data/seo.json --\n{\n \"noindex\": true }" + page,
			"a/index.html < a.md: noindex (_data/seo.json:2)\nb/index.html < b.md: index (b.md:2), noindex " +
				"(_data/seo.json:2)"},
		{"a file of a folder", "-- _data/seo/noindex.json --\ntrue" + page,
			"a/index.html < a.md: noindex (_data/seo/noindex.json)\nb/index.html < b.md: index (b.md:2), noindex " +
				"(_data/seo/noindex.json)"},
		{"YAML", "-- eleventy.config.js --\nc.addDataExtension('yaml', f)\n-- _data/robots.yaml --\n# all of " +
			"it\nnoindex" + page, of("_data/robots.yaml")},
		{"another folder", "-- eleventy.config.js --\nexport default () => ({ dir: { data: 'facts' } })\n-- " +
			"facts/robots.json --\n\"noindex\"" + page, of("facts/robots.json")},
		{"what says nothing of a page", "-- _data/site.json --\n{ \"robots\": \"noindex\" }\n-- _data/items.js " +
			"--\nmodule.exports = load()" + page, both[:len(both)-1]},
		{"computed", "-- _data/robots.js --\nmodule.exports = () => process.env.X" + page, both +
			"warning config-computed _data/robots.js: robots"},
		{"broken", "-- _data/robots.json --\n\n\"noindex" + page, "_data/robots.json:2: invalid character '\\n' in " +
			"string literal\na/index.html <\nb/index.html < b.md: index (b.md:2)"},

		{"computed for every page", "-- _data/eleventyComputed.js --\nexport default {\n robots: \"noindex\",\n " +
			"title: (d) => d.x }" + page, both +
			"warning config-computed _data/eleventyComputed.js: robots"},
		{"what says nothing of robots", "-- _data/eleventyComputed.js --\nexport default { title: (d) => d.x }" + page,
			both[:len(both)-1]},
		{"by a program", "-- _data/eleventyComputed.js --\nmodule.exports = require('x')" + page, both +
			"warning config-computed _data/eleventyComputed.js: what it exports"},
		{"in JSON", "-- _data/eleventyComputed.json --\n{\n \"robots\": \"noindex\" }" + page, both +
			"warning config-computed _data/eleventyComputed.json: eleventyComputed.robots"},
		{"in JSON, by a template", "-- _data/eleventyComputed.json --\n{ \"robots\": { \"index\": \"{{ x }}\" } }" +
			page, both + "warning config-computed _data/eleventyComputed.json: eleventyComputed.robots"},
		added("of the configuration", "addGlobalData('robots', 'noindex')", "addGlobalData"),
		added("a function there", "addGlobalData('robots', () => 'noindex')", "addGlobalData"),
		added("a path there", "addGlobalData('eleventyComputed.robots', 'noindex')", "addGlobalData"),
		added("a key by code there", "addGlobalData(key, 'noindex')", "addGlobalData"),
		added("a layout of all", "addGlobalData('layout', 'x.njk')", "addGlobalData"),
		added("a template that the configuration adds", "addTemplate('x.md', '# X', { robots: 'noindex' })",
			"addTemplate"),
		added("what says nothing of a page", "addGlobalData('items', load())", ""),
		{"a layout by another name", "-- eleventy.config.js --\nc.addLayoutAlias('x', 'y.njk')\n-- _data/layout.json " +
			"--\n\"x\"\n-- _includes/y.njk --\n---\nrobots: noindex\n---\n" + page, both +
			"warning config-computed eleventy.config.js: addLayoutAlias"},
	})
}

// Pages of a list that has no permalink are numbered, and nothing else below its URL is one of them. Of two patterns
// that a page fits the one counts that tells more; where they tell the same it may be either's.
// https://www.11ty.dev/docs/pagination/
func TestEleventy_PagesOfAListAreNumbered(t *testing.T) {
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
func TestEleventy_ADraftWithoutAPageIsAWarning(t *testing.T) {
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
			"attic/index.html <\nwarning config-computed d/d.11tydata.js: eleventyComputed.permalink" +
				"\nwarning no-page d/a.md:3"},
		{"several are one warning", draft + strings.ReplaceAll(draft, "d/a.md", "d/b.md") + page, doubtful},
	})
}

// Of what slugify and slug make of a title the letters are known; what stands between them each writes in a way of its
// own. https://www.11ty.dev/docs/filters/slugify/ https://www.11ty.dev/docs/filters/slug/
func TestEleventy_SlugsMatchBothFilters(t *testing.T) {
	for _, c := range []struct{ title, slugify, slug string }{
		{"Don't Panic", "dont-panic", "don't-panic"},
		{"The cat's ears'", "the-cats-ears", "the-cat's-ears'"},
		{"rock 'n' roll", "rock-n-roll", "rock-'n'-roll"},
		{"I'd say it'sx", "i-d-say-it-sx", "i'd-say-it'sx"},
		{"Third & Last", "third-and-last", "third-and-last"},
		{" a_b  c.d/e - 100% ", "a-b-c-d-e-100", "a_b-c.de-100percent"},
		{"Größe — ja", "groesse-ja", "groesse-ja"},
		{"♥ you", "love-you", "love-you"},
		{"Don’t", "don-t", "dont"},
	} {
		for _, page := range []string{c.slugify, c.slug} {
			if place := slugOf(c.title); place != page && !placePattern(place).MatchString(page) {
				t.Errorf("%q: %q is not %q", c.title, place, page)
			}
		}
	}
}

// What the configuration ignores makes no page; and where a permalink is set by code, a page of the file's name is taken
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
				"d.md: noindex (d.md:2)\nerror no-page c.md:3\nwarning config-computed .eleventy.js: addGlobalData"},
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
