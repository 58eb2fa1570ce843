package headers

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// A setting is what the rules for one header depend on beside the files of the site: the header,
// the task, and the owner's file as each host of the target reads it. [newSetting] makes it, and
// later stages only read it.
type setting struct {
	header robotstag.Header
	task   robotstag.Task
	owner  *User
	// isFirst: the header is X-Robots-Tag. HTML may be left to its tags then, and rules that do not
	// fit are an error. Of any other header, files that do not fit go without.
	isFirst bool

	// cloudflare is Cloudflare's reading of the owner's file; nil if the file is for Netlify alone.
	// Its limits and its merging of blocks apply.
	cloudflare *engine
	// isForNetlify: Netlify reads the file, alone or also.
	isForNetlify bool
	// ownersBlocks are the owner's blocks by their paths, as Cloudflare keeps them: one of each
	// path. There are none if the file is for Netlify alone, which keeps all.
	ownersBlocks map[string]*Rule
	// environment are the rules of an environment that restricts every file, if any.
	environment []ourRule
	// hasNothingToTakeAway: no rule of the owner's and none of an environment's sets the header, so
	// that ours need not detach.
	hasNothingToTakeAway bool
	// spelling is how our rules write the name of the header.
	spelling string
	// paid are the paths of the blocks that our rules for earlier headers make. A rule costs
	// nothing there, since both go into one block.
	paid map[string]bool
}

// newSetting reads the owner's file for a header, and places the rules of an environment. paid are
// the blocks of earlier headers; nil for the first one. Findings about the file go to res.
func newSetting(owner *User, task robotstag.Task, paid map[string]bool,
	res *robotstag.Result) *setting {
	s := &setting{header: owner.header, task: task, owner: owner, isFirst: paid == nil, paid: paid,
		hasNothingToTakeAway: true}
	for _, e := range owner.engines {
		if e.dialect == Cloudflare {
			s.cloudflare, s.ownersBlocks = e, make(map[string]*Rule)
		} else {
			s.isForNetlify = true
		}
		for _, f := range e.file.Findings {
			res.Report(f.ID, f.Severity, owner.lineInFile(f.Line), "", "%s", f.Text())
		}
		for i := range e.file.Rules {
			r := &e.file.Rules[i]
			if e == s.cloudflare {
				s.ownersBlocks[r.Path] = r
			}
			s.hasNothingToTakeAway = s.hasNothingToTakeAway && len(r.values) == 0
		}
	}
	s.spelling = owner.spellingOfHeader()
	s.placeEnvironment(res)
	return s
}

// makeRule makes a rule of ours: a block of its own, or lines in the owner's block of that path.
// One that detaches takes away what earlier rules set, if Cloudflare reads the file: Netlify knows
// no such line, and lets the last rule win.
func (s *setting) makeRule(path string, values []string, detaches bool) ourRule {
	r := ourRule{path: path, ownersBlock: s.ownersBlocks[path], header: s.header.Name,
		spelling: s.spelling, values: values, detaches: detaches && s.cloudflare != nil,
		order: s.orderOf(path)}
	if b := r.ownersBlock; b != nil && len(b.values) > 0 {
		r.spelling = b.values[len(b.values)-1].Name
	}
	return r
}

// orderOf returns the key by which our rules are sorted in the file, because a later one overrides
// an earlier one: first those of [everyPath], then those with stars by their folders, general
// before specific, then those for one path, then those for other hosts, previews among them. The
// keys of /docs/*, /docs/*.pdf and /docs/a/* are in this order, as are those of /docs* and /docs/*.
func (s *setting) orderOf(path string) string {
	text, suffix, hasStar := strings.Cut(path, "*")
	switch {
	case strings.HasPrefix(path, "https:"):
		return "4"
	case slices.Contains(everyPath[1:], path): // "/" is sorted as a rule for one path, which it may be
		return "1"
	case !hasStar:
		return "3" + path
	case s.isForNetlify:
		text = strings.ToLower(text)
	}
	return "2" + strings.ReplaceAll(text, "/", "\x01") + "\x00" + suffix
}

// costOf is the price of a rule for a path.
func (s *setting) costOf(path string) price {
	if s.paid[path] {
		return 0
	}
	return one
}

// canName reports whether a rule that spells out a path means it alone, on every host: it has no
// wildcard, and no host reads it as another path.
func (s *setting) canName(path string) bool {
	return every(s.owner.engines, func(e *engine) bool { return e.dialect.canName(path) })
}

// canStar reports whether we can write a rule for a text and what follows it. The text is how paths
// begin, which every host has to take literally, and the end has a star: /docs/ and *.pdf. The
// owner must have no block of that path.
func (s *setting) canStar(text, end string) bool {
	path := text + end
	literal, _, _ := strings.Cut(path, "*")
	readsLiterally := func(e *engine) bool {
		r, err := e.dialect.ReadRule(path)
		return err == nil && len(path) <= CloudflareLine && r.head == e.dialect.key(literal)
	}
	isTaken := s.ownersBlocks[path] != nil
	return !isTaken && (isPlain(text) || every(s.owner.engines, readsLiterally))
}

// opensPreviews reports whether a rule that says a text, in a file for both hosts, would open
// Cloudflare's previews to the index: it tells no crawler noindex, and takes the place of the
// noindex that a preview has of its own. For the target cloudflare a rule for preview hosts mends
// that. Netlify would misread such a rule, so that a file for both hosts has none (N6). "" opens
// nothing.
func (s *setting) opensPreviews(text string) bool {
	if !s.isForNetlify || s.cloudflare == nil || s.header.Preview == "" || text == "" {
		return false
	}
	for _, told := range robotstag.Told(text) {
		if policy.Directives.NoIndex(told) {
			return false
		}
	}
	return true
}

// isMisread reports whether a value is meant to restrict more than it tells crawlers.
func (s *setting) isMisread(value string) bool { return s.isFirst && robotstag.IsMisread(value) }
