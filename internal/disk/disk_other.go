//go:build !unix

package disk

// nonblock is for systems whose pipes are files.
const nonblock = 0

// Linked reports whether a file has a second name (a hard link); the system does not say.
func Linked(string) bool { return false }
