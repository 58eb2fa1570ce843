package servers

import (
	"fmt"
	"slices"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// User is what the user's own rules in a target's file serve, ours left out. It can be asked from several goroutines.
type User struct {
	// views are the ways in which the host may read them: one, or as many as its documentation leaves open.
	views []view
	// serves says at which paths the host serves a published file.
	serves serving
	// unread are the rules about the header that cannot be read, and so are not counted as found: conditions, patterns
	// of more than a path or what it begins and ends with, and, for the web servers, most lines about it.
	unread []policy.Finding
	// sectioned are the lines of those that Apache applies after all others.
	sectioned []int
	// text is the file of a web server.
	text *marks.Text
}

// ReadUser reads the user's own rules in a file of a format. It fails where the file is not what the host takes.
func ReadUser(f *Format, file []byte) (*User, error) { return f.read(file) }

// Found returns the X-Robots-Tag lines that the host serves for a published file, in the order of the user's file:
// those of any of its request paths, and in any way in which the host may compare them. The path is as in
// [robotstag.Want]. In a .htaccess those are the lines for all files and those in sections for files, for nginx and
// Caddy the lines for all. What cannot be read is among the findings of [Compile].
func (u *User) Found(path string) []robotstag.Value {
	var all []robotstag.Value
	for _, url := range u.serves.all(path) {
		for i := range u.views {
			values, _ := u.views[i].sent(url, false)
			all = append(all, values...)
		}
	}
	return robotstag.Distinct(all)
}

// leaveUnread notes a rule that is not counted.
func (u *User) leaveUnread(line int, what, why string) {
	u.unread = append(u.unread, policy.Finding{ID: "header-found", Severity: policy.Warning, Line: line,
		Message: fmt.Sprintf("this %s is about %s too%s: what it does is not counted as found"+
			" (write it as a rule of the policy instead)", what, robotstag.Name, why)})
}

// view is one way in which a host reads the user's rules. Paths are decoded request paths.
type view interface {
	// sent are the lines for a path, and whether what decided about them cannot be read. A rule that cannot be read
	// counts where it is asked what may be in the way (unread), not where it is asked what is found.
	sent(path string, unread bool) (values []robotstag.Value, doubtful bool)
	// instead is what is served for a path that has a rule of ours, and the user's rule that goes before ours; nil for
	// none.
	instead(path, ours string) (served string, by *userRule)
}

// userRule is a rule of the user's: the line that it sends, and no text where it sends none.
type userRule struct {
	robotstag.Value
	matches func(path string) bool
	// before is its pattern, where it goes before rules of ours.
	before string
	// elsewhere says that no file is served: the rule redirects.
	elsewhere bool
	// unread says that the rule cannot be read, and matches all that it may match.
	unread bool
	// beside says that a line is sent beside others, and always that it is so even beside those that replace others.
	beside, always bool
}

// listView is a list of rules of which one counts.
type listView struct {
	way
	// rules are the user's, those before that count before others.
	rules []userRule
	// standard is what a response carries where none matches.
	standard userRule
}

// find returns the rule that counts for a path.
func (v *listView) find(path string, unread bool) *userRule {
	if len(v.rules) == 0 {
		return &v.standard
	}
	names := v.names(path)
	for i := range v.rules {
		if r := &v.rules[i]; (unread || !r.unread) && slices.ContainsFunc(names, r.matches) {
			return r
		}
	}
	return &v.standard
}

func (v *listView) sent(path string, unread bool) (values []robotstag.Value, doubtful bool) {
	r := v.find(path, unread)
	if r.Text != "" && !r.elsewhere {
		values = append(values, r.Value)
	}
	return values, r.unread
}

func (v *listView) instead(path, ours string) (served string, by *userRule) {
	if r := v.find(path, true); r.before != "" && !r.elsewhere {
		return r.Text, r
	}
	return ours, nil
}

// lineView is the lines of a web server's file, in the order in which the server carries them out: each replaces what
// was set before it, or is sent beside it.
type lineView struct {
	lines []userRule
	// unread says that a line before ours cannot be read, and unreadAfter that one after ours cannot.
	unread, unreadAfter bool
}

// run carries out the lines for a path: those that go before ours, ours, and the others. by is the last line that
// replaced ours.
func (v *lineView) run(path string, ours []robotstag.Value) (values []robotstag.Value, by *userRule) {
	var always []robotstag.Value
	own := ours != nil
	for i := range v.lines {
		l := &v.lines[i]
		switch after := l.before != ""; {
		case !l.matches(path):
		case l.always && l.beside:
			always = append(always, l.Value)
		case l.always:
			always = []robotstag.Value{l.Value}
		case own && !after:
		case l.beside:
			ours = append(ours, l.Value)
		default:
			ours, by = []robotstag.Value{l.Value}, l
		}
	}
	return slices.Concat(ours, always), by
}

func (v *lineView) sent(path string, _ bool) (values []robotstag.Value, doubtful bool) {
	values, by := v.run(path, nil)
	return values, v.unreadAfter || v.unread && (by == nil || by.before == "")
}

func (v *lineView) instead(path, ours string) (served string, by *userRule) {
	values, by := v.run(path, []robotstag.Value{{Text: ours}})
	return robotstag.Join(values), by
}

// value is what one rule sends.
func value(line int, text string) robotstag.Value {
	return robotstag.Value{Text: text, Name: robotstag.Name, Line: line}
}
