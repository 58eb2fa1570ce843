// Package hugo embeds Hugo (https://gohugo.io): it loads a site's configuration as the hugo command
// does, knows its pages, tells what stands behind each published file, and builds sites, handing
// over the pages as they are written.
//
// Hugo promises no stable API for embedding. Everything here goes through exported names, which
// have not changed from v0.140 on; nothing outside this package imports Hugo.
//
// Words of this package:
//
//	assembled        said of a site whose pages Hugo knows, with their front matter, before it renders
//	                 any of them. Only then can a page map be made.
//	page map         what is behind each published file (pageMap). A lister fills it, Hugo's site after
//	                 Hugo's site: there is one for each language, version and role.
//	name             of a file: its path from the publish folder, with slashes, "blog/index.html"
//	output           a page in one output format: blog/index.html, blog/index.xml
//	main             the file of a page's first HTML output
//	pager            a later page of a list: blog/page/2/index.html
//	owner            the page that a pager, another output or a file of a bundle belongs to
//	alias            a redirect page that the front matter of another page asks for
//	bundle           a folder with a page and its files: of a leaf, which has no pages below it, or of
//	                 a branch
//	fixed            what a template makes of no page: 404.html, robots.txt, sitemap.xml
//	expected         the files that a build surely writes
//	unbuilt          pages that are published, and that Hugo leaves out with the site's flags: drafts …
//	selection        the names of files whose pages are listed; nil for all pages
//	held             said of a file that hooks get in place of the publish folder: HTML, sitemaps, _headers
//	                 (site.IsHeld)
//	waiting          said of a file that Hugo has written, and that is not handed over yet
//	multihost        said of a site whose languages each have their own host, and their own folder
//	documents        front matter that we read ourselves, for the lines of what Hugo has read
//
// A hugoSite is a site (site.Site). Its configuration is loaded once (load), and again for each
// time that its pages are assembled. A builder takes part in one build. In the API of Hugo,
// p.OutputFormats are the outputs of a page, p.Params its front matter after cascades, of.Format a
// format.
package hugo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bep/clocks"
	"github.com/bep/logg"
	"github.com/gohugoio/hugo/common/htime"
	"github.com/gohugoio/hugo/common/hugo"
	"github.com/gohugoio/hugo/common/loggers"
	"github.com/gohugoio/hugo/common/paths"
	"github.com/gohugoio/hugo/config"
	"github.com/gohugoio/hugo/config/allconfig"
	"github.com/gohugoio/hugo/deps"
	"github.com/gohugoio/hugo/hugofs"
	"github.com/gohugoio/hugo/hugofs/files"
	"github.com/gohugoio/hugo/hugolib"
	"github.com/spf13/afero"

	"metarobots/frontmatter"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/printable"
	"metarobots/internal/site"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// Generator is the generator "hugo".
type Generator struct {
	// IsPolicy reports whether the values of a config.toml are a policy file of ours and not Hugo's
	// configuration.
	IsPolicy func(values map[string]any) bool
}

// Name returns "hugo".
func (Generator) Name() string { return "hugo" }

// Detect looks for Hugo's configuration: see [site.IsHugo].
func (g Generator) Detect(source string, flags map[string]any) bool {
	return site.IsHugo(source, flags, g.IsPolicy)
}

// flagKeys maps flags of the hugo command to configuration keys of another name; those that the
// command acts on itself have none.
var flagKeys = map[string]string{"minify": "minify.minifyOutput", "clock": "internal.clock",
	"gc": "", "logLevel": "", "config": "", "configDir": ""}

// Open loads the site's configuration: all its forms, environments, modules and themes.
func (g Generator) Open(_ context.Context, o site.Options) (site.Site, error) {
	h := &hugoSite{options: o}
	if err := h.load(); err != nil {
		return nil, h.explainLoadError(err)
	}
	return h, nil
}

