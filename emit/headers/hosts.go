package headers

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// everyPath are three patterns of Cloudflare's that match every path, each path by exactly one of
// them. They are our rule for the whole site if the owner has a block for /*, since Cloudflare
// would keep only one of two such blocks.
var everyPath = []string{"/", "/:any", "/:any/*"}

// placeEnvironment sets the rules of an environment that restricts every file by some values of the
// header (Everywhere of the task): one for /*, or those of [everyPath] beside the owner's /*.
// [newSetting] calls it last: afterwards the base of each engine is the owner's file with these
// rules. There are none if no environment states anything, or if the owner's /* states it already.
// With an error, which goes to res, there are none either: the value cannot be written, or an
// owner's block of one of the paths is about the header. The values are noindex:
//
//	the owner's blocks                                      the rules
//	none for /*                                             /*
//	/* X-Robots-Tag: noindex                                none: all is stated
//	/* X-Frame-Options: DENY                                /, /:any and /:any/*
//	/* X-Frame-Options: DENY    / X-Robots-Tag: nofollow    none: the block / is in the way
func (s *setting) placeEnvironment(res *robotstag.Result) {
	values := s.task.Everywhere
	if fault := badValues(s.header.Name, values); fault != "" {
		res.Report("header-value", policy.Error, 0, "", "the environment's header: %s", fault)
		return
	}
	if len(values) == 0 || s.isStatedForAll(values) {
		return
	}
	// What the owner's rules say is a part of each file's own decision. So it may be taken away.
	detaches := !s.hasNothingToTakeAway
	var rules []ourRule
	for _, path := range s.pathsForAll() {
		r := s.makeRule(path, values, detaches)
		if r.ownersBlock != nil && r.ownersBlock.isAboutHeader() { // ours would be lines in it
			res.Report("header-found", policy.Error, s.owner.lineInFile(r.ownersBlock.Line), "",
				"the %s of this rule stands in the way of the environment's (remove it: the "+
					"environment covers the site)",
				s.header.Name).Detail = "; every file needs a rule of its own"
			return
		}
		rules = append(rules, r)
	}
	s.environment = rules
	s.readWithEnvironment()
}

// isStatedForAll reports whether the owner's block for /* says what some values do.
func (s *setting) isStatedForAll(values []string) bool {
	block := s.ownersBlocks["/*"]
	return block != nil && s.header.Equal(robotstag.Join(block.values), strings.Join(values, ", "))
}

// pathsForAll returns the paths of our rules for the whole site; exactly one of them matches each
// path. They are /*, or [everyPath] if the owner has a block for /*, since Cloudflare keeps one
// block of a path.
func (s *setting) pathsForAll() []string {
	if s.ownersBlocks["/*"] != nil {
		return everyPath
	}
	return []string{"/*"}
}

// readWithEnvironment reads the owner's file with the rules of the environment, and without ours
// for files: that is what ours come on top of.
func (s *setting) readWithEnvironment() {
	s.hasNothingToTakeAway = false // rules of ours have the environment's to take away
	for _, e := range s.owner.engines {
		e.base = e.dialect.Parse(s.owner.printWith(s.environment), s.header.Name)
	}
	isInBlock := func(r ourRule) bool { return r.ownersBlock != nil }
	if slices.ContainsFunc(s.environment, isInBlock) {
		// Rules of the owner's may come after these lines of ours. On Netlify the name of the header
		// that came in last counts.
		s.spelling = s.owner.spellingOfHeader()
	}
}

// previewHost is an example of the preview hosts of Cloudflare Pages, which carry a noindex of
// their own until a matching rule sets X-Robots-Tag: see [robotstag.XRobotsTag].
const previewHost = "version.project.pages.dev"

// previewPaths match the preview hosts. The second one is for files in which the owner has the
// first.
var previewPaths = []string{
	"https://:version.:project.pages.dev/*", "https://:branch.:project.pages.dev/*",
}

// firstWithoutOwnersBlock returns the first of some paths that no block of the owner's has; "" if
// each is taken.
func (s *setting) firstWithoutOwnersBlock(paths []string) string {
	isFree := func(path string) bool { return s.ownersBlocks[path] == nil }
	if free := slices.IndexFunc(paths, isFree); free >= 0 {
		return paths[free]
	}
	return ""
}

// rulesPreviews reports whether full-URL rules set the header on preview hosts to something that
// leaves the noindex out: that is the owner's word.
func (f *Parsed) rulesPreviews() bool {
	return slices.ContainsFunc(f.Rules, func(r Rule) bool {
		return r.Host != "" && len(r.values) > 0 && hostMatches(r.Host, previewHost) &&
			every(r.values, func(v robotstag.Value) bool { return !genericNoindex(v.Text) })
	})
}

// textForPreviews is what our rule for preview hosts says, which takes everything else away: their
// noindex, and all that the owner's own rules state there, for whatever path and crawler.
func (s *setting) textForPreviews() string {
	noindex := robotstag.Told(s.header.Preview)[""]
	all := noindex
	for _, r := range s.cloudflare.file.Rules {
		if isForPreviews := r.Host == "" || hostMatches(r.Host, previewHost); !isForPreviews {
			continue
		}
		var texts []string
		for _, v := range r.values {
			texts = append(texts, v.Text)
		}
		all = policy.MostRestrictive(all, robotstag.ForEveryone(slices.Values(texts)))
	}
	text := all.String()
	if text != noindex.String() && badValues(s.spelling, []string{text}) == "" {
		return text
	}
	return s.header.Preview
}

// isElsewhere reports whether a rule is for another host than the site's.
func (s *setting) isElsewhere(r *Rule) bool {
	return r.Host != "" && !hostMatches(r.Host, s.task.Host)
}

