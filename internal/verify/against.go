package verify

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"sort"
	"strings"

	"metarobots/internal/project"
	"metarobots/internal/seen"
	"metarobots/internal/site"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// A target is one URL that is asked.
type target struct {
	name    string   // as results name it: the page's URL, or of a rewrite its source
	page    string   // the URL of the page in the snapshot
	address string   // the encoded path from the publish root that is asked
	at      *url.URL // the URL that is asked: the address at its host
	root    root     // where it is served
	// decision is what was decided; nil where it is only to be indexable.
	decision *seen.Told
	// uses are what is decided of the uses by AI, "allow" or "deny" by the name of the use.
	uses map[string]string
	// headers are the lines of other headers that are to be served.
	headers []seen.Header
	// isNotIndexable: a list calls it so. Then decision is nil.
	isNotIndexable bool
	// isAnswered: the decision is what a deployed site answered at this very URL, so that any
	// redirect leads elsewhere.
	isAnswered bool
	// stratum is the same for targets that are alike: a sample takes one of each before it takes a
	// second.
	stratum string
	// refusal is how the edge refuses it to the crawler whose name is borrowed; empty if it does
	// not.
	refusal string
}

// sortByName sorts targets by their names; those of one name keep their order.
func sortByName(targets []target) {
	sort.SliceStable(targets, func(i, j int) bool { return targets[i].name < targets[j].name })
}

// Against asks every URL of a snapshot below o.Base, or at the hosts that the snapshot names.
// Control files and error pages are passed over: nothing was decided of them (L3, L6).
//
// The report is of what is known also where there is an error: [ErrDown], or several joined, a
// [project.InvalidError], or the context's, after an interrupt. With a snapshot or options that are
// wrong nothing is asked.
func Against(ctx context.Context, s *snapshot.Snapshot, o AskOptions) (*Report, error) {
	roots, note, err := rootsOf(s, o.Base)
	r := newRun(o, roots, crawlersIn(s)...)
	r.report.MadeFor, r.report.roots = hostsOf(s), roots
	for _, name := range s.Own {
		r.report.Own = append(r.report.Own, &url.URL{Scheme: "https", Host: name, Path: "/"})
	}
	madeFor, _ := ownRoots(s)       // rootsOf has returned its error
	r.pages.addOwnBases(madeFor...) // URLs there are the site's own, whichever host is asked
	targets, passed, fault := targetsOf(s, roots)
	if !o.Files.ReadsAI { // else the run reads all kinds
		r.aiFiles = s.AIFiles()
	}
	// It asks each host for robots.txt and files about AI; nothing if there is an error already.
	err = r.start(ctx, cmp.Or(err, fault))
	summary := &r.report.Summary
	if note != "" {
		summary.Notes = append(summary.Notes, note)
	}
	r.pages.fill(targets) // so that where answers lead is known as a page of the snapshot
	summary.Environment, summary.Passed = s.Environment, passed
	r.judgeSnapshot(s)
	if err == nil && !o.Files.LeavesRobots { // else the caller compares robots.txt
		r.compareRobots(ctx, roots, targets)
		r.warnBelowRoot(targets) // of hosts whose robots.txt is not the built one
	}
	return r.askAll(ctx, targets, err) // likewise nothing after an error
}

// crawlersIn are the crawlers that the decisions of a snapshot name, the owner's own among them.
func crawlersIn(s *snapshot.Snapshot) (names []string) {
	for i := range s.Entries {
		names = append(names, s.Entries[i].Told.Names()...)
	}
	return names
}

// judgeSnapshot reports a snapshot whose decisions keep the home page or all pages out of the
// index, by which every deployment that is noindex would pass. Redirects, error pages and control
// files count as neither. It also sets whether the run is private: then redirects may be noindex.
func (r *run) judgeSnapshot(s *snapshot.Snapshot) {
	states := map[seen.State]int{}
	home := &seen.Told{}
	for i := range s.Entries {
		decision := &s.Entries[i].Told
		states[decision.State()]++
		if s.Entries[i].URL == "/" {
			home = decision
		}
	}
	r.private = states[seen.Noindex] > 0 && states[seen.Limited]+states[seen.Indexable] == 0
	switch env := s.Environment; {
	case r.private && env != "" && env != "production":
		r.warn("the snapshot is of environment %s, in which nothing is to be indexed: "+
			"it says nothing of a deployment to production", env)
	case r.options.AllowNoindex:
	case r.private:
		r.fail("the snapshot is of production, and everything in it is noindex", allowHint)
	case home.State() == seen.Noindex, home.For("googlebot").NoIndex():
		env = cmp.Or(env, "production") // or one that is to be indexed too
		r.fail("the snapshot is of "+env+", and the home page in it is noindex", allowHint)
	}
}

// allowHint ends a message about what keeps pages out of the index.
const allowHint = ". If this is intended, use --allow-noindex"