// Version is that of the Hugo that is compiled in: v0.165.0, v0.165.0+extended.
func Version() string {
	version := "v" + hugo.CurrentVersion.String()
	if hugo.IsExtended {
		version += "+extended"
	}
	return version
}

// wayOut says below an error what works without the Hugo that is compiled in.
func wayOut(text string) []string {
	about := "this program has Hugo " + Version()
	if strings.Contains(text, "you need the extended version") {
		about += " without the extended edition, which compiles Sass; go build -tags extended makes one that does"
	}
	return []string{"(" + about + ". Where your own Hugo builds the site, use it:)", "\thugo", "\tmetarobots apply"}
}

// Hugo 0.165 has no types for these errors: their texts are read here, and nowhere else.
//
// contentError is how Hugo says that a content file cannot be read, frontMatterWords that its front
// matter is why, templateFails that a page cannot be rendered.
var (
	contentError = lazyregexp.New(`(?s)^assemble: failed to create page from pageMetaSource \S+: ` +
		`"([^"]+):(\d+):\d+": (.*)$`)
	frontMatterWords = lazyregexp.New(`(?i)front matter|^\[\d+:\d+\]|unmarshal|^toml|^yaml|^json|invalid character`)
	templateFails    = lazyregexp.New(`^render|^logged |of template failed|shortcode`)
)

// noModule is in the error about a theme's name that no Hugo would find.
const noModule = "module does not exist"

// unknownFile is for panics at a page that Hugo does not tell.
var unknownFile = new(string)

// panicToError turns a panic inside Hugo into an error that names the file in hand, if it is known.
// It is deferred itself, also where goroutines of Hugo's call us: nobody else catches a panic
// there.
func (s *hugoSite) panicToError(err *error, file *string) {
	r := recover()
	if r == nil {
		return
	}
	what := "gave up"
	if *file != "" {
		what += " at " + *file
	}
	*err = &printable.Help{Err: s.asHugoError(fmt.Errorf("a fault inside Hugo: it %s: %v", what, r)), Lines: wayOut("")}
}

// frontMatterFaults are those of all content files that our reader cannot read, since Hugo ends at
// the first, which is file; fallback is the error of it where ours can.
func (s *hugoSite) frontMatterFaults(file string, fallback error) error {
	l := &lister{site: s, documents: map[string]*document{}}
	read := func(name string) (fault bool) {
		e, fault := errors.AsType[*frontmatter.Error](l.document(name).err)
		if fault {
			l.fail(name, e)
		}
		return fault
	}
	_ = hugofs.NewWalkway(hugofs.WalkwayConfig{Fs: s.sites.BaseFs.Content.Fs, PathParser: s.sites.Conf.PathParser(),
		IgnoreFile: s.sites.SourceSpec.IgnoreFile, WalkFn: func(_ context.Context, _ string, at hugofs.FileMetaInfo) error {
			if !at.IsDir() && at.Meta().PathInfo.IsContent() {
				read(at.Meta().Filename)
			}
			return nil
		}}).Walk()
	if !read(file) { // where the walk has come to it, this is the same error
		l.errs = append(l.errs, fallback)
	}
	return l.failed()
}

// explainError is an error of Hugo's as users read it: all pages that fail, each with what is wrong
// there.
func (s *hugoSite) explainError(err error) error {
	text := strings.TrimSpace(err.Error())
	if m := contentError.FindStringSubmatch(text); m != nil && frontMatterWords.MatchString(m[3]) && s.sites != nil {
		what, _, _ := strings.Cut(m[3], "\n") // below it stands the text itself
		return s.frontMatterFaults(m[1], errors.New(s.short(m[1])+":"+m[2]+": front matter: "+what))
	}
	if !templateFails.MatchString(text) {
		return s.asHugoError(err)
	}
	var errs []error
	for _, e := range joinedErrors(err) {
		errs = append(errs, s.asHugoError(e))
	}
	last := &errs[len(errs)-1]
	*last = &printable.Help{Err: *last, Lines: wayOut(text)}
	return &site.RenderError{Err: errors.Join(errs...)}
}

