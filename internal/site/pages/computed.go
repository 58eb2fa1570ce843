package pages

import (
	"maps"
	"slices"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/source"
	"metarobots/policy"
)

// computedKeys are keys that matter and whose values are computed, by the file that sets them.
type computedKeys map[string][]string

func (c computedKeys) add(file, key string) {
	if !slices.Contains(c[file], key) {
		c[file] = append(c[file], key)
	}
}

// script reads a program of data if it is nothing but an object. Of another it remembers what may matter.
func (r *reader) script(file string, data []byte) header {
	t := source.Lex(string(data))
	values, index, ok := t.Object()
	if !ok {
		r.mentions(file, t, true)
		return header{file: file}
	}
	r.known(file, values, nil)
	return header{file: file, document: frontmatter.Document{Params: values, Index: index}}
}

// mentions remembers the keys that matter of those that a program names, and what it takes over. All that it exports
// may be another's where it names no key and loads something, or is data.
func (r *reader) mentions(file string, t source.Tokens, data bool) {
	names := false
	for i, of := range t {
		key := t.Assigned(i) != nil || of.Kind == source.Text && t.Is(i+1, "]")
		if (key || of.Kind == source.Word && !t.Is(i-1, ".")) && r.states(of.Text) {
			r.computed.add(file, of.Text)
		} else if t.Spread(i) && t.Is(i-4, "{,") {
			r.computed.add(file, "..."+of.Text)
		}
		names = names || key && of.Text != "exports"
		data = data || of.Kind == source.Word && (of.Text == "require" || of.Text == "extends")
	}
	if data && !names && len(t) > 0 {
		r.computed.add(file, "what it exports")
	}
}

// known takes out of values what is computed, and remembers what of it matters.
func (r *reader) known(file string, values map[string]any, path []string) {
	for key, value := range values {
		path := append(path[:len(path):len(path)], key)
		list, _ := value.([]any)
		if below, ok := value.(map[string]any); ok {
			r.known(file, below, path)
		} else if value == source.Computed || slices.Contains(list, any(source.Computed)) {
			if delete(values, key); r.matters(path...) {
				r.computed.add(file, strings.Join(path, "."))
			}
		}
	}
}

// placingKeys say where a page is published, or whether it is. A title or date that is computed matters where the page
// is not found, which is said then.
var placingKeys = []string{"permalink", "layout", "draft", "published", "slug", "pagination"}

// matters reports whether something is lost where the value of a key is not known: it may state something, or say where
// the page is.
func (r *reader) matters(path ...string) bool {
	for len(path) > 0 && slices.Contains([]string{"eleventycomputed", "params", "seo"}, strings.ToLower(path[0])) {
		path = path[1:]
	}
	return len(path) == 0 || strings.HasPrefix(path[0], "...") ||
		r.states(path[0]) && (len(path) == 1 || !slices.Contains(placingKeys, strings.ToLower(path[0])))
}

// states reports whether a key states something, or where the page is.
func (r *reader) states(key string) bool {
	return slices.Contains(placingKeys, strings.ToLower(key)) ||
		frontmatter.Mentions(map[string]any{key: map[string]any{}}, r.options)
}

// addresses are the keys of configurations that say where a site is served, and nothing of where its content lies.
var addresses = []string{"url", "baseUrl", "site", "base", "hostname", "SITEURL", "site_url"}

// fileLoader is Astro's loader of entries from one file of data, which rarely state something.
const fileLoader = "file()"

// setByCode is one finding of what programs set, and what of it may matter.
func (m *pageMap) setByCode() (findings []policy.Finding) {
	s, code := m.reader.site, maps.Clone(m.reader.computed)
	f := policy.Finding{ID: "config-computed", Severity: policy.Note}
	if len(code) > 0 {
		f.Severity = policy.Warning
	}
	answered := s.content.Manifest != "" || exists(s.options.Source, manifestName)
	unread := s.config.computed
	if len(unread) > 0 && m.allMatched() {
		unread = nil
	}
	for file, keys := range unread {
		for _, key := range keys {
			address := slices.Contains(addresses, key)
			switch {
			case address && s.options.BaseURL != "", key == s.generator.publish[0] && s.options.Destination != "":
				continue // the owner says it
			case !address && key != fileLoader && !answered:
				f.Severity = policy.Warning
			}
			code.add(file, key)
		}
	}
	if len(code) == 0 {
		return nil
	}
	files := slices.Sorted(maps.Keys(code))
	f.File = s.short(files[0])
	var keys []string
	for _, file := range files[:min(most, len(files))] {
		keys = append(keys, strings.Join(slices.Sorted(slices.Values(code[file])), ", ")+" in "+s.short(file))
	}
	f.Message = strings.Join(keys, "; ") + andMore(len(files)-len(keys)) + ": set by code, which metarobots does not " +
		"run, so the generator's default counts. To restrict a page, use its template, or a line of metarobots.json: " +
		"{\"url\": \"/where/\", \"robots\": \"…\"}. To name the folders of content and its URLs, use [site.content] " +
		"folders = [ \"…\" ] and permalinks = { \"folder\" = \"/where/:slug/\" }; to name the publish " +
		"folder, [site] destination"
	return []policy.Finding{f}
}

// allMatched reports whether a content file was found for every page: then no content lies where nobody looks for it.
func (m *pageMap) allMatched() bool {
	return !slices.ContainsFunc(m.published.html, func(name string) bool {
		f := m.File(name)
		return f.Role == policy.RolePage && f.Pager < 2 && !slices.ContainsFunc(m.behind[name],
			func(c *content) bool { return c.ext() != ".astro" })
	})
}
