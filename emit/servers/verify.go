package servers

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/policy"
)

// Verify proves a finished file (N3): it reads the file's bytes back, in each way in which the host
// may read them, asks for every served request path of every file, and reports what differs from
// the wants. It shares with [Format.Compile] how an owner's rule is read and at which paths the
// host serves a file, and knows nothing of how our rules are chosen and written.
//
// A file passes with exactly its lines, joined where the host sends fewer, or with the same
// directives where the owner's rules or the environment's bring them. A file without values, or in
// Result.GivenUp or Lost, must get nothing of ours but what the environment states. A file in
// Result.Missed has an error of its own already.
func (f *Format) Verify(res robotstag.Result, demands []robotstag.Demand,
	o robotstag.Task) (all []policy.Finding) {
	for i, demand := range demands {
		isRobots := i == 0
		p, err := f.newProof(res, demand, isRobots, o)
		if err != nil {
			return append(all, mismatchFinding("", "the finished file cannot be read back: %v", err))
		}
		all = append(all, p.faults(res.Findings)...)
		all = append(all, p.wrong()...)
		if isRobots {
			all = append(all, p.wrongHosts(o.Own)...)
			all = append(all, p.wrongRedirect(&o)...)
		}
	}
	return all
}

// newProof reads the finished file for one header. It fails if the host could not read it.
func (f *Format) newProof(res robotstag.Result, demand robotstag.Demand, isRobots bool, o robotstag.Task) (
	*proof, error) {
	model, err := f.read(res.File, demand.Header)
	if err != nil {
		return nil, err
	}
	user, err := f.ReadUser(res.File, demand.Header.Name)
	if err != nil {
		return nil, err
	}
	p := &proof{target: f.host, model: model, header: demand.Header, isRobots: isRobots, wants: demand.Wants,
		base: strings.TrimRight(o.Base, "/"), spared: setOf(res.Lost[demand.Header.Name])}
	if isRobots {
		p.everywhere, p.spared, p.missed = o.Everywhere, setOf(res.GivenUp), setOf(res.Missed)
	}
	p.serveAt(user, f, o.Addresses)
	return p, nil
}

// setOf are the names as a set.
func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// mismatchFinding is the finding that a finished file does not say of a URL what is wanted.
func mismatchFinding(url, format string, args ...any) policy.Finding {
	return policy.Finding{ID: "header-mismatch", Severity: policy.Error, URL: url,
		Message: fmt.Sprintf(format, args...)}
}

// A proof compares what one finished file says of one header with what is wanted of it.
type proof struct {
	target     string // the host, for messages
	model      *hostFile
	header     robotstag.Header
	isRobots   bool // the header is X-Robots-Tag
	wants      []robotstag.Want
	everywhere []string        // what the environment states, if it does
	spared     map[string]bool // the files that go without their values
	missed     map[string]bool // the files that an error is about
	base       string
	// paths are the decoded request paths of a want, owners the want that each path is served for,
	// or disputed, and rivals the wants of each disputed path.
	paths  func(w *robotstag.Want) []string
	owners map[string]int
	rivals map[string][]int
}

// serveAt sets at which request paths the host serves the wants: paths, owners and rivals. user has
// the owner's rules of the finished file, which know how the host finds files.
func (p *proof) serveAt(user *User, f *Format, addresses *address.Site) {
	if addresses != nil {
		addresses = addresses.On(f.host)
	}
	user.serveWants(addresses, p.wants)
	serves := user.serves
	p.paths = func(w *robotstag.Want) []string { return serves.paths(w.Path, w.Source) }
	p.owners, p.rivals = serves.owners(p.base, p.wants, func(i, j int) bool {
		a, b := &p.wants[i], &p.wants[j]
		return slices.Equal(a.Values, b.Values) && a.Free == b.Free &&
			p.isSpared(a) == p.isSpared(b) && p.missed[a.Path] == p.missed[b.Path]
	})
}

// isSpared reports whether a want goes without its values. A file may be left to its tags at its
// own addresses, while what the owner states at the source of a rewrite is not in them.
func (p *proof) isSpared(w *robotstag.Want) bool {
	return p.spared[w.Path] && (!p.isRobots || w.Source == "" || w.HTML || w.Untagged)
}

// faults are what keeps the host from taking the file or using our rules, without what the compiler
// has found at the same line.
func (p *proof) faults(known []policy.Finding) []policy.Finding {
	isKnown := func(fault policy.Finding) bool {
		return slices.ContainsFunc(known, func(f policy.Finding) bool {
			return f.ID == fault.ID && f.Line == fault.Line
		})
	}
	return slices.DeleteFunc(p.model.faults, isKnown)
}

// wrong reports the files that the host would serve with something else than is wanted.
func (p *proof) wrong() (all []policy.Finding) {
	for i := range p.wants {
		w := &p.wants[i]
		if w.Free || p.missed[w.Path] {
			continue
		}
		var paths []string
		for _, path := range p.paths(w) {
			if at := p.base + path; p.owners[at] == i || p.isRival(i, at) {
				paths = append(paths, at)
			}
		}
		if wrong := p.wrongAt(w, paths); wrong != "" {
			all = append(all, mismatchFinding(w.URL, "%s would serve %s", p.target, wrong))
		}
	}
	return all
}

// isRival reports whether a want is one of several at a disputed path, where X-Robots-Tag restricts
// all that each of them does. Of another header nothing of ours is sent there.
func (p *proof) isRival(want int, path string) bool {
	return p.isRobots && p.owners[path] == disputed && slices.Contains(p.rivals[path], want)
}

