package disk

import (
	"bytes"
	"compress/gzip"
	"io"
)

// Unpack returns what is packed with gzip, of at most limit bytes; longer is an error.
func Unpack(data []byte, limit int64) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if int64(len(text)) > limit {
		return nil, ErrTooLarge
	}
	return text, err
}

// Pack packs a text with gzip.
func Pack(text []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(text)
	w.Close()
	return b.Bytes()
}
