package robotstxt

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/policy"
)

// managed are the blocks that hosts put before a site's robots.txt, by the host's name.
// https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/ as of
// 2026-11-23. The browser that Cloudflare renders pages with is in the block as sites serve it:
// https://github.com/sunilabrahamindia/sunilabraham/issues/27 of 2026-07-28
var managed = map[string]string{"cloudflare": "User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference\n" +
	"Allow: /\n\nUser-agent: Amazonbot\nUser-agent: Applebot-Extended\nUser-agent: Bytespider\nUser-agent: CCBot\n" +
	"User-agent: ClaudeBot\nUser-agent: CloudflareBrowserRenderingCrawler\nUser-agent: Google-Extended\n" +
	"User-agent: GPTBot\nUser-agent: meta-externalagent\nDisallow: /\n\n"}

// Unmanaged is the name for no block.
const Unmanaged = "none"

// ManagedNames are the hosts whose block is known, after none.
func ManagedNames() []string { return []string{Unmanaged, "cloudflare"} }

// Behind returns a file as crawlers read it at a host that puts a block of its own before it, of
// [ManagedNames]. The sources of the block's lines name the host, and the site's own lines keep
// their numbers. Nil is no file.
func (f *File) Behind(host string) *File {
	text := managed[host]
	if text == "" {
		return f
	}
	lines := splitLines([]byte(text))
	for i := range lines {
		lines[i].Number -= len(lines) // the last one is 0, and before the site's first
		lines[i].Source.Managed = host
	}
	if f == nil {
		return fileOf(lines)
	}
	size := len(text)
	for _, own := range f.Lines {
		if size += len(own.Text) + len("\n"); size > MaxSize {
			break // crawlers read so much of both together
		}
		lines = append(lines, own)
	}
	return fileOf(lines)
}

// contradictions collects what lines say against each other, with the block that a host puts before
// them.
type contradictions struct {
	file  *File
	found causes
}

// report reports two lines that say different things to some crawlers, at the one that is the
// site's own, or at the first. The message has the crawlers' names between two texts:
//
//	Disallow: /: line 2 has Content-Signal: ai-train=yes   beforeNames   GPTBot   behindNames
//
// Nothing is reported if both lines are of the block that a host puts before the file.
func (c *contradictions) report(line, other Line, beforeNames, behindNames string,
	crawlers ...string) {
	if line.isManaged() {
		line, other = other, line
	}
	if line.isManaged() {
		return
	}
	place := fmt.Sprintf("line %d", other.Number)
	if other.isManaged() {
		place = "the block that the host puts before this file"
	}
	message := fmt.Sprintf("%s: %s has %s%s", clip(line.String()), place, clip(other.String()),
		beforeNames)
	c.found.addFor(policy.Finding{ID: "robotstxt-contradiction", Severity: policy.Warning,
		Line: line.Number, Message: message}, behindNames, crawlers...)
}

// contradictions are what a file says against itself about uses by AI, and against the block of a
// host.
func (f *File) contradictions(site Place) []policy.Finding {
	c := contradictions{file: f.Behind(site.Managed)}
	for _, token := range c.file.tokens {
		set := c.file.sets[token]
		c.compareSignals(usesOf(set.others))
		c.compareWithManaged(token, set.rules)
		c.reportShutOut(token, set)
	}
	c.reportUnreadSignals(site.Standalone)
	return c.found.findings()
}

// compareSignals reports two statements about one use: of lines with the same key only those for
// the same path, since a longer path is an exception.
func (c *contradictions) compareSignals(list []use) {
	for j, b := range list {
		for i := range list[:j] {
			a := &list[i]
			differ := a.line.Number != b.line.Number && a.about == b.about && a.states != b.states
			mayBothCount := a.path == b.path || a.line.key != b.line.key
			if differ && mayBothCount {
				message := fmt.Sprintf("; one allows %s and the other denies it", b.about)
				c.report(b.line, a.line, message, "")
			}
		}
	}
}

// reportShutOut reports a crawler that may fetch nothing, if a signal allows the use for which it
// fetches, once:
//
//	User-agent: *                 User-agent: GPTBot
//	Content-Signal: ai-train=yes  Disallow: /
//
// s has the rules and signals of its group, whose token is the crawler's. Of a crawler that fetches
// for no known use nothing is reported ([useFetchedFor]), nor of a signal for a part of the site.
func (c *contradictions) reportShutOut(token string, s *ruleset) {
	crawler := policy.LookupCrawler(token) // nil for one that nobody knows
	if crawler == nil || !s.isShut() {
		return
	}
	use, isKnown := useFetchedFor(crawler)
	if !isKnown {
		return
	}
	signal := c.signalAllowing(use, s)
	if signal == nil {
		return
	}
	deniesAll := func(r rule) bool { return !r.isAllow && r.matchesEverything() }
	shuts := s.rules[slices.IndexFunc(s.rules, deniesAll)] // there is one, as s is shut
	beforeName := fmt.Sprintf("; one allows %s and the other keeps out who fetches for it: ", use)
	c.report(*shuts.line, *signal, beforeName, "", crawler.Token+hintForTraining(use, crawler))
}

