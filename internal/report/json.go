package report

import (
	"io"
	"iter"

	"metarobots/internal/result"
)

// WriteJSON writes the data in the form of --json, with pages in place of its own: a site may have more than are to be
// in memory.
func WriteJSON(w io.Writer, d *Data, pages iter.Seq[result.Page]) error {
	whole := *d
	whole.Pages = []result.Page{}
	return result.Write(w, whole, pages)
}
