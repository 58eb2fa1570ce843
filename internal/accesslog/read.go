package accesslog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"
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

// An Entry is one request. What the log does not tell is empty.
type Entry struct {
	// Host is the host that was asked, as it was logged, perhaps with a port.
	Host string
	// Address is the client's, in the log's own words: an IP address, or a name where the server looked names up.
	Address string
	// Forwarded is the X-Forwarded-For header.
	Forwarded string
	// Time is when, to the second or finer.
	Time time.Time
	// Method and Target are those of the request line. Both are empty where the request was none.
	Method, Target string
	// Status is that of the answer, 0 where none was sent.
	Status int
	// UserAgent is the User-Agent header.
	UserAgent string
}

// Client returns the address of the client; the zero address where the log has none. With proxies > 0 it is taken from
// X-Forwarded-For, to which each proxy adds the address that it was asked from: the last is the one that a single
// trusted proxy saw, and whatever stands further left anybody can have written.
func (e *Entry) Client(proxies int) netip.Addr {
	if proxies == 0 {
		return parseAddr(e.Address)
	}
	list := strings.Split(e.Forwarded, ",")
	if proxies > len(list) {
		return netip.Addr{}
	}
	return parseAddr(strings.TrimSpace(list[len(list)-proxies]))
}

// parseAddr reads an address, with or without a port or brackets.
func parseAddr(text string) netip.Addr {
	if a, err := netip.ParseAddrPort(text); err == nil {
		return a.Addr().Unmap()
	}
	a, _ := netip.ParseAddr(strings.Trim(text, "[]")) // the zero address where it is none
	return a.Unmap()
}

// URL splits the target into the host that it names, which only an absolute one does, and the path with its query as
// they were sent; ok is false where the target is none of a page (*, or CONNECT's).
func (e *Entry) URL() (host, path, query string, ok bool) {
	t, _, _ := strings.Cut(e.Target, "#")
	if scheme, rest, found := strings.Cut(t, "://"); found && scheme != "" && !strings.ContainsAny(scheme, "/?") {
		i := strings.IndexAny(rest+"/", "/?")
		host = rest[strings.LastIndexByte(rest[:i], '@')+1 : i]
		if t = rest[i:]; !strings.HasPrefix(t, "/") { // the root, whose slash is not written
			t = "/" + t
		}
	}
	path, query, _ = strings.Cut(t, "?")
	return host, path, query, strings.HasPrefix(path, "/")
}
