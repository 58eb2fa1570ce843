package schema

import (
	_ "embed"
	"sync"

	"github.com/BurntSushi/toml"
)

// A Word describes a directive to the one who writes it.
type Word struct {
	Means  string // in a sentence
	Source string // where it is documented
}

func (w Word) String() string { return w.Means + " " + w.Source }

//go:embed directives.toml
var directivesTOML string

// Directives describes every directive, as of policy.CrawlersAsOf.
var Directives = sync.OnceValue(func() (words map[string]Word) {
	if _, err := toml.Decode(directivesTOML, &words); err != nil {
		panic("directives.toml: " + err.Error()) // every test reads it
	}
	return words
})
