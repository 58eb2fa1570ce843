package headers

import (
	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// A selection is the rules that attain the price of a solution, and the files that get none.
type selection struct {
	rules []ourRule
	// toTag are the HTML files that are left to their tags, missed those that get less than they
	// need, by their paths.
	toTag, missed map[string]bool
	// unserved are the items that go without, since their rules would cost more than they may.
	unserved []*placed
	// reasons say why files go without another header than X-Robots-Tag, by their paths.
	reasons map[string]string
	// findings are about items that can have no rule.
	findings []policy.Finding
}

// A writer goes down the solved tree and selects the rules.
type writer struct {
	setting   *setting
	chooser   *chooser
	solution  *solution
	selection *selection
}

// write makes rules of the best choices.
func (s *solution) write() *selection {
	w := writer{s.chooser.setting, s.chooser, s, &selection{toTag: make(map[string]bool),
		missed: make(map[string]bool), reasons: make(map[string]string)}}
	s.solver.work = unlimited
	w.walk(s.root, inForce{}, false)
	for i := range s.items {
		w.settle(&s.items[i])
	}
	return w.selection
}

// walk goes down the folders and takes the best choices, general before specific: a folder before
// those in it, and there its own rule before those for suffixes. isGuessed says that what is in
// force in the folder rests on a reading that Netlify does not document ([folder.isGuessed]).
func (w *writer) walk(f *folder, in inForce, isGuessed bool) {
	chosen := w.solution.solver.solve(f.shape, in).labels
	hasRule := chosen[0] != noRule
	if isGuessed && !hasRule {
		hasRule, isGuessed = w.repeat(f, in)
	} else if hasRule {
		isGuessed = false
	}
	for k, label := range chosen {
		if label == noRule {
			continue
		}
		overrides := in != inForce{}
		if k == 0 {
			in = sameForAll(label)
		} else {
			overrides = in.reach(f.shape.matched[k], label) != reachesNone
			in = in.setFor(label, f.shape.matched[k])
		}
		w.addStarred(f.pathsOf(k, w.solution.suffixes.names[k]), label, overrides)
	}
	f.in, f.isGuessed = in, isGuessed
	f.isGuessedBeside = isGuessed || hasRule && f.mayGuess()
	for _, sub := range f.below {
		w.walk(sub, in, isGuessed || f.isGuessedBeside && f.isBeside(sub.text))
	}
}

// addStarred adds the rules of a folder that state a label. One that overrides others takes away
// first what they set.
func (w *writer) addStarred(paths []string, label label, overrides bool) {
	for _, path := range paths {
		lines := w.chooser.values.labelled(label).linesFor(path)
		detaches := overrides || !w.setting.isUnset || len(lines) == 0
		w.selection.rules = append(w.selection.rules, w.setting.makeRule(path, lines, detaches))
	}
}

// repeat writes the rule that is in force in a folder once more, for that folder, unless nothing
// there wants what it says. It reports whether it did, and whether what is in force still rests on
// a reading that Netlify does not document.
func (w *writer) repeat(f *folder, in inForce) (isRepeated, isGuessed bool) {
	label := in[f.shape.kinds.first()]
	switch {
	case label == noRule || f.shape.wants[label] == 0:
		return false, false
	case len(f.paths) == 0 || in != sameForAll(label):
		return false, true
	}
	w.addStarred(f.paths, label, true)
	return true, false
}

// reachOf returns what our rules with stars do to an item's requests.
func (it *placed) reachOf() reach { return it.in.in.reach(it.kinds, it.label) }

// isGuessed reports whether what these rules say to an item rests on a reading that Netlify does
// not document.
func (it *placed) isGuessed() bool {
	return it.in.isGuessed || it.in.isGuessedBeside && it.in.isBeside(it.item.path)
}

// settle makes the rule for an item's path, if it needs one, or notes that its files go without.
func (w *writer) settle(it *placed) {
	switch reach := it.reachOf(); reach {
	case reachesAll:
		w.settleReached(it)
	case misleads:
		w.addOwnRule(it)
	default:
		w.settleUnreached(it)
	}
}

// settleReached is [writer.settle] for an item to which rules with stars give what it wants. It has a
// rule of its own all the same if Netlify does not document that they do.
func (w *writer) settleReached(it *placed) {
	needsRule := w.chooser.outcomeOf(it.item) == needsOwnRule
	canOverride := it.item.own == overridesOurs && it.item.value.text != ""
	if needsRule && canOverride && it.isGuessed() {
		w.addOwnRule(it)
	}
}

// settleUnreached is [writer.settle] for an item with a request that no rule with a star reaches.
func (w *writer) settleUnreached(it *placed) {
	switch w.chooser.outcomeOf(it.item) {
	case isServed:
	case isLeftToTag:
		w.chooser.eachFile(it.item, func(file *robotstag.Want) {
			w.selection.toTag[file.Path] = true
		})
	case hasObstacle:
		w.miss(it.item)
	case hasLines:
		w.selection.rules = append(w.selection.rules, *it.item.lines)
	case goesWithout:
		w.selection.unserved = append(w.selection.unserved, it)
	case needsOwnRule:
		isTooDear := w.solution.solver.loss < w.setting.costOf(it.item.path)
		if isTooDear {
			w.selection.unserved = append(w.selection.unserved, it)
		} else {
			w.addOwnRule(it)
		}
	}
}

// addOwnRule adds the rule for an item's path.
func (w *writer) addOwnRule(it *placed) {
	w.selection.rules = append(w.selection.rules, w.chooser.makeOwnRule(it))
}

// makeOwnRule makes the rule for an item's path, which takes away what other rules set there.
func (c *chooser) makeOwnRule(it *placed) ourRule {
	isReached := it.item.isReachedByOwner || it.reachOf() != reachesNone
	return c.setting.makeRule(it.item.path, it.item.value.lines, isReached)
}

// eachFile does something for the file of each request of an item.
func (c *chooser) eachFile(it *item, do func(file *robotstag.Want)) {
	for _, r := range it.requests {
		do(&c.wants[r.want])
	}
}

// miss notes that an item can have no rule. A file that has a tag is left to it, with a warning.
func (w *writer) miss(it *item) {
	s := w.selection
	if !w.setting.isFirst {
		w.chooser.eachFile(it, func(file *robotstag.Want) {
			s.reasons[file.Path] = whyLost[it.obstacle.ID]
		})
		return
	}
	severity, detail, without := policy.Error, "", s.missed
	if it.hasTag {
		severity, without = policy.Warning, s.toTag
		detail = "; its meta tag alone carries the policy"
	}
	w.chooser.eachFile(it, func(file *robotstag.Want) {
		without[file.Path] = true
		s.findings = append(s.findings, policy.Finding{ID: it.obstacle.ID, Severity: severity,
			URL: file.URL, Message: it.obstacle.Message, Detail: detail})
	})
}
