package source

import (
	"bufio"
	"bytes"
	"io"
)

// DeepLine is for who hands a file to a parser without a bound: it returns the line on which front matter opens more
// brackets or list items than any page's values nest, 0 where none does. It counts at their strictest: quotes are not
// looked at, so ten times [MaxDepth] is too deep.
func DeepLine(r io.Reader) int {
	text := bufio.NewReader(r)
	mark, err := text.Peek(3)
	if err != nil || !bytes.Equal(mark, []byte("---")) && !bytes.Equal(mark, []byte("+++")) && mark[0] != '{' {
		return 0
	}
	closing := string(mark)
	for line, open := 1, 0; ; line++ {
		row, err := text.ReadBytes('\n')
		if line > 1 && closing[0] != '{' && string(bytes.TrimSpace(row)) == closing {
			return 0
		}
		items := len(row) - len(bytes.TrimLeft(row, "-? ")) // "- - - a" are lists in a list
		for _, c := range row {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open = max(0, open-1)
			}
			if max(open, items/2) > 10*MaxDepth {
				return line
			}
		}
		if err != nil || closing[0] == '{' && open == 0 {
			return 0
		}
	}
}
