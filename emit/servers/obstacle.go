package servers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// An obstacle is a rule of the user's that the host puts before ours, or that loosens them, and the
// files that it does not give what they are to have; wanted is the value of the first of them.
type obstacle struct {
	rule   *userRule
	wanted value
	files  []int // the numbers of their wants
}

// findObstacles sets the obstacles, by the lines of the owner's rules. A file counts for the first
// that it meets, in some view and at some of its paths.
func (c *compiler) findObstacles() {
	c.obstacles = make(map[int]*obstacle)
	hasObstacle := make(map[int]bool) // by the numbers of the wants
	for i := range c.user.views {
		for _, url := range c.paths {
			file := c.wantsAt(url)[0] // of a disputed path the first of those that may be served there
			if hasObstacle[file] {
				continue
			}
			if rule := c.ruleInTheWay(&c.user.views[i], url); rule != nil {
				hasObstacle[file] = true
				c.noteObstacle(rule, c.valueAt(url), file)
			}
		}
	}
}

// ruleInTheWay is the owner's rule that keeps ours from counting at a request path, in a view: one
// that is not read, if something would be lost wherever ours is ([placements]), or, on a host that
// carries out some rules instead of ours, such a rule. It is nil if there is none, if no value is
// wanted at the path, and for a redirect, which serves no file.
func (c *compiler) ruleInTheWay(v *view, url string) *userRule {
	if c.valueAt(url) == "" {
		return nil
	}
	rule := c.placed.obstacles[url]
	canOverrideOurs := c.draft.format.obstacle != ""
	if rule == nil && canOverrideOurs {
		rule = c.obstacleAt(v, url)
	}
	if rule == nil || rule.isRedirect {
		return nil
	}
	return rule
}

// obstacleAt is the rule that the host puts before ours for a request path, or that loosens ours;
// nil for none, and if such a rule certainly says just what is wanted.
func (c *compiler) obstacleAt(v *view, url string) *userRule {
	wanted := c.valueAt(url)
	sent, by := v.carryOut(url, wanted.sent(), unreadCount)
	if by == nil {
		return v.findLoosening(url, wanted.sent())
	}
	isAsWanted := c.header.Equal(robotstag.Join(slices.Concat(sent...)), wanted.String())
	if isAsWanted && !by.isUnread {
		return nil
	}
	return by
}

// noteObstacle adds a file, with the value that it is to have, to those that a rule of the owner's
// is in the way for.
func (c *compiler) noteObstacle(rule *userRule, wanted value, file int) {
	line := rule.sends.Line
	if c.obstacles[line] == nil {
		c.obstacles[line] = &obstacle{rule: rule, wanted: wanted}
	}
	o := c.obstacles[line]
	o.files = append(o.files, file)
}

// reportObstacles reports the files whose rule does not count because of a rule of the owner's: one
// error at its line, for all of them, which are Missed. Another header than X-Robots-Tag has no
// obstacles.
func (c *compiler) reportObstacles() {
	result := &c.draft.result
	for line, o := range c.obstacles {
		for _, i := range o.files {
			result.Missed = append(result.Missed, c.wants[i].Path)
		}
		others := ""
		if n := len(o.files) - 1; n > 0 {
			others = fmt.Sprintf(" (and so for %s)", robotstag.Count(n, "other file", "other files"))
		}
		first := c.wants[o.files[0]]
		result.Report("header-found", policy.Error, line, first.URL,
			"%s: the file %s where %q is decided%s", o.reason(c.draft.format), o.rule.outcome(), o.wanted,
			others)
	}
}

// takeOver is what the owner can do with a line that is in the way. It may be the only place that
// states what it restricts.
const takeOver = "(state in the policy what it restricts, and take it out)"

// reason says what an obstacle does to our rules, and what its owner can do.
func (o *obstacle) reason(f *Format) string {
	isSentBeside := o.rule.isApart || o.rule.effect != replaces
	switch {
	case o.rule.isUnread && f.placeRules != nil && !o.rule.overridesOurs():
		return "nobody knows where this rule holds, and neither it nor ours restricts all that the other does " +
			"(have it state all that is decided too)"
	case isSentBeside:
		return "this line is sent beside ours, and they mean less with it " + takeOver
	default:
		return strings.Replace(f.obstacle, "ROUTE", strconv.Quote(o.rule.nameIfOverriding), 1)
	}
}

// outcome says what happens to a file that the rule takes, as the predicate of a sentence about the
// file: `is served with "noindex"`.
func (r *userRule) outcome() string {
	switch isKnown := r.sends.Text != "" && !r.isVague; {
	case r.isUnread && isKnown:
		return fmt.Sprintf("may be served with %q", r.sends.Text)
	case r.isUnread:
		return "may be served otherwise"
	case r.sends.Text == "":
		return "is served without " + robotstag.Name
	default:
		return fmt.Sprintf("is served with %q", r.sends.Text)
	}
}
