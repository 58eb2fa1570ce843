package servers

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/policy"
)

// User is what the owner's own rules in a file say of one header, ours left out. Several goroutines
// may ask it.
type User struct {
	// header is the name of the header that they are read for.
	header string
	// views are the ways in which the host may read them: one, or as many as its documentation
	// leaves open.
	views []view
	// serves are the paths at which the host serves published files.
	serves serving
	// paths are the encoded request paths of the rules of a list that are for one alone.
	paths []string
	// findings are about the rules about the header that cannot be read, and so are not counted as
	// found: conditions, patterns of more than a path or what it begins and ends with, and, for the
	// web servers, most lines about it.
	findings []policy.Finding
	// text is the file of a web server; nil for a list of rules.
	text *marks.Text
	// accounted are the lines of a list of rules that name the header in a rule which is read, or
	// which a finding is about, or which is for another site.
	accounted map[int]bool
}

// Accounts reports whether a line of the file that names the header counts, or has a finding. In
// the file of a web server each line does, unless it is a comment.
func (u *User) Accounts(line int) bool { return u.text != nil || u.accounted[line] }

// Sent returns what the host sends of the header for a published file: an answer for each of its
// request paths and each way in which the host may compare them, some of them empty. Path and
// source are as in [robotstag.Want]. In a .htaccess those are the lines for all files and those in
// sections for files. What cannot be read is among the findings of [Compile].
func (u *User) Sent(path, source string) (all []robotstag.Sent) {
	for _, url := range u.serves.paths(path, source) {
		for i := range u.views {
			sent, _ := u.views[i].carryOut(url, nil, unreadMatchNothing)
			all = append(all, sent)
		}
	}
	return all
}

// Serve sets the addresses of the site's files on the host, and returns u. Until then they are
// those of a host that nobody has configured; nil changes nothing.
func (u *User) Serve(site *address.Site) *User {
	if site != nil {
		u.serves.site = site
	}
	return u
}

// serveWants sets the addresses of the files that are asked about: those that the site has on the
// host, or, if nobody has configured it, those of a host that serves these files alone.
func (u *User) serveWants(site *address.Site, wants []robotstag.Want) {
	if site == nil {
		published := make(map[string]bool, len(wants))
		for _, w := range wants {
			published[w.Path] = true
		}
		isPublished := func(file string) bool { return published[file] }
		site = address.New(isPublished, nil, u.serves.site.Handlings()...)
	}
	u.Serve(site)
}

// Unread returns the findings about the rules that are not read. They name no file.
func (u *User) Unread() []policy.Finding { return u.findings }

// reportUnread reports a rule that cannot be read. what is "line" or "rule", and why begins with a
// comma or is empty.
func (u *User) reportUnread(line int, what, why string) {
	u.report(line, "this %s is about %s too%s: what it does is not counted as found"+
		" (write it as a rule of the policy instead)", what, u.header, why)
}

// reportConditional reports a rule that depends on the request, as no rule of the policy can. what
// is "line" or "rule".
func (u *User) reportConditional(line int, what string) {
	u.report(line, "this %s is about %s too, and depends on the request: what it does is not counted as found,"+
		" and no rule of ours takes away what it restricts", what, u.header)
}

// report adds a warning at a line of the file.
func (u *User) report(line int, format string, args ...any) {
	u.findings = append(u.findings, policy.Finding{ID: "header-found", Severity: policy.Warning, Line: line,
		Message: fmt.Sprintf(format, args...)})
}

// userRule is a rule of the owner's about the header.
type userRule struct {
	// sends is the line that it sends, with its place; without a text it sends none.
	sends robotstag.Value
	// effect is what its line does to those that are there by then.
	effect effect
	// isApart says that it sets a header of its own, which the host sends beside the one that all
	// other rules and ours set, as Apache does with "Header always".
	isApart bool
	// number is its place among the owner's rules of a list, from 0.
	number int
	// paths says for which paths it is. path and folder are those of its [userPattern], and fileName
	// is that of its [section].
	paths                  matcher
	path, folder, fileName string
	// nameIfOverriding is the text by which a finding names the rule if the host carries it out
	// after ours, or instead of them: its pattern, or its line. It is empty if ours replace what it
	// sets: see overridesOurs.
	nameIfOverriding string
	// isRedirect says that it redirects, so that no file is served.
	isRedirect bool
	// isUnread says that it cannot be read, and matches all that it may match. It counts for what
	// may be in our way, and not for what is found.
	isUnread bool
	// isVague says that nobody knows what it sends, and isConditional that it depends on the
	// request.
	isVague, isConditional bool
}

