package headerfile

import (
	"slices"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
	"metarobots/policy"
)

// Sent is what a host sends of X-Robots-Tag with a published file, once its header file is as it is
// planned.
type Sent struct {
	// Owners are the values of the owner's, each with its place, in the order of their lines.
	Owners []robotstag.Value
	// HasOurs: rules of ours send something.
	HasOurs bool
	// IsLacking: what is decided is not sent, by neither. No rule of ours is written, or another one
	// of the owner's overrides it.
	IsLacking bool
}

// Sent returns what the host of the header file sends with a published file: nothing with one that
// another host serves, and nothing if the host is no target any more. isWanted: the decision on the
// file asks for a header. Without a policy for its role, the owner's lines for paths at which the
// host does not serve the file are none. [Files.Compile] comes first.
func (h *File) Sent(file string, role policy.Role, isWanted bool) (s Sent) {
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
	if !role.Policed() {
		own = robotstag.Values(h.rules.asServed()(name, ""))
	}
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

// Answers are what the host of the header file sends of X-Robots-Tag with a file without a policy,
// such as an error page: an answer for each address at which the host serves the file with status
// 200 and each way in which it may send it, some of them empty. There are none if it serves the
// file nowhere, and of a host that is no target any more. [Files.Compile] comes first.
func (h *File) Answers(file string) (all []robotstag.Sent) {
	name, ok := h.Host.Serves(file)
	if !ok || h.Former || !h.servesAnywhere(name) {
		return nil
	}
	read := h.rules.planned()
	for _, source := range append(h.sources(name), "") { // "" for those without a rewrite
		isFileRead := h.Target != headers.TargetNetlify || h.netlify == nil
		for _, way := range h.netlify.ways(name, source) {
			sent := slices.DeleteFunc(slices.Clone(way), func(s robotstag.Sent) bool { return !isSent(s) })
			all = append(all, sent...)
			isFileRead = isFileRead || len(sent) < len(way)
		}
		if isFileRead { // else netlify.toml goes before it at each path
			all = append(all, read(name, source)...)
		}
	}
	if len(all) == 0 { // the rules cannot be read
		return []robotstag.Sent{nil}
	}
	return all
}

// servesAnywhere reports whether a host that reads the file serves a published file with status 200
// at some address.
func (h *File) servesAnywhere(name string) bool {
	isReader := func(host string) bool {
		isAnyReader := h.Target == headers.TargetPortable && hosts.Lookup(host).File == hosts.HeadersFile
		return host == h.Target || isAnyReader
	}
	for _, handling := range h.addresses.Handlings() {
		if !isReader(handling.Host) {
			continue
		}
		for range h.addresses.On(handling.Host).Serving(name) {
			return true
		}
	}
	return false
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
