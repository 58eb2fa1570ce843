package headerfile

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/patch"
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/hosts"
	"metarobots/internal/mention"
	"metarobots/internal/project"
	"metarobots/internal/state"
	"metarobots/policy"
)

// A Decided is a published file with what is decided on it.
type Decided struct {
	Name, URL string
	Role      policy.Role
	// TakesTags: its bytes can carry robots tags.
	TakesTags bool
	Decision  *policy.Decision
	// Header are the lines that the decision asks for.
	Header []string
	// Stated: the owner's rules state something for it.
	Stated bool
	// Others are the lines of other headers.
	Others []Line
}

// compiler compiles the header files.
type compiler struct {
	files    *Files
	decided  iter.Seq[Decided]
	robots   robotstag.Header  // X-Robots-Tag
	prints   map[string]string // see [compiler.printed]
	findings []policy.Finding
	lost     Losses
}

// An Outcome is what came of compiling the header files, beside their new bytes.
type Outcome struct {
	Findings []policy.Finding
	// Lost are the lines of [Decided.Others] that a host of the site does not serve. A finding says
	// why.
	Lost Losses
}

// Compile plans the new bytes of the files and proves them (N3), by what is decided on each
// published file, which stays as it is.
func (fs *Files) Compile(decided iter.Seq[Decided]) Outcome {
	c := &compiler{files: fs, decided: decided, robots: robotstag.XRobotsTag(),
		prints: map[string]string{}, lost: Losses{}}
	for _, h := range fs.All {
		if h.Former || h.Target == headers.TargetNone {
			if h.Change.New = h.withoutOurs(); !h.Former {
				c.reportHeaderless(h)
			}
		} else {
			h.Overflow = c.planFile(h)
		}
		if f := &h.Change; f.Name != "" {
			f.New, f.Left = state.Edit(nil, h.user, f.Old, patch.Between(h.user, f.New), f.Stands)
		}
		c.reportLeftover(h)
		c.reportOpenHosts(h)
	}
	return Outcome{c.findings, c.lost}
}

// reportLeftover reports rules of ours that go, from a file with a form of its own, if no run is
// known that wrote them: those of a host that is no target any more, or in a published file. What a
// known run left there is in h.user no more ([project.Project.OwnBytes]), so what h.user still has
// of ours is of an unknown run. A file that is not published keeps our rules from run to run, and
// no state remembers that. For _headers see [Files.doubtBlock].
func (c *compiler) reportLeftover(h *File) {
	f, options := &h.Change, &c.files.project.Options
	isAssumedOurs := options.Earlier.AssumeOurs && !c.files.project.State.Found // by --assume-ours
	isKept := !h.Former && f.Name == ""                                         // it is not published
	isUnchanged := bytes.Equal(f.New, f.Old) || bytes.Equal(f.New, h.user)
	if !h.hasOwnForm() || isAssumedOurs || isKept || isUnchanged {
		return
	}
	hasNoneOfOurs := bytes.Equal(h.withoutOurs(), h.user)
	if hasNoneOfOurs {
		return
	}
	before := h.user[:max(0, bytes.Index(h.user, []byte("metarobots")))]
	line := 1 + bytes.Count(before, []byte("\n"))
	goes := "no run is known that wrote this: other rules take its place, and what it restricts " +
		"beyond them goes"
	if h.Former {
		goes = fmt.Sprintf("rules of ours for %s, which robots.headers.targets does not name any "+
			"more, go from this file, with all that they restrict there", h.kind.Name)
	}
	c.report(f.File, policy.Finding{ID: "header-block", Severity: policy.Warning, Line: line,
		Message: goes})
}

// reportOn reports something about a published file.
func (c *compiler) reportOn(d *Decided, id string, severity policy.Severity, message string) {
	c.findings = append(c.findings, policy.Finding{ID: id, Severity: severity, URL: d.URL,
		File: c.files.project.Published(d.Name), Message: message})
}

// servedFiles are the files that a host serves, with their names from its root.
func (c *compiler) servedFiles(h *File) iter.Seq2[string, *Decided] {
	return func(yield func(string, *Decided) bool) {
		for d := range c.decided {
			name, ok := h.Host.Serves(d.Name)
			isRead := name == hosts.HeadersFile || name == "_redirects" || d.Name == h.Change.Name
			if ok && !isRead && !yield(name, &d) {
				return
			}
		}
	}
}

