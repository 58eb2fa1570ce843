package headers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Limits of Cloudflare's parser
// (https://github.com/cloudflare/workers-sdk packages/workers-shared/utils/configuration/constants.ts).
const (
	// CloudflareRules is how many rules a file may have. Pages ignores what
	// comes after; Workers refuse the upload.
	CloudflareRules = 100
	// CloudflareLine is the longest line, in UTF-16 units, that is read.
	CloudflareLine = 2000
)

// Cloudflare reads a _headers file as Cloudflare Pages and Workers static
// assets do. All matching rules apply in the order of the file and their values
// add up; "! Name" takes away what earlier rules set; of two blocks of the same
// path only the second is kept.
var Cloudflare Dialect = cloudflare{}

type cloudflare struct{}

func (cloudflare) Name() string { return TargetCloudflare }

// Parse follows parseHeaders.ts and constructConfiguration.ts
// (https://github.com/cloudflare/workers-sdk packages/workers-shared/utils/configuration).
func (c cloudflare) Parse(file []byte) *File {
	lines := splitLines(file)
	f := c.parse(lines, CloudflareRules)
	if f.Cut > 0 {
		f.Count = c.parse(lines, len(lines)+1).Count
	}
	f.index = newIndex(f.Rules)
	return f
}

func (c cloudflare) parse(lines []string, limit int) *File {
	f := &File{}
	at := make(map[string]int) // key of a kept rule to its place
	var open *Rule
	shut := func() {
		if open == nil {
			return
		}
		if len(open.Headers) == 0 && len(open.Detach) == 0 {
			f.report(policy.Warning, open.Line, "the rule has no headers: Cloudflare drops it")
			return
		}
		f.Count++
		// One object member a path: the later block replaces the earlier one
		// and takes its place.
		key := cloudflareKey(open)
		if i, ok := at[key]; ok {
			f.report(policy.Warning, f.Rules[i].Line, "a later block has the same path: Cloudflare drops this one")
			f.Rules[i] = *open
			return
		}
		at[key] = len(f.Rules)
		f.Rules = append(f.Rules, *open)
	}
	skip := false // the lines of a rule that was dropped
	for i, line := range lines {
		n := i + 1
		if line == "" || line[0] == '#' {
			continue
		}
		if utf16Longer(line, CloudflareLine) {
			f.report(policy.Warning, n, fmt.Sprintf("the line is longer than %d characters: Cloudflare ignores it", CloudflareLine))
			continue
		}
		if probablyPath(line) {
			// The check precedes the push of the open rule: 101 rules are kept.
			if f.Count >= limit {
				f.Cut = n
				f.report(policy.Warning, n, fmt.Sprintf("more than %d rules: Cloudflare drops the rest of the file", limit))
				break
			}
			shut()
			r, err := cloudflareRule(line)
			skip = err != nil
			if skip {
				f.report(policy.Warning, n, err.Error()+": Cloudflare drops the rule")
				open = nil
				continue
			}
			r.Line = n
			open = r
			if r.exact == "" && r.re == nil {
				f.report(policy.Warning, n, "placeholder names repeat or begin alike: Cloudflare never matches the rule")
			}
			continue
		}
		if skip {
			continue
		}
		rawName, rawValue, colon := strings.Cut(line, ":")
		if !colon {
			switch {
			case open == nil:
				f.report(policy.Warning, n, "expected a path that begins with /: Cloudflare ignores the line")
			case strings.HasPrefix(line, "! "):
				open.Detach = append(open.Detach, Header{Name: line[2:], Line: n})
			default:
				f.report(policy.Warning, n, "expected \"Name: value\": Cloudflare ignores the line")
			}
			continue
		}
		name, value := trim(rawName), trim(rawValue)
		switch {
		case strings.Contains(name, " "):
			f.report(policy.Warning, n, "a header name cannot have spaces: Cloudflare ignores the line")
		case name == "":
			f.report(policy.Warning, n, "no header name: Cloudflare ignores the line")
		case value == "":
			f.report(policy.Warning, n, "no header value: Cloudflare ignores the line")
		case open == nil:
			f.report(policy.Warning, n, "a header without a path before it: Cloudflare ignores the line")
		default:
			open.Headers = append(open.Headers, Header{Name: name, Value: value, Line: n})
		}
	}
	shut()
	return f
}

func cloudflareKey(r *Rule) string {
	if r.Host != "" {
		return "https://" + r.Host + r.Path
	}
	return r.Path
}

