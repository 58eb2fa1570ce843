package servers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A model reads a host's file as the host does, and says what a response for a
// decoded request path carries. Nothing of the compiler is used here. Those of
// Apache, nginx and Caddy agree with the real ones on 2,000 names: e2e.
type model func(file []byte) (func(path string) string, error)

var models = map[string][]model{
	"apache":   {apacheModel},
	"nginx":    {nginxModel},
	"caddy":    {caddyModel},
	"vercel":   {patternModel("", "source", false, false), patternModel("", "source", true, false)},
	"firebase": {patternModel("hosting", "regex", false, false), patternModel("hosting", "regex", true, false), patternModel("hosting", "regex", false, true)},
	"amplify":  {amplifyModel(false), amplifyModel(true)},
	"azure":    {azureModel(false, false), azureModel(true, false), azureModel(false, true), azureModel(true, true)},
}

// percent encodes a path: strictly as encodeURIComponent does, else as the URL
// standard's path state does.
func percent(path string, strict bool) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		switch {
		case strict && (c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.ContainsRune("-_.~!*'()/", rune(c))) && c < 0x80,
			!strict && c > 0x20 && c < 0x7F && !strings.ContainsRune("\"#<>?`{}%^\\", rune(c)):
			b.WriteByte(c)
		case strict:
			fmt.Fprintf(&b, "%%%02x", c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// apacheModel: lines joined at a backslash, at most 8,191 bytes long; arguments
// in quotes, where \\ and \" are one; then the expression's own texts, where a
// backslash before anything but a digit or one of "abfnrtv" means that, and % or
// $ may not open a variable.
func apacheModel(file []byte) (func(string) string, error) {
	type set struct {
		value string
		paths map[string]bool
	}
	var sets []set
	joined := strings.NewReplacer("\\\r\n", "", "\\\n", "").Replace(string(file))
	for line := range strings.Lines(joined) {
		if len(line) > 8191 {
			return nil, fmt.Errorf("line too long")
		}
		line = strings.TrimSpace(line)
		if regexp.MustCompile(`\$\{[^}]*\}`).MatchString(line) && !strings.HasPrefix(line, "#") {
			return nil, fmt.Errorf("interpolation in %q", line)
		}
		rest, ok := strings.CutPrefix(line, "Header set X-Robots-Tag ")
		if !ok {
			continue
		}
		var args []string
		for rest != "" {
			rest = strings.TrimSpace(rest)
			if rest[0] != '"' {
				return nil, fmt.Errorf("argument without quotes: %q", rest)
			}
			var b strings.Builder
			i := 1
			for ; rest[i] != '"'; i++ {
				if rest[i] == '\\' && (rest[i+1] == '\\' || rest[i+1] == '"') {
					i++
				}
				b.WriteByte(rest[i])
			}
			args = append(args, b.String())
			rest = rest[i+1:]
		}
		expr, ok := strings.CutPrefix(args[1], "expr=%{REQUEST_URI} in {")
		if !ok {
			return nil, fmt.Errorf("expression %q", args[1])
		}
		s := set{strings.ReplaceAll(args[0], "%%", "%"), map[string]bool{}}
		for {
			expr = strings.TrimLeft(expr, " ,")
			if expr == "}" {
				break
			}
			if expr == "" || expr[0] != '\'' {
				return nil, fmt.Errorf("expression at %q", expr)
			}
			var b strings.Builder
			i := 1
			for ; expr[i] != '\''; i++ {
				switch {
				case expr[i] == '\\':
					i++
					if strings.IndexByte("0123456789abfnrtv", expr[i]) >= 0 {
						return nil, fmt.Errorf("escape at %q", expr[i:])
					}
				case (expr[i] == '%' && expr[i+1] == '{') || (expr[i] == '$' && expr[i+1] >= '0' && expr[i+1] <= '9'):
					return nil, fmt.Errorf("variable at %q", expr[i:])
				}
				b.WriteByte(expr[i])
			}
			s.paths[b.String()] = true
			expr = expr[i+1:]
		}
		sets = append(sets, s)
	}
	return func(path string) (value string) {
		for _, s := range sets {
			if s.paths[path] {
				value = s.value
			}
		}
		return value
	}, nil
}

// nginxModel: texts without regard to case and once each, then expressions in
// order; a text must fit its bucket.
func nginxModel(file []byte) (func(string) string, error) {
	texts := map[string]string{}
	var patterns []*regexp.Regexp
	var values []string
	bucket := 64
	inside := false
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line == "map $uri $metarobots {" {
			inside = true
			continue
		}
		if line == "}" {
			inside = false
			continue
		}
		fmt.Sscanf(line, "map_hash_bucket_size %d;", &bucket)
		if !inside {
			continue
		}
		var args []string
		for rest := line; rest != ";"; rest = strings.TrimLeft(rest, " ") {
			if rest[0] != '"' {
				word, after, _ := strings.Cut(rest, " ")
				args, rest = append(args, word), after
				continue
			}
			var b strings.Builder
			i := 1
			for ; rest[i] != '"'; i++ {
				if rest[i] == '\\' {
					switch rest[i+1] {
					case '"', '\'', '\\':
						i++
					case 't', 'r', 'n':
						return nil, fmt.Errorf("a control character in %q", rest)
					}
				}
				b.WriteByte(rest[i])
			}
			args, rest = append(args, b.String()), rest[i+1:]
		}
		if len(args) != 2 || strings.Contains(args[1], "$") {
			return nil, fmt.Errorf("entry %q", line)
		}
		if expression, ok := strings.CutPrefix(args[0], "~"); ok {
			patterns, values = append(patterns, regexp.MustCompile(expression)), append(values, args[1])
		} else if args[0] != "default" {
			key := lower(args[0])
			if _, twice := texts[key]; twice {
				return nil, fmt.Errorf("conflicting parameter %q", key)
			}
			if 8+(len(key)+2+7)&^7 > bucket-8 {
				return nil, fmt.Errorf("could not build map_hash: %q", key)
			}
			texts[key] = args[1]
		}
	}
	return func(path string) string {
		if v, ok := texts[lower(path)]; ok {
			return v
		}
		for i, p := range patterns {
			if p.MatchString(path) {
				return values[i]
			}
		}
		return ""
	}, nil
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] |= 0x20
		}
	}
	return string(b)
}

