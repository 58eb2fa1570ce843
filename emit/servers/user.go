package servers

import (
	"fmt"
	"slices"
	"strings"

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

// ReadUser reads the user's own rules in the file of the target. It fails where the target is unknown or the file
// cannot be read as what the host takes.
func ReadUser(file []byte, o robotstag.Options) (*User, error) {
	t, ok := Lookup(o.Target)
	if !ok {
		return nil, fmt.Errorf("unknown headers target %q (known: %s)", o.Target, strings.Join(Targets(), ", "))
	}
	u, err := t.read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.File, err)
	}
	return u, nil
}

// Found returns the X-Robots-Tag lines that the host serves for a published file, in the order of the user's file:
// those of any of its request paths, and in any way in which the host may compare them. The path is as in
// [robotstag.Want]. In a .htaccess those are the lines in sections for files; for nginx and Caddy there are none. What
// cannot be read is among the findings of [Compile].
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

// view is one way in which a host reads its file.
type view struct {
	way
	// rules are the user's, those before that count before others.
	rules []userRule
	// always is what a response carries where none matches.
	always userRule
	// beside are rules of which the first that matches sends its line beside the others.
	beside []userRule
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
}

// find returns the rule that counts for a decoded request path. One that cannot be read counts where it is asked what
// may be in the way, not where it is asked what is found.
func (v *view) find(path string, unread bool) *userRule {
	if len(v.rules) == 0 {
		return &v.always
	}
	names := v.names(path)
	for i := range v.rules {
		if r := &v.rules[i]; (unread || !r.unread) && slices.ContainsFunc(names, r.matches) {
			return r
		}
	}
	return &v.always
}

// sent are the lines for a decoded request path, and whether what decided about them cannot be read.
func (v *view) sent(path string, unread bool) (values []robotstag.Value, doubtful bool) {
	rule := v.find(path, unread)
	at := slices.IndexFunc(v.beside, func(r userRule) bool { return r.matches(path) })
	for _, r := range append([]userRule{*rule}, v.beside[max(at, 0):at+1]...) {
		if r.Text != "" && !r.elsewhere {
			values = append(values, r.Value)
		}
	}
	return values, rule.unread
}

// value is what one rule sends.
func value(line int, text string) robotstag.Value {
	return robotstag.Value{Text: text, Name: robotstag.Name, Line: line}
}
