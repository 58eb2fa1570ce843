package source

import (
	_ "embed"
	"regexp"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed slips.toml
var slipsTOML string

// A slip is a common mistake, as slips.toml describes it.
type slip struct {
	Format, Advice string
	Before         bool           // it may be in the line before the one that the parser names
	Text           *regexp.Regexp // matches the parser's message and the line, joined by a line feed
}

// slips are those of slips.toml.
var slips = sync.OnceValue(func() []slip {
	var all struct{ Slips []slip }
	if _, err := toml.Decode(slipsTOML, &all); err != nil {
		panic("slips.toml: " + err.Error()) // tests read it
	}
	return all.Slips
})

// advised is an error of a parser of that format or, if a slip has caused it, the advice on the
// first that fits.
func (l lines) advised(format string, e *SyntaxError) *SyntaxError {
	for _, s := range slips() {
		for _, line := range []int{e.Line, e.Line - 1} {
			text := e.Msg + "\n" + l.text(line)
			m := s.Text.FindStringSubmatchIndex(text)
			if m != nil && s.Format == format && (s.Before || line == e.Line) {
				return &SyntaxError{Line: line, Msg: string(s.Text.ExpandString(nil, s.Advice, text, m))}
			}
		}
	}
	return e
}
