package servers

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"

	"metarobots/internal/address"
)

// firebase has rules whose glob or RE2 expression matches the path; of those the last one that sets
// the header counts. The documentation does not say whether the path is decoded, nor what the order
// means; Firebase's own emulator applies one after the other. RE2 is Go's own too. Before a glob
// Firebase puts a slash; a * leaves names out that begin with a dot, and a slash at the end of the
// path is no difference to it.
// https://firebase.google.com/docs/hosting/full-config#headers
// https://github.com/firebase/superstatic src/middleware/headers.js, src/utils/patterns.js
var firebase = &ruleList{
	host: "firebase", handling: handlingBy(address.Firebase),
	file: listFile{format: "json", path: []string{"headers"}, findSite: firebaseSite, check: func(root any) error {
		if member(root, "hosting") == nil {
			return errors.New(`it has no "hosting", or is not there (firebase init hosting makes it)`)
		}
		return nil
	}},
	keys: []string{"regex", "source", "glob"},
	text: ruleText{rule: `{ "regex": %s, "headers": [%s] }`, header: `{ "key": "%s", "value": %s }`},
	ours: ourPatterns{head: "^/?(?:" + patternMark, tail: ")$", everything: "^/?(?:" + patternMark + ".*)$"},
	owners: ownersRules{forms: forms(
		`(/)`, "$1",
		`/?(`+firebaseName+`(?:/`+firebaseName+`)*/?)`, "/$1/?",
		firebaseFolders+`\*(`+firebaseEnd+`)`, `/$1[^/.][^/]*$2/?`,
		firebaseFolders+`\*\*`, `/$1(?:[^/.][^/]*|/)*`,
		firebaseFolders+`\*\*/(`+firebaseName+`(?:/`+firebaseName+`)*)/?`, `/$1(?:[^/.][^/]*/)*$2/?`,
		firebaseFolders+`\*\*/\*(`+firebaseEnd+`)`, `/$1(?:[^/.][^/]*/)*[^/.][^/]*$2/?`)},
	comparisons: []comparison{{spell: encoded}, {spell: component}, {spell: encodedStrictly}, {}},
}

// firebaseSite is the place of the site that publishes a folder, of the one or several in
// "hosting".
// https://firebase.google.com/docs/hosting/multisites
func firebaseSite(root any, folder string) (at []string, err error) {
	sites, isList := member(root, "hosting").([]any)
	if !isList {
		return []string{"hosting"}, nil
	}
	for i, site := range sites {
		public := scalar(member(site, "public"))
		if public == "" || folder == "" || path.Clean("/"+public) != path.Clean("/"+folder) {
			continue
		} else if at != nil {
			return nil, fmt.Errorf("\"hosting\" has several sites with \"public\": %q: the X-Robots-Tag rules are for one",
				public)
		}
		at = []string{"hosting", strconv.Itoa(i)}
	}
	if at == nil {
		return nil, errors.New("\"hosting\" has several sites, and none has the publish folder as its \"public\": the " +
			"X-Robots-Tag rules are for that one")
	}
	return at, nil
}

// noteOtherSites notes in a User the lines of the sites that publish other folders: they say nothing
// of this one. A site without a folder may be any.
func (h *ruleList) noteOtherSites(d *document, u *User) {
	if h.file.findSite == nil {
		return
	}
	for i, site := range elements(member(d.root, "hosting")) {
		at := []string{"hosting", strconv.Itoa(i)}
		public := scalar(member(site, "public"))
		if public == "" || path.Clean("/"+public) == path.Clean("/"+h.file.folder) {
			continue
		}
		for j, rule := range elements(member(site, "headers")) {
			d.noteAccountedLines(u, member(rule, "headers"), slices.Concat(at, []string{"headers", strconv.Itoa(j), "headers"})...)
		}
	}
}

// Parts of a glob: a name between slashes that means itself, folders, and the ending that may
// follow a star.
const (
	firebaseChar    = `[^/*?\[\]{}()!+@|^$\\]`
	firebaseName    = `(?:\.?[^./*?\[\]{}()!+@|^$\\]` + firebaseChar + `*|\.\.` + firebaseChar + `*)`
	firebaseFolders = `/?((?:` + firebaseName + `/)*)`
	firebaseEnd     = `(?:\.` + firebaseChar + `*)?|\.\{` + firebaseChar + `*\}|\.@\([^/*?\[\]{}()!+@^$\\,]*\)`
)