// wrongAt says at which of some request paths of a file the host would serve what instead, as it
// may read the file; "" for none.
func (p *proof) wrongAt(w *robotstag.Want, paths []string) string {
	for _, r := range p.model.bothWays() {
		comparesDecoded := r.lookUp == nil && r.comparison.spell == nil
		for _, path := range paths {
			if comparesDecoded && p.isMistaken(path) {
				continue
			}
			a := r.answer(path)
			wrong := ""
			if p.owners[path] == disputed {
				wrong = p.wrongForRival(w, a)
			} else {
				wrong = p.wrongAnswer(w, a, r)
			}
			if wrong != "" {
				return path + " " + wrong
			}
		}
	}
	return ""
}

// wrongForRival says what is wrong with the answer at a disputed path for one of the files that may
// be served there; "" for nothing.
func (p *proof) wrongForRival(w *robotstag.Want, a answer) string {
	isExempt := a.isRedirect || p.isSpared(w) || len(w.Values) == 0
	if isExempt || restricts(a, w.Values) {
		return ""
	}
	return fmt.Sprintf("with %q, which does not restrict all that %q does", a.texts(), w.Values)
}

// wrongAnswer says what is wrong with the answer at a path of the file's own; "" for nothing.
func (p *proof) wrongAnswer(w *robotstag.Want, a answer, r *reading) string {
	// A rule behind ours that cannot be read may or may not hold: it has to restrict as much.
	isAsStrict := a.isUnread && !r.firstCounts && !p.isSpared(w) && restricts(a, w.Values)
	switch {
	case isAsStrict, p.passes(a, w, r.mostLines):
		return ""
	case a.isUnread:
		return fmt.Sprintf("with what line %d says, which cannot be read, instead of %q", a.line, w.Values)
	default:
		return fmt.Sprintf("with %q instead of %q", a.texts(), limitLines(w.Values, r.mostLines))
	}
}

// bothWays are the readings, each where the rules that are not read hold, and where they do not.
func (f *hostFile) bothWays() (all []*reading) {
	for _, r := range f.readings {
		all = append(all, r)
		if slices.ContainsFunc(r.rules, func(rule rule) bool { return rule.answer.isUnread }) {
			without := *r
			without.skipsUnread = true
			all = append(all, &without)
		}
	}
	return all
}

// restricts reports whether an answer restricts all that is wanted.
func restricts(a answer, wanted []string) bool {
	return robotstag.Covers(strings.Join(a.texts(), "\n"), strings.Join(wanted, "\n"))
}

// isMistaken reports whether a path, compared as it is, is how another file's path is encoded: a
// host that may compare either cannot tell the two apart. Compile says so.
func (p *proof) isMistaken(path string) bool {
	if !strings.Contains(path, "%") {
		return false
	}
	plain, err := url.PathUnescape(path)
	other, ok := p.owners[plain]
	return err == nil && ok && other != disputed && other != p.owners[path] && !p.wants[other].Free
}

// passes reports whether an answer will do for a want, on a host that sends at most so many lines.
func (p *proof) passes(a answer, w *robotstag.Want, mostLines int) bool {
	lines := a.texts()
	mayBeOurs := !a.isOurs || p.isOfEnvironment(a, mostLines)
	switch {
	case a.isRedirect:
		return true
	case !p.isRobots:
		return p.passesOther(a, w)
	case len(w.Values) == 0, p.isSpared(w):
		return mayBeOurs
	case a.isUnread:
		return false
	case slices.Equal(lines, limitLines(w.Values, mostLines)):
		return true
	case a.isSum:
		return robotstag.Same(listed(lines), listed(w.Values))
	default:
		return mayBeOurs && robotstag.Same(robotstag.Join(a.sent), strings.Join(w.Values, ", "))
	}
}

// isOfEnvironment reports whether an answer is what the environment states, perhaps with lines of
// the owner's behind it.
func (p *proof) isOfEnvironment(a answer, mostLines int) bool {
	lines, n := a.texts(), len(p.everywhere)
	isAll := slices.Equal(lines, limitLines(p.everywhere, mostLines))
	isBegin := a.isSum && len(lines) > n && slices.Equal(lines[:n], p.everywhere)
	return n > 0 && (isAll || isBegin)
}

// passesOther is [proof.passes] of another header than X-Robots-Tag: a file gets its whole value,
// from us or its owner, or nothing of ours (H4).
func (p *proof) passesOther(a answer, w *robotstag.Want) bool {
	goesWithout := len(w.Values) == 0 || p.spared[w.Path]
	if goesWithout && !a.isOurs {
		return true
	}
	text := robotstag.Join(a.sent)
	if !p.header.Join {
		return len(w.Values) > 0 && p.header.Equal(text, strings.Join(w.Values, ", "))
	}
	isMissing := func(value string) bool { return !strings.Contains(", "+text+", ", ", "+value+", ") }
	return len(w.Values) > 0 && !slices.ContainsFunc(w.Values, isMissing)
}

// listed is what lines state together, as one list.
func listed(lines []string) string {
	all := toldByCrawler(lines)
	text := []string{all[""].String()}
	for _, crawler := range slices.Sorted(maps.Keys(all)) {
		if crawler != "" {
			text = append(text, crawler+": "+all[crawler].String())
		}
	}
	return strings.TrimPrefix(strings.Join(text, ", "), ", ")
}
