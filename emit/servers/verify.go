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
		model, err := f.read(res.File, demand.Header)
		var user *User
		if err == nil {
			user, err = f.ReadUser(res.File, demand.Header.Name)
		}
		if err != nil {
			return append(all, mismatch("", "the finished file cannot be read back: %v", err))
		}
		p := &proof{target: f.host, model: model, header: demand.Header, wants: demand.Wants,
			base: strings.TrimRight(o.Base, "/")}
		p.serveAt(user, f, o.Addresses)
		lost := res.Lost[demand.Header.Name]
		if i == 0 {
			p.isRobots, p.everywhere = true, o.Everywhere
			lost = res.GivenUp
			p.missed = setOf(res.Missed)
		}
		p.spared = setOf(lost)
		all = append(all, p.faults(res.Findings)...)
		all = append(all, p.wrong()...)
		if p.isRobots {
			all = append(all, p.wrongHosts(o.Own)...)
		}
	}
	return all
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

func mismatch(url, format string, args ...any) policy.Finding {
	return policy.Finding{ID: "header-mismatch", Severity: policy.Error, URL: url,
		Message: fmt.Sprintf(format, args...)}
}

// A proof holds what one file says of one header against what is wanted.
type proof struct {
	target     string
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

// isSpared reports whether a want goes without its values. A file may be left to its tags at its own
// addresses, while what the owner states at the source of a rewrite is not in them.
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
			all = append(all, mismatch(w.URL, "%s would serve %s", p.target, wrong))
		}
	}
	return all
}

// isRival reports whether a want is one of several at a disputed path, where X-Robots-Tag restricts
// all that each of them does. Of another header nothing of ours is sent there.
func (p *proof) isRival(want int, path string) bool {
	return p.isRobots && p.owners[path] == disputed && slices.Contains(p.rivals[path], want)
}

// wrongAt says at which path of a file the host would serve what instead; "" for none.
func (p *proof) wrongAt(w *robotstag.Want, paths []string) string {
	for _, r := range p.model.bothWays() {
		for _, path := range paths {
			if r.lookUp == nil && r.comparison.spell == nil && p.isMistaken(path) {
				continue
			}
			a := r.answer(path)
			switch {
			case p.owners[path] == disputed:
				if !a.isRedirect && !p.isSpared(w) && len(w.Values) > 0 && !restricts(a, w.Values) {
					return fmt.Sprintf("%s with %q, which does not restrict all that %q does", path,
						a.texts(), w.Values)
				}
			case a.isUnread && !r.firstCounts && !p.isSpared(w) && restricts(a, w.Values):
			case p.passes(a, w, r.mostLines):
			case a.isUnread:
				return fmt.Sprintf("%s with what line %d says, which cannot be read, instead of %q", path,
					a.line, w.Values)
			default:
				return fmt.Sprintf("%s with %q instead of %q", path, a.texts(), within(w.Values, r.mostLines))
			}
		}
	}
	return ""
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
func (p *proof) passes(a answer, w *robotstag.Want, most int) bool {
	switch sent := a.texts(); {
	case a.isRedirect:
		return true
	case !p.isRobots:
		return p.passesBeside(a, w)
	case len(w.Values) == 0, p.isSpared(w):
		return !a.isOurs || p.isOfEnvironment(a, most)
	case a.isUnread:
		return false
	case slices.Equal(sent, within(w.Values, most)):
		return true
	case a.isSum:
		return robotstag.Same(listed(sent), listed(w.Values))
	default:
		isWanted := robotstag.Same(robotstag.Join(a.sent), strings.Join(w.Values, ", "))
		return isWanted && (!a.isOurs || p.isOfEnvironment(a, most))
	}
}

// isOfEnvironment reports whether an answer is what the environment states, perhaps with lines of
// the owner's beside it.
func (p *proof) isOfEnvironment(a answer, most int) bool {
	sent, n := a.texts(), len(p.everywhere)
	return n > 0 && slices.Equal(sent, within(p.everywhere, most)) ||
		a.isSum && len(sent) > n && slices.Equal(sent[:n], p.everywhere)
}

// passesBeside is [proof.passes] of another header than X-Robots-Tag: a file gets its whole value,
// from us or its owner, or nothing of ours (H4).
func (p *proof) passesBeside(a answer, w *robotstag.Want) bool {
	text, isWithout := robotstag.Join(a.sent), len(w.Values) == 0 || p.spared[w.Path]
	isWanted := p.header.Equal(text, strings.Join(w.Values, ", "))
	if p.header.Join {
		lacks := func(value string) bool { return !strings.Contains(", "+text+", ", ", "+value+", ") }
		isWanted = !slices.ContainsFunc(w.Values, lacks)
	}
	return isWithout && !a.isOurs || isWanted && len(w.Values) > 0
}

// listed is what lines state together, as one list.
func listed(lines []string) string {
	all := stated(lines)
	text := []string{all[""].String()}
	for _, crawler := range slices.Sorted(maps.Keys(all)) {
		if crawler != "" {
			text = append(text, crawler+": "+all[crawler].String())
		}
	}
	return strings.TrimPrefix(strings.Join(text, ", "), ", ")
}
