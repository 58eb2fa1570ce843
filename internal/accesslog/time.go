package accesslog

import (
	"math"
	"strconv"
	"time"
)

// time reads a time as Apache and nginx write it in brackets (10/Oct/2000:13:55:36 -0700), or as ISO 8601. A zone that is
// not told is UTC.
func (p *parser) time(b []byte) (time.Time, bool) {
	if t, ok := p.clf(b); ok {
		return t, true
	}
	if len(b) < len("2006-01-02T15:04:05") || len(b) > 40 || b[4] != '-' {
		return time.Time{}, false
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", time.DateTime, "2006-01-02T15:04:05Z0700"} {
		if t, err := time.Parse(layout, string(b)); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

const clfLength = len("02/Jan/2006:15:04:05 -0700")

// clf reads the form of the Common Log Format, with or without the zone. The day is remembered: it is mostly the same.
func (p *parser) clf(b []byte) (time.Time, bool) {
	const zoneless = clfLength - len(" -0700")
	if len(b) != clfLength && len(b) != zoneless || b[2] != '/' || b[6] != '/' || b[11] != ':' || b[14] != ':' || b[17] != ':' {
		return time.Time{}, false
	}
	if string(b[:11]) != p.day {
		day, err := time.Parse("02/Jan/2006", string(b[:11]))
		if err != nil {
			return time.Time{}, false
		}
		p.day, p.midnight = string(b[:11]), day.Unix()
	}
	hour, ok1 := number(b[12:14])
	minute, ok2 := number(b[15:17])
	second, ok3 := number(b[18:20])
	if !ok1 || !ok2 || !ok3 || hour > 23 || minute > 59 || second > 60 {
		return time.Time{}, false
	}
	at := p.midnight + int64(hour*3600+minute*60+second)
	if len(b) == clfLength {
		zh, ok1 := number(b[22:24])
		zm, ok2 := number(b[24:26])
		if b[20] != ' ' || b[21] != '+' && b[21] != '-' || !ok1 || !ok2 || zh > 14 || zm > 59 {
			return time.Time{}, false
		}
		if offset := int64(zh*3600 + zm*60); b[21] == '+' {
			at -= offset
		} else {
			at += offset
		}
	}
	return time.Unix(at, 0).UTC(), true
}

// epoch reads a number since 1970 in seconds, or in what its size can only be: milliseconds (Vercel), microseconds or
// nanoseconds (Cloudflare).
func epoch(b []byte) (time.Time, bool) {
	if len(b) == 0 || len(b) > 32 {
		return time.Time{}, false
	}
	if n, err := strconv.ParseInt(string(b), 10, 64); err == nil && n >= 0 {
		switch {
		case n < 1e11:
			return time.Unix(n, 0).UTC(), true
		case n < 1e14:
			return time.UnixMilli(n).UTC(), true
		case n < 1e17:
			return time.UnixMicro(n).UTC(), true
		}
		return time.Unix(0, n).UTC(), true
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || !(f >= 0 && f < 1e11) {
		return time.Time{}, false
	}
	whole, part := math.Modf(f)
	return time.Unix(int64(whole), int64(part*1e9)).UTC(), true
}
