//go:build !linux

package build

import "os"

// syncData waits until the file is on the disk.
func syncData(f *os.File) error { return f.Sync() }
