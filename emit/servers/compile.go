package servers

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"metarobots/emit/robotstag"
)

// Want is what one published file is to be served with.
type Want struct {
	// Path is from the publish root, slash-separated, decoded: "posts/a/index.html".
	Path string
	// Values are the X-Robots-Tag lines wanted, the generic one first, then one
	// for each crawler. None: no header of ours may reach the file.
	Values []string
	// HTML says that a tag in the file carries the policy too.
	HTML bool
	// Found says that the user's own rules alone give exactly this set: no rule
	// of ours is needed. It is believed where they do so at each of the file's
	// request paths, however the host compares them.
	Found bool
	// Free says that any header will do: control files, redirects, error pages.
	Free bool
}

// Scopes of [Options].
const (
	// ScopeAuto covers HTML where the host's limit allows.
	ScopeAuto = "auto"
	// ScopeFiles leaves HTML to its meta tag.
	ScopeFiles = "files"
	// ScopeAll covers HTML; where it does not fit that is an error.
	ScopeAll = "all"
)

// Options say how much [Compile] writes, and for which place of a host.
type Options struct {
	// Scope is one of the Scope constants; empty means [ScopeAuto].
	Scope string
	// Everywhere, where not empty, are the X-Robots-Tag lines of an environment
	// that states them for everything, the generic one first. One rule carries
	// them, and only files that want something else get rules of their own.
	Everywhere []string
	// Base is the path, "/docs", below which the site is served; empty at the
	// root of its host. It counts for apache, nginx and caddy: the others serve a
	// site from the root of its host.
	Base string
}

// Result is what [Compile] made.
type Result struct {
	// Name is the name of the file: ".htaccess", "metarobots.nginx.conf".
	Name string
	// Beside says that it belongs beside the publish folder, into the project's
	// root, not into what is published.
	Beside bool
	// File is the whole new file; nil where there is nothing to write and the
	// user has none.
	File []byte
	// Rules is the number of rules of ours: those the host counts, or, where it
	// counts none, the values.
	Rules int
	// Limit is how many rules the host takes, the user's included; 0 where it
	// counts none.
	Limit int
	// GivenUp are the HTML files left to their meta tag, in scope "auto", because
	// the rules for all files did not fit the host's limit; sorted.
	GivenUp []string
	// How says in one sentence where the file goes.
	How string
	// Problems are findings about the user's file, those of [User.Problems] among
	// them, and about what was left out.
	Problems []Problem
}

// ErrBudget is returned where the rules do not fit the host's limit. Nothing is
// to be written then.
var ErrBudget = errors.New("the X-Robots-Tag rules do not fit the host's limit")

// target is one host.
type target struct {
	name, file string
	beside     bool
	how        string
	write      func(c *compiler) error
	read       func(file []byte) (*model, error)
	// limit is how many rules the host takes; 0 where it counts none.
	limit int
	// below says that a site may be served below a path of its host.
	below bool
}

// targets are the hosts in the order in which [Targets] names them.
var targets = []target{
	{"apache", ".htaccess", false,
		"Publish .htaccess with the site: Apache 2.4 reads it where mod_headers is on and AllowOverride has FileInfo.",
		writeApache, readApache, 0, true},
	{"nginx", "metarobots.nginx.conf", true,
		"Include metarobots.nginx.conf in nginx's http block and write \"add_header X-Robots-Tag $metarobots_1;\", and the same with _2, _3 and _4, into the server block, and once more into every location that has an add_header of its own.",
		writeNginx, readNginx, 0, true},
	{"caddy", "metarobots.caddy", true,
		"Write \"import metarobots.caddy\" into the site's block of the Caddyfile, below header lines of its own.",
		writeCaddy, readCaddy, 0, true},
	{"vercel", "vercel.json", true,
		"Keep vercel.json in the project's root directory, which Vercel reads it from.",
		writeVercel, readVercel, vercelRules, false},
	{"firebase", "firebase.json", true,
		"Keep firebase.json in the project's root, where firebase deploy runs.",
		writeFirebase, readFirebase, 0, false},
	{"amplify", "customHttp.yml", true,
		"Keep customHttp.yml in the root of the repository that Amplify builds.",
		writeAmplify, readAmplify, 0, false},
	{"azure", "staticwebapp.config.json", false,
		"Publish staticwebapp.config.json with the site: Azure Static Web Apps read it from the root of the output folder.",
		writeAzure, readAzure, 0, false},
}

// Targets returns the known targets.
func Targets() []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.name
	}
	return names
}