// placeBlockBeforeHostRules changes where the owner's file takes our block: before the owner's
// rules for other hosts that end the file, so that ours take nothing away from what these say
// there. rules are all of ours; they stay as they are.
func placeBlockBeforeHostRules(settings []*setting, rules []ourRule) {
	robots := settings[0]
	lines := robots.owner.lines
	if robots.cloudflare == nil || robots.isForNetlify || len(robots.task.Everywhere) > 0 {
		return
	}
	first := firstHostLine(settings)
	if first == 0 {
		return
	}
	// The owner's comment before the rule stays with it.
	for first > 1 && strings.HasPrefix(lines.Lines[first-2].Trim(), "#") {
		first--
	}
	isBehind := func(r ourRule) bool { return r.ownersBlock != nil && r.ownersBlock.Line >= first }
	if !slices.ContainsFunc(rules, isBehind) {
		lines.At = first - 1 // our block goes there
	}
}

// firstHostLine returns the line, in the owner's own text, from which on the file has only rules
// that are to stay behind ours: those for other hosts that say something. 0 means that there is
// none. To stay before ours are the rules for the site's own host, and one for another host that
// takes away what ours say, unless it says something instead.
func firstHostLine(settings []*setting) int {
	lastBeforeOurs := 0
	var stating []int // the lines of the rules for other hosts that say something
	for _, s := range settings {
		for _, r := range s.cloudflare.file.Rules {
			if !s.isElsewhere(&r) || r.detaches && !s.saysInstead(&r) {
				lastBeforeOurs = max(lastBeforeOurs, r.Line)
			} else if len(r.values) > 0 {
				stating = append(stating, r.Line)
			}
		}
	}
	end := settings[0].owner.lines.At
	isNotBehind := func(line int) bool { return line <= lastBeforeOurs || line > end }
	stating = slices.DeleteFunc(stating, isNotBehind)
	if len(stating) == 0 {
		return 0
	}
	return slices.Min(stating)
}

// saysInstead reports whether a rule that takes ours away says enough in their place: of
// X-Robots-Tag, noindex.
func (s *setting) saysInstead(r *Rule) bool {
	isEnough := s.header.Preview == "" || genericNoindex(robotstag.Join(r.values))
	return len(r.values) > 0 && isEnough
}

// takesAway reports whether our rules for paths take away what a rule before them sets of the
// header: by "! Name", or because the last value of the header alone counts.
func (s *setting) takesAway(rules []ourRule) bool {
	doesLastCount := !s.header.Join && s.header.Preview == "" // neither a list nor X-Robots-Tag
	return slices.ContainsFunc(rules, func(r ourRule) bool {
		isForPath := r.path[0] == '/' // not for a host
		return r.header == s.header.Name && isForPath && (r.detaches || doesLastCount)
	})
}

// reportHosts reports to res the owner's rules for other hosts, each once: as a warning if rules of
// ours after it take away what it sets, and else as a note if it is about one of the headers. Only
// Cloudflare has such rules. settings are those of the headers, X-Robots-Tag first; all read the
// owner's file, so that a rule has the same number in each. rules are all of ours, and it is known
// where they go in the file ([placeBlockBeforeHostRules]).
func reportHosts(settings []*setting, rules []ourRule, res *robotstag.Result) {
	robots := settings[0]
	if robots.cloudflare == nil { // Netlify knows no rules for hosts
		return
	}
	for number := range robots.cloudflare.file.Rules {
		// A rule for the site's own host is a part of what its files are served with.
		if rule := &robots.cloudflare.file.Rules[number]; robots.isElsewhere(rule) {
			reportHostRule(settings, number, rules, res)
		}
	}
}

// reportHostRule is [reportHosts] for one rule, by its number. Our block alone is asked for its
// place: [placeBlockBeforeHostRules] moves it before a rule only if no line of ours in an owner's
// block is behind that rule.
func reportHostRule(settings []*setting, number int, rules []ourRule, res *robotstag.Result) {
	isAboutHeaders, isTakenAway := false, false
	for _, s := range settings {
		ofHeader := &s.cloudflare.file.Rules[number] // as it is read for this header
		isAboutHeaders = isAboutHeaders || ofHeader.isAboutHeader()
		isTakenAway = isTakenAway || s.takesHostsRule(ofHeader, rules)
	}
	robots := settings[0]
	rule := &robots.cloudflare.file.Rules[number]
	line := robots.owner.lineInFile(rule.Line)         // in the file as it is now
	isBeforeOurs := rule.Line <= robots.owner.lines.At // both count the owner's lines alone
	switch {
	case isTakenAway && isBeforeOurs:
		advice := "move it to the end of the file"
		if robots.isForNetlify { // which would read a rule behind ours as lines of ours
			advice = "with targets = [\"cloudflare\"], ours go before those that end the file"
		}
		res.Report("header-host", policy.Warning, line, "",
			"at the host %s, our rules after it take away what it says of some files: %s",
			rule.Host, advice)
	case isAboutHeaders:
		res.Report("header-host", policy.Note, line, "",
			"a rule for the host %s, which is not the site's own: kept, not counted as found",
			rule.Host)
	}
}

// takesHostsRule reports whether rules of ours take away what a rule for another host says. One for
// a preview host loses nothing: ours for previews says what it says ([setting.textForPreviews]).
func (s *setting) takesHostsRule(r *Rule, ours []ourRule) bool {
	isPreview := s.header.Preview != "" && hostMatches(r.Host, previewHost)
	return len(r.values) > 0 && !isPreview && s.takesAway(ours)
}

// genericNoindex reports whether a text forbids indexing to every crawler.
func genericNoindex(joined string) bool { return robotstag.Told(joined)[""].NoIndex() }