// A hugoError is an error of Hugo's own, with the names of the site's files as messages have them.
type hugoError struct{ text string }

func (e *hugoError) Error() string { return "hugo: " + e.text }

// asHugoError makes an error of Hugo's a [*hugoError].
func (s *hugoSite) asHugoError(err error) error {
	file := filepath.Join(s.options.Source, "x")
	return &hugoError{strings.ReplaceAll(strings.TrimSpace(err.Error()), strings.TrimSuffix(file, "x"),
		strings.TrimSuffix(s.short(file), "x"))}
}

// joinedErrors are the errors that are joined somewhere in one, as those of several pages are; else
// that one.
func joinedErrors(err error) []error {
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return []error{err}
	}
	if all := joined.Unwrap(); len(all) > 1 {
		return all
	}
	return joinedErrors(joined.Unwrap()[0])
}

// explainLoadError is explainError for a site that this Hugo cannot load: the user's own may be
// another one.
func (s *hugoSite) explainLoadError(err error) error {
	err = s.explainError(err)
	if own, ok := err.(*hugoError); !ok || strings.Contains(own.text, noModule) {
		return err
	}
	return &printable.Help{Err: err, Lines: []string{fmt.Sprintf("(this is Hugo %s, which is compiled in. "+
		"If another Hugo builds the site, build it with that one and run metarobots apply DIR with "+
		"[site] generator = \"html\": front matter is then not read)", Version())}}
}

type hugoSite struct {
	options site.Options
	logger  loggers.Logger
	flags   config.Provider                  // what the command line states, by Hugo's keys
	configs *allconfig.Configs               // of all languages
	sources allconfig.ConfigSourceDescriptor // what configs are read from
	source  *sourceFs                        // the files that sites read
	sites   *hugolib.HugoSites               // made last; nil before [hugoSite.makeSites]
	made    []*hugolib.HugoSites             // all that are to be closed, these included
	// configFiles are read at the first call. A later one is merged over the ones before it.
	configFiles func() []configFile
	// listed and unbuilt are what was listed last: the pages of a build, and those that a build
	// leaves out.
	listed, unbuilt assembled
	words           frontmatter.Words // of the keys of the pages that were listed last
}

// load loads the configuration of the site for [Generator.Open], as Hugo's own command does. It
// sets all fields of s that are needed before the pages are assembled, and what Hugo keeps for the
// whole process: the logger and the clock. Its error is the user's to mend.
func (s *hugoSite) load() error {
	if err := s.makeLogger(); err != nil {
		return err
	}
	s.setFlags()
	o := &s.options
	file, _ := o.Build["config"].(string)
	dir, _ := o.Build["configDir"].(string)
	s.sources = allconfig.ConfigSourceDescriptor{Flags: s.flags, Fs: hugofs.Os, Logger: s.logger,
		Filename: file, ConfigDir: cmp.Or(dir, "config"),
		Environment: environment(o.Environment), Environ: environ()}
	var err error
	if s.configs, err = allconfig.LoadConfig(s.sources); err != nil {
		return err
	}
	if len(s.configs.LoadingInfo.ConfigFiles) == 0 && file != "" {
		return fmt.Errorf("--config: %s does not exist", file)
	}
	htime.Clock = clocks.System() // not that of a site before
	if clock := s.configs.Base.C.Clock; !clock.IsZero() {
		htime.Clock = clocks.Start(clock)
	}
	// Hugo's file systems find the publish folder in the flags, not in the configuration.
	for _, key := range []string{"publishDir", "publishDirStatic", "publishDirDynamic"} {
		s.flags.Set(key, s.configs.Base.PublishDir)
	}
	s.configFiles = sync.OnceValue(s.readConfigFiles)
	return nil
}

