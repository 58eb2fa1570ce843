package servers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Name is the header this package is about.
const Name = "X-Robots-Tag"

// Want is what one published file is to be served with.
type Want struct {
	// Path is from the publish root, slash-separated, decoded: "posts/a/index.html".
	Path string
	// Values are the X-Robots-Tag lines wanted, the generic one first. None:
	// no header of ours may reach the file.
	Values []string
	// Free says that any header will do: control files, redirects, error pages.
	Free bool
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
	// How says in one sentence where the file goes.
	How string
	// Problems are findings about the user's file and about what was left out.
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
}

// targets are the hosts in the order in which [Targets] names them.
var targets = []target{
	{"apache", ".htaccess", false,
		"Publish .htaccess with the site: Apache 2.4 reads it where mod_headers is on and AllowOverride has FileInfo.",
		writeApache},
	{"nginx", "metarobots.nginx.conf", true,
		"Include metarobots.nginx.conf in nginx's http block and write \"add_header X-Robots-Tag $metarobots;\" into the server block, and once more into every location that has an add_header of its own.",
		writeNginx},
	{"caddy", "metarobots.caddy", true,
		"Write \"import metarobots.caddy\" into the site's block of the Caddyfile.",
		writeCaddy},
	{"vercel", "vercel.json", true,
		"Keep vercel.json in the project's root directory, which Vercel reads it from.",
		writeVercel},
	{"firebase", "firebase.json", true,
		"Keep firebase.json in the project's root, where firebase deploy runs.",
		writeFirebase},
	{"amplify", "customHttp.yml", true,
		"Keep customHttp.yml in the root of the repository that Amplify builds.",
		writeAmplify},
	{"azure", "staticwebapp.config.json", false,
		"Publish staticwebapp.config.json with the site: Azure Static Web Apps read it from the root of the output folder.",
		writeAzure},
}

// Targets returns the known targets.
func Targets() []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.name
	}
	return names
}

// Compile adds to the user's file for a target the rules that serve every want
// with its values and nothing else with any. What stood there from an earlier
// run is taken out first. It fails where the target is unknown, where the file
// cannot be read as what the host takes, and, with [ErrBudget] and the result,
// where a limit of the host's is in the way.
func Compile(target string, existing []byte, wants []Want) (Result, error) {
	for _, t := range targets {
		if t.name != target {
			continue
		}
		c := &compiler{existing: existing, wants: wants, res: Result{Name: t.file, Beside: t.beside, How: t.how}}
		err := t.write(c)
		if err != nil && !errors.Is(err, ErrBudget) {
			return Result{}, fmt.Errorf("%s: %w", t.file, err)
		}
		slices.SortStableFunc(c.res.Problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Path, b.Path), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Message, b.Message))
		})
		c.res.Problems = slices.Compact(c.res.Problems)
		return c.res, err
	}
	return Result{}, fmt.Errorf("unknown headers target %q (known: %s)", target, strings.Join(Targets(), ", "))
}

type compiler struct {
	existing []byte
	wants    []Want
	res      Result
	files    map[string]string // the published file of each URL
}

func (c *compiler) problem(p Problem) { c.res.Problems = append(c.res.Problems, p) }

// group is the URLs that get one value, sorted, decoded.
type group struct {
	value string
	urls  []string
}

// site is what the wants come to for one host.
type site struct {
	groups []group
	// rest are the URLs at which the other files are served, free ones left out,
	// and those that two files may take.
	rest []string
}

// gather groups the URLs by value. The forms of a file are the decoded request
// paths that are certainly its own, and those that are if no other file takes
// them.
func (c *compiler) gather(forms func(path string) (own, maybe []string)) site {
	const free = "\x00"
	texts := make([]string, len(c.wants))
	for i, w := range c.wants {
		texts[i] = strings.Join(w.Values, ", ")
		if w.Free {
			texts[i] = free
			continue
		}
		if msg := badValue(texts[i]); msg != "" {
			c.problem(Problem{ID: IDValue, Severity: SeverityError, Path: w.Path, Message: msg})
			texts[i] = ""
		}
		if texts[i] != "" && badName(w.Path) {
			c.problem(Problem{ID: IDName, Severity: SeverityError, Path: w.Path,
				Message: "the name holds a control character or is not UTF-8: it gets no X-Robots-Tag (rename the file)"})
			texts[i] = ""
		}
	}
	c.files = make(map[string]string)
	claims := make(map[string]int) // by URL
	for i, w := range c.wants {
		own, _ := forms(w.Path)
		for _, u := range own {
			claims[u] = i
			c.files[u] = w.Path
		}
	}
	guesses := make(map[string]int)
	for i, w := range c.wants {
		_, maybe := forms(w.Path)
		for _, u := range maybe {
			if _, taken := claims[u]; taken {
				continue
			}
			if j, taken := guesses[u]; taken && (j < 0 || texts[j] != texts[i]) {
				guesses[u] = -1
				continue
			}
			guesses[u] = i
			c.files[u] = w.Path
		}
	}
	byValue := make(map[string][]string)
	var s site
	for u, i := range claims {
		switch texts[i] {
		case free:
		case "":
			s.rest = append(s.rest, u)
		default:
			byValue[texts[i]] = append(byValue[texts[i]], u)
		}
	}
	for u, i := range guesses {
		switch {
		case i < 0 || texts[i] == "":
			s.rest = append(s.rest, u)
		case texts[i] != free:
			byValue[texts[i]] = append(byValue[texts[i]], u)
		}
	}
	for v, urls := range byValue {
		slices.Sort(urls)
		s.groups = append(s.groups, group{v, urls})
	}
	slices.SortFunc(s.groups, func(a, b group) int { return cmp.Compare(a.value, b.value) })
	slices.Sort(s.rest)
	return s
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
	folder, ok := strings.CutSuffix(url, "/index.html")
	return folder + "/", ok
}

// count is the number of URLs in all groups.
func (s site) count() int {
	n := 0
	for _, g := range s.groups {
		n += len(g.urls)
	}
	return n
}
