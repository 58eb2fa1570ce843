package headers

import (
	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// A selection is the rules that attain the price of a solution, and the files that get none.
type selection struct {
	rules []ourRule
	// toTag are the HTML files that are left to their tags, missed those that get less than they
	// need, by their paths. Both are of X-Robots-Tag.
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

// write makes rules of the best choices. What the solver has not solved yet it solves now, however
// much work that takes.
func (s *solution) write() *selection {
	w := writer{s.chooser.setting, s.chooser, s, &selection{toTag: make(map[string]bool),
		missed: make(map[string]bool), reasons: make(map[string]string)}}
	s.solver.work = unlimited
	nothingInForce, isGuessed := state{}, false
	w.writeFolder(s.root, nothingInForce, isGuessed)
	for i := range s.items {
		w.writeItem(&s.items[i])
	}
	return w.selection
}

// writeFolder adds to the selection the rules of a folder and of all folders in it, general before
// specific: a folder before those in it, and there the rule for all of it before those for
// suffixes. around is the state that the rules of the folders around make, for which the solver has
// the best choice. It notes in each folder what is in force there in the end (folder.state), for
// [writer.writeItem].
//
// isGuessed says that the rules around reach the folder by a reading alone that Netlify does not
// document ([folder.isGuessed]): as /v2.1/* reaches /v2.10/. A rule for all of the folder, its own
// or that around it once more, ends that.
func (w *writer) writeFolder(f *folder, around state, isGuessed bool) {
	chosen := w.solution.solver.solve(f.shape, around).labels
	hasRuleForAll := chosen[0] != noRule
	switch {
	case hasRuleForAll:
		isGuessed = false
	case isGuessed:
		hasRuleForAll, isGuessed = w.repeatRuleAround(f, around)
	}
	f.state, f.isGuessed = w.writeChosen(f, chosen, around), isGuessed
	// What is beside the folder, in the node of its name, is another matter: /docs/* reaches
	// /docs.html by a guess.
	f.isGuessedBeside = isGuessed || hasRuleForAll && f.mayGuess()
	for _, sub := range f.subfolders {
		isBeside := f.isBeside(sub.text) // as /docs.d is in the node of the name /docs
		w.writeFolder(sub, f.state, isGuessed || f.isGuessedBeside && isBeside)
	}
}

// writeChosen adds the rules that were chosen for a folder, by their labels: number 0 is that of
// the rule for all of it, number k that of the rule for suffix number k; noRule is for none. It
// returns the state in the folder behind these rules: around is that before them.
func (w *writer) writeChosen(f *folder, chosen [maxSuffixes + 1]label, around state) state {
	inForce := around
	if forAll := chosen[0]; forAll != noRule {
		saysSomething := inForce != state{}
		w.addStarred(f.pathsOf(0, ""), forAll, saysSomething)
		inForce = sameForAll(forAll)
	}
	for k := 1; k < len(chosen); k++ {
		if chosen[k] == noRule {
			continue
		}
		matched := f.shape.matched[k] // the kinds of requests in the folder that the rule matches
		saysSomething := inForce.reach(matched, chosen[k]) != reachesNone
		w.addStarred(f.pathsOf(k, w.solution.suffixes.names[k]), chosen[k], saysSomething)
		inForce = inForce.afterRuleFor(chosen[k], matched)
	}
	return inForce
}

// addStarred adds rules with stars that state a label, one for each of some paths. overrides: a
// rule before them says something of what they match. Then they take away first what that sets, as
// they do if the owner's rules or an environment's set the header, or if the label says nothing.
func (w *writer) addStarred(paths []string, label label, overrides bool) {
	for _, path := range paths {
		lines := w.chooser.values.labelled(label).linesFor(path)
		detaches := overrides || !w.setting.hasNothingToTakeAway || len(lines) == 0
		w.selection.rules = append(w.selection.rules, w.setting.makeRule(path, lines, detaches))
	}
}

// repeatRuleAround writes the rule that is in force in a folder once more, for that folder: then
// Netlify's documentation has it there too. It does not if nothing there wants what the rule says,
// which is no matter then, or if no single rule can say it. isGuessed says that what is in force
// still rests on the undocumented reading.
func (w *writer) repeatRuleAround(f *folder, in state) (isRepeated, isGuessed bool) {
	label := in[f.shape.kinds.first()] // what the rules around say to requests of one kind
	isWanted := label != noRule && f.shape.wants[label] > 0
	canSay := len(f.paths) > 0 && in == sameForAll(label)
	switch {
	case !isWanted:
		return false, false
	case !canSay:
		return false, true
	}
	const overrides = true // the rule around
	w.addStarred(f.paths, label, overrides)
	return true, false
}

// reachOf returns what our rules with stars do to an item's requests.
func (it *placed) reachOf() reach { return it.folder.state.reach(it.kinds, it.label) }

// isGuessed reports whether what these rules say to an item rests on a reading that Netlify does
// not document.
func (it *placed) isGuessed() bool {
	return it.folder.isGuessed || it.folder.isGuessedBeside && it.folder.isBeside(it.item.path)
}

// writeItem makes the rule for an item's path, if it needs one, or notes that its files go without.
// The rules with stars are all written by then.
func (w *writer) writeItem(it *placed) {
	switch reach := it.reachOf(); reach {
	case reachesAll:
		w.writeReached(it)
	case misleads:
		w.addPathRule(it)
	default:
		w.writeUnreached(it)
	}
}

// writeReached is [writer.writeItem] for an item to which rules with stars give what it wants. It
// has a path rule all the same if Netlify does not document that they do.
func (w *writer) writeReached(it *placed) {
	needsRule := w.chooser.outcomeOf(it.item) == needsPathRule && it.item.value.text != ""
	if needsRule && it.item.pathRule == canOverride && it.isGuessed() {
		w.addPathRule(it)
	}
}

// writeUnreached is [writer.writeItem] for an item with a request that no rule with a star reaches.
func (w *writer) writeUnreached(it *placed) {
	switch w.chooser.outcomeOf(it.item) {
	case isServed:
	case isLeftToTag:
		w.chooser.eachFile(it.item, func(file *robotstag.Want) {
			w.selection.toTag[file.Path] = true
		})
	case hasObstacle:
		w.noteObstacle(it.item)
	case hasRuleInBlock:
		w.selection.rules = append(w.selection.rules, *it.item.ruleInBlock)
	case goesWithout:
		w.selection.unserved = append(w.selection.unserved, it)
	case needsPathRule:
		isTooDear := w.solution.solver.loss < w.setting.costOf(it.item.path)
		if isTooDear {
			w.selection.unserved = append(w.selection.unserved, it)
		} else {
			w.addPathRule(it)
		}
	}
}

// addPathRule adds the rule for an item's path.
func (w *writer) addPathRule(it *placed) {
	w.selection.rules = append(w.selection.rules, w.chooser.makePathRule(it))
}

// makePathRule makes the rule for an item's path, which takes away what other rules set there.
func (c *chooser) makePathRule(it *placed) ourRule {
	isReached := it.item.isReachedByOwner || it.reachOf() != reachesNone
	return c.setting.makeRule(it.item.path, it.item.value.lines, isReached)
}

// eachFile does something for the file of each request of an item.
func (c *chooser) eachFile(it *item, do func(file *robotstag.Want)) {
	for _, r := range it.requests {
		do(&c.wants[r.want])
	}
}

// noteObstacle notes that an item needs a rule and can have none. Of X-Robots-Tag, a file that has
// a tag is left to it, with a warning; any other is an error. Of another header it is a reason,
// which [compiler.fitOther] reports for all files together.
func (w *writer) noteObstacle(it *item) {
	s := w.selection
	if !w.setting.isFirst {
		w.chooser.eachFile(it, func(file *robotstag.Want) {
			s.reasons[file.Path] = whyLost[it.obstacle.ID]
		})
		return
	}
	severity, detail, filesWithout := policy.Error, "", s.missed
	if it.hasTag {
		severity, filesWithout = policy.Warning, s.toTag
		detail = "; its meta tag alone carries the policy"
	}
	w.chooser.eachFile(it, func(file *robotstag.Want) {
		filesWithout[file.Path] = true
		s.findings = append(s.findings, policy.Finding{ID: it.obstacle.ID, Severity: severity,
			URL: file.URL, Message: it.obstacle.Message, Detail: detail})
	})
}
