package robotstxt

import (
	"slices"
	"strconv"

	"metarobots/policy"
)

// The further lines of a group are those that are no rules of crawling: Crawl-delay, Clean-param,
// Content-Signal, Content-Usage. Of a key with one value for each crawler the stricter one is
// written.

// furtherLines returns those that our group has for a crawler. If it takes over from the owner's
// group, it repeats the owner's lines too, but none that says nothing to the crawler: of one that
// isShut out, only signals count.
func (m *merger) furtherLines(token string, owner, ours []Line, takesOver, isShut bool) (lines []Line) {
	if takesOver {
		lines = slices.DeleteFunc(slices.Clone(owner), func(l Line) bool {
			return !slices.Contains(knownKeys, l.key) || l.key == crawlDelay && ignoresDelay(token) ||
				isShut && l.vocabulary() == nil
		})
	}
	for _, stated := range ours {
		for _, l := range m.asStrictAs(token, owner, stated) {
			lines = m.addFurther(token, lines, owner, l, stated, takesOver)
		}
	}
	for i, l := range lines {
		lines[i] = newLine(l.name(), l.Value, l.Source)
	}
	return lines
}

// addFurther adds a line to those that our group has so far, unless one of these can say it too, or
// all lines of the owner's group that stay beside ours say it. All have to, because readers differ
// in which of two lines with one key counts. It warns of two values that stay beside each other;
// stated is the line of the policy from which l was made.
func (m *merger) addFurther(token string, lines, owner []Line, l, stated Line, takesOver bool) []Line {
	sameSlot := func(o Line) bool { return o.slot() == l.slot() }
	if i := slices.IndexFunc(lines, sameSlot); i >= 0 {
		lines[i].Value = lines[i].joinedValue(l)
		return lines
	}
	beside := slices.DeleteFunc(slices.Clone(owner), func(o Line) bool { return !sameSlot(o) })
	if takesOver || len(beside) == 0 {
		return append(lines, l)
	}
	if !slices.ContainsFunc(beside, func(o Line) bool { return o.joinedValue(l) != o.Value }) {
		return lines
	}
	if last := beside[len(beside)-1]; l.isSingle() {
		m.reportFor("robotstxt-policy", policy.Warning, last.Number, token, ": the owner's file says %s and the "+
			"policy %s; a crawler may take either", clip(last.String()), clip(stated.String()))
	}
	return append(lines, l)
}

// isSingle reports whether a group has at most one line with the key.
func (l *Line) isSingle() bool { return l.key == crawlDelay || l.key == contentSignal }

// slot is equal for those further lines of a group that can be one.
func (l *Line) slot() string {
	what := l.Value
	if l.isSingle() {
		what = ""
	} else if l.key == contentUsage {
		what, _ = usagePath(l.Value)
	}
	return l.key + ": " + what
}

// joinedValue returns the value of a line that says what another one of its slot says, too; a delay
// must be the shorter one.
func (l Line) joinedValue(other Line) string {
	v := l.vocabulary()
	if v == nil {
		return other.Value
	}
	path, items := usagePath(l.Value)
	_, more := usagePath(other.Value)
	items, _ = v.join(items, more)
	return trim(path + " " + items)
}

// asStrictAs returns a further line of ours for a crawler, made as strict as those of the owner's
// group that the crawler obeys, and what other lines that needs. What of ours gives way is
// reported. A line with another key is no matter.
//
// Of delays the longer one is written. Of Content-Usage, whose line with the longest path counts
// whole for a URL, and of Content-Signal, whose path is always "":
//
//	the owner's          ours                 written in our group
//	train-ai=n           /a/ train-ai=y       /a/ train-ai=n: ours gave way, it would loosen his
//	train-ai=n           /a/ search=n         /a/ search=n, train-ai=n: his denial is repeated
//	/a/ train-ai=y       train-ai=n           train-ai=n, and /a/ train-ai=n for his path
//
// https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/
func (m *merger) asStrictAs(token string, owner []Line, ours Line) (lines []Line) {
	if ours.vocabulary() != nil {
		return m.asStrictSignals(token, owner, ours)
	}
	written := ours
	for _, theirs := range owner {
		if theirs.key != ours.key || theirs.key != crawlDelay {
			continue
		}
		own, _ := strconv.ParseFloat(written.Value, 64)
		their, _ := strconv.ParseFloat(theirs.Value, 64) // what is no number is no delay
		if own < their {
			written.Value = theirs.Value
			m.reportLeftOut(token, ours, theirs)
		}
	}
	return []Line{written}
}

// asStrictSignals is asStrictAs for a line of signals.
func (m *merger) asStrictSignals(token string, owner []Line, ours Line) []Line {
	v := ours.vocabulary()
	path, items := usagePath(ours.Value)
	// The first is ours with what it has to repeat, the others are for paths of the owner's.
	lines := []Line{ours}
	for _, theirs := range owner {
		if theirs.key != ours.key || !mayOverlap(ours.scope(), theirs.scope()) {
			continue
		}
		theirPath, theirItems := usagePath(theirs.Value)
		if len(path) < len(theirPath) { // theirs counts at its path
			if denied, _ := v.join(theirItems, v.restrictions(items)); denied != theirItems {
				lines = append(lines, newLine(ours.Key, theirPath+" "+denied, ours.Source))
			}
			continue
		}
		joined, gaveWay := v.join(items, v.restrictions(theirItems))
		items = joined
		lines[0].Value = trim(path + " " + items)
		if gaveWay {
			m.reportLeftOut(token, ours, theirs)
		}
	}
	return lines
}
