package seen

import (
	"slices"
	"strings"

	"metarobots/policy"
)

// A Reason is why a site tells something, in few words that stay the same when lines move: the
// layers of the statements that decided, and their keys ("visibility,
// robots.visibility.types.legal"). The zero value says that nothing decided.
type Reason struct {
	Text string
	// Layer is that of the first statement, as it is printed; empty if no statement of a layer is
	// the reason.
	Layer string
}

// ReasonOf makes a reason of the places of the statements that decided: each layer and key once. It
// is zero without any.
func ReasonOf(deciding ...policy.Origin) Reason {
	if len(deciding) == 0 {
		return Reason{}
	}
	var parts []string
	for _, at := range deciding {
		if part := at.Layer.String() + ", " + at.Key; !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return Reason{Text: strings.Join(parts, "; "), Layer: deciding[0].Layer.String()}
}

// ReadReason reads what [ReasonOf] has printed, or another text.
func ReadReason(text string) Reason {
	layer, _, _ := strings.Cut(text, ", ")
	for _, known := range policy.Layers() {
		if known.String() == layer {
			return Reason{text, layer}
		}
	}
	return Reason{Text: text}
}

// IsZero reports whether nothing decided.
func (r Reason) IsZero() bool { return r.Text == "" }

// String is the reason as it is printed.
func (r Reason) String() string { return r.Text }

// MarshalText makes the text its own form in JSON.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.Text), nil }

// UnmarshalText reads that form.
func (r *Reason) UnmarshalText(text []byte) error {
	*r = ReadReason(string(text))
	return nil
}

// Undo is what takes the reason back, at the place of its statement, in a few words: "change the
// front matter there".
func (r Reason) Undo() string {
	switch r.Layer {
	case policy.LayerPage.String():
		return "change the front matter there"
	case policy.LayerFound.String():
		return "take it out there"
	case policy.LayerEnvironment.String():
		return "build for another environment"
	case "":
		return "change what is named there"
	default:
		return "change that key"
	}
}