// utf16Longer reports whether s has more than n UTF-16 units, which is what
// JavaScript counts.
func utf16Longer(s string, n int) bool {
	if len(s) <= n {
		return false
	}
	for _, r := range s {
		n--
		if r > 0xFFFF {
			n--
		}
	}
	return n < 0
}

// probablyPath is parseHeaders.ts's LINE_IS_PROBABLY_A_PATH. It takes
// "Link:https://…" without a blank after the colon for a path, too.
func probablyPath(line string) bool {
	if line[0] == '/' {
		return true
	}
	word := line
	if i := strings.IndexFunc(line, isSpace); i >= 0 {
		word = line[:i]
	}
	_, size := utf8.DecodeRuneInString(word)
	return strings.Contains(word[size:], "://")
}

var (
	portRE  = regexp.MustCompile(`:[0-9]+$`)
	splatRE = regexp.MustCompile(`:splat([^0-9A-Za-z_]|$)`)
	placeRE = regexp.MustCompile(`:([A-Za-z][0-9A-Za-z_]*)`)
	// The host's placeholders end at a character that escaping put a backslash
	// before: a dot, a slash or a hyphen.
	hostPlaceRE = regexp.MustCompile(`:([A-Za-z][0-9A-Za-z_]*)\\`)
)

// cloudflareRule reads a path line: validateUrl and validateWildcards, then
// generateRuleRegExp of rules-engine.ts.
func cloudflareRule(line string) (*Rule, error) {
	r := &Rule{}
	if rest, ok := strings.CutPrefix(line, "https://"); ok && strings.Trim(rest, "/") != "" {
		host, path, _ := strings.Cut(strings.TrimLeft(rest, "/"), "/")
		if portRE.MatchString(host) {
			return nil, fmt.Errorf("a rule cannot have a port")
		}
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
		r.Host, r.Path = host, pathname(path)
	} else if line[0] == '/' {
		r.Path = pathname(line)
	} else {
		return nil, fmt.Errorf("a rule begins with / or https://")
	}
	key := cloudflareKey(r)
	switch stars := strings.Count(key, "*"); {
	case stars > 1:
		return nil, fmt.Errorf("only one * is allowed in a rule")
	case stars > 0 && splatRE.MatchString(key):
		return nil, fmt.Errorf("* and :splat cannot stand in one rule")
	}
	if r.Host == "" && !strings.Contains(key, "*") && !placeRE.MatchString(key) {
		r.exact = key
		return r, nil
	}
	if r.re, r.places = cloudflareRegexp(key); r.Host == "" {
		r.head = literal(key, "*", ":")
	}
	return r, nil
}

var noBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// pathname is what new URL makes of a path: query and fragment cut, dot
// segments resolved, some characters percent-encoded
// (https://url.spec.whatwg.org/#path-state). It leaves ^ | [ ] \ as they are.
func pathname(p string) string {
	if i := strings.IndexAny(p, "?#"); i >= 0 {
		p = p[:i]
	}
	p = noBreaks.Replace(p)
	segs := strings.Split(p[1:], "/")
	var out []string
	for i, s := range segs {
		last := i == len(segs)-1
		switch dot := strings.ReplaceAll(strings.ToLower(s), "%2e", "."); dot {
		case ".":
			if last {
				out = append(out, "")
			}
			continue
		case "..":
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
			continue
		}
		out = append(out, s)
	}
	var b strings.Builder
	for _, s := range out {
		b.WriteByte('/')
		for i := 0; i < len(s); i++ {
			if ch := s[i]; ch <= ' ' || ch >= 0x7F || strings.IndexByte("\"<>`{}", ch) >= 0 {
				fmt.Fprintf(&b, "%%%02X", ch)
			} else {
				b.WriteByte(ch)
			}
		}
	}
	return b.String()
}

// cloudflareRegexp is generateRuleRegExp. Names are replaced one after the
// other in the whole text, so a name that repeats, or that a later one begins
// with, gives two groups of one name: an invalid expression, which the engine
// swallows. The rule then never matches; nil stands for that.
func cloudflareRegexp(key string) (*regexp.Regexp, []string) {
	parts := strings.Split(key, "*")
	for i, p := range parts {
		parts[i] = escapeRegexp(p)
	}
	rule := strings.Join(parts, "(?<splat>.*)")
	if rest, ok := strings.CutPrefix(rule, `https:\/\/`); ok {
		host, _, _ := strings.Cut(rest, "/")
		for _, m := range hostPlaceRE.FindAllStringSubmatch(host, -1) {
			rule = strings.ReplaceAll(rule, ":"+m[1], "(?<"+m[1]+">[^/.]+)")
		}
	}
	for _, m := range placeRE.FindAllStringSubmatch(rule, -1) {
		rule = strings.ReplaceAll(rule, ":"+m[1], "(?<"+m[1]+">[^/]+)")
	}
	re, err := regexp.Compile("^" + rule + "$")
	if err != nil {
		return nil, nil
	}
	names := re.SubexpNames()[1:]
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			return nil, nil
		}
	}
	return re, names
}

