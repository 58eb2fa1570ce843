package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
)

// Write writes whole as indented JSON with pages in the place of its member "pages", which is to be an empty list. One
// page is in memory at a time.
func Write(w io.Writer, whole any, pages iter.Seq[Page]) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(whole); err != nil {
		return err
	}
	const empty = "\n  \"pages\": []" // at no other depth are there two blanks, and in no string a line's end
	before, after, ok := bytes.Cut(b.Bytes(), []byte(empty))
	if !ok {
		return fmt.Errorf("%T has no empty list of pages", whole)
	}
	out := bufio.NewWriter(w)
	out.Write(before)
	out.WriteString("\n  \"pages\": [")
	var page bytes.Buffer
	e = json.NewEncoder(&page)
	e.SetEscapeHTML(false)
	e.SetIndent("    ", "  ")
	first := true
	for p := range pages {
		page.Reset()
		if err := e.Encode(p); err != nil {
			return err
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		out.WriteString("\n    ")
		if _, err := out.Write(bytes.TrimSuffix(page.Bytes(), []byte("\n"))); err != nil {
			return err // a reader that went away
		}
	}
	if !first {
		out.WriteString("\n  ")
	}
	out.WriteByte(']')
	out.Write(after)
	return out.Flush()
}
