//go:build !unix

package disk

// nonblock is for systems whose pipes are files.
const nonblock = 0
