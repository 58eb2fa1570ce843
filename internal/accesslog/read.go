package accesslog

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
)

// Stats count what was read.
type Stats struct {
	// Lines that are not blank, and of them Unreadable. (An array of JSON objects counts as many lines as it has.)
	Lines      int `json:"lines"`
	Unreadable int `json:"unreadable"`
	// Faults are the first unreadable lines.
	Faults []Fault `json:"-"`
}

// A Fault is a line that cannot be read.
type Fault struct {
	Line int // from 1
	Err  error
}

// maxFaults is how many of them are kept.
const maxFaults = 5

const (
	bufferSize = 256 << 10
	maxLine    = 16 << 20 // hosts put a batch of requests on one line
)

var errTooLong = fmt.Errorf("a line of more than %d MB", maxLine>>20)

// Read calls each for every request of a log, in its order. It stops at an error of each, or of r, and returns it.
// Lines that cannot be read are counted. addressField is the name of the field of JSON logs that has the client's
// address, dots between those of nested objects; empty for the fields that are known.
func Read(r io.Reader, addressField string, each func(*Entry) error) (Stats, error) {
	var s Stats
	in, err := unpack(bufio.NewReaderSize(r, bufferSize))
	if err != nil {
		return s, err
	}
	var line []byte
	for n := 1; ; n++ {
		count := func(e *Entry, err error) error {
			s.Lines++
			if err == nil {
				return each(e)
			}
			if s.Unreadable++; len(s.Faults) < maxFaults {
				s.Faults = append(s.Faults, Fault{n, err})
			}
			return nil
		}
		var long bool
		line, long, err = readLine(in, line[:0])
		if err != nil && err != io.EOF {
			return s, err
		}
		var stop error
		if long {
			stop = count(nil, errTooLong)
		} else {
			stop = readEntries(string(bytes.TrimSpace(line)), addressField, count)
		}
		if stop != nil || err == io.EOF {
			return s, stop
		}
	}
}

// readLine reads one line into memory that it is given. One that is too long is passed over to its end.
func readLine(in *bufio.Reader, line []byte) (_ []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, long, err
		}
	}
}

// readEntries calls each for what a line holds: nothing, an entry or several.
func readEntries(line, addressField string, each func(*Entry, error) error) error {
	array, isArray := strings.CutPrefix(line, "[")
	switch {
	case line == "":
		return nil
	case line[0] == '{' || isArray && strings.HasPrefix(strings.TrimSpace(array), "{"):
		return readJSON(line, addressField, each)
	}
	return each(readText(line))
}

// unpack takes off what a log is compressed with.
func unpack(in *bufio.Reader) (*bufio.Reader, error) {
	magic, _ := in.Peek(3) // fewer bytes are no compressed file; a read error comes again
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		return bufio.NewReaderSize(z, bufferSize), nil
	case string(magic) == "BZh":
		return bufio.NewReaderSize(bzip2.NewReader(in), bufferSize), nil
	}
	return in, nil
}
