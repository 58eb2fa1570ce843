package headers

import "fmt"

// Severities of a [Problem].
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
	SeverityNote    = "note"
)

// IDs of a [Problem].
const (
	// IDSyntax is a line or a rule of the user's that a host ignores.
	IDSyntax = "header-syntax"
	// IDHost is a rule for another host name than the site's own.
	IDHost = "header-host"
	// IDName is a file whose request path no rule of the host can name exactly.
	IDName = "header-name"
	// IDOverlap is two files that the host cannot tell apart.
	IDOverlap = "header-overlap"
	// IDValue is a value that cannot stand in a _headers file.
	IDValue = "header-value"
	// IDFound is a rule of the user's that leaves no way to the wanted value.
	IDFound = "header-found"
	// IDBudget is a limit of the host's that the wanted rules do not fit.
	IDBudget = "header-budget"
	// IDPreview is a header that takes a preview host's own noindex away.
	IDPreview = "header-preview"
	// IDCount is a file so long that the host's parser gets slow.
	IDCount = "header-count"
	// IDNone is a target that serves no headers.
	IDNone = "header-none"
	// IDMismatch is a response that [Verify] finds to carry another value.
	IDMismatch = "header-mismatch"
)

// Problem is one finding about a _headers file.
type Problem struct {
	// ID is one of the ID constants.
	ID string
	// Severity is [SeverityError], [SeverityWarning] or [SeverityNote].
	Severity string
	// Line is the line of the _headers file as it was given, from 1; 0 where
	// the problem has none.
	Line int
	// Path is the published file it is about, as in [Want]; empty where it is
	// about none or many.
	Path string
	// Message says what is the matter, in lower case, without a full stop.
	Message string
}

// String returns the problem as one line for a person.
func (p Problem) String() string {
	s := p.Severity + ": "
	if p.Line > 0 {
		s = fmt.Sprintf("_headers:%d: %s", p.Line, s)
	}
	if p.Path != "" {
		s += p.Path + ": "
	}
	return s + p.Message
}
