package robotstxt

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/policy"
)

// managed are the blocks that hosts put before a site's robots.txt, by the host's name.
// https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/ as of 2026-11-23
var managed = map[string]string{"cloudflare": "User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference\n" +
	"Allow: /\n\nUser-agent: Amazonbot\nUser-agent: Applebot-Extended\nUser-agent: Bytespider\nUser-agent: CCBot\n" +
	"User-agent: ClaudeBot\nUser-agent: Google-Extended\nUser-agent: GPTBot\nUser-agent: meta-externalagent\n" +
	"Disallow: /\n\n"}

// ManagedNames are the hosts whose block is known, after none.
func ManagedNames() []string { return []string{"none", "cloudflare"} }

// Behind returns a file as crawlers read it at a host that puts a block of its own before it, of [ManagedNames], and how
// many lines that block has. Nil is no file.
func (f *File) Behind(host string) (*File, int) {
	text := managed[host]
	before := strings.Count(text, "\n")
	if text == "" {
		return f, 0
	}
	if f != nil {
		for _, l := range f.Lines {
			text += l.Text + "\n"
		}
	}
	return Parse([]byte(text)), before
}

// use is what a line says of one use by AI.
type use struct {
	of     policy.Use
	states policy.Preference
	line   Line
	path   string // empty for the site, and in Content-Signal
}

var usePreferences = map[string]policy.Preference{"yes": policy.Allowed, "y": policy.Allowed, "no": policy.Denied,
	"n": policy.Denied}

// uses returns what the lines of a group say of uses by AI.
func (s *ruleset) uses() (list []use) {
	for _, l := range s.others {
		if !isSignal(l.Key) || single(l.Key) && checkSignal(l.Value) != "" {
			continue
		}
		path, items := usagePath(l.Value)
		for item := range strings.SplitSeq(items, ",") {
			key, v, _ := signal(item)
			for u, w := range words {
				states, word := usePreferences[v], w.usage
				if single(l.Key) {
					word = w.signal
				}
				if key == word && states != policy.Unstated {
					list = append(list, use{policy.Use(u), states, l, path})
				}
			}
		}
	}
	return list
}

// contradictions collects what lines say against each other, with the block that a host puts before them.
type contradictions struct {
	file   *File
	before int // lines of that block
	all    *findings
}

// add reports two lines that say different things, at the one that is the site's own, or at the first.
func (c *contradictions) add(line, other int, format string, args ...any) {
	if line <= c.before {
		line, other = other, line
	}
	place := fmt.Sprintf("line %d", other-c.before)
	if other <= c.before {
		place = "the block that the host puts before this file"
	}
	f := policy.Finding{ID: "robotstxt-contradiction", Severity: policy.Warning, Line: line - c.before,
		Message: fmt.Sprintf("%s: %s has %s", clip(c.file.Lines[line-1].String()), place, clip(c.file.Lines[other-1].String())) +
			fmt.Sprintf(format, args...)}
	if line > c.before && !slices.Contains(*c.all, f) {
		*c.all = append(*c.all, f)
	}
}

// checkUses looks for what contradicts itself about uses by AI.
func (f *File) checkUses(site Site, all *findings) {
	c := contradictions{all: all}
	c.file, c.before = f.Behind(site.Managed)
	for _, token := range c.file.tokens {
		c.betweenSignals(c.file.sets[token].uses())
	}
	c.besideManaged()
	c.shutOut()
	c.unreadSignals(site.Standalone)
}

// betweenSignals reports two statements about one use: of lines with the same key only those for the same path, since a
// longer path is an exception.
func (c *contradictions) betweenSignals(list []use) {
	for j, b := range list {
		for _, a := range list[:j] {
			if a.line.Number != b.line.Number && a.of == b.of && a.states != b.states &&
				(a.path == b.path || !strings.EqualFold(a.line.Key, b.line.Key)) {
				c.add(b.line.Number, a.line.Number, "; one allows %s and the other denies it", b.of)
			}
		}
	}
}

