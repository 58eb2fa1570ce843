package headers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// newBlocks are the paths at which rules make blocks of their own that are not known yet. A block
// counts once for all headers; lines in an owner's block are none.
func newBlocks(rules []ourRule, known map[string]bool) map[string]bool {
	paths := make(map[string]bool, len(rules))
	for _, r := range rules {
		if r.ownersBlock == nil && !known[r.path] {
			paths[r.path] = true
		}
	}
	return paths
}

// fitRobots gives up what of X-Robots-Tag does not fit Cloudflare's limit (N2, N6): more and more
// HTML is left to its tags, as the scope allows, and the rules are chosen again. It returns an
// error if that does not suffice.
func (c *compiler) fitRobots() error {
	isWithoutLimit := c.setting.cloudflare == nil
	if isWithoutLimit || c.fits() {
		return nil
	}
	needed, leftByScope := c.res.Total, c.chooser.leftToTags
	for {
		more, ok := c.setting.task.LeaveMore(c.chooser.leftToTags, c.chooser.wants)
		if !ok {
			break
		}
		c.chooser.leftToTags = more
		if c.chooseRules(); c.fits() {
			c.res.Report("header-budget", policy.Warning, 0, "",
				"%d rules do not fit Cloudflare's limit of %d: %s",
				needed, CloudflareRules, robotstag.LeftToTags(c.countPagesLeft(leftByScope)))
			return nil
		}
	}
	c.res.Report("header-budget", policy.Error, 0, "", "%d rules do not fit Cloudflare's limit "+
		"of %d (%d of them are the site's own)", c.res.Total, CloudflareRules,
		c.setting.cloudflare.file.Count).Detail = "; nothing was written"
	return fmt.Errorf("%w: %d rules, %d allowed",
		robotstag.ErrBudget, c.res.Total, CloudflareRules)
}

// fits counts the rules of the file (Limit and Total of the result) and reports whether Cloudflare
// takes them all. If none is ours, a file that is too long is the owner's affair.
func (c *compiler) fits() bool {
	rules := c.rules()
	c.res.Limit = CloudflareRules
	c.res.Total = c.setting.cloudflare.file.Count + len(newBlocks(rules, nil))
	return len(rules) == 0 || c.res.Total <= CloudflareRules
}

// countPagesLeft counts the pages that are left to their tags now, and were not by the scope alone.
// It counts a page too if one of its request paths has no rule for another reason, because the page
// loses the rules for its other paths.
func (c *compiler) countPagesLeft(leftByScope robotstag.Left) int {
	pages := make(map[string]bool)
	for i := range c.chooser.wants {
		w := &c.chooser.wants[i]
		if c.selection.toTag[w.Path] && c.chooser.leftToTags.Has(w) && !leftByScope.Has(w) {
			pages[w.Path] = true
		}
	}
	return len(pages)
}

// whyLost says for many files what an obstacle says for one, by the ID of its finding.
var whyLost = map[string]string{
	"header-value":   "the value cannot stand in the file",
	"header-name":    "no rule of the host can name the file",
	"header-overlap": "a rule would reach a file with another value, too",
	"header-found":   "a rule of the site's own is in the way",
}

// fitOther serves as many files with another header than X-Robots-Tag as the limit leaves room for,
// and reports the others.
func (c *compiler) fitOther() {
	if c.setting.cloudflare != nil {
		c.ration(CloudflareRules - c.setting.cloudflare.file.Count - len(c.setting.paid))
	}
	lost := make(map[string][]robotstag.Want)
	for _, w := range c.chooser.wants {
		if why := c.selection.reasons[w.Path]; why != "" {
			lost[why] = append(lost[why], w)
		}
	}
	for why, wants := range lost {
		c.res.Lose(c.setting.header.Name, why, wants)
	}
}

// ration chooses rules again, so that no more than a number of blocks are new. A file that goes
// without costs a part of a rule then, its loss: as much as fits, found by trying less and less,
// down to nothing. A rule for many files stays that way, and rules for few files go.
func (c *compiler) ration(most int) {
	loss := one - 1
	for c.countNewBlocks() > most && c.solution.solver.loss > 0 {
		c.solution.limitLoss(loss)
		c.selection = c.solution.write()
		loss = loss * 7 / 8
	}
	c.useRoom(most - c.countNewBlocks())
}

// countNewBlocks counts the blocks that our rules for the header make beside those of earlier
// headers.
func (c *compiler) countNewBlocks() int { return len(newBlocks(c.selection.rules, c.setting.paid)) }

// useRoom gives the blocks that are left, as many as room says, to single files: a file gets all
// its rules, or none. It notes those for which there is no room.
func (c *compiler) useRoom(room int) {
	s := c.selection
	slices.SortStableFunc(s.unserved, func(a, b *placed) int {
		return cmp.Compare(c.precedence(a), c.precedence(b))
	})
	for from, to := 0, 0; from < len(s.unserved); from = to {
		file := c.precedence(s.unserved[from])
		for to < len(s.unserved) && c.precedence(s.unserved[to]) == file {
			to++
		}
		itemsOfFile := s.unserved[from:to]
		fits := len(itemsOfFile) <= room && !itemsOfFile[0].item.isOptional
		for _, it := range itemsOfFile {
			if fits {
				s.rules, room = append(s.rules, c.chooser.makePathRule(it)), room-1
				continue
			}
			c.chooser.eachFile(it.item, func(file *robotstag.Want) {
				s.reasons[file.Path] = "the host takes no more rules"
			})
		}
	}
}

// precedence is the key by which items without a rule get what room is left: by their files, those
// with a canonical link first. Without it, the file harms its page: engines index the copy.
func (c *compiler) precedence(it *placed) string {
	file := c.chooser.wants[it.item.requests[0].want].Path
	if strings.Contains(it.item.value.text, `rel="canonical"`) {
		return "\x00" + file
	}
	return file
}