// makeLogger sets the logger of the site and of the process, by --logLevel and --panicOnWarning.
func (s *hugoSite) makeLogger() error {
	o := &s.options
	text, _ := o.Build["logLevel"].(string)
	level, err := logg.ParseLevel(strings.ToLower(cmp.Or(text, "warn")))
	if err != nil {
		return fmt.Errorf("--logLevel: %q is none of debug, info, warn, error", text)
	}
	log := cmp.Or(o.Log, io.Discard)
	options := loggers.Options{DistinctLevel: logg.LevelWarn, Level: level, StdOut: log, StdErr: log}
	if on, _ := o.Build["panicOnWarning"].(bool); on {
		options.HandlerPost = loggers.PanicOnWarningHook
	}
	s.logger = loggers.New(options)
	loggers.SetGlobalLogger(s.logger)
	return nil
}

// setFlags sets s.flags, which outweigh the files of the configuration.
func (s *hugoSite) setFlags() {
	o := &s.options
	s.flags = config.New()
	s.flags.Set("workingDir", o.Source)
	s.flags.Set("environment", environment(o.Environment))
	s.flags.Set("internal", map[string]any{"running": false, "watch": false}) // it is no server
	for name, value := range o.Build {
		key, hasOtherKey := flagKeys[name]
		if !hasOtherKey {
			key = name
		}
		if key != "" {
			s.flags.Set(key, value)
		}
	}
	if o.Destination != "" {
		s.flags.Set("publishDir", o.Destination)
	}
	if o.BaseURL != "" {
		s.flags.Set("baseURL", o.BaseURL)
	}
}

// environment is Hugo's own (E1): the flag, its two variables, production.
func environment(flag string) string {
	return cmp.Or(flag, os.Getenv("HUGO_ENVIRONMENT"), os.Getenv("HUGO_ENV"), "production")
}

// environ is the process's environment, which templates read too, without variables that name no
// environment: pipelines export empty ones, and Hugo takes them for its own.
func environ() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return v == "HUGO_ENVIRONMENT=" || v == "HUGO_ENV=" })
}

// absent reports the files of --config that are not there: Hugo goes on without them.
func (s *hugoSite) absent() (findings []policy.Finding) {
	for name := range strings.SplitSeq(s.sources.Filename, ",") {
		full := s.absolute(name)
		loaded := func(file string) bool { return file == full || strings.TrimSuffix(file, filepath.Ext(file)) == full }
		if name != "" && !slices.ContainsFunc(s.configs.LoadingInfo.ConfigFiles, loaded) {
			findings = append(findings, policy.Finding{ID: "config", Severity: policy.Warning, File: s.short(full),
				Message: "--config names this file, and it is not there: Hugo builds the site without it"})
		}
	}
	return findings
}

func (s *hugoSite) publish() string { return s.absolute(s.configs.Base.PublishDir) }

func (s *hugoSite) absolute(dir string) string { return paths.AbsPathify(s.options.Source, dir) }

// Settings are what Hugo's configuration says.
func (s *hugoSite) Settings() site.Settings {
	c := s.configs.Base
	settings := site.Settings{Publish: s.publish(), BaseURL: c.BaseURL, Title: c.Title, Locate: s.locate,
		KnowsContent: true, ThemeRobots: plain(c.Params["robots"])}
	// Hugo's cache lies outside of what is published and survives builds.
	settings.State = filepath.Join(s.configs.LoadingInfo.BaseConfig.CacheDir, "metarobots")
	own := plain(c.Params["metarobots"])
	if settings.Params, _ = own.(map[string]any); settings.Params == nil && own != nil {
		settings.Params = map[string]any{"params.metarobots": own} // the schema says what is wrong with it
	}
	s.perLanguage(&settings)
	settings.Findings = slices.Concat(settings.Findings, s.mistaken(), s.absent())
	if s.configs.GetFirstLanguageConfig().IsMultihost() { // not so where but one host is left of those configured
		settings.HostURLs = map[string]string{}
		for _, l := range s.configs.Languages {
			settings.Hosts = append(settings.Hosts, l.Lang)
			settings.HostURLs[l.Lang] = s.configs.GetByLang(l.Lang).BaseURL().String()
		}
	}
	return settings
}

