package servers

import (
	"fmt"
	"regexp"
	"strings"
)

// nginx's own settings of the hash of a map's texts, see
// https://nginx.org/en/docs/hash.html. A text that does not fit a bucket keeps
// nginx from starting; too small a table is a warning.
const (
	nginxBucket = 64
	nginxTable  = 2048
)

// nginxMost is the longest argument that nginx's configuration can hold.
const nginxMost = 4000

// writeNginx writes a map from the decoded path to the value. $uri is the path
// once inner redirects are done, so that it names the file, whichever way a
// try_files came to it.
func writeNginx(c *compiler) error {
	u := readText(c.existing)
	s := c.gather(plainForms)
	if c.res.Rules = s.count(); c.everywhere != "" {
		c.res.Rules++
	}
	if c.res.Rules == 0 && !u.had {
		c.res.File = u.print(nil)
		return nil
	}
	// How often a path occurs without regard to case.
	folds := make(map[string]int)
	for _, g := range s.groups {
		for _, url := range g.urls {
			folds[asciiLower(url)]++
		}
	}
	for _, url := range s.rest {
		folds[asciiLower(url)]++
	}
	var entries []string
	texts, longest := 0, 0
	for _, g := range s.groups {
		entries = append(entries, "")
		for _, url := range g.urls {
			key := url
			if folds[asciiLower(url)] > 1 {
				key = "~^" + regexp.QuoteMeta(url) + `\z`
			} else {
				texts++
				longest = max(longest, len(url))
			}
			quoted := nginxText(key)
			if len(quoted) > nginxMost {
				c.problem(Problem{ID: IDName, Severity: SeverityError, Path: c.files[url],
					Message: "the path is too long for nginx's configuration: it gets no X-Robots-Tag"})
				continue
			}
			entries = append(entries, "    "+quoted+` "`+g.value+`";`)
		}
	}
	var lines []string
	// An element takes a pointer, two bytes of length and the text, aligned; a
	// bucket ends with a pointer. ngx_hash_init in
	// https://github.com/nginx/nginx/blob/master/src/core/ngx_hash.c
	need := 8 + (longest+2+7)/8*8 + 8
	if need > nginxBucket || 2*texts > nginxTable {
		off := ""
		for l := range strings.Lines(u.ours) {
			if l = strings.TrimSpace(l); strings.HasPrefix(l, "#") && strings.Contains(l, "map_hash_bucket_size ") {
				off = "# "
			}
		}
		lines = append(lines,
			"# Where nginx.conf has map_hash_… lines of its own, comment these two out, which later runs keep, and raise those.",
			fmt.Sprintf("%smap_hash_bucket_size %d;", off, roundUp(max(need, nginxBucket))),
			fmt.Sprintf("%smap_hash_max_size %d;", off, roundUp(max(2*texts, nginxTable))))
	}
	lines = append(lines, "map $uri $metarobots {", `    default "`+c.everywhere+`";`)
	for _, e := range entries {
		if e != "" {
			lines = append(lines, e)
		}
	}
	c.res.File = u.print(append(lines, "}"))
	return nil
}

// asciiLower folds as nginx does.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// nginxText quotes an argument. A map's sources know no variables.
func nginxText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// roundUp returns the next power of two.
func roundUp(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}
