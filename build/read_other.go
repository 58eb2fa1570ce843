//go:build !unix

package build

import "os"

// readFile reads a file.
func (e *editor) readFile(name string) ([]byte, error) { return os.ReadFile(name) }