// Place says how the file of a target is named, and whether it belongs beside
// the publish folder, into the project's root. ok is false for an unknown target.
func Place(target string) (file string, beside, ok bool) {
	for _, t := range targets {
		if t.name == target {
			return t.file, t.beside, true
		}
	}
	return "", false, false
}

// Compile adds to the user's file for a target the rules that serve every want
// with its values and nothing else with any. What stood there from an earlier
// run is taken out first. It fails where the target or the scope is unknown,
// where the file cannot be read as what the host takes, and, with [ErrBudget] and
// the result, where a limit of the host's is in the way: of the files other than
// HTML, or, in scope "all", of all of them.
func Compile(target string, existing []byte, wants []Want, o Options) (Result, error) {
	switch o.Scope {
	case "", ScopeAuto, ScopeFiles, ScopeAll:
	default:
		return Result{}, fmt.Errorf("unknown headers scope %q (known: auto, files, all)", o.Scope)
	}
	for _, t := range targets {
		if t.name == target {
			return t.compile(existing, wants, o)
		}
	}
	return Result{}, unknown(target)
}

func (t *target) compile(existing []byte, wants []Want, o Options) (Result, error) {
	user, err := ReadUser(t.name, existing)
	if err != nil {
		return Result{}, err
	}
	c := newCompiler(t, user, existing, wants, o)
	c.leaveHTML = o.Scope == ScopeFiles
	err = t.write(c)
	if errors.Is(err, ErrBudget) && o.Scope != ScopeFiles && o.Scope != ScopeAll {
		less := newCompiler(t, user, existing, wants, o)
		less.leaveHTML = true
		if err = t.write(less); len(less.leftHTML) > 0 {
			less.res.GivenUp = less.leftHTML
			if err == nil {
				less.problem(Problem{ID: IDBudget, Severity: SeverityWarning, Message: fmt.Sprintf(
					"%s: the tags of %s alone carry the policy", c.over, counted(len(less.leftHTML), "HTML page", "HTML pages"))})
			}
			c = less
		}
	}
	switch {
	case errors.Is(err, ErrBudget):
		hint := ""
		if !c.leaveHTML {
			hint = ` (headers.scope = "files" leaves HTML to its tags)`
		}
		c.problem(Problem{ID: IDBudget, Severity: SeverityError, Message: c.over + hint})
	case err != nil:
		return Result{}, fmt.Errorf("%s: %w", t.file, err)
	}
	slices.SortStableFunc(c.res.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Path, b.Path), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Message, b.Message))
	})
	c.res.Problems = slices.Compact(c.res.Problems)
	return c.res, err
}

type compiler struct {
	existing   []byte
	user       *User
	wants      []Want
	base       string              // before every request path
	everywhere string              // what one rule says for all files; "" for none
	lines      map[string][]string // the lines of each value that has several
	leaveHTML  bool
	leftHTML   []string // the HTML files that so go without their rules
	over       string   // says which limit is in the way
	res        Result

	texts   []string // what each want comes to: a value, "", free or covered
	claims  []claim  // the URLs that are files' own, sorted
	guesses []claim  // those that a file has if no other takes them, sorted
}

func newCompiler(t *target, user *User, existing []byte, wants []Want, o Options) *compiler {
	c := &compiler{existing: existing, user: user, wants: wants, everywhere: strings.Join(o.Everywhere, ", "),
		lines: make(map[string][]string), res: Result{Name: t.file, Beside: t.beside, Limit: t.limit, How: t.how}}
	c.several(o.Everywhere)
	for _, w := range wants {
		c.several(w.Values)
	}
	c.res.Problems = append(c.res.Problems, user.Problems()...)
	if t.below {
		c.base = strings.TrimRight(o.Base, "/")
	}
	if msg := badValue(c.everywhere); msg != "" {
		c.problem(Problem{ID: IDValue, Severity: SeverityError, Message: "the environment's header: " + msg})
		c.everywhere = ""
	}
	return c
}

// several notes the lines of a value that has more than one. A name begins each
// but the first, so lines that are joined to one text are the same.
func (c *compiler) several(lines []string) {
	if len(lines) < 2 {
		return
	}
	if value := strings.Join(lines, ", "); c.lines[value] == nil {
		c.lines[value] = lines
	}
}

func (c *compiler) problem(p Problem) { c.res.Problems = append(c.res.Problems, p) }

// budget is the error for rules that do not fit.
func (c *compiler) budget(format string, args ...any) error {
	c.over = fmt.Sprintf(format, args...)
	return ErrBudget
}

