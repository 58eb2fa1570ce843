package hugo

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path"
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
	"github.com/gohugoio/hugo/resources/page"

	"metarobots/frontmatter"
	"metarobots/internal/site"
	"metarobots/internal/site/hugo/family"
	"metarobots/internal/tables"
	"metarobots/policy"
)

func TestMain(m *testing.M) { tables.Lazily(m) }

// spy stands in for a site's publisher. Hugo counts what it publishes, so a descriptor says for
// certain whether a file is a page, a pager or an alias: the truth that the page map, made of
// exported methods alone, is held against.
type spy struct {
	publisher.Publisher
	stats *[3]*uint64
	seen  *sightings
}

// sightings are the published files by name.
type sightings struct {
	mu    sync.Mutex
	files map[string]sighting
}

// sighting is how Hugo published a file.
type sighting struct {
	kind   string // page, pager, alias; resource and static where no template of a page made it
	format string // the output format's name
}

func (s spy) Publish(d publisher.Descriptor) error {
	kind := map[*uint64]string{s.stats[0]: "page", s.stats[1]: "pager", s.stats[2]: "alias"}[d.StatCounter]
	s.seen.mu.Lock()
	s.seen.files[publishName(d.TargetPath)] = sighting{kind, d.OutputFormat.Name}
	s.seen.mu.Unlock()
	return s.Publisher.Publish(d)
}

// watch puts a spy into every site. The fields are not exported: tests alone may reach for them.
func watch(t *testing.T, sites page.Sites) *sightings {
	seen := &sightings{files: map[string]sighting{}}
	for _, wrapped := range sites {
		wrapper := reflect.ValueOf(wrapped).Elem().FieldByName("s")
		s := reflect.NewAt(wrapper.Type(), unsafe.Pointer(wrapper.UnsafeAddr())).Elem().Interface().(*hugolib.Site)
		field := reflect.ValueOf(s).Elem().FieldByName("publisher")
		if !field.IsValid() {
			t.Fatal("hugolib.Site has no field publisher any more")
		}
		stats := s.PathSpec.ProcessingStats
		p := reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
		p.Set(reflect.ValueOf(spy{p.Interface().(publisher.Publisher),
			&[3]*uint64{&stats.Pages, &stats.PaginatorPages, &stats.Aliases}, seen}))
	}
	return seen
}

// identity is what a page of the family prints of itself; pagers print their page's.
type identity struct {
	Path, Kind, Type, Section, Language string
	File                                string // content file, from its content folder
	Taxonomy                            string // plural name
	Robots                              string // front matter, after the cascade
	Bundle                              string // leaf or branch
	// links to the bundle's files, and to what the page's template made of them
	Has, Made []string
	Base      string // path of the site's baseURL
}

var printed = regexp.MustCompile(`(?s)<script type="?application/json"?>(.*?)</script>`)

// identify reads what a file prints of its page; nil where it prints nothing.
func identify(data []byte) *identity {
	text := data
	if m := printed.FindSubmatch(data); m != nil {
		text = m[1]
	}
	var id identity
	if json.Unmarshal(text, &id) != nil || id.Kind == "" {
		return nil
	}
	return &id
}

// marker is in the files of bundles: the page that they belong to, and leaf or branch.
var marker = regexp.MustCompile(`of=(\S+) (leaf|branch)`)

// truth is what Hugo did with a site of the family.
type truth struct {
	name  string // of the site
	dir   string // publish folder
	hosts bool
	files map[string]sighting
	ids   map[string]*identity // by file
	of    map[string][]string  // files of leaf bundles: the names of their pages, as owner makes them
	bound map[string]bool      // files of bundles
}

// owner names a page for messages and comparisons.
func owner(language, path string) string { return language + ":" + path }

// file is the published file that a link from a page leads to.
func (tr *truth) file(id *identity, link string) string {
	link = strings.TrimPrefix(link, strings.TrimSuffix(id.Base, "/"))
	if name, err := url.PathUnescape(link); err == nil {
		link = name
	}
	if tr.hosts {
		link = path.Join(id.Language, link)
	}
	return strings.TrimPrefix(link, "/")
}

