package printable

import "strings"

// A Help is an error with lines below its message that say what to do. They are printed as they are divided here,
// where an error's own text is one line whatever names are in it. A tab in front of a line stays.
type Help struct {
	Err   error
	Lines []string
}

func (h *Help) Error() string { return h.Err.Error() + h.below() }

// Unwrap returns the error without its help.
func (h *Help) Unwrap() error { return h.Err }

func (h *Help) below() string { return "\n" + strings.Join(h.Lines, "\n") }

// Message returns the first line of an error that holds this one, made fit for output.
func (h *Help) Message(err error) string { return Line(strings.TrimSuffix(err.Error(), h.below())) }
