package robotstxt

import (
	"cmp"
	"fmt"

	"metarobots/policy"
)

// A Source is where a line of a robots.txt comes from. The zero value means: nobody knows a better
// place than the line itself.
type Source struct {
	// Origin is the place: of a line of the owner's in the file, of a line of ours in the
	// configuration. An owner's line that our block repeats has the place of the owner's.
	Origin policy.Origin
	// Purpose is of the crawlers of a use by AI, if pages state what the line says of that use:
	// then what a page states is a better place than Origin. It is empty for all other lines.
	Purpose policy.Purpose
	// Managed is the host whose block before the site's file holds the line, of [ManagedNames]. It
	// is empty for a line of the site's file.
	Managed string
	// From is the file that the site's generator made the line from: a template, or a static file.
	// It is empty for a line of ours, and if nobody knows such a file.
	From string
}

// MoreLines counts lines beside one that is named: "and 2 more lines".
func MoreLines(n int) string {
	if n == 1 {
		return "and 1 more line"
	}
	return fmt.Sprintf("and %d more lines", n)
}

// lineFor is the line with the source that it has for one crawler, by its name in lower case.
// Crawlers with the same lines share a group of our block, although their lines may come from
// several groups of the policy.
func (l *Line) lineFor(token string) *Line {
	source, differs := l.sources[token]
	if !differs {
		return l
	}
	own := *l
	own.Source = source
	return &own
}

// hasOwnSource reports whether the line has a source of its own for one crawler.
func (l *Line) hasOwnSource(token string) bool {
	_, differs := l.sources[token]
	return differs
}

// isManaged reports whether a host puts the line before the site's file.
func (l *Line) isManaged() bool { return l.Source.Managed != "" }

// setSource gives a line the source of another one. A line that has none comes from its own place
// in the file.
func (l *Line) setSource(other *Line, file Source) {
	place := func(source Source) Source {
		if source.Origin.Line > 0 && source.Origin.File == "" { // our block repeats a line of the owner's
			source.From = file.From
		}
		if source.Origin.Line == 0 {
			source.Origin.Line = l.Number
		}
		source.Origin.File = cmp.Or(source.Origin.File, file.Origin.File)
		return source
	}
	l.Source = place(other.Source)
	for token, source := range other.sources {
		l.addSource(token, place(source))
	}
}

func (l *Line) addSource(token string, source Source) {
	if l.sources == nil {
		l.sources = map[string]Source{}
	}
	l.sources[token] = source
}

// A Value is what one line is to say, and where it is stated.
type Value struct {
	Text   string
	Source Source
}

// Values are texts that are stated at no place.
func Values(texts ...string) (all []Value) {
	for _, text := range texts {
		all = append(all, Value{Text: text})
	}
	return all
}
