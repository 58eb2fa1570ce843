package config

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
	"metarobots/internal/hosts"
	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// Headers is [robots.headers], and [robots.hosts].
type Headers struct {
	Targets []string
	Scope   string // auto, files, all
	// Rules are for headers beside X-Robots-Tag.
	Rules []HeaderRule
	// Hosts is [robots.hosts].
	Hosts Hosts
}

// headers reads [robots.headers], without [robots.hosts].
func (d *decoder) headers(t *table) Headers {
	faults := len(d.errs)
	c := Headers{Targets: words(t, "targets", "target", hosts.Targets())}
	if len(d.errs) == faults {
		d.together(c.Targets, t.at("targets"))
	}
	c.Scope = t.choice("scope", "auto", "files", "all")
	c.Rules = d.headerRules(t)
	return c
}

// together refuses targets that cannot stand in one list.
func (d *decoder) together(targets, at []string) {
	shared := 0 // how many need no file of their own
	for i, target := range targets {
		switch {
		case slices.Contains(targets[:i], target):
			d.errorf(at, "%q is listed twice", target)
			return
		case target == headers.TargetNone && len(targets) > 1:
			d.errorf(at, "\"none\" must be the only target")
			return
		case hosts.Lookup(target).Format == nil:
			shared++
		}
	}
	if shared > 1 {
		d.errorf(at, "auto, portable, netlify and cloudflare write the same file, _headers: name "+
			"one of them; portable is right on Netlify and Cloudflare at once")
	}
}

// A HeaderRule is one of [[robots.headers.rules]]: lines of headers beside X-Robots-Tag for the
// files that it selects (H1).
type HeaderRule struct {
	// Files selects them. It states nothing.
	Files policy.Rule
	// Twins: it is for the files that publish a page's content again, and Files is empty.
	Twins bool
	Lines []HeaderLine
}

// A HeaderLine is a line of a header.
type HeaderLine struct {
	Name, Value string
	// Link is the link of which the value consists, with a target that may be a template; zero for
	// a value as it is.
	Link   robotstag.Link
	Origin policy.Origin
}

// TargetPlaceholders are what may stand in the target of a link (H2).
var TargetPlaceholders = []string{"{page}", "{path}", "{dir}", "{name}", "{rest}"}

// A knownHeader is a header that a rule may set without allow. Its name is as it is written.
type knownHeader struct {
	name string
	fits func(value string) bool // whether the header may have a value
	want string                  // for the message about a value that does not fit: what would
}

var knownHeaders = []knownHeader{
	// As a header it is for one URL. https://contentsignals.org as of 2026-11-23
	{"Content-Signal", func(value string) bool {
		_, broken := robotstxt.CheckSignal("Content-Signal", value)
		return !broken && !strings.HasPrefix(value, "/")
	}, "write what may be done as search=yes, ai-train=no"},
	// A label that the vocabulary does not have may come. In a header no path stands before it:
	// https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/ section 2
	{"Content-Usage", func(value string) bool {
		_, broken := robotstxt.CheckSignal("Content-Usage", value)
		return !broken && !strings.HasPrefix(value, "/")
	}, "only robots.txt takes a path; write a preference as train-ai=n"},
	{"Link", func(value string) bool {
		_, ok := robotstag.ParseLinks(value)
		return ok
	}, "it is not a list of links such as </style.css>; rel=\"preload\""},
	// https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/
	{"tdm-policy", isURL, "it is not a whole URL: https:// and the host"},
	{"tdm-reservation", func(value string) bool { return value == "0" || value == "1" },
		"the value is 0 or 1"},
}

// knownNames are the names of the headers that a rule may set without allow.
func knownNames() (names []string) {
	for _, k := range knownHeaders {
		names = append(names, k.name)
	}
	return names
}

// refusedHeaders are those that a host or the transfer sets, in lower case. Those of Netlify:
// https://docs.netlify.com/manage/routing/headers/#limitations
var refusedHeaders = strings.Fields("accept-ranges age allow alt-svc connection content-encoding " +
	"content-length content-location content-range content-type date host keep-alive location " +
	"server set-cookie status te trailer transfer-encoding upgrade via")