// counted prints a number and the words for one or for several.
func counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// group is the URLs that get one value, sorted, decoded.
type group struct {
	value string
	urls  []string
}

// site is what the wants come to for one host.
type site struct {
	// groups are those that need a rule of their own.
	groups []group
	// several are the values of more than one line, that of the rule for
	// everything among them: the shortest first, of one length by the alphabet.
	several []string
}

// claim is a URL of a want's. There is one or two for each file of a site.
type claim struct {
	url  string
	want int32 // -1 where two may have it
	file int32 // the want that problems with the URL are reported for
}

func compareClaims(a, b claim) int { return strings.Compare(a.url, b.url) }

// What a want comes to, where it is no value for a rule of its own.
const (
	free    = "\x00free"
	covered = "\x00covered"
)

// gather groups the URLs by value. The forms of a file are the decoded request
// paths that are certainly its own, and those that are if no other file takes
// them.
func (c *compiler) gather(forms func(path string) (own, maybe []string)) site {
	c.texts = make([]string, len(c.wants))
	c.leftHTML = nil
	believed := c.believed()
	for i, w := range c.wants {
		switch c.texts[i] = c.text(w); {
		case c.texts[i] == "" || c.texts[i] == free || c.texts[i] == covered:
		case believed[i]:
			c.texts[i] = ""
		case c.leaveHTML && w.HTML:
			c.leftHTML = append(c.leftHTML, w.Path)
			c.texts[i] = ""
		}
	}
	slices.Sort(c.leftHTML)
	c.claim(forms)
	byValue := make(map[string][]string)
	var s site
	for cl := range c.all() {
		if cl.want < 0 {
			continue
		}
		if text := c.texts[cl.want]; text != "" && text != free && text != covered {
			byValue[text] = append(byValue[text], cl.url)
		}
	}
	for v, urls := range byValue {
		slices.Sort(urls)
		s.groups = append(s.groups, group{v, urls})
		if c.lines[v] != nil {
			s.several = append(s.several, v)
		}
	}
	if c.lines[c.everywhere] != nil {
		s.several = append(s.several, c.everywhere)
	}
	slices.SortFunc(s.several, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	slices.SortFunc(s.groups, func(a, b group) int { return cmp.Compare(a.value, b.value) })
	return s
}

// claim lists which URLs are whose.
func (c *compiler) claim(forms func(path string) (own, maybe []string)) {
	n := len(c.wants)
	for i := range c.wants {
		if strings.HasSuffix(c.wants[i].Path, "index.html") {
			n++ // a folder
		}
	}
	c.claims, c.guesses = make([]claim, 0, n), nil
	for i := range c.wants {
		own, maybe := forms(c.wants[i].Path)
		for _, u := range own {
			c.claims = append(c.claims, claim{c.base + u, int32(i), int32(i)})
		}
		for _, u := range maybe {
			c.guesses = append(c.guesses, claim{c.base + u, int32(i), int32(i)})
		}
	}
	// Of the wants that one URL is the own of, the last has it.
	slices.SortStableFunc(c.claims, compareClaims)
	kept := c.claims[:0]
	for _, cl := range c.claims {
		if n := len(kept); n > 0 && kept[n-1].url == cl.url {
			kept[n-1] = cl
			continue
		}
		kept = append(kept, cl)
	}
	c.claims = kept
	slices.SortStableFunc(c.guesses, compareClaims)
	kept = c.guesses[:0]
	for _, cl := range c.guesses {
		if _, taken := slices.BinarySearchFunc(c.claims, cl, compareClaims); taken {
			continue
		}
		n := len(kept)
		switch {
		case n == 0 || kept[n-1].url != cl.url:
			kept = append(kept, cl)
		case kept[n-1].want < 0 || c.texts[kept[n-1].want] != c.texts[cl.want]:
			kept[n-1].want = -1
		default:
			kept[n-1] = cl
		}
	}
	c.guesses = kept
}

// all returns the claims and the guesses.
func (c *compiler) all() iter.Seq[claim] {
	return func(yield func(claim) bool) {
		for _, list := range [][]claim{c.claims, c.guesses} {
			for _, cl := range list {
				if !yield(cl) {
					return
				}
			}
		}
	}
}

// file is the published file of a URL.
func (c *compiler) file(url string) string {
	for _, list := range [][]claim{c.claims, c.guesses} {
		if at, ok := slices.BinarySearchFunc(list, claim{url: url}, compareClaims); ok {
			return c.wants[list[at].file].Path
		}
	}
	return ""
}

// rest are the URLs at which other files are served, free ones left out, and
// those that two files may take, sorted. They get what the one rule for
// everything says, or nothing.
func (c *compiler) rest() (urls []string) {
	for cl := range c.all() {
		if cl.want < 0 || c.texts[cl.want] == "" || c.texts[cl.want] == covered {
			urls = append(urls, cl.url)
		}
	}
	slices.Sort(urls)
	return urls
}

// covered are those of the rest that want what that rule says, sorted.
func (c *compiler) covered() (urls []string) {
	for cl := range c.all() {
		if cl.want >= 0 && c.texts[cl.want] == covered {
			urls = append(urls, cl.url)
		}
	}
	slices.Sort(urls)
	return urls
}

// text is the value that a want needs a rule for, "", or what it comes to.
func (c *compiler) text(w Want) string {
	text := strings.Join(w.Values, ", ")
	switch msg := badValue(text); {
	case w.Free:
		return free
	case msg != "":
		c.problem(Problem{ID: IDValue, Severity: SeverityError, Path: w.Path, Message: msg})
		return ""
	case text == "":
		return ""
	case badName(w.Path):
		c.problem(Problem{ID: IDName, Severity: SeverityError, Path: w.Path,
			Message: "the name holds a control character or is not UTF-8: it gets no X-Robots-Tag (rename the file)"})
		return ""
	case robotstag.Same(text, c.everywhere):
		return covered
	}
	return text
}

// believed are the wants that the user's own rules serve, at each request path
// and however the host compares it. One rule for everything would override them.
func (c *compiler) believed() map[int]bool {
	believed := make(map[int]bool)
	m := c.user.model
	if c.everywhere != "" || m.doubtful || !m.speaks() {
		return believed
	}
	p := &paths{}
	var of []int
	for i, w := range c.wants {
		if !w.Found {
			continue
		}
		believed[i] = true
		own, maybe := m.forms(w.Path)
		for _, f := range slices.Concat(own, maybe) {
			p.decoded = append(p.decoded, f)
			of = append(of, i)
		}
	}
	for _, r := range m.readings {
		for k, a := range r.answers(p, false) {
			if !maps.Equal(stated(a.sent()), stated(c.wants[of[k]].Values)) {
				delete(believed, of[k])
			}
		}
	}
	return believed
}

// inTheWay reports the user's rules that the host puts before ours, where they do
// not give a file what it is to have.
func (c *compiler) inTheWay(s site, says func(a answer, url string) string) {
	p := &paths{decoded: c.covered()}
	values := make([]string, len(p.decoded))
	for i := range values {
		values[i] = c.everywhere
	}
	for _, g := range s.groups {
		for _, url := range g.urls {
			p.decoded = append(p.decoded, url)
			values = append(values, g.value)
		}
	}
	said := make(map[string]bool)
	for _, r := range c.user.model.readings {
		for i, a := range r.answers(p, false) {
			file := c.file(p.decoded[i])
			if a.pattern == "" || a.elsewhere || said[file] || robotstag.Same(a.value, values[i]) {
				continue
			}
			said[file] = true
			c.problem(Problem{ID: IDFound, Severity: SeverityError, Line: a.line, Path: file,
				Message: says(a, p.decoded[i])})
		}
	}
}

// badValue says why a value cannot be written. No directive and no crawler's
// name needs what is refused here; one host or another gives each a meaning.
func badValue(v string) string {
	for _, r := range v {
		if r < ' ' || r > '~' || strings.ContainsRune("\"\\$`{}", r) {
			return fmt.Sprintf("the value %q holds %q, which cannot be written in the host's file: it gets no X-Robots-Tag", v, r)
		}
	}
	return ""
}

// badName reports whether a name cannot be written in every host's file.
func badName(path string) bool {
	return !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7F })
}

// plainForms are the request paths of a file on a host without clean URLs: its
// own, and for an index its folder's.
func plainForms(path string) (own, maybe []string) {
	url := "/" + path
	if folder, ok := indexOf(url); ok {
		return []string{folder, url}, nil
	}
	return []string{url}, nil
}

// indexOf returns the folder, "/x/", of which a URL is the index.
func indexOf(url string) (string, bool) {
	if !strings.HasSuffix(url, "/index.html") {
		return "", false
	}
	return url[:len(url)-len("index.html")], true // a part of it, no text of its own
}

// count is the number of URLs in all groups.
func (s site) count() int {
	n := 0
	for _, g := range s.groups {
		n += len(g.urls)
	}
	return n
}
