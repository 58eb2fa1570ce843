package seen

import (
	"strings"

	"metarobots/policy"
)

// A Header is a line of another header than X-Robots-Tag. In JSON it is the line as it is served:
// "Name: value".
type Header struct {
	Name, Value string
	Origin      policy.Origin // of the rule that asks for it; zero if nobody knows it, as of what is served
}

// String is the line as it is served.
func (h Header) String() string { return h.Name + ": " + h.Value }

// MarshalText is that line.
func (h Header) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads it.
func (h *Header) UnmarshalText(line []byte) error {
	h.Name, h.Value, _ = strings.Cut(string(line), ": ")
	return nil
}
