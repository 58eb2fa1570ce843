package robotstxt

import (
	"slices"

	"metarobots/policy"
)

// An AIFile is a kind of file that says what AI may do with the files of a host, beside robots.txt
// (I7). Each kind is a type of its own, and a row of [AIFiles].
type AIFile interface {
	// Carrier is its name, one of [CarrierNames].
	Carrier() string
	// Path is the request path at which readers ask for it, at the root of a host alone.
	Path() string
	// Key names what its rules state, for messages.
	Key() string
	// Write returns the bytes of the file, nil if there is nothing to say, and what they say.
	Write(*Preferences) ([]byte, Said)
	// Read returns the rules of such a file.
	Read([]byte) (Rules, error)
	// Reader returns a function that finds the rule that denies a use of a URL, an encoded path; ""
	// if none does. It is made once for many URLs.
	Reader(Rules, policy.Use) func(path string) (rule string)
}

// AIFiles are all kinds of such files.
var AIFiles = []AIFile{tdmRep{}}

// Rules are what an [AIFile] states, each rule as one text, in their order in the file. Snapshots
// keep them so.
type Rules []string

// aiFileOf is the kind of file that a carrier is; nil if it is none.
func aiFileOf(carrier string) AIFile {
	i := slices.IndexFunc(AIFiles, func(f AIFile) bool { return f.Carrier() == carrier })
	if i < 0 {
		return nil
	}
	return AIFiles[i]
}

// Denying returns a function that finds the rules that deny any use of a URL, an encoded path, each
// once. It is made once for many URLs.
func Denying(kind AIFile, rules Rules) func(path string) (all Rules) {
	var readers []func(path string) string
	for _, u := range policy.Uses {
		readers = append(readers, kind.Reader(rules, u))
	}
	return func(path string) (all Rules) {
		for _, read := range readers {
			if rule := read(path); rule != "" && !slices.Contains(all, rule) {
				all = append(all, rule)
			}
		}
		return all
	}
}
