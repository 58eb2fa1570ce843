package hugo

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/gohugoio/hugo/hugolib"
	"github.com/gohugoio/hugo/publisher"

	"metarobots/frontmatter"
	"metarobots/policy"
	"metarobots/site"
)

// spy stands in for a site's publisher. Hugo counts what it publishes, so a descriptor says for certain whether a file
// is a page, a pager or an alias: the truth that the page map, made of exported methods alone, is held against.
type spy struct {
	publisher.Publisher
	stats *[3]*uint64
	seen  *sightings
}

// sightings are the published files by name: "page", "pager", "alias".
type sightings struct {
	mu    sync.Mutex
	kinds map[string]string
}

func (s spy) Publish(d publisher.Descriptor) error {
	kind := map[*uint64]string{s.stats[0]: "page", s.stats[1]: "pager", s.stats[2]: "alias"}[d.StatCounter]
	s.seen.mu.Lock()
	s.seen.kinds[publishName(d.TargetPath)] = kind
	s.seen.mu.Unlock()
	return s.Publisher.Publish(d)
}

// watch puts a spy into every site. The field is not exported: tests alone may reach for it.
func watch(t *testing.T, sites []*hugolib.Site) *sightings {
	seen := &sightings{kinds: map[string]string{}}
	for _, s := range sites {
		field := reflect.ValueOf(s).Elem().FieldByName("publisher")
		if !field.IsValid() {
			t.Fatal("hugolib.Site has no field publisher any more")
		}
		stats := s.PathSpec.ProcessingStats
		p := reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
		p.Set(reflect.ValueOf(spy{p.Interface().(publisher.Publisher), &[3]*uint64{&stats.Pages, &stats.PaginatorPages, &stats.Aliases}, seen}))
	}
	return seen
}

// identity is what every page of the family prints of itself.
const identity = `<html><head><title>x</title></head><body><!-- kind={{ .Kind }} type={{ .Type }} section={{ .Section }} lang={{ .Language.Lang }} path={{ .Path }} --></body></html>`

const listing = `{{ if .IsNode }}{{ range (.Paginate site.RegularPages 2).Pages }}{{ end }}{{ end }}` + identity

var printed = regexp.MustCompile(`<!-- kind=(\S*) type=(\S*) section=(\S*) lang=(\S*) path=(\S*) -->`)

