package check

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/disk"
	"metarobots/internal/headerfile"
	"metarobots/internal/hosts"
	"metarobots/internal/mention"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/policy"
)

// mostFiles is how many files and folders around a site are looked at: far more than a site's own
// are.
const mostFiles = 300_000

// mentions reports the files around a site that set X-Robots-Tag, or in files that nobody reads
// another header that speaks to crawlers, in lines for which no reader accounts: each is a
// restriction that would be lost in silence. So is a line that sets a header of a mistaken name,
// such as X-Robot-Tag. A line with another finding is accounted for.
func mentions(site *plan.Plan, known []policy.Finding) []policy.Finding {
	s := sweep{plan: site, project: site.Project,
		hasFinding: map[place]bool{}, isRead: map[string]bool{}}
	for _, f := range known {
		s.hasFinding[place{f.File, f.Line}] = true
	}
	for _, h := range site.Headers {
		for _, r := range h.Receipts(s.project) {
			s.addReceipt(r, h)
		}
	}
	for _, name := range site.Folder.Stored() {
		if reader := mention.Lookup(name); reader != nil && !reader.IsLoose {
			s.searchFile(reader, s.project.Path(name))
		}
	}
	s.searchAround()
	return s.findings
}

// unreadKeys reports what front matter seems to state in a form that is not read, once a key.
// Nothing is lost if the page is restricted as much by other means, such as a tag that the theme
// makes of the key (F3).
func unreadKeys(site *plan.Plan) []policy.Finding {
	return tallied(site, "unaccounted", policy.Warning, "{at}: this key seems to be meant for crawlers ({key}), and "+
		"metarobots does not read it, so it does not count for {pages}\n\n. Write it as robots or noindex at the top of the "+
		"front matter", func(all tallies, pg *plan.Page) {
		if !pg.File.Role.Policed() {
			return
		}
		for _, s := range pg.File.Unread {
			stated := site.Project.Policy.Resolve([]policy.Statement{s})
			isRestrictedAsMuch := pg.Decision.Covers(&stated) && pg.Decision.AI.AtLeast(stated.AI)
			if isRestrictedAsMuch {
				continue
			}
			states := s.States()
			if !s.AI.IsZero() {
				states = "ai: " + s.AI.String()
			}
			all.add(s.Origin.Key+states, pg, s.Origin).key = states
		}
	})
}

// A sweep goes over the files around a site.
type sweep struct {
	plan        *plan.Plan
	project     *project.Project
	hasFinding  map[place]bool  // the lines that another finding is about
	isRead      map[string]bool // by absolute path: a reader has the file, or it was searched
	ownersTexts [][]byte        // of the header files that were read
	unread      unreadContent
	findings    []policy.Finding
}

// A place is a line of a file, as findings name it.
type place struct {
	file string
	line int
}

// addReceipt notes the files of a receipt as read, and reports the first line that the reader has
// not understood.
func (s *sweep) addReceipt(r headerfile.Receipt, h *headerfile.File) {
	isFirstReceipt := !s.isRead[r.Paths[0]] // netlify.toml is read with each file that Netlify reads
	for _, path := range r.Paths {
		s.isRead[path] = true
	}
	s.ownersTexts = append(s.ownersTexts, r.Text)
	why := "in a form that metarobots does not read"
	if h.Former {
		why = notTarget
	}
	if isFirstReceipt {
		s.reportLines(mention.Lookup(filepath.ToSlash(r.Paths[0])), r.File, r.Unread, why)
		s.reportMistakes(r.File, r.Mistakes)
	}
}

const notTarget = "and robots.headers.targets does not name that host"

// searchAround looks at the files around the published ones, as the last step of [mentions]: it
// needs to know what the readers of header files have read. In the working folder and at the root
// of the repository, only those are looked at whose names some host reads there; below the site's
// folder, all files that a host may read, and content and data that no generator reads.
func (s *sweep) searchAround() {
	p := s.project
	repository := disk.Repository(p.Source) // "" for none
	for _, folder := range []string{p.Options.WorkDir, repository} {
		for _, reader := range mention.Readers {
			for _, name := range reader.Names { // of those that are patterns, no file has the name
				if path := filepath.Join(folder, name); folder != "" && project.Exists(path) {
					s.searchIfOfReader(name, path)
				}
			}
		}
	}
	// A folder without a known generator, a policy or a repository may hold anything.
	if p.OwnsFolder() {
		s.searchSourceFolder()
	}
}

// searchSourceFolder looks at the files below the site's folder, without the published ones.
func (s *sweep) searchSourceFolder() {
	p := s.project
	wants := func(name string) bool {
		return mention.Lookup(name) != nil || s.isUnreadContent(name) || dataFormat(name) != ""
	}
	walk := mention.Walk{Folder: p.Source, Leave: []string{p.Settings.Publish}, Files: p.Root, Most: mostFiles,
		Wants: wants}
	err := walk.Run(context.Background(), func(name string) {
		// Each of the three passes over a file that is none of its kind.
		s.searchIfOfReader(name, filepath.Join(p.Source, filepath.FromSlash(name)))
		s.readContent(name)
		s.readData(name)
	})
	s.reportUnread()
	if errors.Is(err, mention.ErrTooMany) {
		s.findings = append(s.findings, policy.Finding{ID: "unaccounted", Severity: policy.Warning, File: p.Short(p.Source),
			Message: fmt.Sprintf("the folder holds more than %d files: not all were searched for X-Robots-Tag", mostFiles)})
	} else if err != nil {
		s.findings = append(s.findings, policy.Finding{ID: "not-read", Severity: policy.Warning, File: p.Short(p.Source),
			Message: "a folder is not searched for what speaks to crawlers: " + project.Reason(err)})
	}
}

