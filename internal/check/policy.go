package check

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/config"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// unusedPolicy reports what of the policy selected nothing (S4).
func unusedPolicy(site *plan.Plan) []policy.Finding {
	var subjects []*policy.Subject
	for _, pg := range site.Pages {
		subjects = append(subjects, &pg.File.Subject)
	}
	return unused(site, site.Project.Policy, subjects, "rules")
}

// unusedHeaderRules reports what of the rules for other headers selected nothing: they are for
// files of all roles.
func unusedHeaderRules(site *plan.Plan) []policy.Finding {
	rules := site.Project.Config.Robots.Headers.Rules
	if len(rules) == 0 {
		return nil
	}
	var subjects []*policy.Subject
	for _, pg := range site.Pages {
		subject := pg.File.Subject
		if !pg.File.Role.Policed() {
			subject.Role = policy.RoleStatic
		}
		subjects = append(subjects, &subject)
	}
	p := &policy.Policy{Rules: config.FilesOf(rules), IgnoresOwners: true}
	return unused(site, p, subjects, "headers", "rules")
}

// unused reports the entries of rules and of visibility that select none of the subjects, each
// where the configuration has it. key is the table that has the policy's rules: "rules", or
// "headers", "rules". Entries of visibility are left out if the owner says that they may be empty;
// p.Unused has, of a rule that may select nothing, the exceptions alone.
// By the group of an entry, the key of the rule or of visibility that has it:
//
//	match                     an error, with what the glob is likely meant for (idleMatch)
//	except                    a warning, which says enough: it is harmless
//	versions                  a warning, unless another finding says why (idleVersions)
//	kinds, sections, types …  an error if the site has no such name, else a warning (unknownName)
func unused(site *plan.Plan, p *policy.Policy, subjects []*policy.Subject, key ...string) (
	all []policy.Finding) {
	namesByGroup := map[string][]string{} // the site's sections, kinds …, collected once a group
	for _, u := range p.Unused(subjects) {
		if u.IsVisibility() && site.Project.Config.Robots.VisibilityMayBeEmpty {
			continue
		}
		at := unusedOrigin(site.Project, p, u, key)
		f := selectsNothing(at, "%q selects nothing", u.Name)
		switch u.Group {
		case "match":
			f.Severity = policy.Error
			f.Message += idleMatch(site, &p.Rules.All[u.Rule], u) +
				" (allowEmpty = true on the rule if that is meant)"
		case "except":
		case "versions":
			isReportedElsewhere := len(site.Versions.Idle)+len(site.Versions.Unread) > 0
			if isReportedElsewhere {
				continue
			}
			f = idleVersions(site, at)
		default:
			if namesByGroup[u.Group] == nil {
				namesByGroup[u.Group] = namesOf(site, u.Group)
			}
			isMistake, hint := unknownName(site, u, namesByGroup[u.Group])
			f.Message += hint
			if isMistake {
				f.Severity = policy.Error
			}
		}
		all = append(all, f)
	}
	return all
}

// idleVersions is the finding that robots.visibility.versions selects nothing, at its place.
func idleVersions(site *plan.Plan, at policy.Origin) policy.Finding {
	f := selectsNothing(at, "")
	f.Message = fmt.Sprintf("%q selects nothing: no old versions of a documentation are known",
		writtenForVersions(site)) // without the key before it, as the value is a word of the owner's
	if len(site.Project.Config.Robots.Versions.Match) == 0 {
		f.Fix = `; name the folders of the versions: robots.versions.match = ["/docs/{version}/**"]`
	}
	return f
}

// writtenForVersions is what the owner has written as robots.visibility.versions. The entry that is
// made of it has another name.
func writtenForVersions(site *plan.Plan) string {
	if site.Project.Config.Robots.Versions.Canonical != nil {
		return "canonical"
	}
	return "newest"
}

