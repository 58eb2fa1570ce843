package accesslog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Stats count what was read.
type Stats struct {
	// Lines that are not blank, and of them Unreadable.
	Lines, Unreadable int
	// Faults are the first unreadable lines.
	Faults []Fault
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
	maxLine    = 1 << 20
)

var errTooLong = fmt.Errorf("a line of more than %d MB", maxLine>>20)

// Read calls each for every request of a log, in its order. It stops at an error of each, or of r, and returns it.
// Lines that cannot be read are counted.
func Read(r io.Reader, each func(*Entry) error) (Stats, error) {
	var s Stats
	in, err := unpack(bufio.NewReaderSize(r, bufferSize))
	if err != nil {
		return s, err
	}
	var line []byte
	for n := 1; ; n++ {
		var long bool
		var end error
		if line, long, end = readLine(in, line[:0]); end != nil && end != io.EOF {
			return s, end
		}
		if text := string(bytes.TrimSpace(line)); text != "" || long {
			s.Lines++
			if e, err := readEntry(text, long); err == nil {
				if err := each(e); err != nil {
					return s, err
				}
			} else if s.Unreadable++; len(s.Faults) < maxFaults {
				s.Faults = append(s.Faults, Fault{n, err})
			}
		}
		if end == io.EOF {
			return s, nil
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

// readEntry reads a line by what it looks like. Of one that is too long nothing was kept.
func readEntry(line string, long bool) (*Entry, error) {
	switch {
	case long:
		return nil, errTooLong
	case line[0] == '{':
		return readJSON(line)
	}
	return readText(line)
}

// unpack takes off gzip.
func unpack(in *bufio.Reader) (*bufio.Reader, error) {
	magic, _ := in.Peek(2) // fewer bytes are no compressed file; a read error comes again
	if string(magic) != "\x1f\x8b" {
		return in, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, bufferSize), nil
}