// shutOut reports crawlers that may fetch nothing for a use which a signal allows.
func (c *contradictions) shutOut() {
	type conflict struct {
		rule, signal    int
		of              policy.Use
		crawlers, hints []string
	}
	var all []*conflict
	for _, token := range c.file.tokens {
		s, crawler := c.file.sets[token], policy.LookupCrawler(token)
		rule := slices.IndexFunc(s.rules, func(r rule) bool { return !r.allow && r.everything() })
		if crawler == nil || rule < 0 || !s.shut() || crawler.Purpose == "" && crawler.Engine == "" {
			continue
		}
		of := policy.UseSearch // that of the crawlers of search engines
		if u := slices.Index(policy.Purposes, crawler.Purpose); u >= 0 {
			of = policy.Use(u)
		}
		stated := s.uses()
		if len(stated) == 0 && c.file.sets[star] != nil {
			stated = c.file.sets[star].uses()
		}
		signal := slices.IndexFunc(stated, func(u use) bool {
			return u.of == of && u.states == policy.Allowed && u.path == ""
		})
		if signal < 0 {
			continue
		}
		one := &conflict{rule: s.rules[rule].line, signal: stated[signal].line.Number, of: of}
		if i := slices.IndexFunc(all, func(o *conflict) bool {
			return o.rule == one.rule && o.signal == one.signal && o.of == of
		}); i >= 0 {
			one = all[i]
		} else {
			all = append(all, one)
		}
		one.crawlers = append(one.crawlers, crawler.Token)
		for _, t := range policy.AllCrawlers() {
			if of == policy.UseSearch && t.Operator == crawler.Operator && t.Purpose == policy.AITraining {
				one.hints = append(one.hints, t.Token)
			}
		}
	}
	for _, o := range all {
		hint := ""
		if o.hints != nil {
			hint = "; to keep training out, block " + strings.Join(o.hints, ", ")
		}
		c.add(o.rule, o.signal, "; one allows %s and the other keeps out who fetches for it: %s%s", o.of,
			strings.Join(o.crawlers, ", "), hint)
	}
}

// besideManaged reports rules that a block of the host says otherwise, each once for all crawlers of its group: groups of
// one crawler add up.
func (c *contradictions) besideManaged() {
	type pair struct{ own, theirs int }
	var order []pair
	crawlers := map[pair][]string{}
	for _, token := range c.file.tokens {
		rules := c.file.sets[token].rules
		for i := range rules {
			for j := range rules {
				theirs, own := &rules[i], &rules[j]
				if theirs.line > c.before || own.line <= c.before || theirs.allow == own.allow || own.pattern == "" ||
					!own.allow && own.pattern != theirs.pattern {
					continue
				}
				p := pair{own.line, theirs.line}
				if crawlers[p] == nil {
					order = append(order, p)
				}
				if !slices.Contains(crawlers[p], token) {
					crawlers[p] = append(crawlers[p], token)
				}
			}
		}
	}
	for _, p := range order {
		c.add(p.own, p.theirs, " for %s; the longer rule wins, and of equal ones Allow", strings.Join(crawlers[p], ", "))
	}
}

// unreadSignals reports signals in the group of * that crawlers with a group of their own do not read. Those that may
// fetch nothing need not.
func (c *contradictions) unreadSignals(standalone map[string]bool) {
	common := c.file.sets[star]
	if common == nil {
		return
	}
	for i, l := range common.others {
		same := func(o Line) bool { return strings.EqualFold(o.Key, l.Key) }
		if !isSignal(l.Key) || slices.ContainsFunc(common.others[:i], same) {
			continue
		}
		var deaf []string
		for _, token := range c.file.tokens {
			s := c.file.sets[token]
			if token != star && nextGroup(token) != "" && !standalone[token] && s.agent > c.before && !s.shut() &&
				!slices.ContainsFunc(s.others, same) {
				deaf = append(deaf, token)
			}
		}
		if len(deaf) > 0 {
			c.add(c.file.sets[deaf[0]].agent, l.Number, ", which crawlers with a group of their own do not read: %s",
				strings.Join(deaf, ", "))
		}
	}
}