// useFetchedFor returns the use for which a crawler fetches: of an AI vendor's that of its purpose,
// of a search engine's search. isKnown is false of any other crawler.
func useFetchedFor(crawler *policy.Crawler) (use policy.Use, isKnown bool) {
	if purpose := slices.Index(policy.Purposes, crawler.Purpose); purpose >= 0 {
		return policy.Use(purpose), true // purposes are in the order of uses
	}
	return policy.UseSearch, crawler.Engine != ""
}

// signalAllowing returns the first line of a group's signals that allows a use for the whole site;
// nil if none does. If the group has no signals about uses, those of * are asked.
func (c *contradictions) signalAllowing(use policy.Use, s *ruleset) *Line {
	signals := usesOf(s.others)
	if everyone := c.file.sets[star]; len(signals) == 0 && everyone != nil {
		signals = usesOf(everyone.others)
	}
	for i := range signals {
		u := &signals[i]
		isForSite := u.path == ""
		if u.about == use && u.states == policy.Allowed && isForSite {
			return &u.line
		}
	}
	return nil
}

// hintForTraining names the crawlers of the same vendor that fetch for training, for whoever blocks
// its search to keep that out: " (to keep training out, block Google-Extended)". It is "" if the
// crawler fetches for another use than search, or the vendor has none for training.
func hintForTraining(use policy.Use, crawler *policy.Crawler) string {
	names := tokens(func(c *policy.Crawler) bool {
		return use == policy.UseSearch && c.Operator == crawler.Operator &&
			c.Purpose == policy.AITraining
	})
	if names == nil {
		return ""
	}
	return " (to keep training out, block " + strings.Join(names, " and ") + ")"
}

// compareWithManaged reports rules of a group that a block of the host says otherwise: groups of
// one crawler add up.
func (c *contradictions) compareWithManaged(token string, rules []rule) {
	first := slices.IndexFunc(rules, func(r rule) bool { return !r.line.isManaged() })
	for _, own := range rules[max(first, 0):] {
		for _, theirs := range rules[:max(first, 0)] {
			// A longer Disallow is an exception.
			undoes := own.isAllow || own.pattern == theirs.pattern
			if theirs.isAllow != own.isAllow && own.pattern != "" && undoes {
				c.report(*own.line, *theirs.line, " for ",
					"; the longer rule wins, and of equal ones Allow",
					c.file.spelled(token)...)
			}
		}
	}
}

// reportUnreadSignals reports signals in the group of * that crawlers with a group of their own do
// not read: once for each key, at the first such group, with the names of the crawlers. standalone
// is [Place.Standalone].
//
//	User-agent: *                  User-agent: Bingbot
//	Content-Signal: ai-train=no    Disallow: /x          Bingbot does not read the signal
func (c *contradictions) reportUnreadSignals(standalone map[string]bool) {
	everyone := c.file.sets[star]
	if everyone == nil { // no signal is for everyone
		return
	}
	seen := map[string]bool{} // by the keys of signals
	for _, signal := range everyone.others {
		isSignal := signal.vocabulary() != nil // and not Crawl-delay or another further line
		if !isSignal || seen[signal.key] {
			continue
		}
		seen[signal.key] = true
		if unaware := c.tokensWithout(signal.key, standalone); unaware != nil {
			groupLine := c.file.named[unaware[0]].line
			const beforeNames = ", which crawlers with a group of their own do not read: "
			c.report(*groupLine, signal, beforeNames, "", c.file.spelled(unaware...)...)
		}
	}
}

// tokensWithout are the tokens whose groups have no line with a key, so that their crawlers do not
// read that of *. A group that shuts out its crawlers needs none. What else is left out is a group
// whose owner means that, see leavesAnother, and one of the host's block.
func (c *contradictions) tokensWithout(key string, standalone map[string]bool) (tokens []string) {
	hasKey := func(l Line) bool { return l.key == key }
	for _, token := range c.file.tokens {
		group, isHosts := c.file.sets[token], c.file.named[token].line.isManaged()
		if group.isShut() || slices.ContainsFunc(group.others, hasKey) {
			continue
		}
		if leavesAnother(token, standalone) && !isHosts {
			tokens = append(tokens, token)
		}
	}
	return tokens
}