// family is a set of small sites, one for each feature that moves a page. Each is put over the same content.
var family = map[string]map[string]string{
	"plain":                   {},
	"uglyURLs":                {"hugo.toml": "uglyURLs = true"},
	"default language in sub": {"hugo.toml": "defaultContentLanguageInSubdir = true"},
	"no language redirect":    {"hugo.toml": "disableDefaultLanguageRedirect = true"},
	"one language":            {"hugo.toml": "disableLanguages = [\"de\"]"},
	"multihost":               {"multihost": "yes"},
	"canonifyURLs":            {"hugo.toml": "canonifyURLs = true"},
	"relativeURLs":            {"hugo.toml": "relativeURLs = true"},
	"removePathAccents":       {"hugo.toml": "removePathAccents = true"},
	"disablePathToLower":      {"hugo.toml": "disablePathToLower = true", "content/News/Big.md": "---\ntitle: Big\n---\n"},
	"disableAliases":          {"hugo.toml": "disableAliases = true"},
	"disableKinds":            {"hugo.toml": "disableKinds = [\"taxonomy\", \"404\"]"},
	"base path":               {"hugo.toml": "baseURL = \"https://example.org/sub/\""},
	"drafts":                  {"hugo.toml": "buildDrafts = true\nbuildFuture = true\nbuildExpired = true"},
	"permalinks": {"tables": "[permalinks.page]\nnews = \"/:year/:month/:slug/\"\n[permalinks.section]\nnews = \"/latest/\"\n[permalinks.term]\ntags = \"/about/:slug/\"\n",
		"content/news/dated.md": "---\ntitle: Dated\ndate: 2024-03-04\nslug: when\n---\n"},
	"pagination":       {"tables": "[pagination]\npath = \"seite/nr\"\n"},
	"no pager aliases": {"tables": "[pagination]\ndisableAliases = true\n"},
	"output formats": {"tables": "[outputFormats.print]\nmediaType = \"text/html\"\nbaseName = \"index\"\npath = \"_print\"\nisHTML = false\n[outputs]\npage = [\"html\", \"amp\", \"json\"]\nsection = [\"html\", \"rss\", \"print\"]\n",
		"layouts/all.json": "{}", "layouts/all.amp.html": identity, "layouts/all.print.html": identity},
	"content adapter":    {"content/made/_content.gotmpl": "{{ range slice 1 2 }}{{ $.AddPage (dict \"path\" (printf \"p%d\" .) \"title\" \"Made\") }}{{ end }}{{ .AddResource (dict \"path\" \"p1/data.txt\" \"content\" (dict \"mediaType\" \"text/plain\" \"value\" \"x\")) }}"},
	"build options":      {"content/news/never.md": "---\ntitle: N\nbuild: {list: never}\n---\n", "content/news/local.md": "---\ntitle: L\nbuild: {list: local}\n---\n", "content/news/link.md": "---\ntitle: K\nbuild: {render: link}\n---\n", "content/news/norender.md": "---\ntitle: R\nbuild: {render: never}\n---\n", "content/headless/index.md": "---\ntitle: H\nheadless: true\n---\n", "content/headless/x.pdf": "x"},
	"hidden section":     {"content/secret/_index.md": "---\ntitle: S\nbuild: {list: never}\ncascade:\n  build: {list: never}\n---\n", "content/secret/a.md": "---\ntitle: A\n---\n"},
	"urls":               {"content/news/u1.md": "---\ntitle: U\nurl: /x/y\n---\n", "content/news/u2.md": "---\ntitle: U\nurl: /x/z.html\n---\n", "content/news/u3.md": "---\ntitle: U\nurl: /q/100%25/\n---\n", "content/news/u4.md": "---\ntitle: U\nurl: /q/a%20b/\n---\n", "content/news/u5.md": "---\ntitle: U\nurl: \"/50%25 off/\"\n---\n", "content/news/u6.md": "---\ntitle: U\nurl: \"/%C3%A4 x/\"\n---\n", "content/news/u7.md": "---\ntitle: U\nslug: \"a b%41c\"\n---\n"},
	"aliases":            {"content/news/al.md": "---\ntitle: A\naliases: [rel, /abs/, /file.html, ../up]\n---\n", "content/news/al.de.md": "---\ntitle: A\naliases: [rel, /abs2/]\n---\n"},
	"umlauts, spaces":    {"content/Über uns/Grüße & so.md": "---\ntitle: Ü\ntags: [Grün Zeug]\n---\n"},
	"bundles":            {"content/b/one/index.md": "---\ntitle: One\n---\n", "content/b/one/a.pdf": "x", "content/b/one/deep/b.pdf": "x", "content/b/one/page.md": "---\ntitle: In\n---\n", "content/b/_index.md": "---\ntitle: B\n---\n", "content/b/branch.pdf": "x"},
	"ugly bundles":       {"hugo.toml": "uglyURLs = true", "content/b/one/index.md": "---\ntitle: One\n---\n", "content/b/one/a.pdf": "x", "content/b/two/index.md": "---\ntitle: Two\nurl: /flat.html\n---\n", "content/b/two/b.pdf": "x", "content/b/two/index.de.md": "---\ntitle: Zwei\n---\n", "content/b/two/c.de.pdf": "x"},
	"mounts":             {"tables": "[[module.mounts]]\nsource = \"content\"\ntarget = \"content\"\n[[module.mounts]]\nsource = \"more\"\ntarget = \"content/more\"\n[[module.mounts]]\nsource = \"files\"\ntarget = \"static/files\"\n", "more/m.md": "---\ntitle: M\n---\n", "files/f.pdf": "x"},
	"theme":              {"hugo.toml": "theme = \"t\"", "themes/t/static/theme.css": "p{}", "themes/t/static/demo/index.html": "<html></html>", "themes/t/content/themed.md": "---\ntitle: T\n---\n"},
	"resources":          {"layouts/home.html": `{{ with resources.Get "css/a.css" }}{{ .Publish }}{{ end }}{{ with resources.Get "css/b.css" | fingerprint }}{{ .RelPermalink }}{{ end }}{{ with resources.FromString "made/c.txt" "c" }}{{ .Publish }}{{ end }}` + listing, "assets/css/a.css": "p{}", "assets/css/b.css": "p{}"},
	"deferred":           {"layouts/home.html": `{{ with (templates.Defer (dict "key" "a")) }}x{{ end }}` + listing},
	"robots and sitemap": {"hugo.toml": "enableRobotsTXT = true", "tables": "[sitemap]\nfilename = \"map.xml\"\n"},
	"minified":           {"tables": "[minify]\nminifyOutput = true\n[minify.tdewolff.html]\nkeepComments = true\n"},
}

