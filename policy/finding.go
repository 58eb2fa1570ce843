package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
)

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
	File string `json:"file"`
	Line int    `json:"line"`
	// Key is the key that it is about, with which Message then begins; empty if it is about none.
	Key string `json:"-"`
	// Message is what was found. A summary shows it alone. In JSON, the member message is the whole
	// [Finding.Text].
	Message string `json:"message"`
	// Detail goes on from Message with what that means. Fix is what to do, and what metarobots does
	// about it: a report for a client leaves it out. More is where else the same was found. Each is
	// empty, or begins with the mark that joins it to the text before it, such as "; " or ". ".
	Detail, Fix, More string `json:"-"`
	// URLs is how many URLs it is about if these are more than its own; else zero.
	URLs int `json:"-"`
}

// Text is the whole message.
func (f Finding) Text() string { return f.Message + f.Detail + f.Fix + f.More }

// Explain returns the finding with more of its Detail.
func (f Finding) Explain(format string, args ...any) Finding {
	f.Detail += fmt.Sprintf(format, args...)
	return f
}

// Advise returns the finding with more of its Fix.
func (f Finding) Advise(format string, args ...any) Finding {
	f.Fix += fmt.Sprintf(format, args...)
	return f
}

// MarshalJSON writes the whole text as the message.
func (f Finding) MarshalJSON() ([]byte, error) {
	type members Finding
	whole := members(f)
	whole.Message = f.Text()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // what holds the finding decides on that
	err := e.Encode(whole)
	return b.Bytes(), err
}

// Finding is a finding about what stands at o. Its message begins with the key, where one is known.
func (o Origin) Finding(id string, s Severity, format string, args ...any) Finding {
	f := Finding{ID: id, Severity: s, File: o.File, Line: o.Line, Key: o.Key, Message: fmt.Sprintf(format, args...)}
	if o.Key != "" {
		f.Message = o.Key + ": " + f.Message
	}
	return f
}

// Error is the finding as an error, of what cannot be read or is no policy: its place, and what is
// wrong there.
func (f *Finding) Error() string { return Placed(f.File, f.Line, f.Text()) }
