// Package hugo embeds Hugo (https://gohugo.io): it loads a site's configuration as the hugo command does, knows its
// pages, tells what stands behind each published file, and builds sites, handing over the pages as they are written.
//
// Hugo promises no stable API for embedding. Everything here goes through exported names, which have not changed from
// v0.140 on; nothing outside this package imports Hugo.
package hugo
