package visits

import (
	"strings"

	"metarobots/internal/snapshot"
)

// index finds the entries of a snapshot by the paths at which they are served.
type index map[string]int

func newIndex(s *snapshot.Snapshot) index {
	x := make(index, len(s.Entries))
	for i, e := range s.Entries {
		x[plain(e.URL)] = i
	}
	return x
}

// find returns the entry behind a path that was answered with a status.
func (x index) find(path string, status int) (int, bool) {
	path = plain(path)
	if i, ok := x[path]; ok {
		return i, true
	}
	if status/100 != 2 && status != 304 {
		return 0, false // not a page, so not one under another name
	}
	var others [3]string
	n := 0
	if folder, ok := strings.CutSuffix(path, "/index.html"); ok {
		others[n] = folder + "/"
		n++
	}
	if name, ok := strings.CutSuffix(path, ".html"); ok {
		others[n], others[n+1] = name, name+"/"
		n += 2
	} else if !strings.HasSuffix(path, "/") {
		others[n], others[n+1] = path+".html", path+"/"
		n += 2
	}
	entry, found := 0, 0
	for _, other := range others[:n] {
		if i, ok := x[other]; ok {
			entry, found = i, found+1
		}
	}
	return entry, found == 1 // of two, hosts differ in which they serve
}

// plain takes the escapes of a path away. An escaped slash is no slash, so it is kept apart, as a NUL, which no path
// has.
func plain(path string) string {
	i := strings.IndexByte(path, '%')
	if i < 0 {
		return path
	}
	b := append(make([]byte, 0, len(path)), path[:i]...)
	for ; i < len(path); i++ {
		c := path[i]
		if c == '%' && i+2 < len(path) {
			if high, low := hex(path[i+1]), hex(path[i+2]); high >= 0 && low >= 0 {
				if c = byte(high<<4 | low); c == '/' {
					c = 0
				}
				i += 2
			}
		}
		b = append(b, c)
	}
	return string(b)
}

func hex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// asked is a path with its query as crawlers ask robots.txt about it: what is no ASCII escaped, in capital digits
// (RFC 9309, section 2.2.2).
func asked(target string) string {
	const digits = "0123456789ABCDEF"
	ready := true
	for i := 0; i < len(target) && ready; i++ {
		ready = target[i] > ' ' && target[i] < 127 && target[i] != '%'
	}
	if ready {
		return target
	}
	b := make([]byte, 0, len(target)+16)
	for i := 0; i < len(target); i++ {
		switch c := target[i]; {
		case c == '%' && i+2 < len(target) && hex(target[i+1]) >= 0 && hex(target[i+2]) >= 0:
			b = append(b, '%', digits[hex(target[i+1])], digits[hex(target[i+2])])
			i += 2
		case c <= ' ' || c >= 127:
			b = append(b, '%', digits[c>>4], digits[c&15])
		default:
			b = append(b, c)
		}
	}
	return string(b)
}