// report adds findings about a header file.
func (c *compiler) report(file string, findings ...policy.Finding) {
	for _, f := range findings {
		f.File = file
		c.findings = append(c.findings, f)
	}
}

// planFile plans a header file. [Files.Compile] calls it for each file that is not Former, if its
// host sends headers. It sets h.Change.New, the new bytes, and in the third and the last case
// h.Reach; in the others it carries nothing of this run. The first case that fits decides:
//
//	there is no file, and no rule is needed      New nil
//	a preview, and the file is committed         New as the bytes are now, with a note
//	the owner's configuration is in its place    New the owner's part, without rules of ours
//	rules for other headers cannot be read       New the owner's part, with an error as a finding
//	any other file                               New with rules of ours: compileRules
//
// The error says that the rules that are needed do not fit the host's limit (N2). Whatever else
// goes wrong is a finding.
func (c *compiler) planFile(h *File) error {
	p := c.files.project
	// What the environment of this run states for every file: noindex in a preview.
	environment := p.Policy.Resolve(slices.Clone(p.Policy.Environment)) // it changes what expires
	// Of X-Robots-Tag. In a preview, the environment's one rule for all files is the task's.
	robotsWants, isRuleNeeded := c.robotsWants(h, environment.NoIndex())
	otherDemands, err := c.otherDemands(h) // for other headers
	task := c.taskFor(h, &environment)
	isRuleNeeded = isRuleNeeded || len(otherDemands) > 0 || keepsOthersOut(&task)
	c.reportDeeper(h, isRuleNeeded)
	isThere := h.user != nil // the owner's file
	switch {
	case !isThere && !isRuleNeeded && err == nil:
		if h.netlify != nil { // which has rules without the file
			c.reportStrays(h)
		}
		return nil
	case environment.NoIndex() && h.kind.Committed: // the host reads it before the build
		c.keepCommitted(h)
		return nil
	case h.instead != nil: // which is no file that we write
		c.leaveToOwner(h, robotsWants, otherDemands)
		h.Reach.IsPlanned = true
		return nil
	case err != nil: // the owner's rules for other headers cannot be read
		return c.leaveUnwritten(h, err)
	}
	robots := robotstag.Demand{Header: c.robots, Wants: robotsWants}
	return c.compileRules(h, append([]robotstag.Demand{robots}, otherDemands...), task)
}

// keepsOthersOut reports whether a task asks for noindex at every host but the site's own (N11).
func keepsOthersOut(task *robotstag.Task) bool { return len(task.Own) > 0 }

// compileRules makes the rules of a header file for all that is demanded, and proves them. It sets
// h.Result, h.Change.New and h.Reach. What the rules cannot do is added to the findings, and that
// they do not hold what they have to is h.Missing. If they cannot be made, it is leaveUnwritten
// that sets New and has the error.
func (c *compiler) compileRules(h *File, demands []robotstag.Demand, task robotstag.Task) (
	err error) {
	h.Result, err = hosts.Compile(h.user, demands, task)
	c.noteLost(h) // the result of an error has lost lines and findings, too
	c.reportCompiled(h)
	if err != nil {
		return c.leaveUnwritten(h, err)
	}
	h.Change.New = h.Result.File
	c.reportOpen(h, demands)
	c.reportStrays(h)
	c.reportOverruled(h)
	h.Missing = h.prove(demands, task)
	h.Reach = Reach{IsPlanned: true, KeepsOthersOut: keepsOthersOut(&task)}
	if hasRulesByName := !h.hasOwnForm(); hasRulesByName && h.Reach.KeepsOthersOut {
		h.Reach.Named = task.Others
	}
	return nil
}

// taskFor is the task of the compiler of a header file, in an environment.
func (c *compiler) taskFor(h *File, environment *policy.Decision) robotstag.Task {
	p, task := c.files.project, h.options()
	if h.kind.Others.ByHost {
		task.Own, task.Others = c.files.own, c.files.others
	}
	if home := p.Home(h.Host); h.kind.Others.ByHost &&
		h.kind.Others.Redirects != hosts.RedirectsNone && home != "" {
		task.Home, task.Others = home, p.RedirectedNames(h.kind, c.files.own)
	}
	task.Scope = p.Config.Robots.Headers.Scope
	if environment.NoIndex() {
		task.Everywhere = environment.Header(p.Policy.Style)
	}
	return task
}

