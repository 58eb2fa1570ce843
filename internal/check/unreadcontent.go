package check

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"metarobots/frontmatter"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/project"
	"metarobots/policy"
)

// contentEndings are those of files that generators take for content.
var contentEndings = []string{".md", ".markdown", ".mdown", ".mdx", ".mdoc", ".org", ".rst", ".adoc",
	".asciidoc", ".lr"}

// unreadContent is content in which nobody looks for front matter: the generator is not known, or
// publishes it from a folder that is not known (F4).
type unreadContent struct {
	first   policy.Origin // the first statement that restricts
	says    string        // what it says
	count   int           // of files
	folders []string      // in which they are, from the site's folder
}

// isUnreadContent reports whether a file of the site's folder may be content, and is not read as
// such.
func (s *sweep) isUnreadContent(name string) bool {
	ending := strings.ToLower(path.Ext(name))
	return slices.Contains(contentEndings, ending) && !s.plan.Map.Reads(name) && !s.isExcluded(name)
}

// readContent looks at a file of the site's folder that may be content.
func (s *sweep) readContent(name string) {
	if !s.isUnreadContent(name) {
		return
	}
	data, err := s.project.Read(filepath.Join(s.project.Source, filepath.FromSlash(name)), project.MaxConfig)
	if err != nil || !maySpeak(data) {
		return // nobody writes front matter of that size
	}
	at, says := s.restriction(name, data)
	if says == "" {
		return
	}
	u := &s.unread
	if u.count++; u.count == 1 {
		u.first, u.says = at, says
	}
	if folder := path.Dir(name); !slices.Contains(u.folders, folder) {
		u.folders = append(u.folders, folder)
	}
}

// stems are parts of the words without which nothing restricts crawlers.
var stems = [][]byte{[]byte("robot"), []byte("ndex"), []byte("noind"), []byte("follow"), []byte("snippet"),
	[]byte("archive"), []byte("crawl"), []byte("google"), []byte("bing"), []byte("engine"), []byte("unlisted"),
	[]byte("unavailable")}

// maySpeak reports whether a text may restrict crawlers.
func maySpeak(text []byte) bool {
	text = bytes.ToLower(text)
	return slices.ContainsFunc(stems, func(stem []byte) bool { return bytes.Contains(text, stem) })
}

// isExcluded reports whether the owner keeps a file out of the content.
func (s *sweep) isExcluded(name string) bool {
	c := s.project.Config.Site.Content
	return c != nil && slices.ContainsFunc(c.Exclude, func(g policy.Glob) bool { return g.Match(policy.PathOf(name)) })
}

// restriction returns a place where a text says something that restricts crawlers, and what it
// says; says is empty for nothing. It looks at the front matter, or without any at a field as
// lightweight markup has it. Front matter that cannot be read counts if it names crawlers, and so
// does a key that is nearly one for them. Nobody knows which program would read the text, so of a
// repeated key the last one counts, as most programs have it: a text is not to pass because a
// stricter reader fails. name is the file's, from the site's folder.
func (s *sweep) restriction(name string, data []byte) (at policy.Origin, says string) {
	short := s.project.Short(filepath.Join(s.project.Source, filepath.FromSlash(name)))
	parse := frontmatter.Dialect{LastCounts: true}.Parse
	if strings.EqualFold(path.Ext(name), ".org") {
		parse = frontmatter.ParseOrg
	}
	doc, err := parse(data)
	fault, isFault := errors.AsType[*frontmatter.Error](err) // no other error comes
	switch {
	case isFault && frontmatter.Names(data): // a key that can only be for crawlers
		return policy.Origin{File: short, Line: fault.Line}, "front matter that cannot be read names crawlers here"
	case isFault:
		return at, ""
	case doc.Params == nil: // no front matter
		return firstField(short, data)
	}
	return s.restrictionIn(doc, short)
}

// restrictionIn is restriction for front matter that could be read, of the file with a short name.
// What is in keys that the configuration does not have read counts too.
func (s *sweep) restrictionIn(
	doc frontmatter.Document, short string,
) (at policy.Origin, says string) {
	o := s.project.Config.Robots.FrontMatter
	o.Layer = policy.LayerPage
	o.Locate = func(path ...string) (string, int) { return short, doc.Index.Nearest(path...) }
	result := frontmatter.Read(doc.Params, o)
	for _, stated := range slices.Concat(result.Statements, result.Unread) {
		if stated.Directives.Restricts() {
			return stated.Origin, saysStated(stated)
		}
	}
	if i := slices.IndexFunc(result.Findings, isMistyped); i >= 0 {
		return policy.Origin{File: short, Line: result.Findings[i].Line}, "a key that is nearly one for crawlers is here"
	}
	return at, ""
}

// saysStated is what [unreadContent] says of a statement: `robots: "noindex" is stated here`.
func saysStated(s policy.Statement) string {
	return fmt.Sprintf("%s: %q is stated here", s.Origin.Key, s.States())
}

// isMistyped reports whether a finding is about a key that restricts if it is read as it was meant:
// one with a slip in its name, or without a value.
func isMistyped(f policy.Finding) bool { return f.ID == "mistyped-key" }

// fields are lines as Org, reStructuredText, AsciiDoc and Lektor have them.
var fields = lazyregexp.New(`(?im)^[ \t]*(?:#\+|:)?(?:html_meta_)?robots[ \t]*:[ \t]*(.+)$`)

// firstField is restriction for a text without front matter: what the first of its fields states,
// if that restricts crawlers.
func firstField(short string, data []byte) (at policy.Origin, says string) {
	m := fields.FindSubmatchIndex(data)
	if m == nil {
		return at, ""
	}
	stated := policy.Statement{Directives: policy.Stating(string(data[m[2]:m[3]])), Origin: policy.Origin{File: short,
		Line: 1 + bytes.Count(data[:m[0]], []byte("\n")), Key: "robots"}}
	if !stated.Directives.Restricts() {
		return at, ""
	}
	return stated.Origin, saysStated(stated)
}

// reportUnread reports the content that nobody reads, once, with the line that makes it count.
func (s *sweep) reportUnread() {
	u := &s.unread
	if u.count == 0 {
		return
	}
	s.findings = append(s.findings, policy.Finding{ID: "unaccounted", Severity: policy.Warning, File: u.first.File,
		Line: u.first.Line, Message: fmt.Sprintf("%s%s, and metarobots reads no content in this "+
			"folder, so it does not count", u.says, andMore(u.count-1, "file")),
		Fix: fmt.Sprintf(". If these are sources of the site's pages, set [site.content] folders = [%s]",
			strings.Join(s.contentFolders(), ", "))})
}

// contentFolders are the folders that hold all of the unread content and none that is read, in
// quotes: those at the top of the site's folder.
func (s *sweep) contentFolders() (quoted []string) {
	var tops []string
	for _, folder := range s.unread.folders {
		top, _, _ := strings.Cut(folder, "/")
		if !slices.Contains(tops, top) {
			tops = append(tops, top)
		}
	}
	if c := s.project.Config.Site.Content; c != nil {
		tops = append(slices.Clone(c.Folders), tops...)
	}
	slices.Sort(tops)
	for _, top := range slices.Compact(tops) {
		quoted = append(quoted, strconv.Quote(top))
	}
	return quoted
}
