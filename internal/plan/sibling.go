package plan

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"metarobots/internal/disk"
)

// refreshSibling makes the gzip sibling of a page anew, if there is one and it holds the page's old bytes.
func refreshSibling(file string, before, after []byte, sync bool) error {
	file += ".gz"
	data, err := disk.NewRoot(filepath.Dir(file)).ReadFile(file, maxPage)
	if disk.Refused(err) {
		return nil // it is no copy that we could make anew
	} else if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Equal(before, after) {
		return nil
	} else if err != nil {
		return err
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil // it is something else
	}
	if text, err := io.ReadAll(io.LimitReader(r, int64(len(before))+1)); err != nil || !bytes.Equal(text, before) {
		return nil
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(after)
	w.Close()
	return disk.Write(file, b.Bytes(), sync)
}
