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

// Write is [WriteJSON] with pages in place of the member "pages", which has to be an empty list.
func Write(w io.Writer, whole any, pages iter.Seq[Page]) error {
	return WriteList(w, whole, "pages", pages)
}

// WriteList is [WriteJSON] with items in place of a member, which has to be an empty list of the
// outermost object. One item is in memory at a time.
func WriteList[Item any](w io.Writer, whole any, member string, items iter.Seq[Item]) error {
	text, err := versioned(whole)
	if err != nil {
		return err
	}
	// Only a member of the outermost object is indented by two blanks, and no string has an end of
	// line in it.
	begin := fmt.Sprintf("\n  %q: [", member)
	before, after, ok := bytes.Cut(text, []byte(begin+"]"))
	if !ok {
		return fmt.Errorf("%T has no empty list of %s", whole, member)
	}
	out := bufio.NewWriter(w)
	out.Write(before)
	out.WriteString(begin)
	if err := writeItems(out, items); err != nil {
		return err
	}
	out.Write(after)
	return out.Flush()
}

// writeItems writes the items of a list, and the bracket that closes it.
func writeItems[Item any](out *bufio.Writer, items iter.Seq[Item]) error {
	before, end := "\n    ", "]" // of an empty list
	for item := range items {
		text, err := printable.JSON(item, "    ")
		if err != nil {
			return err
		}
		out.WriteString(before)
		if _, err := out.Write(bytes.TrimSuffix(text, []byte("\n"))); err != nil {
			return err // a reader that went away
		}
		before, end = ",\n    ", "\n  ]"
	}
	out.WriteString(end)
	return nil
}
