package robotstag

// IDs of the findings about a host's file of header rules. Line is a line of that
// file as it was given, from 1; URL that of the file that is served.
const (
	// IDSyntax is a line or a rule of the user's that a host ignores.
	IDSyntax = "header-syntax"
	// IDHost is a rule for another host name than the site's own.
	IDHost = "header-host"
	// IDName is a file whose request path no rule of the host can name exactly.
	IDName = "header-name"
	// IDOverlap is two files that the host cannot tell apart.
	IDOverlap = "header-overlap"
	// IDValue is a value that cannot stand in the host's file.
	IDValue = "header-value"
	// IDFound is a rule of the user's that sets the header too and leaves no way to
	// the wanted value, or that keeps ours from being used.
	IDFound = "header-found"
	// IDBudget is a limit of the host's that the wanted rules do not fit.
	IDBudget = "header-budget"
	// IDPreview is a header that takes a preview host's own noindex away.
	IDPreview = "header-preview"
	// IDCount is a file so long that the host gets slow.
	IDCount = "header-count"
	// IDRewrite is a rewrite of _redirects whose sources cannot be listed.
	IDRewrite = "rewrite"
	// IDMismatch is a response that carries another value than wanted, as the proof finds.
	IDMismatch = "header-mismatch"
)