// relations are the relation types of which a misspelled one is told.
// https://www.iana.org/assignments/link-relations/
var relations = strings.Fields("alternate amphtml author canonical cite-as collection " +
	"describedby help icon item license next preconnect preload prev search self service-desc " +
	"shortlink terms-of-service")

var (
	rooted = lazyregexp.New(`^(/$|/[^/]|\{page\}|\{path\}|\{dir\})`)
	// https://www.rfc-editor.org/rfc/rfc9110#name-tokens
	headerName = lazyregexp.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	relation   = lazyregexp.New(`^([a-z][a-z0-9.-]*|[a-z][a-z0-9+.-]*:[!#-;=?-~]+)$`)
	braces     = lazyregexp.New(`\{[^{}]*\}|[{}]`)
)

// headerRules reads [[robots.headers.rules]] and the links and headers of each.
func (d *decoder) headerRules(headers *table) (rules []HeaderRule) {
	for _, t := range headers.tables("rules", Key{Required: "match", OneOf: []string{"link", "set"}},
		"a rule needs match, a list of globs") {
		r := HeaderRule{Files: d.selector(t)}
		for _, link := range t.tables("link", Key{Required: "to"},
			"a link needs to, a URL or a template such as \"{page}\"") {
			r.Lines = append(r.Lines, d.link(link)...)
		}
		allow := t.boolean("allow")
		for _, header := range t.table("set").names(Key{Words: knownNames(), Open: true}) {
			r.Lines = append(r.Lines, d.set(header, allow)...)
		}
		if !t.has("link") && !t.has("set") {
			d.errorf(t.path, "this rule has no effect: add link or set")
		}
		rules = append(rules, r)
	}
	return rules
}

// link reads one table [[robots.headers.rules.link]] as a line of a Link header:
//
//	to = "{page}", rel = "canonical"   Link: <{page}>; rel="canonical"
//
// Its placeholders are filled in for each file by package plan. The lines are one, or none if the
// link is faulty: then the decoder has collected what is wrong.
func (d *decoder) link(t *table) []HeaderLine {
	faultsBefore := len(d.errs)
	to, rel := t.text("to", Key{}), strings.ToLower(t.text("rel", Key{}))
	// A link without to is reported by the table, whose Key requires it.
	if problem := checkTarget(to); t.has("to") && problem != "" {
		d.errorf(t.at("to"), "%q %s", to, problem)
	}
	d.checkRelations(t, rel)
	value := fmt.Sprintf("<%s>; rel=%q", to, rel)
	for _, name := range []string{"type", "hreflang"} {
		if text := t.text(name, Key{}); text != "" {
			if !isPrintable(text) {
				d.errorf(t.at(name), notPrintable, text)
			}
			value += fmt.Sprintf("; %s=%q", name, text)
		}
	}
	if len(d.errs) > faultsBefore {
		return nil
	}
	return []HeaderLine{{Name: robotstag.LinkName, Value: value,
		Link:   robotstag.Link{Target: to, Rel: rel, Text: value},
		Origin: d.origin(t.path, policy.LayerRule)}}
}

// checkRelations reports what is wrong with rel of a link, which may hold several relations:
// nothing in it, or a word that looks like a slip of a registered relation. Another word is none,
// since anybody may register one.
func (d *decoder) checkRelations(t *table, rel string) {
	for _, word := range strings.Fields(rel) {
		hint := policy.DidYouMean(word, relations) // "" if it is like none
		isSlip := !slices.Contains(relations, word) && hint != ""
		if isSlip || !relation.MatchString(word) {
			d.errorf(t.at("rel"), "unknown relation %q%s", word, hint)
		}
	}
	if rel == "" {
		d.errorf(t.path, "a link needs rel, such as \"canonical\"")
	}
}