// caddyModel: exact or, after ~, an expression; no placeholder may stand in a
// path, and in quotes a backslash is one, save before a quote.
func caddyModel(file []byte) (func(string) string, error) {
	type entry struct {
		exact string
		re    *regexp.Regexp
		value string
	}
	var entries []entry
	line := regexp.MustCompile(`^\t"(.*)" "([^"\\]*)"$`)
	for l := range strings.Lines(string(file)) {
		m := line.FindStringSubmatch(strings.TrimRight(l, "\r\n"))
		if m == nil {
			continue
		}
		if strings.ContainsAny(m[1], "\"{}`") || strings.HasSuffix(m[1], `\`) {
			return nil, fmt.Errorf("entry %q", l)
		}
		e := entry{exact: m[1], value: m[2]}
		if x, ok := strings.CutPrefix(m[1], "~"); ok {
			e.re = regexp.MustCompile(x)
		}
		entries = append(entries, e)
	}
	return func(path string) string {
		for _, e := range entries {
			if e.re != nil && e.re.MatchString(path) || e.re == nil && e.exact == path {
				return e.value
			}
		}
		return ""
	}, nil
}

// patternModel: expressions for the whole path, encoded in one way or another or
// decoded; the last one counts. Only what path-to-regexp takes for one group
// without groups of its own is read.
func patternModel(within, key string, strict, decoded bool) model {
	return func(file []byte) (func(string) string, error) {
		var root map[string]json.RawMessage
		if len(file) > 0 {
			if err := json.Unmarshal(file, &root); err != nil {
				return nil, err
			}
		}
		if within != "" && root[within] != nil {
			if err := json.Unmarshal(root[within], &root); err != nil {
				return nil, err
			}
		}
		var rules []map[string]any
		if root["headers"] != nil {
			if err := json.Unmarshal(root["headers"], &rules); err != nil {
				return nil, err
			}
		}
		if len(rules) > 1024 {
			return nil, fmt.Errorf("%d rules", len(rules))
		}
		type rule struct {
			re    *regexp.Regexp
			value string
		}
		var read []rule
		for _, r := range rules {
			text, ok := r[key].(string)
			if !ok {
				continue
			}
			if len(text) > 4096 {
				return nil, fmt.Errorf("source of %d characters", len(text))
			}
			if key == "source" {
				if bare := regexp.MustCompile(`\\.|\(\?:`).ReplaceAllString(text, ""); strings.Count(bare, "(") > 1 || strings.Contains(bare, ":") && !strings.Contains(bare, "(") {
					return nil, fmt.Errorf("a group in %q", text)
				}
				text = "^(?:" + text + ")$"
			}
			re, err := regexp.Compile(text)
			if err != nil {
				return nil, err
			}
			for _, h := range r["headers"].([]any) {
				if h := h.(map[string]any); h["key"] == "X-Robots-Tag" {
					read = append(read, rule{re, h["value"].(string)})
				}
			}
		}
		return func(path string) (value string) {
			if !decoded {
				path = percent(path, strict)
			}
			for _, r := range read {
				if r.re.MatchString(path) {
					value = r.value
				}
			}
			return value
		}, nil
	}
}

// amplifyModel: the last pattern counts; those here have no stars.
func amplifyModel(decoded bool) model {
	return func(file []byte) (func(string) string, error) {
		var doc struct {
			CustomHeaders []struct {
				Pattern string
				Headers []struct{ Key, Value string }
			} `yaml:"customHeaders"`
		}
		if err := yaml.Unmarshal(file, &doc); err != nil {
			return nil, err
		}
		values := map[string]string{}
		for _, r := range doc.CustomHeaders {
			for _, h := range r.Headers {
				if h.Key == "X-Robots-Tag" {
					if strings.ContainsAny(r.Pattern, "*?[{") {
						return nil, fmt.Errorf("pattern %q", r.Pattern)
					}
					values[r.Pattern] = h.Value
				}
			}
		}
		return func(path string) string {
			if !decoded {
				path = percent(path, false)
			}
			return values[path]
		}, nil
	}
}

// azureModel: the first route that matches.
func azureModel(decoded, fold bool) model {
	return func(file []byte) (func(string) string, error) {
		var doc struct {
			Routes []struct {
				Route   string
				Headers map[string]string
			}
		}
		if len(bytes.TrimSpace(file)) > 0 {
			if err := json.Unmarshal(file, &doc); err != nil {
				return nil, err
			}
		}
		if len(file) > 20480 {
			return nil, fmt.Errorf("%d bytes", len(file))
		}
		return func(path string) string {
			if !decoded {
				path = percent(path, false)
			}
			for _, r := range doc.Routes {
				route, p := r.Route, path
				if fold {
					route, p = strings.ToLower(route), strings.ToLower(path)
				}
				if head, star := strings.CutSuffix(route, "*"); route == p || star && strings.HasPrefix(p, head) {
					return r.Headers["X-Robots-Tag"]
				}
			}
			return ""
		}, nil
	}
}