// escapeRegexp puts a backslash before the characters that escapeRegex of
// rules-engine.ts escapes.
func escapeRegexp(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(`-/\^$*+?.()|[]{}`, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// hostMatches reports whether a host pattern of a full-URL rule matches a host.
func hostMatches(pattern, host string) bool {
	if host == "" {
		return false
	}
	// A star in the host may reach into the path; the host alone decides here.
	re, _ := cloudflareRegexp("https://" + pattern + "/")
	return re != nil && re.MatchString("https://"+hostname(host)+"/")
}

// hostname is a host as URL.hostname has it: lower case, without a port.
func hostname(host string) string {
	return portRE.ReplaceAllString(strings.ToLower(host), "")
}

// target is what a rule's expression is matched with.
func (cloudflare) target(r *Rule, host, path string) string {
	if r.Host != "" {
		return "https://" + hostname(host) + path
	}
	return path
}

func (cloudflare) rule(path string) (*Rule, error) { return cloudflareRule(path) }

func (c cloudflare) Match(r *Rule, host, path string) bool {
	if r.exact != "" {
		return r.exact == path
	}
	if r.re == nil || r.Host != "" && host == "" {
		return false
	}
	return r.re.MatchString(c.target(r, host, path))
}

func (c cloudflare) matching(f *File, host, path string) []*Rule {
	return f.find(path, func(r *Rule) bool { return c.Match(r, host, path) })
}

func (c cloudflare) Values(f *File, host, path string) []robotstag.Value {
	return c.combine(c.matching(f, host, path), host, path)
}

// combine follows getHeaders (asset-worker/src/utils/headers.ts) and
// attachHeaders (pages-shared/asset-server/handler.ts): in each rule the
// detaching comes first, then its values are appended.
func (c cloudflare) combine(rules []*Rule, host, path string) []robotstag.Value {
	var out []robotstag.Value
	for _, r := range rules {
		if r.detaches() {
			out = nil
		}
		for _, h := range r.Headers {
			if isRobots(h.Name) {
				out = append(out, robotstag.Value{Text: c.fill(r, h.Value, host, path), Name: h.Name, Line: h.Line})
			}
		}
	}
	return out
}

// maxValue is how long a value may get by its placeholders: no server sends more.
const maxValue = 64 << 10

// fill puts what the rule's placeholders matched into a value. As replacer of
// rules-engine.ts does, it goes by prefix: with a placeholder n,
// "googlebot:noindex" is changed.
func (c cloudflare) fill(r *Rule, value, host, path string) string {
	if len(r.places) == 0 || !strings.Contains(value, ":") {
		return value
	}
	m := r.re.FindStringSubmatch(c.target(r, host, path))
	for i, name := range r.places {
		if i+1 < len(m) {
			if n := strings.Count(value, ":"+name); len(value)+n*len(m[i+1]) > maxValue {
				return value // what is put in may hold names again
			}
			value = strings.ReplaceAll(value, ":"+name, m[i+1])
		}
	}
	return value
}

// forms: p.html is served at /p and q/index.html at /q/; the other spellings
// are redirected there (html_handling "auto-trailing-slash").
func (cloudflare) forms(path string, at int) (served, redirected []string) {
	if path[at:] == "index.html" {
		if at > 1 {
			redirected = []string{path[:at-1]}
		}
		return []string{path[:at]}, append(redirected, path[:at+len("index")], path)
	}
	if stem, ok := strings.CutSuffix(path, ".html"); ok && len(stem) > at {
		return []string{stem}, []string{stem + "/", path}
	}
	return []string{path}, nil
}

func (cloudflare) key(path string) string { return path }

// nameable: a star and a colon before a letter cannot be escaped. A ^ must come
// encoded: the rule would keep it, the request has %5E.
func (cloudflare) nameable(path string) bool {
	return !strings.ContainsAny(path, "*^") && !placeRE.MatchString(path) &&
		pathname(path) == path && len(path) <= CloudflareLine
}

func (cloudflare) starrable(text string) bool {
	return !strings.ContainsAny(text, "*^") && !placeRE.MatchString(text) &&
		pathname(text) == text && len(text) < CloudflareLine
}

func (cloudflare) hasSuffix(path, suffix string) bool { return strings.HasSuffix(path, "."+suffix) }
