package plan

import (
	"slices"

	"metarobots/emit/headers"
	"metarobots/internal/hosts"
)

// Deaf is the host on which the site is by all signs and which reads no _headers, where that is what is written and
// nobody asked for it; ok is false without one.
func (s *Site) Deaf() (host hosts.Seen, ok bool) {
	named := slices.ContainsFunc(s.Project.Config.Robots.Headers.Targets, func(t string) bool { return t != "auto" })
	if named || s.maker.autoTarget() != headers.TargetPortable {
		return hosts.Seen{}, false
	}
	return hosts.Deaf(s.Project.Options.Getenv, s.Project.Main.URL.Hostname(), s.Project.Folders()...)
}
