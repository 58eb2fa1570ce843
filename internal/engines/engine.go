// Package engines holds what single search engines document about reading and combining robots metas and X-Robots-Tag:
// the answers of explain --as. Package policy, which decides, needs none of it.
package engines

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// An Engine is a search engine, or another reader of robots metas and X-Robots-Tag, with its own rules of combining:
// those that its documentation states. Where that is silent, the most restrictive reading is taken and said to be so.
type Engine struct {
	// Name is what it is called in a command; Title its own name.
	Name, Title string
	// Names are those under which it reads a tag or a header line of its own, beside the generic ones.
	Names []string
	// Crawlers are further names of its crawlers, under which it reads nothing, with the reason.
	Crawlers map[string]string
	// Through names the engine whose index it shows, for one that has none of its own.
	Through string
	// Reads are the directives that it documents, without their values; ReadsInTags those that it reads in tags alone.
	Reads, ReadsInTags []string
	// Dead are directives that it documents as doing nothing, with the reason.
	Dead map[string]string
	// None is what the word none means to it.
	None string
	// AllowWins: among its tags, index, follow and archive outdo their negations.
	AllowWins bool
	// NocacheWins: nocache beside noarchive is read as nocache alone, the looser.
	NocacheWins bool
	// Header, Own and Sum say what is documented: that X-Robots-Tag is read, that a tag of its own name is, that the
	// generic tag and its own add up. How tags and headers combine nobody documents.
	Header, Own, Sum bool
	// Rule tells how it combines, in a sentence.
	Rule string
	// Secondary: nobody but others has written of it.
	Secondary bool
	// Sources are the pages that were read.
	Sources []string
}

//go:embed engines.json
var data []byte

// table are the engines of which documentation was read, and the day on which they were last compared with it.
var table = sync.OnceValue(func() (t struct {
	AsOf    string
	Engines []*Engine
}) {
	if err := json.Unmarshal(data, &t); err != nil {
		panic(fmt.Sprintf("engines.json cannot be read: %v", err)) // a test reads it
	}
	return t
})

// AsOf is the day on which the engines were last compared with their sources.
func AsOf() string { return table().AsOf }

// Engines returns all engines, in the order in which they are documented.
func Engines() []*Engine { return table().Engines }

// LookupEngine returns the engine of that name, or the one that a crawler of that name belongs to.
func LookupEngine(name string) (*Engine, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, e := range Engines() {
		if e.Name == name {
			return e, true
		}
	}
	for _, e := range Engines() {
		if _, ok := e.Crawlers[name]; ok || slices.Contains(e.Names, name) {
			return e, true
		}
	}
	return nil, false
}

// EngineNames returns the names that [LookupEngine] knows: of engines, in their order, then of their crawlers, sorted.
func EngineNames() (names, crawlers []string) {
	for _, e := range Engines() {
		names = append(names, e.Name)
		crawlers = slices.AppendSeq(append(crawlers, e.Names...), maps.Keys(e.Crawlers))
	}
	slices.Sort(crawlers)
	crawlers = slices.Compact(crawlers)
	return names, slices.DeleteFunc(crawlers, func(name string) bool { return slices.Contains(names, name) })
}
