package site

// A ListError is front matter that cannot be read, found by a build before anything was written.
type ListError struct{ Err error }

func (e *ListError) Error() string { return e.Err.Error() }
func (e *ListError) Unwrap() error { return e.Err }