// read collects what the published files say.
func (tr *truth) read(t *testing.T) {
	tr.ids, tr.of, tr.bound = map[string]*identity{}, map[string][]string{}, map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(tr.files)) {
		data := tables.Value(os.ReadFile(filepath.Join(tr.dir, filepath.FromSlash(name))))(t)
		if tr.files[name].kind == "page" || tr.files[name].kind == "pager" {
			if id := identify(data); id != nil {
				tr.ids[name] = id
				for _, link := range slices.Concat(id.Has, id.Made) {
					file := tr.file(id, link)
					tr.bound[file] = true
					if o := owner(id.Language, id.Path); id.Bundle == "leaf" && !slices.Contains(tr.of[file], o) {
						tr.of[file] = append(tr.of[file], o)
					}
				}
			}
		}
	}
	// What no page links to says itself whose it is.
	for name, sighted := range tr.files {
		if sighted.kind != "resource" || tr.bound[name] {
			continue
		}
		data := tables.Value(os.ReadFile(filepath.Join(tr.dir, filepath.FromSlash(name))))(t)
		if m := marker.FindSubmatch(data); m != nil {
			tr.bound[name] = true
			if string(m[2]) == "leaf" {
				tr.of[name] = tr.pages(string(m[1]))
			}
		}
	}
}

// pages are the published pages of a logical path, in every language; where there is none, the path
// stands for it.
func (tr *truth) pages(path string) (owners []string) {
	for _, id := range tr.ids {
		if o := owner(id.Language, id.Path); id.Path == path && !slices.Contains(owners, o) {
			owners = append(owners, o)
		}
	}
	if owners == nil {
		return []string{owner("", path)}
	}
	return owners
}

// render builds a site with the spy in place, and returns what Hugo did and what we say of it.
func render(t *testing.T, member family.Site) (*truth, *pageMap) {
	t.Helper()
	dir := tables.Folder(t, member.Files)
	s := open(t, dir, site.Options{}).(*hugoSite)
	tables.Must(t, s.makeSites(nil))
	h := s.sites
	seen := watch(t, h.Sites[0].Hugo().Sites())
	tables.Must(t, h.Build(hugolib.BuildCfg{}))
	public := filepath.Join(dir, "public")
	for _, name := range publishedFiles(t, public) {
		if _, ok := seen.files[name]; !ok {
			seen.files[name] = sighting{kind: "resource"}
		}
	}
	m := tables.Value(s.makePageMap(frontmatter.Config{}, allPages))(t)
	b := &builder{ctx: t.Context(), site: s, m: m, waiting: &spool{},
		hooks: site.Hooks{Write: func(name string, data []byte) error {
			return put(filepath.Join(public, filepath.FromSlash(name)), data)
		}}}
	h.Fs.PublishDirStatic = &publishFs{Fs: h.Fs.PublishDirStatic, b: b, static: true}
	tables.Must(t, b.copyStatic())
	for _, name := range publishedFiles(t, public) {
		if _, ok := seen.files[name]; !ok {
			seen.files[name] = sighting{kind: "static"}
		}
	}
	tr := &truth{name: member.Name, dir: public, hosts: h.Conf.IsMultihost(), files: seen.files}
	tr.read(t)
	return tr, m
}

// Every published file is told as what it is: an exact oracle over a family of small sites (0
// differences).
func TestOracle_EveryFileOfTheFamilyIsTold(t *testing.T) {
	sites := family.Sites(t)
	total, identified := 0, 0
	for _, member := range sites {
		t.Run(member.Name, func(t *testing.T) {
			tr, m := render(t, member)
			for _, name := range slices.Sorted(maps.Keys(tr.files)) {
				f := m.File(name)
				for _, why := range tr.differs(f, m) {
					t.Errorf("%s (Hugo: %v): %s\n%s", name, tr.files[name], why, describe(f))
				}
				total++
			}
			missing := 0
			for _, name := range m.Expected() {
				if _, ok := tr.files[name]; !ok {
					missing++
					if unwritten[member.Name] == "" {
						t.Errorf("%s is expected and not published", name)
					}
				}
			}
			if missing == 0 && unwritten[member.Name] != "" {
				t.Error("no longer an exception: every page is written")
			}
			for exception := range untold {
				if name, ok := strings.CutPrefix(exception, member.Name+": "); ok && tr.files[name].kind == "" {
					t.Errorf("%s: an exception that is not published", name)
				}
			}
			identified += len(tr.ids)
			if len(tr.ids) == 0 {
				t.Error("no page says what it is")
			}
		})
	}
	t.Logf("%d sites, %d files, %d of which say themselves what they are", len(sites), total, identified)
}