// leaveUnwritten leaves a header file without rules that could not be compiled. If they do not fit,
// it returns that error, and the file stays as it is. If the file cannot be read, nothing is taken
// from it; that is a finding, and no error is returned.
func (c *compiler) leaveUnwritten(h *File, err error) error {
	f := &h.Change
	if errors.Is(err, robotstag.ErrBudget) {
		f.New = f.Old
		if f.Old == nil {
			f.New = h.user // what the site would have without us
		}
		return err
	}
	f.New = h.user
	c.report(f.File, policy.Finding{ID: "header-syntax", Severity: policy.Error,
		Message: err.Error()})
	return nil
}

// prove has the model of the host read the new bytes, and returns an error for each URL that gets
// something else than what is decided (N3).
func (h *File) prove(demands []robotstag.Demand, o robotstag.Task) []policy.Finding {
	result := h.Result
	result.File = h.Change.New
	missing := hosts.Verify(result, demands, o)
	for i := range missing {
		missing[i].File = h.Change.File
	}
	return missing
}

// keepCommitted leaves a file as it is that its host reads before the build: what holds in a
// preview alone cannot be in it.
func (c *compiler) keepCommitted(h *File) {
	message, detail := "it is committed and read before the build, so it says nothing of previews: "+
		"the tags alone keep this one out of the index, and files without a tag are not kept out", ""
	if crawlers := c.untagged(h); crawlers != "" {
		detail = "; nor does it say what is for " + crawlers + " alone, whom no tag reaches"
	}
	c.report(h.Change.File, policy.Finding{ID: "header-committed", Severity: policy.Note,
		Message: message, Detail: detail})
	h.Change.New = h.Change.Old
}

// reportCompiled reports what the compiler of the file says, but nothing of Cloudflare's previews
// if the site is not known to be there.
func (c *compiler) reportCompiled(h *File) {
	for _, said := range h.Result.Findings {
		if said.ID == "header-budget" && said.Severity == policy.Error {
			said = policy.Finding{ID: "header-overflow", Severity: policy.Error,
				Message: said.Message,
				Detail:  said.Detail}
		}
		isAboutPreviews := said.ID == "header-preview" && said.Severity != policy.Error
		if !isAboutPreviews || h.hasOwnForm() || c.isOnCloudflare(h) {
			c.report(h.Change.File, said)
		}
	}
}

// isOnCloudflare reports whether Cloudflare is a likely reader of a header file: its owner names
// the target, or the host is Cloudflare's. Of a portable file that nobody asked for nothing tells
// of that host.
func (c *compiler) isOnCloudflare(h *File) bool {
	return h.Target == headers.TargetCloudflare ||
		slices.Contains(c.files.project.Config.Robots.Headers.Targets, h.Target) ||
		hosts.Lookup(headers.TargetCloudflare).Serves(h.Host.URL.Hostname())
}

// reportDeeper reports files of the host's in folders below, which count for those and go before
// ours. isOurs says that rules of ours are needed.
// https://httpd.apache.org/docs/2.4/howto/htaccess.html#how
func (c *compiler) reportDeeper(h *File, isOurs bool) {
	if !h.kind.Nested {
		return
	}
	p := c.files.project
	for name, d := range c.servedFiles(h) {
		if path.Base(name) != path.Base(h.Change.Name) {
			continue
		}
		data, err := p.Read(p.Path(d.Name), project.MaxConfig)
		if err != nil {
			c.findings = append(c.findings, notRead(p.Published(d.Name), err))
			continue
		}
		if lines := mention.Lookup(d.Name).Lines(data); len(lines) > 0 {
			found := deeper(h, isOurs)
			found.URL, found.Line = d.URL, lines[0]
			c.report(p.Published(d.Name), found)
		}
	}
}

