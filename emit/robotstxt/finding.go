package robotstxt

import (
	"fmt"

	"metarobots/policy"
)

// findings are collected one after another.
type findings []policy.Finding

func (f *findings) add(id string, severity policy.Severity, line int, format string, args ...any) {
	*f = append(*f, policy.Finding{ID: id, Severity: severity, Line: line, Message: fmt.Sprintf(format, args...)})
}

// warn adds a warning about a line.
func (f *findings) warn(id string, line int, format string, args ...any) {
	f.add(id, policy.Warning, line, format, args...)
}

// fail adds an error about what is no line.
func (f *findings) fail(id, format string, args ...any) { f.add(id, policy.Error, 0, format, args...) }