// targetsOf are the targets of a snapshot at the roots that [rootsOf] returns for it, sorted by
// name. A page has one for each address at which it is served. The first has the name of the page,
// the others, at the sources of rewrites, that of their address:
//
//	/a/ is served at /a/ and at /old/    targets "/a/", at https://example.org/a/,
//	                                     and "/old/", at https://example.org/old/
//
// passed is how many entries have no target, except those at hosts that are not asked: control
// files, error pages, files without an address of their own, and what no host serves. An entry
// whose URL is no path is an error, except in a snapshot of answers: of those, a URL under another
// scheme than the site's is a whole one, which is passed.
func targetsOf(s *snapshot.Snapshot, roots []root) (targets []target, passed int, err error) {
	for i := range s.Entries {
		e := &s.Entries[i]
		if fault := faultOfPaths(e); fault != nil && !s.Answered {
			return nil, 0, project.Invalid(fault)
		}
		// from is the root of the deepest folder that the URL is in.
		from, isServed := site.Serving(roots, e.URL, func(r root) string { return r.folder })
		isAsked := isServed && from.base != nil // else it is at a host that is not asked, see rootsOf
		switch state := e.Told.State(); {
		case !isServed:
			if isPassedUnserved(e, roots) {
				passed++
			}
		case !isAsked:
		case state == seen.Control || state == seen.ErrorPage: // nothing was decided of it
			passed++
		case len(e.Addresses()) == 0: // another file takes all its addresses
			passed++
		default:
			targets = append(targets, targetsOfEntry(e, from, s.Answered)...)
		}
	}
	sortByName(targets)
	return targets, passed, nil
}

// isPassedUnserved reports whether an entry that is in no folder of the roots counts as passed
// over. It does not if a single host is asked: that is asked for its folder alone, and what is
// elsewhere is none of its business. A whole URL, under another scheme, always counts.
func isPassedUnserved(e *snapshot.Entry, roots []root) bool {
	isWholeURL := !strings.HasPrefix(e.URL, "/")
	return isWholeURL || len(roots) > 1
}

// targetsOfEntry are the targets of one URL of a snapshot, one for each of its addresses, at the
// root that serves them. isAnswered: the snapshot is of answers.
func targetsOfEntry(e *snapshot.Entry, from root, isAnswered bool) (targets []target) {
	for i, at := range e.Addresses() { // first the one that represents the page
		name := e.URL
		if i > 0 {
			name = at
		}
		targets = append(targets, target{name: name, page: e.URL, address: at, at: from.urlOf(at),
			root: from, decision: &e.Told, isAnswered: isAnswered, uses: e.AI, headers: e.Headers,
			stratum: stratumOf(e.Told, e.URL)})
	}
	return targets
}

// faultOfPaths is an error if an entry's URL, or one of its addresses, is no path.
func faultOfPaths(e *snapshot.Entry) error {
	for _, at := range append([]string{e.URL}, e.Addresses()...) {
		if !isPath(at) {
			return fmt.Errorf("the snapshot's %q is not a path from the publish root", at)
		}
	}
	return nil
}

// isPath reports whether a text is an encoded path from the publish root, and nothing else.
func isPath(text string) bool {
	u, err := url.Parse(text)
	return err == nil && strings.HasPrefix(text, "/") && u.Host == "" && u.RawQuery == "" && u.Fragment == ""
}

// isRewrite reports whether the target is the source of a rewrite, where a page is served that has
// another URL.
func (t *target) isRewrite() bool { return t.name != t.page }

// text says how answers of the target are read: at their strictest, or if the decision is what a
// deployed site answered, as that was read ([seen.ToldBy]).
func (t *target) text() policy.Text {
	if t.isAnswered {
		return policy.Audited
	}
	return policy.Found
}

// stratumOf names what a URL is like: what was decided and the first folder it lies in. The home
// page comes first, then those that are noindex.
func stratumOf(d seen.Told, url string) string {
	if url == "/" {
		return ""
	}
	rank := "1"
	if d.State() == seen.Noindex {
		rank = "0"
	}
	section, _, below := strings.Cut(strings.TrimPrefix(url, "/"), "/")
	if !below {
		section = ""
	}
	return rank + "\x00" + d.String() + "\x00" + section
}

// sample chooses targets, and keeps their order. It takes one of each stratum in turn, those that
// are noindex first, so that rare decisions and small sections are seen; within a stratum the seed
// chooses. The same seed gives the same choice, and what is chosen of n is also chosen of n+1.
func sample(targets []target, wanted Sampling) (chosen []target) {
	n := wanted.Most
	if n == 0 || n >= len(targets) {
		return targets
	}
	order := rand.New(rand.NewPCG(wanted.Seed, 0)).Perm(len(targets))
	turns := make([]int, len(targets)) // of each target, how many of its stratum come before it
	taken := map[string]int{}          // by stratum
	for _, i := range order {
		turns[i] = taken[targets[i].stratum]
		taken[targets[i].stratum]++
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(turns[a], turns[b]), cmp.Compare(targets[a].stratum, targets[b].stratum))
	})
	for _, i := range slices.Sorted(slices.Values(order[:n])) {
		chosen = append(chosen, targets[i])
	}
	return chosen
}
