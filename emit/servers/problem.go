package servers

// Severities of a [Problem].
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
	SeverityNote    = "note"
)

// IDs of a [Problem], the same as in package headers.
const (
	// IDName is a file whose request path no rule of the host can name exactly.
	IDName = "header-name"
	// IDOverlap is two files that the host cannot tell apart.
	IDOverlap = "header-overlap"
	// IDValue is a value that cannot stand in the host's file.
	IDValue = "header-value"
	// IDFound is a rule of the user's that sets the header too, or that keeps
	// ours from being used.
	IDFound = "header-found"
	// IDBudget is a limit of the host's that the wanted rules do not fit.
	IDBudget = "header-budget"
	// IDCount is a file so long that the host gets slow.
	IDCount = "header-count"
	// IDMismatch is a response that [Verify] finds to carry another value.
	IDMismatch = "header-mismatch"
)

// Problem is one finding about a host's file.
type Problem struct {
	// ID is one of the ID constants.
	ID string
	// Severity is [SeverityError], [SeverityWarning] or [SeverityNote].
	Severity string
	// Line is the line of the user's file as it was given, from 1; 0 where the
	// problem has none.
	Line int
	// Path is the published file it is about, as in [Want]; empty where it is
	// about none or many.
	Path string
	// Message says what is the matter, in lower case, without a full stop.
	Message string
}