// unknownName says, for a message of [unused], what is known of a name that selects nothing, such
// as a section's. names are those that the site has in the entry's group. isMistake reports whether
// the site has no such name, so that the entry is most likely a mistake. It is false for kinds and
// for "paginated", words of ours that any site may lack. The hint is what the message ends with:
//
//	the site has the name, on pages that something else keeps out   ""
//	archives.paginated                                              how to write a rule instead
//	sections: blgo                                                  (did you mean "blog"?), and then
//	                                                                how to say that it is meant
//	sections: x, like no name                                       all sections, and the same
func unknownName(site *plan.Plan, u policy.Unused, names []string) (isMistake bool, hint string) {
	isSame := func(name string) bool { return strings.EqualFold(name, u.Name) }
	isPaginated := u.Group == "archives" && strings.EqualFold(u.Name, "paginated")
	switch {
	case slices.ContainsFunc(names, isSame):
		return false, ""
	case isPaginated:
		return false, ": no second page of a list is known; this is harmless if there is none " +
			"yet, and if there are, write " +
			`a rule for their paths, such as match = ["/**/page/*/"]`
	case u.Group == "kinds":
		return false, namesLike(u, names)
	}
	hint = namesLike(u, names)
	isInFolder := func(pg *plan.Page) bool { return strings.HasPrefix(pg.File.Name, u.Name+"/") }
	if u.Group == "sections" && slices.ContainsFunc(site.Pages, isInFolder) {
		hint += fmt.Sprintf("; a rule can hide a folder, match = [\"/%s/**\"]", u.Name)
	}
	place := "the rule"
	if u.IsVisibility() {
		place = "robots.visibility"
	}
	return true, hint + fmt.Sprintf(" (allowEmpty = true on %s if that is meant)", place)
}

// namesLike says which of the site's names is like that of an entry, or else which names there are.
func namesLike(u policy.Unused, names []string) string {
	if len(names) == 0 {
		return fmt.Sprintf(": no %s of the site are known", u.Group)
	}
	if hint := policy.DidYouMean(u.Name, names); hint != "" {
		return hint
	}
	return fmt.Sprintf(": the %s of the site are %s", u.Group, strings.Join(names, ", "))
}

// matching are the pages with a policy that a glob matches; none if it is no glob, as what is made
// of one for a hint may be.
func matching(site *plan.Plan, glob string) (all []*plan.Page) {
	g, err := policy.ParseGlob(glob)
	if err != nil {
		return nil
	}
	for _, pg := range site.Pages {
		if pg.File.Role.Policed() && g.Match(pg.File.Path) {
			all = append(all, pg)
		}
	}
	return all
}

// idleMatch says, for a message of [unused], why a glob of a rule's match selects nothing, or which
// glob would. It is "" if nothing is known. u.Name is the glob. The first of these that applies
// counts:
//
//	/drafts/**, all of it excepted      : except excludes all 3 matches
//	/blog/, of /en/blog/                 (did you mean "/**/blog/"?)
//	/blog/, of /blog/a/                  (did you mean "/blog/**"?)
//	/a/?x=1, and see hintIfQuery        : globs match the paths of URLs, and no path has a query
//	/Blog/**, of /blog/a/               : upper and lower case differ in paths (did you mean …)
//	/public/a/, see hintIfAboveRoot     : paths begin below the publish folder …
//	/static/x.pdf, see publishStatic        : the files of static/ are published at the root …
//	/posts/a.md, if none is published   : match takes the paths of URLs … not those of content files
func idleMatch(site *plan.Plan, rule *policy.Rule, u policy.Unused) string {
	if matched := matching(site, u.Name); len(matched) > 0 {
		return matchedInVain(rule, matched)
	}
	// A glob may be too narrow: it may be meant for a folder below another one, or for all that is
	// in the folder.
	for _, wider := range []string{"/**" + u.Name, strings.TrimSuffix(u.Name, "/") + "/**"} {
		if len(matching(site, wider)) > 0 {
			return fmt.Sprintf(" (did you mean %q?)", wider)
		}
	}
	if hint := hintIfQuery(site, u.Name); hint != "" {
		return hint
	}
	if other := globInOtherCase(site, u.Name); other != "" {
		return fmt.Sprintf(": upper and lower case differ in paths (did you mean %q?)", other)
	}
	if hint := hintIfAboveRoot(site, u.Name); hint != "" {
		return hint
	}
	rest, isStatic := strings.CutPrefix(u.Name, "/static/")
	if isStatic && slices.Contains(publishStatic, site.Project.Generator) {
		return staticHint(site, rest)
	}
	if isContentFile(u.Name) {
		return ": match takes the paths of URLs, such as \"/v1/**\", and not those of content files"
	}
	return ""
}

// hintIfQuery says that a glob has a query, /a/?x=1, which no path has; empty if it has none. A ?
// without a = behind it is no query: in other programs' globs it is any character.
func hintIfQuery(site *plan.Plan, glob string) string {
	name, query, _ := strings.Cut(glob, "?")
	if !strings.Contains(query, "=") {
		return ""
	}
	hint := ": globs match the paths of URLs, and no path has a query"
	if len(matching(site, name)) > 0 {
		hint += fmt.Sprintf(" (did you mean %q?)", name)
	}
	return hint
}