// Versions are the versions of the content, if there are several: below a folder of each role that
// has one, each in a folder of its name. The default one is at the root unless it is configured
// otherwise, and is the one that readers are to find. If languages have hosts of their own, the
// folder of each is around the others.
// https://gohugo.io/configuration/versions/
func (s *hugoSite) Versions() (groups []versions.Group, _ []versions.Unread) {
	if len(s.configs.Base.Versions.Config.Sorted) < 2 {
		return nil, nil
	}
	hosts := []string{""}
	if s.configs.GetFirstLanguageConfig().IsMultihost() {
		hosts = nil
		for _, l := range s.configs.Languages {
			hosts = append(hosts, l.Lang+"/")
		}
	}
	root := s.configs.Base.RootConfig
	for _, host := range hosts {
		for _, role := range s.configs.Base.Roles.Config.Sorted {
			folder := host + role.Name + "/"
			if role.Default && !root.DefaultContentRoleInSubdir {
				folder = host
			}
			groups = append(groups, s.versionsIn(folder))
		}
	}
	return groups, nil
}

// versionsIn is the group of the versions that are published in a folder.
func (s *hugoSite) versionsIn(folder string) versions.Group {
	var all []versions.Version
	newest := ""
	for _, v := range s.configs.Base.Versions.Config.Sorted {
		version := versions.Version{Name: v.Name, Folder: folder + v.Name + "/"}
		if v.Default {
			newest = v.Name
			if !s.configs.Base.RootConfig.DefaultContentVersionInSubdir {
				version.Folder = folder
			}
		}
		all = append(all, version)
	}
	file, line := s.locate("versions")
	return versions.NewGroup(policy.Origin{File: s.short(file), Line: line}, all, newest)
}

// perLanguage finds what a language's own parameters say to us: [params.metarobots] and
// params.robots are the whole site's. Ours is an error there; a theme's is a finding.
func (s *hugoSite) perLanguage(settings *site.Settings) {
	for _, lang := range slices.Sorted(maps.Keys(s.configs.LanguageConfigMap)) {
		params := s.configs.LanguageConfigMap[lang].Params
		for _, key := range []string{"metarobots", "robots"} {
			if reflect.DeepEqual(plain(params[key]), plain(s.configs.Base.Params[key])) {
				continue
			}
			file, line := s.locate("languages", lang, "params", key)
			f := policy.Finding{ID: "per-language", Severity: policy.Warning, File: s.short(file), Line: line,
				Message: fmt.Sprintf("languages.%s.params.%s: this is read for the whole site alone, under [params]",
					lang, key),
				Fix: "; one language is named by [robots.visibility] languages or by a rule's languages"}
			if key == "robots" {
				settings.Findings = append(settings.Findings, f)
				continue
			}
			settings.Problems = append(settings.Problems, errors.New(f.Error()))
		}
	}
}

// mistaken reports tables of the site's own configuration that were meant for the policy, and that
// nobody reads.
func (s *hugoSite) mistaken() (all []policy.Finding) {
	for _, f := range s.configFiles() {
		for _, under := range [][]string{nil, {"params"}} {
			table, _ := frontmatter.Lookup(f.document.Params, under).(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(table)) {
				path := append(slices.Clone(under), strings.ToLower(name))
				key := slices.Concat(f.prefix, path)
				if site.MistakenKey(key) && s.rank(f.name) == 1 {
					all = append(all, policy.Finding{ID: "policy-not-read", Severity: policy.Warning, File: s.short(f.name),
						Line: f.document.Index.Line(path...), Message: fmt.Sprintf("%s has no effect here: move it to "+
							"[params.%s], or to %s", strings.Join(key, "."), site.PolicyParams, site.PolicyFile)})
				}
			}
		}
	}
	return all
}