// searchIfOfReader searches a file if some host reads files of its name, with slashes, from the folder
// that is searched: what is above that says nothing. path is absolute.
func (s *sweep) searchIfOfReader(name, path string) {
	if reader := mention.Lookup(name); reader != nil {
		s.searchFile(reader, path)
	}
}

// searchFile reports lines of a file that speak to crawlers, unless it is read by others or a copy
// of such a file. reader says who may read it.
func (s *sweep) searchFile(reader *mention.Reader, path string) {
	if s.isRead[path] {
		return
	}
	s.isRead[path] = true
	data, err := s.project.Read(path, project.MaxHeaders)
	if err != nil {
		s.findings = append(s.findings, policy.Finding{ID: "not-read", Severity: policy.Warning,
			File: s.project.Short(path), Message: fmt.Sprintf("the file is not searched for X-Robots-Tag, and %s may read "+
				"it: %s", reader.By, project.Reason(err))})
		return
	}
	isCopy := func(text []byte) bool { return len(text) > 0 && string(text) == string(data) }
	if slices.ContainsFunc(s.ownersTexts, isCopy) {
		return // it is the source of a header file, such as static/_headers, or another copy of one
	}
	why := "and metarobots does not read it here"
	name, base := s.project.Short(path), filepath.Base(path)
	reads := func(h *hosts.Host) bool { return h.File == base }
	isTarget := func(h *hosts.Host) bool { return reads(h) && s.isTarget(h.Target) }
	if slices.ContainsFunc(hosts.Table, reads) && !slices.ContainsFunc(hosts.Table, isTarget) {
		why = notTarget
	}
	lines := reader.LinesOf(data, mention.Headers...)
	if reader.IsScript {
		lines = slices.DeleteFunc(lines, s.isInOwnersText)
	}
	s.reportLines(reader, name, lines, why)
	s.reportMistakes(name, reader.Mistakes(data))
}

// isInOwnersText reports whether a line, and the path above it, are lines of a header file that was
// read; blanks around them make no difference.
func (s *sweep) isInOwnersText(l mention.Line) bool {
	return slices.ContainsFunc(s.ownersTexts, func(owners []byte) bool {
		lines := strings.Split(string(owners), "\n")
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		hasPath := l.Path == "" || slices.Contains(lines, l.Path)
		return hasPath && slices.Contains(lines, strings.TrimSpace(l.Text))
	})
}

// isTarget reports whether header rules are written for a host.
func (s *sweep) isTarget(target string) bool {
	return slices.ContainsFunc(s.plan.Headers, func(h *headerfile.File) bool {
		return !h.Former && h.Target == target
	})
}

// reportLines reports the first of some lines that has no finding yet, and how many more there are.
func (s *sweep) reportLines(reader *mention.Reader, file string, lines []mention.Line, why string) {
	isReported := func(l mention.Line) bool { return s.hasFinding[place{file, l.Number}] }
	lines = slices.DeleteFunc(lines, isReported)
	if len(lines) == 0 {
		return
	}
	s.findings = append(s.findings, policy.Finding{ID: "unaccounted", Severity: policy.Warning, File: file,
		Line: lines[0].Number, Message: fmt.Sprintf("%s is set here%s for %s, %s: what it restricts does not count",
			lines[0].Header, andMore(len(lines)-1, "line"), reader.By, why),
		Fix: ". State it in the policy, or suppress this finding if nobody reads the file"})
}

// reportMistakes reports each name of a header that no crawler reads at its first line in a file
// without another finding, and how many more there are.
func (s *sweep) reportMistakes(file string, mistakes []mention.Mistake) {
	byName := map[string][]mention.Mistake{}
	var names []string
	for _, m := range mistakes {
		if s.hasFinding[place{file, m.Number}] {
			continue
		}
		name := strings.ToLower(m.Header)
		if byName[name] == nil {
			names = append(names, name)
		}
		byName[name] = append(byName[name], m)
	}
	for _, name := range names {
		first := byName[name][0]
		s.findings = append(s.findings, policy.Finding{ID: "mistyped-key", Severity: policy.Warning, File: file,
			Line: first.Number, Message: fmt.Sprintf("%s: %q%s restricts nothing, because no crawler reads a header of this "+
				"name (did you mean %s?)", first.Header, first.Value, andMore(len(byName[name])-1, "line"), first.Meant)})
	}
}

// andMore says how many more of something there are; empty for none.
func andMore(n int, what string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" (and in one more %s)", what)
	}
	return fmt.Sprintf(" (and in %d more %ss)", n, what)
}