// matchedInVain says why a rule selects none of the pages that one of its globs matches.
func matchedInVain(rule *policy.Rule, matched []*plan.Page) string {
	isKept := func(pg *plan.Page) bool { return !rule.Except.Match(pg.File.Path) }
	if !slices.ContainsFunc(matched, isKept) {
		return fmt.Sprintf(": except excludes all %d matches", len(matched))
	}
	return fmt.Sprintf(": none of its %d matches is of the rule's kinds, types, sections, "+
		"languages and formats", len(matched))
}

// isContentFile reports whether a glob ends like the name of a content file.
func isContentFile(glob string) bool {
	return slices.Contains([]string{".md", ".mdx", ".markdown", ".rst", ".adoc"}, path.Ext(glob))
}

// globInOtherCase is the glob that selects pages if its letters take the case of theirs: "/tags/**"
// for "/Tags/**", "/**/*.webp" for "/**/*.WEBP"; empty if none does.
func globInOtherCase(site *plan.Plan, glob string) string {
	if lower := strings.ToLower(glob); lower != glob && len(matching(site, lower)) > 0 {
		return lower
	}
	for _, pg := range site.Pages {
		for _, at := range []string{pg.File.Path.URL, pg.File.Path.File} {
			if other := withCaseOf(at, glob); other != glob && len(matching(site, other)) > 0 {
				return other
			}
		}
	}
	return ""
}

// withCaseOf is a glob whose first segments, and whose ending, have the case of a path if they
// differ by case only. A segment that is a star alone may be any of the path.
func withCaseOf(at, glob string) string {
	segments, theirs := strings.Split(glob, "/"), strings.Split(at, "/")
	for i := range min(len(segments), len(theirs)) {
		if segments[i] == "*" {
			continue
		}
		if !strings.EqualFold(segments[i], theirs[i]) {
			break
		}
		segments[i] = theirs[i]
	}
	last := len(segments) - 1
	segments[last] = withEnding(segments[last], path.Ext(at))
	return strings.Join(segments, "/")
}

// withEnding is the last segment of a glob with the ending of a file in place of its own, if these
// differ by case only.
func withEnding(segment, ending string) string {
	if own := path.Ext(segment); strings.EqualFold(own, ending) {
		return strings.TrimSuffix(segment, own) + ending
	}
	return segment
}

// hintIfAboveRoot says that a glob begins with what is above the paths of the site: the publish
// folder, or the path of the site's URL; empty if it does not.
func hintIfAboveRoot(site *plan.Plan, glob string) string {
	p := site.Project
	above := map[string]string{"the publish folder": path.Base(filepath.ToSlash(p.Settings.Publish))}
	if u, err := url.Parse(p.Settings.BaseURL); err == nil {
		above["the path of the site's URL, "+p.Settings.BaseURL] = strings.Trim(u.Path, "/")
	}
	for _, what := range slices.Sorted(maps.Keys(above)) {
		rest, isBelow := strings.CutPrefix(glob, "/"+above[what]+"/")
		if above[what] == "" || !isBelow {
			continue
		}
		hint := ": paths begin below " + what
		if better := "/" + rest; len(matching(site, better)) > 0 {
			hint += fmt.Sprintf(" (did you mean %q?)", better)
		}
		return hint
	}
	return ""
}

// publishStatic are the generators that are known to publish at the root what is in a folder static.
// https://docusaurus.io/docs/static-assets
var publishStatic = []string{"hugo", "docusaurus"}

// staticHint says where the files of static/ are published, and which glob selects them, of a site
// whose generator is one of publishStatic. rest is the glob below static/.
func staticHint(site *plan.Plan, rest string) string {
	better := "/" + rest
	files := matching(site, better)
	i := slices.IndexFunc(files,
		func(pg *plan.Page) bool { return pg.File.Role == policy.RoleStatic })
	if i < 0 {
		return ": the files of static/ are published at the root, without that folder"
	}
	example := files[i].File.Path.URL
	if strings.Trim(rest, "*/") == "" { // all of them, and pages too
		better = "/**/*" + path.Ext(example)
		if folder, _, ok := strings.Cut(example[1:], "/"); ok {
			better = "/" + folder + "/**"
		}
	}
	return fmt.Sprintf(": the files of static/ are published at the root, such as %s (did you "+
		"mean %q?)", example, better)
}

// namesOf are the sections, types, kinds, … that pages of the site have.
func namesOf(site *plan.Plan, group string) []string {
	known := map[string]bool{}
	for _, pg := range site.Pages {
		if group != "archives" {
			known[pg.File.Facts.Fact(group)] = true
			continue
		}
		for _, name := range pg.File.Taxonomies {
			known[name] = true
		}
		known["paginated"] = known["paginated"] || pg.File.Pager > 1
	}
	maps.DeleteFunc(known, func(name string, yes bool) bool { return name == "" || !yes })
	return slices.Sorted(maps.Keys(known))
}

