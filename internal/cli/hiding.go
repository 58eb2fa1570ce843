package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
	"metarobots/internal/lazyregexp"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/policy"
)

// A hiding is a reason why a content file has no page, with the line that states it; 0 if that is
// the file's name.
type hiding struct {
	text string
	line int
}

// joined is the texts of several reasons in one; empty for none.
func joined(reasons []hiding) string {
	var texts []string
	for _, r := range reasons {
		texts = append(texts, r.text)
	}
	return strings.Join(texts, ", ")
}

// withheld says which content files would be published at an encoded path from the publish root and
// are not, and why, with the line; empty if no file is known, or the generator does not tell.
func withheld(s *plan.Plan, at string) string {
	withholder, canTell := s.Map.(site.Withholder)
	if !canTell || at == "" {
		return ""
	}
	files, err := withholder.Withheld(filesAt(policy.Decoded(at)))
	if err != nil { // it says nothing of what is published
		return ""
	}
	var texts []string
	for _, file := range files {
		short := s.Project.Short(file)
		reasons, _ := whyHidden(s.Project, file) // none if it cannot be read
		for i, r := range reasons {
			reasons[i].text = policy.Placed(short, r.line, r.text)
		}
		texts = append(texts, cmp.Or(joined(reasons), "no page was published from "+short))
	}
	if len(texts) == 0 {
		return ""
	}
	return "nothing is published here: " + strings.Join(texts, ", ")
}

// filesAt are the files that hosts may serve at a path, named from the publish root: a, a.html and
// a/index.html at /a, and a/index.html alone at /a/.
func filesAt(path string) []string {
	name := strings.TrimPrefix(path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		return []string{name + "index.html"}
	}
	return []string{name, name + ".html", name + "/index.html"}
}

// unpublished says why a content file has no page, as far as its front matter shows; empty if the
// name of the argument is that of no file.
func unpublished(p *project.Project, name string) string {
	const unknown = "no page was published from it"
	reasons, err := whyHidden(p, name)
	switch {
	case errors.Is(err, errNoFile):
		return ""
	case err != nil:
		return fmt.Sprintf("%s (%v)", unknown, err)
	case len(reasons) == 0:
		return unknown
	}
	for i, r := range reasons {
		if r.line > 0 {
			reasons[i].text = fmt.Sprintf("%s (line %d)", r.text, r.line)
		}
	}
	return unknown + ": " + joined(reasons)
}

// errNoFile is the error of a name that no file has, or none that can be read.
var errNoFile = errors.New("no file has this name")

// whyHidden says what in the front matter of a content file, or in its name, keeps its page from
// being published; nothing if it finds no reason. name is absolute, or from the working folder. An
// error is errNoFile, or that of front matter which cannot be read.
func whyHidden(p *project.Project, name string) (reasons []hiding, err error) {
	data, err := disk.ReadFile(project.Absolute(p.Options.WorkDir, name), project.MaxPage)
	if err != nil {
		return nil, errNoFile
	}
	const yamlEnd = "..." // some generators close YAML so
	doc, err := frontmatter.Parse(data, yamlEnd)
	if err != nil {
		return nil, err
	}
	now := p.Policy.Now
	hasDate := false
	for _, key := range slices.Sorted(maps.Keys(doc.Params)) {
		hasDate = hasDate || strings.EqualFold(key, "date")
		if text := hiddenByKey(key, doc.Params[key], now); text != "" {
			reasons = append(reasons, hiding{text, doc.Index.Line(key)})
		}
	}
	if !hasDate { // which goes before the file's name
		reasons = append(reasons, hiddenByDate(name, now)...)
	}
	if slices.Contains(strings.Split(filepath.ToSlash(name), "/"), "_drafts") {
		reasons = append(reasons, hiding{text: "its folder is one of drafts, _drafts"})
	}
	return reasons, nil
}

// datedName matches the date with which the names of posts begin.
var datedName = lazyregexp.New(`^\d{4}-\d{2}-\d{2}`)

// hiddenByDate is the reason that a file's name begins with a day to come; none if it does not.
func hiddenByDate(name string, now time.Time) []hiding {
	day := datedName.FindString(filepath.Base(name))
	at, err := time.Parse(time.DateOnly, day)
	if err != nil || !at.After(now) {
		return nil
	}
	return []hiding{{text: "the date in its name, " + day + ", is still to come"}}
}

// hiddenByKey says why a key of front matter with a value keeps a page from being published now;
// empty if it does not. These keys of one generator or another do, in any case of letters:
//
//	draft: true, status: draft, published: false
//	published, publishDate, pubDate, date     a date to come
//	expiryDate, unpublishDate                 a date that has passed
func hiddenByKey(key string, value any, now time.Time) string {
	at, err := frontmatter.Date(value)
	isDate := err == nil
	isToCome, hasPassed := isDate && at.After(now), isDate && at.Before(now)
	isOn, isFlag := frontmatter.Truth(value) // a boolean, or a word such as "yes"
	isTrue, isFalse := isFlag && isOn, isFlag && !isOn
	text, _ := value.(string)
	switch name := strings.ToLower(key); {
	case name == "draft" && isTrue, name == "status" && strings.EqualFold(text, "draft"):
		return "it is a draft"
	case name == "published" && isFalse:
		return "it says published: false"
	case slices.Contains([]string{"published", "publishdate", "pubdate", "date"}, name) && isToCome:
		return fmt.Sprintf("its %s, %s, is still to come", key, at.Format(time.DateOnly))
	case slices.Contains([]string{"expirydate", "unpublishdate"}, name) && hasPassed:
		return "it expired on " + at.Format(time.DateOnly)
	}
	return ""
}