// overridesOurs reports whether the host carries the rule out after ours, or instead of them. Of a
// .htaccess, those are the rules in a section that Apache merges after what is outside of one:
// <Files>, and not <IfModule>.
func (r *userRule) overridesOurs() bool { return r.nameIfOverriding != "" }

// effect is what a rule does to the lines of the header that are there by then.
type effect int

const (
	replaces effect = iota // its line is in place of all of them; without a text, none is left
	adds                   // its line is sent beside them
	joins                  // its text joins the first of them, as a list, or is the first line
)

// view is one way in which a host reads the owner's rules. Paths are decoded request paths.
type view struct {
	comparison comparison
	// rules are in the order in which the host carries them out. index finds those that match by
	// their places there; nil if each has to be asked.
	rules []userRule
	index *patternIndex
	// isDoubtful says that a rule ahead of ours cannot be read, whatever the path: what the others
	// ahead of ours set is not relied on.
	isDoubtful bool
	// outsideSections are the rules of a .htaccess outside of its sections, with those that cannot
	// be read, in the order of the file.
	outsideSections []userRule
}

// unreadRules says whether rules that cannot be read are carried out for all that they may match.
type unreadRules bool

const (
	unreadCount        unreadRules = true  // to know what may be in our way
	unreadMatchNothing unreadRules = false // to know what is found
)

// carryOut carries out the rules for a path and returns what the host sends then. If ours is not
// nil, it is what a rule of ours sends, and the rules that it replaces are not carried out. by is
// the last rule of the owner's that replaced what was there; nil for none.
func (v *view) carryOut(path string, ours robotstag.Sent, unread unreadRules) (
	sent robotstag.Sent, by *userRule) {
	return carryOutRules(v.matching(path), ours, unread)
}

// carryOutRules is [view.carryOut] for rules that match the path.
func carryOutRules(rules []*userRule, ours robotstag.Sent, unread unreadRules) (
	sent robotstag.Sent, by *userRule) {
	var apart robotstag.Sent
	sent = ours
	for _, rule := range rules {
		isReplacedByOurs := ours != nil && !rule.overridesOurs()
		switch {
		case rule.isUnread && unread == unreadMatchNothing:
		case rule.isApart:
			apart = rule.linesAfter(apart)
		case isReplacedByOurs:
		default:
			sent = rule.linesAfter(sent)
			if rule.effect == replaces {
				by = rule
			}
		}
	}
	return slices.Concat(sent, apart), by
}

// matching are the rules of a view that match a path, or may, in the order of the view.
func (v *view) matching(path string) (rules []*userRule) {
	names := v.comparison.names(path)
	if v.index != nil {
		for _, place := range v.index.find(names...) {
			rules = append(rules, &v.rules[place])
		}
		return rules
	}
	for i := range v.rules {
		if rule := &v.rules[i]; slices.ContainsFunc(names, rule.paths.takes) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// linesAfter returns the lines of the header once the rule is carried out, if these are there
// before.
func (r *userRule) linesAfter(sent robotstag.Sent) robotstag.Sent {
	line := []robotstag.Value{r.sends}
	switch {
	case r.effect == joins && len(sent) > 0:
		sent = slices.Clone(sent)
		sent[0] = slices.Concat(sent[0], line)
		return sent
	case r.effect != replaces:
		return append(slices.Clip(sent), line)
	case r.sends.Text == "" || r.isRedirect:
		return nil
	default:
		return robotstag.Sent{line}
	}
}

// findLoosening returns the first rule whose line makes less of ours when it is sent beside them;
// nil for none. Of all directives, indexifembedded alone does that (D3).
func (v *view) findLoosening(path string, ours robotstag.Sent) *userRule {
	wanted := ours.String()
	for _, rule := range v.matching(path) {
		if !strings.Contains(strings.ToLower(rule.sends.Text), "indexifembedded") {
			continue
		}
		sent, by := carryOutRules([]*userRule{rule}, ours, unreadMatchNothing)
		isBeside := by == nil
		if isBeside && !robotstag.Covers(sent.String(), wanted) {
			return rule
		}
	}
	return nil
}

// valuesToRelyOn returns the values that the owner's rules send for a path without ours. isKnown is
// false if a rule that cannot be read may have decided about them, so that nobody can rely on them.
func (v *view) valuesToRelyOn(path string) (values []robotstag.Value, isKnown bool) {
	sent, by := v.carryOut(path, nil, unreadCount)
	isByUnread := by != nil && by.isUnread
	isAheadOfOurs := by == nil || !by.overridesOurs()
	isDoubtful := isByUnread || v.isDoubtful && isAheadOfOurs
	return slices.Concat(sent...), !isDoubtful
}

// valueAt is a line of the header that the file has at a line.
func (u *User) valueAt(line int, text string) robotstag.Value {
	return robotstag.Value{Text: text, Name: u.header, Line: line}
}