func publishedFiles(t *testing.T, dir string) []string {
	return slices.Sorted(maps.Keys(tables.Tree(t, dir)))
}

// untold are files that a list cannot tell, by site and name, and the reason. A build knows of
// those that are no HTML.
var untold = map[string]string{
	"images: codes/qr_8f1f88ac631bba9b.png": "images.QR: a template names the folder",
	"resources: copied/e.css":               "resources.Copy: a template names it",
	"resources: css/all.css":                "resources.Concat: a template names it",
	"resources: css/made.css":               "resources.ExecuteAsTemplate: a template names it",
	"resources: js/app.js":                  "js.Build: a template names it",
	"resources: js/app.js.map":              "js.Build: a template names it",
	"resources: made/c.txt":                 "resources.FromString: a template names it",
	"resources: made/d.html":                "resources.FromString: a template names it",
}

// unwritten are sites of which fewer pages are written than there are, by reason.
var unwritten = map[string]string{
	"no_layouts": "Hugo writes no page without a layout, and says so",
	"segments":   "a segment is a part of the site: the rest may stand there from another build",
}

// ofALanguage is the name of an alias that leads to or from the home page of a language, a version
// or a role. Of the outputs in a folder of their own, those of content adapters' pages are not told
// either.
var ofALanguage = regexp.MustCompile(`^(?:(?:[a-z]{2}|pt-br|amp|v[\d.]+|guest|member)/)*(?:index|default)\.html` +
	`(?:en/(?:index|default)\.html)?$|(?:^|/)amp/(?:abs/p|made/rel)/`)

// differs says where what is told of a file is not what Hugo did.
func (tr *truth) differs(f site.File, m *pageMap) (why []string) {
	say := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	sighted := tr.files[f.Name]
	if f.Unknown != (untold[tr.name+": "+f.Name] != "" || sighted.kind == "alias" && f.Role != policy.RoleRedirect) {
		say("unknown: %v", f.Unknown)
	}
	switch sighted.kind {
	case "alias": // that of a page or a pager; else its refresh tells what it is (L4)
		if f.Role != policy.RoleRedirect && !ofALanguage.MatchString(f.Name) {
			say("an alias")
		}
		return why
	case "pager":
		if f.Pager < 2 || f.Role != policy.RolePage && f.Role != policy.RoleOutput {
			say("a pager")
		}
	case "page":
		if f.Pager > 1 || !slices.Contains([]policy.Role{policy.RolePage, policy.RoleOutput, policy.RoleControl,
			policy.RoleError}, f.Role) {
			say("a page")
		}
	case "resource":
		want := policy.RoleStatic
		if len(tr.of[f.Name]) > 0 {
			want = policy.RoleResource
		}
		if f.Role != want {
			say("want %s of %v", want, tr.of[f.Name])
		}
		var owners []string
		for _, o := range f.Owners {
			id := tr.page(o)
			if id == nil { // of a page that is not published
				owners = append(owners, owner("", strings.TrimSuffix(o.Path.URL, "/")))
				continue
			}
			owners = append(owners, owner(id.Language, id.Path))
		}
		slices.Sort(owners)
		if of := slices.Sorted(slices.Values(tr.of[f.Name])); want == policy.RoleResource && !slices.Equal(owners, of) {
			say("owners are %v, want %v", owners, of)
		}
		return why
	case "static":
		if !slices.Contains([]policy.Role{policy.RoleStatic, policy.RoleControl, policy.RoleError}, f.Role) {
			say("a static file")
		}
		if f.Source == "" {
			say("its source is not named")
		}
		return why
	}
	if !strings.EqualFold(f.Facts.Format, sighted.format) && f.Role != policy.RoleControl &&
		f.Role != policy.RoleError {
		say("output format %s", sighted.format)
	}
	if id := tr.ids[f.Name]; id != nil {
		got := identity{Kind: f.Facts.Kind, Type: f.Facts.Type, Section: f.Facts.Section, Language: f.Facts.Language,
			Taxonomy: strings.Join(f.Taxonomies, " ")}
		want := identity{Kind: id.Kind, Type: id.Type, Section: id.Section, Language: id.Language,
			Taxonomy: id.Taxonomy}
		if !reflect.DeepEqual(got, want) {
			say("prints %+v", want)
		}
		if !strings.HasSuffix(f.Source, id.File) || f.Source != "" && id.File == "" {
			say("its content file is %q, not %q", id.File, f.Source)
		}
		var states []string
		for _, s := range f.Page {
			states = append(states, fmt.Sprint(s.States()))
		}
		if got := strings.Join(states, " "); f.HTML && got != id.Robots {
			say("front matter says %q, not %q", id.Robots, got)
		}
	}
	return why
}

