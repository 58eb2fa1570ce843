//go:build !nohugo

package main

import (
	"slices"

	"metarobots/build"
	"metarobots/site"
	"metarobots/site/html"
	"metarobots/site/hugo"
	"metarobots/site/tree"
)

// generators are those that are compiled in, in the order in which they are asked whether a folder is theirs.
func generators() []site.Generator {
	return slices.Concat([]site.Generator{hugo.Generator{IsPolicy: build.IsPolicy}}, tree.Generators(), []site.Generator{html.Generator{}})
}