// checkTarget says what is wrong with the target of a link, or "".
func checkTarget(to string) string {
	for _, found := range braces.FindAllString(to, -1) {
		if !slices.Contains(TargetPlaceholders, found) {
			return "has the " + policy.Unknown("placeholder", found, TargetPlaceholders)
		}
	}
	encoded := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("<>\"\\^`|", r) }
	switch {
	case strings.ContainsFunc(to, encoded):
		return "has a character that a URL encodes"
	case strings.LastIndex(to, "{page}") > 0:
		return "has {page} behind something else: it is a whole URL"
	case isURL(braces.ReplaceAllString(to, "x")), rooted.MatchString(to):
		return ""
	}
	return "is neither a URL with its host nor a path from the root of the site"
}

// set reads a header with its value; nothing if it is faulty. Each link of a Link header is a line
// of its own.
func (d *decoder) set(header named, allowsUnknown bool) (lines []HeaderLine) {
	d.describe(Key{Path: header.path, Form: FormText})
	name, problem := checkHeader(header.name, header.value, allowsUnknown)
	if problem != "" {
		d.errorf(header.path, "%s", problem)
		return nil
	}
	values := []robotstag.Link{{Text: fmt.Sprint(header.value)}}
	if name == robotstag.LinkName {
		values, _ = robotstag.ParseLinks(values[0].Text)
	}
	for _, v := range values {
		lines = append(lines, HeaderLine{Name: name, Value: v.Text,
			Origin: d.origin(header.path, policy.LayerRule)})
	}
	return lines
}

// checkHeader checks a header under set in a rule. It returns how its name is written, Link for
// link, and why no rule may give it this value: problem is "" if one may. given is the value as
// TOML has it. allowsUnknown is the rule's key allow, without which only the headers of
// knownHeaders may be set, since another name is likelier a slip.
func checkHeader(name string, given any, allowsUnknown bool) (written, problem string) {
	known := lookupHeader(name)
	if known != nil {
		name = known.name
	}
	value, isText := given.(string)
	if !isText {
		return name, fmt.Sprintf("%v is not text", given)
	}
	if known == nil {
		problem = checkUnknownName(name, allowsUnknown)
	}
	switch {
	case problem != "":
		return name, problem
	case !isPrintable(value):
		return name, fmt.Sprintf(notPrintable, value)
	case known != nil && !known.fits(value):
		return name, fmt.Sprintf("%q: %s", value, known.want)
	}
	return name, ""
}

// lookupHeader is the known header of a name, in any case of letters; nil for none.
func lookupHeader(name string) *knownHeader {
	hasName := func(k knownHeader) bool { return strings.EqualFold(k.name, name) }
	if i := slices.IndexFunc(knownHeaders, hasName); i >= 0 {
		return &knownHeaders[i]
	}
	return nil
}

// checkUnknownName says why a rule may not set a header of a name that is not known; "" if it may,
// which needs allowsUnknown, the rule's key allow.
func checkUnknownName(name string, allowsUnknown bool) (problem string) {
	lower := strings.ToLower(name)
	isOfHost := strings.HasPrefix(lower, "proxy-") || slices.Contains(refusedHeaders, lower)
	switch {
	case strings.EqualFold(name, robotstag.Name):
		return "X-Robots-Tag is what [[robots.rules]] state: write the directives there, " +
			"robots = \"noindex\""
	case !headerName.MatchString(name):
		return fmt.Sprintf("%q is not the name of a header", name)
	case isOfHost:
		return name + " is set by the host, and no rule can change it"
	case !allowsUnknown:
		return policy.Unknown("header", name, knownNames()) +
			": write allow = true in the rule if you mean it"
	}
	return ""
}

const notPrintable = "%q: the value of a header is printable ASCII, with single blanks between " +
	"its words"

// isPrintable reports whether a value can stand in a header everywhere.
func isPrintable(value string) bool {
	odd := strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
	return !odd && value != "" && strings.Join(strings.Fields(value), " ") == value
}

// FilesOf are the rules by the files that they select.
func FilesOf(all []HeaderRule) policy.Rules {
	files := make([]policy.Rule, len(all))
	for i := range all {
		files[i] = all[i].Files
	}
	return policy.NewRules(files...)
}
