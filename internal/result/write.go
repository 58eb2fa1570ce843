package result

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"

	"metarobots/internal/printable"
)

// WriteJSON writes v, which has members, as indented JSON with its version.
func WriteJSON(w io.Writer, v any) error {
	text, err := versioned(v)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// versioned returns v as indented JSON in which [Version] comes first.
func versioned(v any) ([]byte, error) {
	text, err := printable.JSON(v, "")
	version := fmt.Appendf(nil, "{\n  \"version\": %d", Version)
	if members, ok := bytes.CutPrefix(text, []byte("{\n")); ok {
		return slices.Concat(version, []byte(",\n"), members), err
	}
	return append(version, "\n}\n"...), err // there are none
}

// Write is [WriteJSON] with pages in the place of the member "pages", which is to be an empty list. One page is in
// memory at a time.
func Write(w io.Writer, whole any, pages iter.Seq[Page]) error {
	text, err := versioned(whole)
	if err != nil {
		return err
	}
	const empty = "\n  \"pages\": []" // at no other depth are there two blanks, and in no string a line's end
	before, after, ok := bytes.Cut(text, []byte(empty))
	if !ok {
		return fmt.Errorf("%T has no empty list of pages", whole)
	}
	out := bufio.NewWriter(w)
	out.Write(before)
	out.WriteString("\n  \"pages\": [")
	next, end := "\n    ", "]"
	for p := range pages {
		page, err := printable.JSON(p, "    ")
		if err != nil {
			return err
		}
		out.WriteString(next)
		if _, err := out.Write(bytes.TrimSuffix(page, []byte("\n"))); err != nil {
			return err // a reader that went away
		}
		next, end = ",\n    ", "\n  ]"
	}
	out.WriteString(end)
	out.Write(after)
	return out.Flush()
}
