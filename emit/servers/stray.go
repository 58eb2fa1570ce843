package servers

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

// AsServed is the same for the paths at which the host serves files by its present settings, and
// for no others ([serving].dependsOnSetting).
func (u *User) AsServed() *User {
	served := *u
	served.serves.dependsOnSetting = false
	return &served
}

// Rules are the values of the rules that are read, as they are written.
func (u *User) Rules() (all []robotstag.OwnRule) {
	isKnown := map[robotstag.Value]bool{} // each is in every view
	for i := range u.views {
		for _, rule := range u.views[i].rules {
			if !rule.isUnread && !rule.isRedirect && rule.sends.Text != "" && !isKnown[rule.sends] {
				isKnown[rule.sends] = true
				all = append(all, robotstag.OwnRule{Value: rule.sends, Path: rule.path, Folder: rule.folder,
					FileName: rule.fileName})
			}
		}
	}
	return all
}

// Strays returns the values of the owner's rules at the request paths that the host redirects to a
// published file, and at those from which the owner redirects elsewhere, and which would be the
// file's otherwise. Of a web server there are none: what is read of its file is for files, or for
// all of them.
func (u *User) Strays(file string) (all []robotstag.Stray) {
	if u.text != nil {
		return nil
	}
	for _, a := range slices.Concat(u.serves.site.Of(file), u.serves.site.SentOn(file)) {
		if a.To != "" {
			all = u.addStrays(all, robotstag.Stray{File: file, Path: a.Path, To: a.To, Route: a.Route})
		}
	}
	return all
}

// Unserved returns the values of the owner's rules for single request paths at which only other
// hosts would serve a file.
func (u *User) Unserved() (all []robotstag.Stray) {
	for _, path := range u.paths {
		for _, file := range u.serves.site.Unserved(path) {
			all = u.addStrays(all, robotstag.Stray{File: file, Path: path})
		}
	}
	return all
}

// addStrays adds a stray with each value that the owner's rules have at its path.
func (u *User) addStrays(all []robotstag.Stray, s robotstag.Stray) []robotstag.Stray {
	path := policy.Decoded(s.Path)
	for i := range u.views {
		for _, s.Value = range u.views[i].valuesBesideRedirects(path) {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// valuesBesideRedirects are what the rules would send at a path if none of them redirected it. On
// Azure a redirect is a rule of the same list.
func (v *view) valuesBesideRedirects(path string) []robotstag.Value {
	rules := slices.DeleteFunc(v.matching(path), func(r *userRule) bool { return r.isRedirect })
	sent, _ := carryOutRules(rules, nil, unreadMatchNothing)
	return slices.Concat(sent...)
}

// oneFolder is the encoded path of a folder with all of whose files a pattern is concerned, in the
// words of one host or another: /a/*, /a/**, /a/(.*), /a/:path*. It is "" for any other pattern.
func oneFolder(pattern string) string {
	if at := strings.LastIndexByte(pattern, '/'); at > 0 && isAnything.MatchString(pattern[at+1:]) {
		return onePath(strings.TrimSuffix(pattern[:at+1], "/**/"))
	}
	return ""
}

// isAnything finds a last segment that any file of a folder matches.
var isAnything = lazyregexp.New(`^(?:\*\*?|\(\.\*\)|:\w+\*|<\*>)$`)

// wildcards are the characters by which a pattern of some host is for more than one path.
const wildcards = `*?[]{}()!+@|^$\:`

// onePath is the encoded request path that a pattern is, if it has nothing in it that means more to
// a host; else "".
func onePath(pattern string) string {
	if pattern == "" || strings.ContainsAny(pattern, wildcards) {
		return ""
	}
	return encoded(policy.Decoded("/" + strings.TrimPrefix(pattern, "/")))
}
