// Package findings is the registry of findings: what each kind means, why it matters, and what to
// do about it. The program reports findings by their ids; docs/findings.md is made from
// findings.toml, as this list is.
package findings

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"metarobots/internal/lazyregexp"
	"metarobots/policy"
)

//go:embed findings.toml
var document string

// A Group is a part of a site, and the kinds of findings about it in the order in which they are
// documented.
type Group struct {
	Name  string `toml:"name"`
	Kinds []Kind `toml:"kind"`
}

// A Kind is what all findings of one id have in common. What, Why and Fix are whole sentences of
// plain text, in which code stands between backquotes.
type Kind struct {
	// ID is what findings carry and what an entry of robots.suppress names.
	ID string `toml:"id"`
	// Title is the heading of its findings in a report.
	Title string `toml:"title"`
	// Setup: its findings are about the configuration of metarobots, the build or the host. A
	// report for a client does not have them.
	Setup bool `toml:"setup"`
	// Severity is that of its findings, the gravest where they differ; Also are the others, gravest
	// first.
	Severity policy.Severity   `toml:"severity"`
	Also     []policy.Severity `toml:"also"`
	// CannotSuppress: a finding of the gravest severity cannot be suppressed, because the run did
	// not do what it was asked for: what was decided is not what will be served. Those of Also can.
	CannotSuppress bool `toml:"cannot_suppress"`
	// What was seen.
	What string `toml:"what"`
	// Why it matters: what it costs, and who says so.
	Why string `toml:"why"`
	// Source is the URL behind Why; empty where the rule is the house's alone.
	Source string `toml:"source"`
	// Rules are those of docs/semantics.md, for contributors.
	Rules []string `toml:"rules"`
	// Fix is what to do.
	Fix string `toml:"fix"`
}

// configured matches a sentence about metarobots and its configuration.
var configured = lazyregexp.New(`\[+robots|robots\.(?:[a-su-z]|txt\.[a-z])|\w = \S|metarobots|[Ss]uppress|policy`)

// Outside is what of a text concerns people who do not know metarobots, such as the site's
// developer.
func Outside(text string) string {
	sentences := slices.DeleteFunc(strings.SplitAfter(text, ". "), configured.MatchString)
	return strings.TrimSpace(strings.Join(sentences, ""))
}

// Groups returns all groups, in the order in which they are documented. Nobody may change them.
var Groups = sync.OnceValue(func() []Group {
	var all struct {
		Groups []Group `toml:"group"`
	}
	if _, err := toml.Decode(document, &all); err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	for _, g := range all.Groups {
		for i := range g.Kinds {
			k := &g.Kinds[i]
			for _, text := range []*string{&k.What, &k.Why, &k.Fix} {
				*text = strings.Join(strings.Fields(*text), " ")
			}
		}
	}
	return all.Groups
})

// Kinds returns all kinds, sorted by id. The caller owns the list.
func Kinds() []Kind {
	all := make([]Kind, 0, len(byID()))
	for _, id := range slices.Sorted(maps.Keys(byID())) {
		all = append(all, byID()[id])
	}
	return all
}

var byID = sync.OnceValue(func() map[string]Kind {
	kinds := make(map[string]Kind)
	for _, g := range Groups() {
		for _, k := range g.Kinds {
			kinds[k.ID] = k
		}
	}
	return kinds
})

// Of returns the kind of that id, in lower case as findings have it; ok is false where there is
// none.
func Of(id string) (k Kind, ok bool) {
	k, ok = byID()[id]
	return k, ok
}

// MaySuppress reports whether a finding of this kind and that severity may be suppressed.
func (k Kind) MaySuppress(severity policy.Severity) bool {
	return !k.CannotSuppress || severity != k.Severity
}
