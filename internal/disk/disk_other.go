//go:build !unix

package disk

import "io/fs"

// nonblock is for systems whose pipes are files.
const nonblock = 0

// names is how many names a file has, where that is told.
func names(fs.FileInfo) uint64 { return 1 }