// makeSites makes s.sites anew, without assembling pages. They publish to the publish
// folder; redirect may put other file systems in its place, and change s.configs. It is nil if
// nothing else is wanted.
func (s *hugoSite) makeSites(redirect func(*hugofs.Fs)) (err error) {
	if len(s.made) > 0 { // a configuration holds caches of files, which serve the sites that are made of it first
		if s.configs, err = allconfig.LoadConfig(s.sources); err != nil {
			return err
		}
	}
	s.source = &sourceFs{}
	fs := hugofs.NewFromSourceAndDestination(s.source, hugofs.Os, s.flags)
	if redirect != nil { // after the configuration is loaded again: it may change that one
		redirect(fs)
	}
	if s.configs.Base.PrintPathWarnings {
		fs.PublishDir = hugofs.NewCreateCountingFs(fs.PublishDir)
	}
	h, err := hugolib.NewHugoSites(deps.DepsCfg{Configs: s.configs, Fs: fs, StdOut: s.logger.StdOut(),
		StdErr: s.logger.StdErr(), LogLevel: s.logger.Level()})
	if err == nil {
		s.sites, s.made = h, append(s.made, h)
	}
	return err
}

// writeNothing keeps the sites that [hugoSite.makeSites] is making from writing files: what they
// publish stays in memory.
func (s *hugoSite) writeNothing(fs *hugofs.Fs) {
	fs.PublishDir = afero.NewMemMapFs()
	fs.PublishDirStatic = fs.PublishDir
	s.writeNoStats(fs)
}

// writeNoStats keeps the sites that [hugoSite.makeSites] is making from writing hugo_stats.json,
// which lies in the site's folder. Hugo would write it without a single name if it renders no page.
func (s *hugoSite) writeNoStats(*hugofs.Fs) {
	for _, c := range s.configs.LanguageConfigMap {
		c.Build.BuildStats.Enable = false
	}
}

// Close frees what Hugo holds.
func (s *hugoSite) Close() error {
	for _, h := range s.made {
		if err := h.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
			return err
		}
	}
	return nil
}

// plain turns Hugo's named maps and slices into plain ones, all the way down.
func plain(value any) any {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Map:
		m := make(map[string]any, v.Len())
		for it := v.MapRange(); it.Next(); {
			if key := fmt.Sprint(it.Key().Interface()); key != "_merge" {
				m[key] = plain(it.Value().Interface())
			}
		}
		return m
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plain(v.Index(i).Interface())
		}
		return list
	}
	return value
}

// DataFolder is the first folder that the site itself mounts as data: what dataDir says, or its
// module.mounts. One inside of data is none: what lies there has another name in templates.
// https://gohugo.io/configuration/module/#mounts
func (s *hugoSite) DataFolder() string {
	for _, m := range s.configs.Modules[0].Mounts() {
		if filepath.ToSlash(filepath.Clean(m.Target)) == files.ComponentFolderData {
			return s.absolute(m.Source)
		}
	}
	return ""
}

// Pager returns <page's folder>/<pagination path>/<n>/index.html or, with ugly URLs,
// <page>/<path>/<n>.html. Lists alone are divided. https://gohugo.io/templates/pagination/
func (s *hugoSite) Pager(f site.File, n int) string {
	conf := s.configs.GetByLang(f.Facts.Language)
	if f.Facts.Kind == "page" || conf == nil {
		return ""
	}
	folder, base := path.Split(f.Name)
	number, ext := strconv.Itoa(n), path.Ext(base)
	if stem := strings.TrimSuffix(base, ext); stem != "index" && conf.IsUglyURLs(f.Facts.Section) {
		return path.Join(folder, stem, conf.Pagination().Path, number+ext)
	}
	return path.Join(folder, conf.Pagination().Path, number, base)
}
