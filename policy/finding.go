package policy

import "fmt"

// A Severity says what a finding asks for.
type Severity string

// The severities: an error fails the run, a warning asks for a look, a note explains.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// A Finding is something a reader of the result should know.
type Finding struct {
	// ID names the kind of finding, such as "unknown-directive".
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	// URL is the encoded path of the file it is about, where there is one.
	URL string `json:"url"`
	// File and Line say where its cause stands; Line is 0 where it is not known.
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// Finding is a finding about what stands at o. Its message begins with the key, where one is known.
func (o Origin) Finding(id string, s Severity, format string, args ...any) Finding {
	f := Finding{ID: id, Severity: s, File: o.File, Line: o.Line, Message: fmt.Sprintf(format, args...)}
	if o.Key != "" {
		f.Message = o.Key + ": " + f.Message
	}
	return f
}

// Error is the finding as an error, of what cannot be read or is no policy: its place, and what is wrong there.
func (f *Finding) Error() string { return Placed(f.File, f.Line, f.Message) }
