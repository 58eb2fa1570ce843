package plan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/patch"
	"metarobots/emit/robotstxt"
	"metarobots/internal/config"
	"metarobots/internal/headerfile"
	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/state"
	"metarobots/policy"
)

// A RobotsFile is the robots.txt of one host.
type RobotsFile struct {
	Change state.Output
	Host   project.Host
	// File is the site's, and Behind what crawlers read if the host puts a block before it.
	File, Behind *robotstxt.File
	// Missing are errors: what carriers in it were to deny, and do not.
	Missing []policy.Finding
	block   [2]int // the lines around our block; zero for none
}

// Own reports whether a line is not in our block.
func (r *RobotsFile) Own(line int) bool { return line <= r.block[0] || line >= r.block[1] }

// read reads the file that is planned, which its generator made from a file, if that is known.
// block are the lines of our block, with their sources.
func (r *RobotsFile) read(block []robotstxt.Line, from string) {
	text, first := marks.Read(r.Change.New), 0
	r.block = [2]int{text.At, text.Last}
	if len(text.Block) != len(block) {
		block = nil // the block stands there as somebody else left it
	}
	if len(block) > 0 {
		first = text.Block[0].Number
	}
	source := robotstxt.Source{Origin: policy.Origin{File: r.Change.File}, From: from}
	r.File = robotstxt.ParseFrom(r.Change.New, source, block, first)
}

// StatedFor says where a rule of robots.txt that decides about a page is stated, if that is where
// the page's use by AI is: a rule of ours for the crawlers of that use says of each page what the
// page states. ok is false for other rules.
func (pg *Page) StatedFor(rule robotstxt.Source, allows bool) (at policy.Origin, ok bool) {
	states := policy.Denied
	if allows {
		states = policy.Allowed
	}
	u := slices.Index(policy.Purposes, rule.Purpose)
	if u < 0 || pg.Decision.AI[u] != states {
		return at, false
	}
	return pg.Decision.PreferredAt(policy.Use(u)), true
}

// planRobots plans the robots.txt of each host, into which the policy and what is stated of AI are
// merged, and the host's files about AI. It adds them to the plan, and returns findings, and for
// [Maker.uncarried] what these files say of AI, one for each host.
func (mk *Maker) planRobots(s *Plan) (all []policy.Finding, signals []hostSignals) {
	txt := &mk.project.Config.Robots.Txt
	for _, h := range mk.project.Hosts.All {
		r := &RobotsFile{Host: h, Change: mk.project.Output(h.Root + "robots.txt")}
		ai := mk.preferences(s, h)
		wanted, said := txt.Policy.WithPreferences(ai)
		if txt.Write == config.WriteNothing { // so its carriers say nothing
			said = nil
		}
		signals = append(signals, hostSignals{r, h, ai, slices.Concat(said, mk.planAIFiles(s, h, &ai))})
		all = append(all, mk.planRobotsFile(s, r, wanted, said)...)
	}
	return all, signals
}

// planRobotsFile plans one robots.txt, into which the policy wanted is merged, and adds it to the
// plan if there is one or is to be one. said is what the policy says of AI, which the finished file
// has to say too. It returns what is wrong with the file, of its owner's lines too, each finding
// once.
func (mk *Maker) planRobotsFile(s *Plan, r *RobotsFile, wanted *robotstxt.Policy,
	said robotstxt.Said) []policy.Finding {
	own, block, findings, err := mk.mergeIntoFile(r, wanted)
	brokenMarks := headerfile.BrokenMarks(r.Change.File, own)
	if err != nil {
		return append(brokenMarks, r.about(policy.Finding{ID: "robotstxt-place", Severity: policy.Error,
			Message: "it cannot be read: " + project.Reason(err)})...)
	}
	isError := func(f policy.Finding) bool { return f.Severity == policy.Error }
	isAsItWas := slices.ContainsFunc(findings, isError) // nothing is merged, and there is nothing to prove
	r.read(block, mk.pages.File(r.Change.Name).From)
	if !isAsItWas {
		r.Missing = unsaid(r.Change, said.Prove(r.File, nil))
	}
	r.Behind = r.File.Behind(mk.project.Config.Robots.Txt.Managed)
	if r.Change.New != nil {
		findings = append(findings, r.File.Check(mk.placeOf(s, r.Host, wanted))...)
	}
	if r.Change.Old != nil || r.Change.New != nil {
		s.HostFiles.Robots = append(s.HostFiles.Robots, r)
	}
	return append(brokenMarks, r.about(findings...)...)
}

