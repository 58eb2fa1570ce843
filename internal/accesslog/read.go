package accesslog

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// Options say how logs are read. The zero value reads what is documented.
type Options struct {
	// AddressField is the name of the field of JSON logs that has the client's address, dots between those of nested
	// objects; empty for the fields that are known.
	AddressField string
}

// Stats count what was read.
type Stats struct {
	// Lines that are not blank, and of them Unreadable. (An array of JSON objects counts as many lines as it has.)
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
	maxLine    = 16 << 20 // hosts put a batch of requests on one line
)

var errTooLong = fmt.Errorf("a line of more than %d MB", maxLine>>20)

// Read calls each for every request of a log, in its order. It stops at an error of each, or of r, and returns it. Lines
// that cannot be read are counted.
func Read(r io.Reader, o Options, each func(*Entry) error) (Stats, error) {
	var s Stats
	in, err := unpack(bufio.NewReaderSize(r, bufferSize))
	if err != nil {
		return s, err
	}
	p := &parser{options: o}
	one := func(n int) func(error) error {
		return func(err error) error {
			s.Lines++
			if err == nil {
				return each(&p.entry)
			}
			if s.Unreadable++; len(s.Faults) < maxFaults {
				s.Faults = append(s.Faults, Fault{n, err})
			}
			return nil
		}
	}
	var long []byte
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			line, err = readLong(in, append(long[:0], line...))
			long = line[:0]
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errTooLong) {
			return s, err
		}
		count := one(n)
		if errors.Is(err, errTooLong) {
			err = nil
			if e := count(errTooLong); e != nil {
				return s, e
			}
		} else if e := p.line(bytes.TrimRight(line, "\r\n"), count); e != nil {
			return s, e
		}
		if err != nil {
			return s, nil
		}
	}
}

// readLong reads the rest of a line that is longer than the buffer.
func readLong(in *bufio.Reader, line []byte) ([]byte, error) {
	tooLong := false
	for {
		more, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(more) > maxLine; !tooLong {
			line = append(line, more...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case tooLong && (err == nil || errors.Is(err, io.EOF)):
			return line, errTooLong // the end is found again
		default:
			return line, err
		}
	}
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

// parser reads lines, one after the other into the same entry.
type parser struct {
	options Options
	entry   Entry
	scratch []byte // what escapes stood for

	day      string // the last day, as it was written
	midnight int64

	path    []byte // in JSON, of the value that is read
	named   bool   // in JSON: a field is there that names what was asked for
	rank    [nouns]int
	request []byte
	lines   []byte // of X-Forwarded-For, joined
}

func (p *parser) reset() {
	p.entry = Entry{}
	p.scratch = p.scratch[:0]
	p.request, p.lines = nil, p.lines[:0]
}

// line reads one line and calls each for what it holds: nothing, an entry or several.
func (p *parser) line(line []byte, each func(error) error) error {
	start := space(line)
	if len(start) == 0 {
		return nil
	}
	p.reset()
	switch {
	case start[0] == '{':
		return each(p.json(start))
	case start[0] == '[' && bytes.HasPrefix(space(start[1:]), []byte("{")):
		var stopped error
		err := p.array(start, func(err error) error {
			stopped = each(err)
			return stopped
		})
		if stopped != nil || err == nil {
			return stopped
		}
		return each(err)
	}
	return each(p.text(line))
}
