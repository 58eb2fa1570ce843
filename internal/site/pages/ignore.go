package pages

import (
	"slices"
	"strings"

	"metarobots/policy"
)

// ignored are patterns as a .gitignore has them, in their order: the last one that matches a file decides. keeps: what
// matches is not ignored.
// https://git-scm.com/docs/gitignore#_pattern_format
type ignored []struct {
	globs []policy.Glob
	keeps bool
}

// readIgnored reads one pattern a line. What is no glob of ours ignores nothing.
func readIgnored(patterns string) (all ignored) {
	for line := range strings.Lines(patterns) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		pattern, keeps := strings.CutPrefix(line, "!")
		folder := strings.TrimSuffix(pattern, "/")
		anchored := strings.Contains(folder, "/")
		folder = strings.TrimPrefix(folder, "/")
		if !anchored {
			folder = "**/" + folder
		}
		forms := []string{folder + "/**"}
		if !strings.HasSuffix(pattern, "/") {
			forms = append(forms, folder)
		}
		all = append(all, ignored{{globs(forms), keeps}}...)
	}
	return all
}

// match reports whether a file is ignored, by its path from where the patterns stand.
func (all ignored) match(file string) bool {
	for _, pattern := range slices.Backward(all) {
		if matches(pattern.globs, file) {
			return !pattern.keeps
		}
	}
	return false
}

// globs reads patterns of a configuration as far as they are globs; what is none excludes nothing.
func globs(patterns []string) (all []policy.Glob) {
	for _, pattern := range patterns {
		if g, err := policy.ParseGlob("/" + strings.TrimPrefix(pattern, "/")); err == nil {
			all = append(all, g)
		}
	}
	return all
}

// matches reports whether one of the globs matches a path.
func matches(all []policy.Glob, rel string) bool {
	return slices.ContainsFunc(all, func(g policy.Glob) bool { return g.Match(policy.PathOf(rel)) })
}