// page returns what the page that owns a file prints; nil where it is not published.
func (tr *truth) page(o policy.Owner) *identity {
	for name, id := range tr.ids {
		if policy.PathOf(name).URL == o.Path.URL {
			return id
		}
	}
	return nil
}

// What a list tells of a file, a build tells too; a build knows what it wrote besides.
func TestOracle_AListTellsWhatABuildTells(t *testing.T) {
	sites := family.Sites(t)
	for _, member := range sites {
		t.Run(member.Name, func(t *testing.T) {
			dir := tables.Folder(t, member.Files)
			c := buildAll(t, dir, site.Options{})
			m := listed(t, dir)
			if !slices.Equal(m.Expected(), c.m.Expected()) {
				t.Errorf("a list expects %v\na build %v", m.Expected(), c.m.Expected())
			}
			for _, name := range publishedFiles(t, filepath.Join(dir, "public")) {
				list, build := m.File(name), c.m.File(name)
				if untold[member.Name+": "+name] != "" { // but a build has made it
					list.Unknown, build.Unknown = site.IsHTML(name), list.Unknown && build.Unknown
				}
				if l, b := describe(list), describe(build); l != b {
					t.Errorf("%s\nlist  %s\nbuild %s", name, l, b)
				}
			}
		})
	}
}

// What is listed once more tells what was listed or built first, with the keys that are read then.
func TestOracle_ListedOnceMoreIsTheSame(t *testing.T) {
	for _, member := range family.Sites(t) {
		t.Run(member.Name, func(t *testing.T) {
			dir := tables.Folder(t, member.Files)
			c := buildAll(t, dir, site.Options{})
			s := open(t, dir, site.Options{})
			published := publishedFiles(t, filepath.Join(dir, "public"))
			keys := frontmatter.Config{Keys: map[string]frontmatter.Key{"title": {Ignore: true}, "no-page-has-it": {},
				"unlisted": {Ignore: true}}}
			m := tables.Value(open(t, dir, site.Options{}).List(t.Context(), keys, published))(t)
			tables.Value(s.List(t.Context(), frontmatter.Config{}, published))(t)
			again := tables.Value(s.(site.Relister).Relist(keys))(t)
			if !slices.Equal(m.Expected(), again.Expected()) || !slices.Equal(m.Findings(), again.Findings()) {
				t.Errorf("expects %v, %v\nagain %v, %v", m.Expected(), m.Findings(), again.Expected(), again.Findings())
			}
			for _, name := range append(published, c.m.Expected()...) {
				if first, then := describe(m.File(name)), describe(again.File(name)); first != then {
					t.Errorf("%s\nfirst %s\nagain %s", name, first, then)
				}
			}
		})
	}
}
