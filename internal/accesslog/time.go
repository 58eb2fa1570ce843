package accesslog

import (
	"math"
	"strconv"
	"time"
)

// layouts are those of times: as Apache and nginx write them in brackets, and ISO 8601. A zone that is not told is UTC.
var layouts = []string{
	"02/Jan/2006:15:04:05 -0700", "02/Jan/2006:15:04:05",
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", time.DateTime, "2006-01-02T15:04:05Z0700",
}

func parseTime(text string) (time.Time, bool) {
	if len(text) < len("2006-01-02T15:04:05") || len(text) > 40 || text[0] < '0' || text[0] > '9' {
		return time.Time{}, false
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// parseEpoch reads a number since 1970 in seconds, or in what its size can only be: milliseconds (Vercel), microseconds
// or nanoseconds (Cloudflare).
func parseEpoch(text string) (time.Time, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
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
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= 0 && f < 1e11) {
		return time.Time{}, false
	}
	whole, part := math.Modf(f)
	return time.Unix(int64(whole), int64(part*1e9)).UTC(), true
}
