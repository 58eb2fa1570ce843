package robotstxt

import (
	"bytes"
	"strings"
	"testing"

	"metarobots/emit/marks"
	"metarobots/policy"
)

// brute answers as robots.cc does: the text is read again for each question and each rule matched
// octet by octet.
func brute(data []byte, agent, path string) (allowed bool, line int) {
	type match struct{ weight, line int }
	no := match{-1, 0}
	best := [2][2]match{{no, no}, {no, no}} // [specific][allow]
	var specific, global, ever, separator bool
	note := func(allow bool, pattern string, line int) bool {
		if !bruteMatch(path, pattern) {
			return false
		}
		s, a := 0, 0
		if specific {
			s = 1
		}
		if allow {
			a = 1
		}
		if best[s][a].weight < len(pattern) {
			best[s][a] = match{len(pattern), line}
		}
		return true
	}
	for _, l := range splitLines(data) {
		switch l.Kind {
		case Agent:
			if separator {
				specific, global, separator = false, false, false
			}
			if v := l.Value; v != "" && v[0] == '*' && (len(v) == 1 || strings.IndexByte(" \t\v\f", v[1]) >= 0) {
				global = true
			} else if strings.EqualFold(productToken(v), agent) {
				specific, ever = true, true
			}
		case Allow, Disallow:
			if !specific && !global {
				continue
			}
			separator = true
			p := Escape(l.Value)
			if note(l.Kind == Allow, p, l.Number) || l.Kind == Disallow {
				continue
			}
			if i := strings.LastIndexByte(p, '/'); i >= 0 && strings.HasPrefix(p[i:], "/index.htm") {
				note(true, p[:i+1]+"$", l.Number)
			}
		}
	}
	use := best[0]
	if ever {
		use = best[1]
	}
	allowed = use[1].weight >= use[0].weight || use[0].weight == 0
	if use[0].weight > use[1].weight {
		return allowed, use[0].line
	}
	return allowed, use[1].line
}

// bruteMatch keeps all places of the path that a part of the pattern may end at.
func bruteMatch(path, pattern string) bool {
	at := map[int]bool{0: true}
	for i := range len(pattern) {
		next := map[int]bool{}
		for n := range at {
			switch {
			case pattern[i] == '$' && i == len(pattern)-1:
				if n == len(path) {
					return true
				}
			case pattern[i] == '*':
				for m := n; m <= len(path); m++ {
					next[m] = true
				}
			case n < len(path) && path[n] == pattern[i]:
				next[n+1] = true
			}
		}
		if at = next; len(at) == 0 {
			return false
		}
	}
	return true
}

func seeds(f *testing.F, add func(file, agent, url string)) {
	for _, e := range questions(f, "google") {
		for _, u := range strings.Fields(e.urls) {
			add(e.file, e.agent, u[1:])
		}
	}
	add("\xEF\xBB\xBFUser-agent : *\r\rDisallow:/*a*b$\r\nallow /a\x00b", "x", "/aab")
	add("User-agent: 360Spider\nDisallow: /*/*/*/*/*$", "360spider", "/a/b/c/d/e/f")
	add(begin+"User-agent: *\nDisallow: /\n"+end+"\n"+end+begin, "googlebot-image", "/")
	add("User-agent: *\nAllow: /a/index.html**\nDisallow: /a/$\n", "foo", "/a/")
}

// Whatever the text and the question, the compiled file answers as the slow reading does, and Check
// tells of lines of the file.
func FuzzAsk(f *testing.F) {
	seeds(f, func(file, agent, url string) { f.Add([]byte(file), agent, url) })
	f.Fuzz(func(t *testing.T, data []byte, agent, url string) {
		file := Parse(data)
		v := file.Ask(agent, url)
		for _, p := range file.Check(Place{URLs: []string{url}, Noindex: true, Path: url}) {
			if p.Line < 0 || p.Line > len(file.Lines) || p.ID == "" || p.Text() == "" {
				t.Errorf("%+v of %d lines", p, len(file.Lines))
			}
		}
		// Relatives and names with other characters are the house's.
		if policy.LookupCrawler(agent) != nil && policy.LookupCrawler(agent).RobotsTxt.Group != "" ||
			productToken(agent) != agent {
			return
		}
		if allowed, line := brute(data, agent, asked(url)); allowed != v.Allowed || line != v.Line {
			t.Errorf("%q %q %q: %+v, want %v by line %d", data, agent, url, v, allowed, line)
		}
	})
}

// asked is the path that Ask looks at.
func asked(url string) string {
	if url == "" || url[0] != '/' {
		return Path(url)
	}
	return url
}

// Whatever the owner has, and whatever a policy says that has no fault: the law of Merge.
func FuzzMerge(f *testing.F) {
	seeds(f, func(file, agent, url string) { f.Add([]byte(file), agent, "/x", "/x/y", url) })
	f.Add([]byte("userAgent FooBot0"), "FooBot", "", "*", "0") // a line for foobot0 is one for foobot too
	f.Fuzz(func(t *testing.T, own []byte, agent, disallow, allow, url string) {
		p := &Policy{Groups: []Group{{Agents: []string{agent}, Disallow: Values(disallow), Allow: Values(allow)},
			{Disallow: Values(allow)}}}
		findings := p.Check()
		got, _, _ := Merge(own, p)
		if hasError(findings) {
			if !bytes.Equal(got, own) {
				t.Errorf("a wrong policy makes of\n%q\nthis\n%q", own, got)
			}
			return
		}
		if strings.Contains(ids(findings), "agent") || Parse(own).IsUTF16() {
			return
		}
		if bytes.Contains(marks.Read(own).Own(), []byte(marks.Prefix)) {
			t.Skip("marks of the owner's")
		}
		checkMerged(t, marks.Read(own).Own(), p, []string{agent, "foobot", "bingbot"}, []string{asked(url), "/x", "/x/y/z",
			"/", disallow, allow})
	})
}
