package printable

// A Help is an error with lines that say what to do. They are printed below its message and as they
// are divided here, where an error's own text is one line whatever names are in it. A tab in front
// of a line stays.
type Help struct {
	Err   error
	Lines []string
}

// Error is the message alone: whoever prints the error prints the lines below it.
func (h *Help) Error() string { return h.Err.Error() }

// Unwrap returns the error without its help.
func (h *Help) Unwrap() error { return h.Err }
