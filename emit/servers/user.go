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

// User is what the user's own rules in a target's file serve, ours left out. It can be asked from several goroutines.
type User struct {
	// views are the ways in which the host may read them: one, or as many as its documentation leaves open.
	views []view
	// serves are the paths at which the host serves published files.
	serves serving
	// unread are the rules about the header that cannot be read, and so are not counted as found: conditions, patterns
	// of more than a path or what it begins and ends with, and, for the web servers, most lines about it.
	unread []policy.Finding
	// header is the one that they are read for.
	header string
	// text is the file of a web server.
	text *marks.Text
	// accounted are the lines that name the header in a rule which is read, or which a finding is about.
	accounted map[int]bool
}

// Accounts reports whether a line of the file that names the header counts, or has a finding. In the file of a web
// server each line does that is no comment.
func (u *User) Accounts(line int) bool { return u.text != nil || u.accounted[line] }

// Sent returns what the host sends of the header for a published file: an answer for each of its
// request paths and each way in which the host may compare them, some of them empty. Path and
// source are as in [robotstag.Want]. In a .htaccess those are the lines for all files and those in
// sections for files. What cannot be read is among the findings of [Compile].
func (u *User) Sent(path, source string) (all []robotstag.Sent) {
	for _, url := range u.serves.all(path, source) {
		for i := range u.views {
			sent, _ := u.views[i].run(url, nil, false)
			all = append(all, sent)
		}
	}
	return all
}

// Serve sets the addresses of the site's files on the host, which are those of a host that nobody
// has configured until then; nil changes nothing.
func (u *User) Serve(site *address.Site) *User {
	if site != nil {
		u.serves.site = site
	}
	return u
}

// Unread are findings about the rules that are not read, which name no file.
func (u *User) Unread() []policy.Finding { return u.unread }

func (u *User) leaveUnread(line int, what, why string) {
	u.report(line, "this %s is about %s too%s: what it does is not counted as found"+
		" (write it as a rule of the policy instead)", what, u.header, why)
}

// leaveConditional reports a rule that depends on the request, which no rule of the policy can.
func (u *User) leaveConditional(line int, what string) {
	u.report(line, "this %s is about %s too, and depends on the request: what it does is not counted as found,"+
		" and no rule of ours takes away what it restricts", what, u.header)
}

func (u *User) report(line int, format string, args ...any) {
	u.unread = append(u.unread, policy.Finding{ID: "header-found", Severity: policy.Warning, Line: line,
		Message: fmt.Sprintf(format, args...)})
}

// userRule is a rule of the user's: the line that it sends, and no text where it sends none.
type userRule struct {
	sends robotstag.Value
	// at is its place among the owner's rules of a list.
	at int
	// matches reports whether it is for a path; nil where it is for all.
	matches func(path string) bool
	// before is its pattern, where it goes before rules of ours.
	before string
	// elsewhere says that no file is served: the rule redirects.
	elsewhere bool
	// unread says that the rule cannot be read, and matches all that it may match. It counts where it is asked what may
	// be in the way, not where it is asked what is found.
	unread bool
	// vague says that nobody knows what it sends, and depends that it depends on the request.
	vague, depends bool
	// beside says that a line is sent beside others, and always that it is so even beside those that replace others.
	// appended says that the host joins it to the first line that is there.
	beside, always, appended bool
}

// view is one way in which a host reads the user's rules, in the order in which it carries them out: each that matches
// replaces what was set before it, or is sent beside it. Paths are decoded request paths.
type view struct {
	comparison comparison
	rules      []userRule
	// unread says that a rule before ours cannot be read, whatever the path.
	unread bool
	// lines are those of a .htaccess outside of sections, with those that are not read.
	lines []userRule
}

// run carries out the rules for a path: those that go before ours, what our rule sends, and the others. by is the last
// rule that replaced what was sent; unread says whether rules that cannot be read count.
func (v *view) run(path string, ours robotstag.Sent, unread bool) (
	sent robotstag.Sent, by *userRule) {
	var always robotstag.Sent
	names := v.comparison.names(path)
	sent = ours
	for i := range v.rules {
		r := &v.rules[i]
		switch {
		case r.unread && !unread || r.matches != nil && !slices.ContainsFunc(names, r.matches):
		case r.always:
			always = r.add(always)
		case ours != nil && r.before == "":
		default:
			if sent = r.add(sent); !r.beside {
				by = r
			}
		}
	}
	return slices.Concat(sent, always), by
}

// loosens returns the first rule whose line makes less of ours beside it; nil for none. Of all
// directives, indexifembedded alone does that (D3).
func (v *view) loosens(path string, ours robotstag.Sent) *userRule {
	wanted := ours.String()
	for i := range v.rules {
		if r := &v.rules[i]; !strings.Contains(strings.ToLower(r.sends.Text), "indexifembedded") {
			continue
		}
		alone := view{comparison: v.comparison, rules: v.rules[i : i+1]}
		sent, by := alone.run(path, ours, false)
		if by == nil && !robotstag.Covers(sent.String(), wanted) {
			return &v.rules[i]
		}
	}
	return nil
}

// add returns the lines that are sent once a rule is carried out.
func (r *userRule) add(sent robotstag.Sent) robotstag.Sent {
	switch line := []robotstag.Value{r.sends}; {
	case r.appended && len(sent) > 0:
		sent = slices.Clone(sent)
		sent[0] = slices.Concat(sent[0], line)
		return sent
	case r.beside:
		return append(slices.Clip(sent), line)
	case r.sends.Text == "" || r.elsewhere:
		return nil
	default:
		return robotstag.Sent{line}
	}
}

// relied are the values for a path, and whether what decided about them is known.
func (v *view) relied(path string) (values []robotstag.Value, known bool) {
	sent, by := v.run(path, nil, true)
	doubtful := by != nil && by.unread || v.unread && (by == nil || by.before == "")
	return slices.Concat(sent...), !doubtful
}

func (u *User) value(line int, text string) robotstag.Value {
	return robotstag.Value{Text: text, Name: u.header, Line: line}
}
