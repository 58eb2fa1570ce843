//go:build nohugo

package cli

import (
	"context"
	"fmt"

	"metarobots/internal/config"
	"metarobots/internal/site"
	"metarobots/internal/site/pages"
)

// compiledIn says that no Hugo is in the program.
const compiledIn = "without Hugo"

const hasHugo = false

// generators are those that are compiled in, and one in Hugo's place.
func generators() []site.Generator {
	return append([]site.Generator{noHugo{}}, pages.Generators()...)
}

// noHugo knows a Hugo site and refuses it: taken for a folder of pages, its front matter would not
// be read, and a page that says noindex there would go public.
type noHugo struct{}

func (noHugo) Name() string { return "hugo" }

func (noHugo) Detect(source string, flags map[string]any) bool {
	return site.IsHugo(source, flags, config.IsPolicy)
}

func (noHugo) Open(_ context.Context, o site.Options) (site.Site, error) {
	return nil, fmt.Errorf("this metarobots was built without Hugo and %s is a Hugo site: take the one with Hugo "+
		"(npx metarobots-hugo, or a build without -tags nohugo), or say [site] generator = \"html\" (front matter is "+
		"then not read)", o.Source)
}
