package headers

import (
	"maps"
	"slices"
	"sort"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Compile adds to the owner's _headers file few rules, of the shapes that the package comment
// names, that serve every want with its values. Rules of an earlier run are taken out first, so a
// second run on its own output changes nothing, and with nothing wanted the owner's bytes come
// back. The first demand is for X-Robots-Tag.
//
// It is an error if the owner's file has more rules with wildcards than can be matched within
// limits and anything is wanted, if the target is none that we know, or if X-Robots-Tag needs more
// rules than the host takes ([robotstag.ErrBudget]). Then nothing is to be written.
func Compile(user []byte, demands []robotstag.Demand, task robotstag.Task) (
	res robotstag.Result, err error) {
	defer res.Sort()
	var settings []*setting
	var rules []ourRule      // of all headers so far
	var paid map[string]bool // the blocks that these make; nil tells newSetting of the first header
	for _, d := range demands {
		owner, err := ReadUser(user, d.Header, task)
		isUnknownTarget := owner == nil
		switch {
		case isUnknownTarget || err != nil && len(d.Wants) > 0:
			return res, err
		case len(owner.engines) == 0: // a host without headers
			res.File = owner.lines.Own()
			return res, nil
		}
		c := &compiler{setting: newSetting(owner, task, paid, &res), res: &res}
		if err := c.compile(d.Wants); err != nil {
			return res, err
		}
		settings, rules = append(settings, c.setting), append(rules, c.rules()...)
		paid = newBlocks(rules, nil)
		// Scope and environment are about X-Robots-Tag alone, and so are other hosts.
		task = robotstag.Task{Target: task.Target, Scope: robotstag.ScopeAll, Host: task.Host,
			Addresses: task.Addresses}
	}
	finishFile(settings, user, rules, &res)
	return res, nil
}

// compiler compiles the rules for one header. What hosts combine, they combine for each header by
// itself. So each is compiled by itself, with what is left of the limit, and rules of one path
// become one block.
type compiler struct {
	setting   *setting
	res       *robotstag.Result // of all headers
	chooser   *chooser
	solution  *solution
	selection *selection
}

// compile selects the rules that serve wants, and reports the files that get none.
func (c *compiler) compile(wants []robotstag.Want) error {
	values := newValues(c.setting)
	wants = c.leaveOpening(wants, values)
	c.chooser = &chooser{setting: c.setting, wants: wants, values: values,
		items: gatherItems(c.setting, wants, values), leftToTags: c.setting.task.Left()}
	c.chooseRules()
	if !c.setting.isFirst {
		c.fitOther()
		return nil
	}
	err := c.fitRobots()
	c.res.Findings = append(c.res.Findings, c.selection.findings...)
	c.reportOpening()
	c.res.GivenUp = slices.AppendSeq(c.res.GivenUp, maps.Keys(c.selection.toTag))
	c.res.Missed = slices.AppendSeq(c.res.Missed, maps.Keys(c.selection.missed))
	return err
}

// chooseRules sets the solution and the selection: the fewest rules, of whatever number.
func (c *compiler) chooseRules() {
	c.solution = c.chooser.choose()
	c.selection = c.solution.write()
}

// rules returns our rules for the header: those of an environment, those for files and, for the
// target cloudflare, those for other hosts, or the one that gives previews back the noindex that
// the others take away.
func (c *compiler) rules() []ourRule {
	s := c.setting
	all := slices.Concat(s.environment, c.selection.rules)
	if s.keepsOthersOut() {
		return append(all, s.otherHosts(c.chooser.wants)...)
	}
	if path := s.firstWithoutOwnersBlock(previewPaths); path != "" && c.takesNoindexOfPreviews() {
		// It takes everything else away: after a value for one crawler, a noindex that is merely
		// appended would be read as that crawler's.
		const detaches = true
		all = append(all, s.makeRule(path, []string{s.textForPreviews()}, detaches))
	}
	return all
}

// takesNoindexOfPreviews reports whether our rules for files take the noindex of Cloudflare's
// preview hosts away, and a rule of ours is to give it back: not if an environment states the
// header for every file, if Netlify reads the file (it would misread such a rule), or if the owner
// rules previews.
func (c *compiler) takesNoindexOfPreviews() bool {
	s := c.setting
	return s.header.Preview != "" && !s.isForNetlify && len(s.task.Everywhere) == 0 &&
		len(c.selection.rules) > 0 && !s.cloudflare.file.rulesPreviews()
}

// keepsOut says in findings how previews stay out of the index.
const keepsOut = "(targets = [\"cloudflare\"] keeps them out)"

// leaveOpening leaves HTML to its tags if a header would open previews: it returns the wants, in
// which such a page wants no header. Its tags tell every crawler the same ([robotstag.Want].HTML).
// That is for a file that both hosts read (portable), since a rule for previews cannot be in it,
// and not for the scope all, which [Compile] sets for all headers after X-Robots-Tag. In the scope
// files such pages are left to their tags anyway, and no note says so.
func (c *compiler) leaveOpening(wants []robotstag.Want, values *values) []robotstag.Want {
	s := c.setting
	if s.cloudflare == nil || !s.isForNetlify || s.task.Scope == robotstag.ScopeAll {
		return wants
	}
	wants = slices.Clone(wants)
	pages := 0
	for i := range wants {
		w := &wants[i]
		if !w.HTML || w.Found || w.Free || !values.intern(value{lines: w.Values}).opensPreviews {
			continue
		}
		c.res.GivenUp, w.Values = append(c.res.GivenUp, w.Path), nil
		pages++
	}
	if pages > 0 && s.task.Auto() {
		c.res.Report("header-preview", policy.Note, 0, "", "%s in the tag alone: on Cloudflare "+
			"a header without noindex would open the previews to the index "+keepsOut,
			robotstag.Count(pages, "HTML page has its policy", "HTML pages have their policy"))
	}
	return wants
}

// reportOpening reports the files to which rules of ours give a header that opens previews. The
// target is not asked here: [value].opensPreviews is false unless both hosts read the file.
func (c *compiler) reportOpening() {
	files := make(map[int32]bool)
	for i := range c.solution.items {
		it := &c.solution.items[i]
		outcome := c.chooser.outcomeOf(it.item)
		hasNoRule := outcome == isLeftToTag || outcome == hasObstacle
		// A file without a rule of its own has the header of a rule with a star that reaches it.
		hasNoHeader := hasNoRule && it.reachOf() == reachesNone
		if outcome == isServed || hasNoHeader || !it.item.value.opensPreviews {
			continue
		}
		for _, r := range it.item.requests {
			files[r.want] = true
		}
	}
	if len(files) > 0 {
		c.res.Report("header-preview", policy.Warning, 0, "",
			"%s a header without noindex: on Cloudflare it opens their previews to the index "+
				keepsOut, robotstag.Count(len(files), "file has", "files have"))
	}
}

// finishFile prints the file with all rules of ours into the result and counts them there; Netlify
// gets a warning of too many. It also reports the owner's rules for other hosts. settings are those
// of the headers; given is the file that [Compile] was given.
func finishFile(settings []*setting, given []byte, rules []ourRule, res *robotstag.Result) {
	robots := settings[0]
	sort.SliceStable(rules, func(i, j int) bool { return rules[i].order < rules[j].order })
	placeBlockBeforeHostRules(settings, rules)
	res.File = robots.owner.printWith(rules)
	if isBothEmpty := len(res.File) == 0 && len(given) == 0; isBothEmpty {
		res.File = given // nil stays nil: there is no file, and none is to be made
	}
	reportHosts(settings, rules, res)
	res.Rules = len(newBlocks(rules, nil))
	// Of two dialects the first has the limit.
	dialect := robots.owner.engines[0].dialect
	res.Total = dialect.Parse(res.File, robots.header.Name).Count
	if res.Limit == 0 && res.Total > NetlifyRules {
		res.Report("header-count", policy.Warning, 0, "",
			"%d rules: Netlify's parser gets slow above %d", res.Total, NetlifyRules)
	}
}
