package headerfile

import (
	"slices"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
)

// Sent is what a host sends of X-Robots-Tag with a published file, once its header file is as it is
// planned.
type Sent struct {
	// Owners are the values of the owner's, each with its place, in the order of their lines.
	Owners []robotstag.Value
	// HasOurs: rules of ours send something.
	HasOurs bool
	// IsLacking: what is decided is not sent, by neither.
	IsLacking bool
}

// Sent returns what the host of the header file sends with a published file: nothing with one that
// another host serves, and nothing if the host is no target any more. isWanted: the decision on the
// file asks for a header. [Files.Compile] comes first.
func (h *File) Sent(file string, isWanted bool) (s Sent) {
	name, ok := h.Host.Serves(file)
	if !ok || h.Former {
		return s
	}
	s.IsLacking = !h.Carries(file)
	for _, way := range h.netlify.ways(name, "") {
		s.Owners = append(s.Owners, robotstag.Values(way)...)
		goesFirst := h.Target == headers.TargetNetlify && len(way) > 0 && every(way, isSent)
		if goesFirst { // and _headers comes to nothing
			return s
		}
	}
	own := robotstag.Values(h.rules.remaining(name, ""))
	if h.hasOwnForm() {
		isOwnersAlone := h.instead != nil || h.rules.enough[name]
		if s.HasOurs = isWanted && !isOwnersAlone && h.Carries(file); !s.HasOurs { // else ours count
			s.Owners = own
		}
		return s
	}
	// The new file is read, since a rule of ours may reach a file that needs none, and may take
	// away what the owner's say.
	sent := robotstag.Values(h.rules.planned()(name, ""))
	for _, v := range own {
		if hasText(sent, v.Text) {
			s.Owners = append(s.Owners, v)
		}
	}
	s.HasOurs = slices.ContainsFunc(sent, func(v robotstag.Value) bool { return !hasText(own, v.Text) })
	return s
}

// Reaching are the owner's values of X-Robots-Tag that count for a published file, and those that
// state nothing because they are not read.
func (h *File) Reaching(file string) (values []robotstag.Value) {
	name, ok := h.Host.Serves(file)
	if !ok || h.Former {
		return nil
	}
	for _, way := range append(h.netlify.ways(name, ""), h.rules.found(name, "")) {
		values = append(values, robotstag.Values(way)...)
	}
	return values
}

// hasText reports whether one of the values has a text.
func hasText(values []robotstag.Value, text string) bool {
	return slices.ContainsFunc(values, func(v robotstag.Value) bool { return v.Text == text })
}
