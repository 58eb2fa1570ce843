//go:build !linux

package family

// InMemory does nothing: only Linux has a folder for it.
func InMemory() {}