// base is the content that every site of the family has.
var base = map[string]string{
	"layouts/all.html":       identity,
	"layouts/home.html":      listing,
	"layouts/section.html":   listing,
	"layouts/404.html":       "<html></html>",
	"content/_index.md":      "---\ntitle: Home\n---\n",
	"content/about.md":       "---\ntitle: About\n---\n",
	"content/news/_index.md": "---\ntitle: News\n---\n",
	"content/news/a.md":      "---\ntitle: A\ntags: [red]\n---\n",
	"content/news/b.md":      "---\ntitle: B\ntags: [red, blue]\n---\n",
	"content/news/c.md":      "---\ntitle: C\ndraft: true\n---\n",
	"content/news/d.md":      "---\ntitle: D\ndate: 2090-01-01\n---\n",
	"content/news/e.md":      "---\ntitle: E\nexpiryDate: 2001-01-01\n---\n",
	"content/news/a.de.md":   "---\ntitle: A\ntags: [rot]\n---\n",
	"content/_index.de.md":   "---\ntitle: Start\n---\n",
	"static/s.pdf":           "%PDF",
}

// member writes one site of the family.
func member(t *testing.T, extra map[string]string) string {
	files := maps.Clone(base)
	en, de := "", ""
	if extra["multihost"] != "" {
		en, de = "baseURL = \"https://example.org/\"\n", "baseURL = \"https://example.de/\"\n"
	}
	config := extra["hugo.toml"] + "\n"
	if !strings.Contains(config, "baseURL") {
		config += "baseURL = \"https://example.org/\"\n"
	}
	config += extra["tables"] + "[languages.en]\nweight = 1\n" + en + "[languages.de]\nweight = 2\n" + de
	for name, text := range extra {
		if strings.Contains(name, "/") {
			files[name] = text
		}
	}
	files["hugo.toml"] = config
	return write(t, files)
}

// Every published file is told as what it is: an exact oracle over a family of small sites (0 differences).
func TestOracle_EveryFileOfTheFamilyIsTold(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(family)) {
		t.Run(name, func(t *testing.T) {
			dir := member(t, family[name])
			s := open(t, dir, site.Options{}).(*hugoSite)
			h, fsys, err := s.sitesFor(nil)
			if err != nil {
				t.Fatal(err)
			}
			l := &lister{site: s}
			seen := watch(t, l.all(h))
			if err := h.Build(hugolib.BuildCfg{}); err != nil {
				t.Fatal(err)
			}
			m, err := s.list(h, frontmatter.Options{})
			if err != nil {
				t.Fatal(err)
			}
			b := &builder{site: s, sites: h, m: m, hooks: site.Hooks{Write: func(name string, data []byte) error {
				file := filepath.Join(dir, "public", filepath.FromSlash(name))
				os.MkdirAll(filepath.Dir(file), 0o755)
				return os.WriteFile(file, data, 0o644)
			}}}
			b.static = &publishFs{Fs: fsys.PublishDirStatic, b: b, static: true}
			if err := b.copyStatic(); err != nil {
				t.Fatal(err)
			}
			files := publishedFiles(t, filepath.Join(dir, "public"))
			for _, name := range files {
				f := m.File(name)
				if why := differs(f, seen.kinds[name], filepath.Join(dir, "public", filepath.FromSlash(name))); why != "" {
					t.Errorf("%s (Hugo: %q): %s\n%s", name, seen.kinds[name], why, describe(f))
				}
			}
			for _, name := range m.Expected() {
				if _, ok := slices.BinarySearch(files, name); !ok {
					t.Errorf("%s is expected and not published", name)
				}
			}
		})
	}
}

func publishedFiles(t *testing.T, dir string) []string {
	var names []string
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			rel, _ := filepath.Rel(dir, file)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

// untold are files that a list without rendering cannot tell, by reason. A build knows that it wrote them.
var untold = map[string]string{
	"made/c.txt": "resources.FromString names it in a template",
}

// differs says where what is told of a file is not what Hugo did.
func differs(f site.File, kind, file string) string {
	if f.Unknown != (untold[f.Name] != "") {
		return "told is not what is expected"
	}
	switch kind {
	case "alias":
		if f.Role != policy.RoleRedirect {
			return "an alias"
		}
		return ""
	case "pager":
		if f.Pager < 2 {
			return "a pager"
		}
	case "page":
		if f.Pager > 1 || f.Role == policy.RoleRedirect || f.Role == policy.RoleResource || f.Role == policy.RoleStatic {
			return "a page"
		}
	case "":
		if f.Role == policy.RolePage || f.Role == policy.RoleOutput {
			return "no page"
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	if p := printed.FindStringSubmatch(string(data)); p != nil {
		got := fmt.Sprintf("kind=%s type=%s section=%s lang=%s", f.Kind, f.Type, f.Section, f.Language)
		if want := fmt.Sprintf("kind=%s type=%s section=%s lang=%s", p[1], p[2], p[3], p[4]); got != want {
			return "prints " + want
		}
	}
	return ""
}
