package initpolicy

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed names.toml
var namesTOML string

// known are the names that suggestions go by.
var known = sync.OnceValue(func() (k struct {
	Closed, SearchData, Documents, Keys []string
	Pages                               map[string][]string // by group
}) {
	if _, err := toml.Decode(namesTOML, &k); err != nil {
		panic("names.toml: " + err.Error()) // every test reads it
	}
	return k
})

// The groups of pages.
const (
	legal   = "legal"
	service = "service"
)

// withoutSeparators makes one name of "terms-of-use" and "terms of use".
var withoutSeparators = strings.NewReplacer("-", "", "_", "", " ", "")

// groupOf tells which group a name is of: an address at the root, or a section. It is empty for
// none.
func groupOf(name string) string {
	if name == "" { // as of nearly every page, which lies in a folder
		return ""
	}
	name = withoutSeparators.Replace(strings.ToLower(name))
	for group, all := range known().Pages {
		if slices.Contains(all, name) {
			return group
		}
	}
	return ""
}
