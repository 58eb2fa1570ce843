//go:build !nohugo

package cli

import (
	"metarobots/internal/config"
	"metarobots/internal/site"
	"metarobots/internal/site/hugo"
	"metarobots/internal/site/pages"
)

// compiledIn says which Hugo is in the program.
var compiledIn = "Hugo " + hugo.Version()

const hasHugo = true

// generators are those that are compiled in, in the order in which they are asked whether a folder
// is theirs.
func generators() []site.Generator {
	return append([]site.Generator{hugo.Generator{IsPolicy: config.IsPolicy}}, pages.Generators()...)
}
