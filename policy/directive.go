package policy

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// badValue is the message about a directive whose value cannot be read.
type badValue string

func (b badValue) Error() string { return string(b) }

type unknownDirective struct{}

func (unknownDirective) Error() string { return "unknown directive" }

func wantsValue(name string) badValue {
	switch name {
	case "max-snippet":
		return "max-snippet takes a number of characters: max-snippet:50, max-snippet:0 (none) or max-snippet:-1 (no " +
			"limit)"
	case "max-video-preview":
		return "max-video-preview takes a number of seconds: max-video-preview:10, max-video-preview:0 (a still) or " +
			"max-video-preview:-1 (no limit)"
	case "max-image-preview":
		return "max-image-preview takes none, standard or large"
	}
	return "unavailable_after takes a date: unavailable_after: 2026-09-21"
}

// directive reads exactly one directive, in any case.
func directive(word string) (d Directives, embed bool, err error) {
	name, value, colon := strings.Cut(strings.ToLower(word), ":")
	value = strings.TrimSpace(value)
	if !colon {
		d, ok := plain[name]
		if !ok {
			return d, false, unknownDirective{}
		}
		return d, name == "indexifembedded", nil
	}
	switch name {
	case "max-snippet", "max-video-preview":
		n, ok := limit(value)
		if !ok {
			return d, false, badValue(fmt.Sprintf("%s: %q is no number; %s", name, value, wantsValue(name)))
		}
		if name == "max-snippet" {
			return Directives{snippet: limitRank(n)}, false, nil
		}
		return Directives{video: limitRank(n)}, false, nil
	case "max-image-preview":
		switch value {
		case "large":
			return Directives{image: imageLarge}, false, nil
		case "standard":
			return Directives{image: imageStandard}, false, nil
		case "none":
			return Directives{image: imageNone}, false, nil
		}
		return d, false, badValue(fmt.Sprintf("max-image-preview: %q is no size; %s", value, wantsValue(name)))
	case "unavailable_after":
		t, err := ParseDate(value)
		if err != nil {
			return d, false, badValue("unavailable_after: " + err.Error())
		}
		return Directives{expiry: expiryRank(t)}, false, nil
	}
	if _, ok := plain[name]; ok {
		return d, false, badValue(fmt.Sprintf("%s takes no value", name))
	}
	return d, false, unknownDirective{}
}

// limit reads a whole number of at least -1; what is beyond 2^31-1 is as good as that.
func limit(text string) (int32, bool) {
	if text == "-1" {
		return -1, true
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return math.MaxInt32, text != ""
	}
	return int32(n), true
}
