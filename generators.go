//go:build !nohugo

package main

import (
	"metarobots/build"
	"metarobots/site"
	"metarobots/site/html"
	"metarobots/site/hugo"
)

// generators are those that are compiled in, in the order in which they are asked whether a folder is theirs.
func generators() []site.Generator {
	return []site.Generator{hugo.Generator{IsPolicy: build.IsPolicy}, html.Generator{}}
}