// deeper is the finding about a file in a folder below, without its place.
func deeper(h *File, isOurs bool) policy.Finding {
	if !isOurs {
		return policy.Finding{ID: "header-found", Severity: policy.Warning,
			Message: "it is about X-Robots-Tag, and what it does is not counted as found " +
				"(write it as a rule of the policy instead)"}
	}
	return policy.Finding{ID: "header-found", Severity: policy.Error,
		Message: "it is about X-Robots-Tag and goes before the rules of " + h.Change.File +
			": what is decided for this folder is not what is served (take it out: the " +
			"policy covers the files)"}
}

// reportOverruled reports each line of the owner's from whose addresses our rules take a
// restriction: where the host answers with a page that is published elsewhere, such as the home
// page for want of a file, the page's own decision is served.
func (c *compiler) reportOverruled(h *File) {
	for _, name := range restricting {
		header := headerOf(name)
		u, err := headers.ReadUser(h.user, header, h.options())
		if err != nil || h.hasOwnForm() {
			continue
		}
		sentAt, patterns := h.sentAt(header)
		for _, pattern := range u.Patterns() {
			c.reportOverruledPattern(h, overruling{header, u, sentAt, patterns}, pattern)
		}
	}
}

// overruling is what the owner's rules and the finished file say of one header.
type overruling struct {
	header   robotstag.Header
	owner    *headers.User
	sentAt   func(path string) []robotstag.Sent // what the finished file sends
	patterns []string                           // of the finished file
}

// reportOverruledPattern reports a rule of the owner's, by its pattern, at the first address from
// which our rules take a restriction.
func (c *compiler) reportOverruledPattern(h *File, o overruling, pattern string) {
	for _, path := range h.absent(pattern, o.patterns) {
		was, isTaken := taken(o.header, o.owner.SentAt(path), o.sentAt(path))
		if isTaken && c.reportOverruledLine(h, pattern, was, h.addresses.At(path)) {
			return
		}
	}
}

// taken returns the first answer of a host from which a restriction is missing in the new one.
func taken(header robotstag.Header, before, now []robotstag.Sent) (was robotstag.Sent, is bool) {
	for i := range min(len(before), len(now)) {
		if isSent(before[i]) && !keeps(header, now[i], before[i]) {
			return before[i], true
		}
	}
	return nil, false
}

// absent are request paths that a pattern of the owner's takes and where nothing is published: one
// that it takes alone, and where the host serves something there, one for each pattern of the
// finished file that may take it too. None for a path that is known.
//
//	/old/*  beside /*.html and /old/new/*    /old/~  /old/~.html  /old/new/~
func (h *File) absent(pattern string, others []string) (paths []string) {
	sample := address.Sample(pattern)
	if sample == pattern {
		return nil
	}
	paths = []string{sample}
	if !slices.ContainsFunc(h.addresses.At(sample), isServing) {
		return paths
	}
	for _, other := range others {
		if at := address.Sample(other); at != other {
			paths = append(paths, sample+afterWildcards(other), at+afterWildcards(pattern), at)
		}
	}
	return paths
}

// isServing reports whether the host serves a file at an address.
func isServing(a address.Address) bool { return a.Serves() }

// afterWildcards is the end of a pattern behind its last wildcard.
func afterWildcards(pattern string) string {
	sample := address.Sample(pattern)
	return sample[strings.LastIndexByte(sample, '~')+1:]
}

// keeps reports whether an answer restricts all that another one of the same header does.
func keeps(header robotstag.Header, now, was robotstag.Sent) bool {
	if header.Is(robotstag.Name) {
		return robotstag.Covers(now.String(), was.String())
	}
	return header.Allows(was.String()) || strings.Contains(now.String(), was.String())
}

// reportOverruledLine reports the first value of an answer that our rules take away, if anything is
// served there.
func (c *compiler) reportOverruledLine(h *File, pattern string, was robotstag.Sent,
	at []address.Address) bool {
	served := slices.IndexFunc(at, isServing)
	if served < 0 {
		return false
	}
	line := was[0][0]
	c.report(h.Change.File, policy.Finding{ID: "header-found", Severity: policy.Warning,
		Line: line.Line,
		Message: fmt.Sprintf("%s: %q is for %s, and where the host serves /%s below that for want "+
			"of a file, our rules give it what is decided for that page instead: publish a "+
			"404.html, or restrict the page",
			line.Name, was.String(), pattern, at[served].File)})
	return true
}
