package servers

import (
	"errors"

	"metarobots/internal/address"
)

// firebase has rules whose glob or RE2 expression matches the path; of those the last one that sets the header counts.
// The documentation does not say whether the path is decoded, nor what the order means; Firebase's own emulator applies
// one after the other. RE2 is Go's own too. Before a glob Firebase puts a slash; a * leaves names out that begin with a
// dot, and a slash at the end of the path is no difference to it.
// https://firebase.google.com/docs/hosting/full-config#headers
// https://github.com/firebase/superstatic src/middleware/headers.js, src/utils/patterns.js
var firebase = &ruleList{
	host: "firebase", handling: handlingBy(address.Firebase), format: "json", path: []string{"hosting", "headers"},
	check: func(root any) error {
		switch member(root, "hosting").(type) {
		case nil:
			return errors.New(`it has no "hosting", or is not there (firebase init hosting makes it)`)
		case map[string]any:
			return nil
		}
		return errors.New(`"hosting" has several sites: the X-Robots-Tag rules are for one`)
	},
	keys: []string{"regex", "source", "glob"},
	line: `{ "regex": %s, "headers": [%s] }`, header: `{ "key": "%s", "value": %s }`,
	head: "^/?(?:" + patternMark, tail: ")$", everything: "^/?(?:" + patternMark + ".*)$",
	forms: forms(
		`(/)`, "$1",
		`/?(`+firebaseName+`(?:/`+firebaseName+`)*/?)`, "/$1/?",
		firebaseFolders+`\*(`+firebaseEnd+`)`, `/$1[^/.][^/]*$2/?`,
		firebaseFolders+`\*\*`, `/$1(?:[^/.][^/]*|/)*`,
		firebaseFolders+`\*\*/\*(`+firebaseEnd+`)`, `/$1(?:[^/.][^/]*/)*[^/.][^/]*$2/?`),
	comparisons: []comparison{{spell: encoded}, {spell: component}, {spell: encodedStrictly}, {}},
}

// Parts of a glob: a name between slashes that means itself, folders, and the ending that may follow a star.
const (
	firebaseChar    = `[^/*?\[\]{}()!+@|^$\\]`
	firebaseName    = `(?:\.?[^./*?\[\]{}()!+@|^$\\]` + firebaseChar + `*|\.\.` + firebaseChar + `*)`
	firebaseFolders = `/?((?:` + firebaseName + `/)*)`
	firebaseEnd     = `(?:\.` + firebaseChar + `*)?|\.\{` + firebaseChar + `*\}|\.@\([^/*?\[\]{}()!+@^$\\,]*\)`
)