// unusedOrigin is where the configuration says what selects nothing.
func unusedOrigin(project *project.Project, p *policy.Policy, u policy.Unused, key []string) (
	at policy.Origin) {
	if u.IsVisibility() {
		return p.Visibility[u.Index].Origin
	}
	o := p.Rules.All[u.Rule].Origin
	o.Key = strings.Replace(o.Key, "rules", "rules."+u.Group, 1)
	keyPath := append(slices.Clone(key), fmt.Sprint(u.Rule), u.Group, fmt.Sprint(u.Index))
	if _, line := project.Config.Locate(keyPath...); line > 0 {
		o.Line = line
	}
	return o
}

// selectsNothing says of an entry of the configuration that it is for nothing on the site.
func selectsNothing(at policy.Origin, format string, args ...any) policy.Finding {
	return at.Finding("selects-nothing", policy.Warning, format, args...)
}

// unusedErrorPaths reports globs of errorPaths that match no page (S4).
func unusedErrorPaths(site *plan.Plan) []policy.Finding {
	paths := site.Project.Config.Robots.Unpoliced.ErrorPages
	isHTML := func(pg *plan.Page) bool { return pg.File.HTML }
	return slices.Concat(unusedGlobs(site, "errorPaths", "match", paths.Match, isHTML),
		unusedGlobs(site, "errorPaths", "except", paths.Except, isHTML))
}

// unusedSitemapExceptions reports globs of [robots.sitemap] except that match no file (S4).
func unusedSitemapExceptions(site *plan.Plan) []policy.Finding {
	return unusedGlobs(site, "sitemap", "except", site.Project.Config.Robots.Sitemap.Except,
		func(pg *plan.Page) bool { return pg.File.Role != policy.RoleControl })
}

// unusedGuardExceptions reports globs of [robots.guard] except that match no page (S4).
func unusedGuardExceptions(site *plan.Plan) []policy.Finding {
	return unusedGlobs(site, "guard", "except", site.Project.Config.Robots.Guard.Except,
		(*plan.Page).IsMain)
}

// unusedGlobs reports those globs of a key below a table of [robots] that match none of the files
// that may be selected.
func unusedGlobs(site *plan.Plan, table, key string, globs policy.Globs,
	maySelect func(*plan.Page) bool) (all []policy.Finding) {
	for i, glob := range globs {
		isSelected := func(pg *plan.Page) bool { return maySelect(pg) && glob.Match(pg.File.Path) }
		if slices.ContainsFunc(site.Pages, isSelected) {
			continue
		}
		at := policy.Origin{Key: "robots." + table + "." + key}
		at.File, at.Line = site.Project.Config.Locate(table, key, fmt.Sprint(i))
		all = append(all, selectsNothing(at, "%q selects nothing", glob))
	}
	return all
}

// unusedVersionPatterns reports patterns of [robots.versions] match that find no version (S4a).
func unusedVersionPatterns(site *plan.Plan) (all []policy.Finding) {
	if site.Project.Config.Robots.VisibilityMayBeEmpty {
		return nil
	}
	for _, pattern := range site.Versions.Idle {
		hint := ": no folder there has the name of a version"
		if other := patternInOtherCase(site, pattern); other != "" {
			hint = fmt.Sprintf(": upper and lower case differ in paths (did you mean %q?)", other)
		}
		f := selectsNothing(pattern.At, "%q selects nothing%s (allowEmpty = true under "+
			"robots.visibility if that is meant)",
			pattern, hint)
		f.Severity = policy.Error
		all = append(all, f)
	}
	return all
}

// patternInOtherCase is the pattern that finds versions if its folders take the letter case of the
// site's; empty if none does.
func patternInOtherCase(site *plan.Plan, pattern versions.Pattern) string {
	for _, pg := range site.Pages {
		other := withCaseOf(pg.File.Path.File, pattern.String())
		if meant, err := versions.ParsePattern(other); err == nil &&
			len(meant.Groups([]string{pg.File.Name})) > 0 {
			return other
		}
	}
	return ""
}

// unusedLinks reports what of the links' policy selected nothing (S4).
func unusedLinks(site *plan.Plan) (all []policy.Finding) {
	c := site.Project.Config.Robots.Links
	if c.Empty() {
		return nil
	}
	for i, used := range site.Links.Rules {
		if !used {
			all = append(all, selectsNothing(c.RuleOrigins[i],
				"no link of the site is one of these"))
		}
	}
	for i, used := range site.Links.Classes {
		if !used {
			all = append(all, selectsNothing(c.SnippetOrigins[i], "no element has the class %q",
				c.Options.NoSnippet[i]))
		}
	}
	return all
}
