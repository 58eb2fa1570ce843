package robotstag

// Want is what one published file is to be served with.
type Want struct {
	// Path is from the publish root, slash-separated, decoded: "posts/a/index.html".
	Path string
	// URL is the file's encoded path, for findings.
	URL string
	// Values are the X-Robots-Tag lines wanted, the generic one first. None:
	// no header of ours may reach the file.
	Values []string
	// HTML says that the file can carry a meta tag instead.
	HTML bool
	// Free says that any header will do: control files, redirects, error pages.
	Free bool
	// Noindex says that one of the lines says noindex, of whichever crawler.
	Noindex bool
	// Found says that the user's own rules already give this set, however they
	// write it. It is believed where all the file's request paths get the same.
	Found bool
}

// Value is one header line of a rule, or one X-Robots-Tag line that a response carries.
type Value struct {
	// Text is the value as it is kept, or served.
	Text string
	// Name is the header's name as written, trimmed.
	Name string
	// Line is the line of the host's file, from 1.
	Line int
}