// about places findings in the file, and leaves out those that come a second time.
func (r *RobotsFile) about(findings ...policy.Finding) (all []policy.Finding) {
	for i, f := range findings {
		if !slices.Contains(findings[:i], f) {
			f.URL, f.File = site.URL(r.Change.Name), r.Change.File
			all = append(all, f)
		}
	}
	return all
}

// placeOf is what a check of the robots.txt of a host has to know of the site. wanted is the policy
// that is merged into it.
func (mk *Maker) placeOf(s *Plan, h project.Host, wanted *robotstxt.Policy) robotstxt.Place {
	place := robotstxt.Place{Path: h.Base + "/robots.txt", Noindex: mk.hides,
		Managed: mk.project.Config.Robots.Txt.Managed, Standalone: wanted.Standalone(), ListedNames: wanted.ListedNames(),
		Addresses: func() []string { return s.addressesOf(h) }}
	for _, pg := range s.Pages {
		if file, isServed := h.Serves(pg.File.Name); isServed && pg.File.Role.Policed() {
			place.URLs = append(place.URLs, h.At(file))
		}
	}
	return place
}

// addressesOf are all paths at which a host has an answer for a file with a policy.
func (s *Plan) addressesOf(h project.Host) (all []string) {
	for _, pg := range s.Pages {
		if _, ok := h.Serves(pg.File.Name); ok && pg.File.Role.Policed() {
			for _, at := range s.Addresses(pg) {
				all = append(all, h.Base+at.Path)
			}
		}
	}
	return all
}

// mergeIntoFile reads the robots.txt that is there, and sets the bytes that it gets, with a policy
// merged into it. own are the bytes of its generator, nil for none, and block are the lines of our
// block in the new ones. An error finding says that the file stays as it is; err that it cannot be
// read.
func (mk *Maker) mergeIntoFile(r *RobotsFile, txt *robotstxt.Policy) (own []byte, block []robotstxt.Line,
	all []policy.Finding, err error) {
	c, isReadInPart := &r.Change, false
	if c.Old, isReadInPart, err = mk.project.ReadRobots(c.Path); err != nil {
		return nil, nil, nil, err
	}
	own = mk.project.OwnBytes(mk.from, c)
	_, isGenerated := mk.from.Generated(c.Name, nil) // by a build, so that own is not the file that was read
	wouldLackTheRest := isReadInPart && !isGenerated && mk.project.Config.Robots.Txt.Write != config.WriteReplace
	if wouldLackTheRest {
		c.New = own
		return own, nil, []policy.Finding{{ID: "robotstxt-too-big", Severity: policy.Error, Message: fmt.Sprintf(
			"the file has more than the %d bytes that Google reads: they alone count, and it stays as it is",
			robotstxt.MaxSize)}}, nil
	}
	merged, block, findings := mk.mergeRobots(own, txt)
	if c.New = merged; !isReadInPart { // else nobody has read what would be given back
		c.New, c.Left = state.Edit(nil, own, c.Old, patch.Between(own, merged), c.Stands)
	}
	if !bytes.Equal(c.New, c.Old) {
		findings = append(findings, mk.leftover(own, merged)...)
	}
	return own, block, findings, nil
}

// leftover reports a block of ours that goes, and that no run is known to have left.
func (mk *Maker) leftover(own, merged []byte) []policy.Finding {
	was, is, p := marks.Read(own), marks.Read(merged), mk.project
	sameText := func(a, b marks.Line) bool { return a.Trim() == b.Trim() }
	isAssumed := p.Options.Earlier.AssumeOurs && !p.State.Found
	if was.Last == 0 || slices.EqualFunc(was.Block, is.Block, sameText) {
		return nil
	}
	if isAssumed && p.Config.Robots.Txt.OpensPreviews { // the block may replace rules that were emptied (S5m)
		return []policy.Finding{{ID: "header-block", Severity: policy.Warning, Line: was.Last - len(was.Block) - 1,
			Message: "the record of the run that wrote this block is missing: if that was a preview, it emptied rules above, " +
				"which do not come back; build the site again"}}
	}
	if isAssumed {
		return nil
	}
	return []policy.Finding{{ID: "header-block", Severity: policy.Warning, Line: was.Last - len(was.Block) - 1,
		Message: "no run is known that wrote this block: it goes, with all that it disallows beyond what takes its place " +
			"(lines that are to stay are the site's own outside of the block)"}}
}

// mergeRobots merges a policy into a robots.txt; nil is none. block are the lines of our block. A
// policy with errors does not come here: the configuration refuses it. If nothing is to be written,
// or nothing takes the file's place, our block of an earlier run goes. With previews = "open", a
// preview in which every page is noindex (mk.hides) has the rules emptied that would hide that.
func (mk *Maker) mergeRobots(own []byte, txt *robotstxt.Policy) (merged []byte, block []robotstxt.Line,
	findings []policy.Finding) {
	c, none := &mk.project.Config.Robots.Txt, &robotstxt.Policy{}
	isOpened := c.OpensPreviews && mk.hides && mk.project.Environment.Preview
	switch {
	case c.Write == config.WriteMerge && isOpened:
		merged, block, findings = mergeOpened(own, txt)
	case c.Write == config.WriteMerge:
		merged, block, findings = robotstxt.Merge(own, txt)
	case c.Write == config.WriteReplace && len(txt.Text()) > 0:
		merged, block, findings = robotstxt.Merge(nil, txt)
	case own != nil:
		merged, _, _ = robotstxt.Merge(own, none)
	}
	if own == nil && len(merged) == 0 {
		return nil, nil, findings
	}
	return merged, block, findings
}

// mergeOpened merges a policy into the robots.txt of a preview, in which no rule hides the noindex
// of every page from search engines (S5m). If the policy has an error, the file stays as it is.
func mergeOpened(own []byte, txt *robotstxt.Policy) (merged []byte, block []robotstxt.Line, all []policy.Finding) {
	opening := robotstxt.Open(own, txt.Listed...)
	withAI := *txt
	withAI.Groups = slices.Concat(txt.Groups, opening.Groups)
	merged, block, all = robotstxt.Merge(opening.Text, &withAI)
	hasError := slices.ContainsFunc(all, func(f policy.Finding) bool { return f.Severity == policy.Error })
	if hasError || len(opening.Emptied) == 0 {
		return robotstxt.Merge(own, txt)
	}
	first, others, forAI := opening.Emptied[0], "", ""
	if len(opening.Groups) > 0 {
		forAI = "; crawlers for AI stay blocked"
	}
	if more := len(opening.Emptied) - 1; more > 0 {
		others = fmt.Sprintf(" (and %d more)", more)
	}
	return merged, block, append(all, policy.Finding{ID: "robotstxt-opened", Severity: policy.Note, Line: first.Number,
		Message: fmt.Sprintf("%q%s is lifted in this preview, so that search engines read its noindex%s",
			first.String(), others, forAI)})
}

// RobotsAt returns the robots.txt that counts at an encoded path from the publish root, and the
// path on its host; nil if there is none that crawlers read (S2e), so that they may fetch
// everything there.
func RobotsAt(s *Plan, at string) (robots *RobotsFile, path string) {
	for _, r := range s.HostFiles.Robots {
		isRead := r.Change.New != nil && r.Host.Base == ""
		if below, isThere := strings.CutPrefix(at, "/"+r.Host.Root); isThere && isRead {
			return r, "/" + below
		}
	}
	return nil, ""
}
