package headers

import (
	"bytes"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/policy"
)

// Verify proves a finished _headers file: it asks each dialect of the target what a response
// carries, for every served request path of every file, and reports what differs from the wants. It
// shares with [Compile] how a file is read, and knows nothing of how rules are chosen.
//
// A file passes if it gets exactly its values. It also passes with what says the same, if all of
// that is the owner's own, or if lines of the owner's are sent beside ours, or in an environment
// that states something for every file. A file without values must get nothing of ours, and one in
// Result.GivenUp, Missed or Lost nothing of ours except what an environment states. In an
// environment each file has values or is Free. For the target cloudflare a preview host must keep
// its noindex wherever a rule of ours applies, unless the owner's rules for preview hosts say
// otherwise. At other hosts than the site's own each file must
// be noindex there, a Free one too, if o.Own names these: no other target has rules for hosts.
func Verify(res robotstag.Result, demands []robotstag.Demand, o robotstag.Task) []policy.Finding {
	dialects, _ := Dialects(o.Target) // which the compiler has checked
	owners, ours := hideOurs(res.File)
	v := &verifier{host: o.Host, oursAt: ours}
	for i, demand := range demands {
		isRobots := i == 0
		v.header, v.everywhere = demand.Header, ""
		left := slices.Clone(res.Lost[v.header.Name])
		if isRobots {
			v.everywhere = strings.Join(o.Everywhere, ", ")
			left = slices.Concat(left, res.GivenUp, res.Missed)
		}
		slices.Sort(left)
		for _, d := range dialects {
			v.read(d, res.File, owners, o)
			if isRobots {
				v.verifyLimit()
			}
			v.verifyWants(demand.Wants, left)
			if isRobots && d.adds && len(o.Everywhere) == 0 {
				v.verifyHosts(demand.Wants, o.Own, o.Others)
			}
		}
	}
	return v.out.Findings
}

// read sets what the verifier asks: the file as a dialect reads it for the header, and the owner's
// part of it.
func (v *verifier) read(d *Dialect, file, owners []byte, o robotstag.Task) {
	v.dialect, v.site = d, d.site(o.Addresses)
	v.file, v.owners = d.Parse(file, v.header.Name), d.Parse(owners, v.header.Name)
	v.keepsPreviews = v.header.Preview != "" && o.Target == TargetCloudflare &&
		len(o.Everywhere) == 0 && !v.owners.rulesPreviews()
}

// A verifier asks one dialect about one header at a time.
type verifier struct {
	header       robotstag.Header
	dialect      *Dialect
	site         *address.Site
	file, owners *Parsed      // the whole file, and the owner's part alone
	oursAt       map[int]bool // the lines that are ours
	everywhere   string       // what an environment states for every file; "" for nothing
	host         string       // the site's own
	// keepsPreviews: preview hosts are to keep their noindex.
	keepsPreviews bool
	out           robotstag.Result
}

// verifyLimit reports a file with rules of ours that is longer than the host's limit.
func (v *verifier) verifyLimit() {
	if limit := v.dialect.limit; limit > 0 && v.file.Count > limit && len(v.oursAt) > 0 {
		v.out.Report("header-budget", policy.Error, v.file.Cut, "",
			"%d rules, more than %s's limit of %d", v.file.Count, v.dialect.title, limit)
	}
}

// verifyWants reports the files that would be served with something else than they want. left are
// the paths, sorted, of those that are to go without.
func (v *verifier) verifyWants(wants []robotstag.Want, left []string) {
	for i := range wants {
		w := &wants[i]
		if w.Free {
			continue
		}
		_, goesWithout := slices.BinarySearch(left, w.Path)
		for path := range v.dialect.Requests(v.site, w.Path, w.Source) {
			v.verifyRequest(w, path, goesWithout)
		}
	}
}

// verifyRequest reports a request path of a file that would be served with something else than the
// file wants, in one reading of the rules or the other. goesWithout: the file is to go without.
func (v *verifier) verifyRequest(w *robotstag.Want, path string, goesWithout bool) {
	readings := v.dialect.readings(v.file, v.host, path)
	owners := v.dialect.readings(v.owners, v.host, path)
	wanted := strings.Join(w.Values, ", ")
	if first := robotstag.Join(owners[0]); v.header.Join && wanted != "" && first != "" {
		wanted = first + ", " + wanted
	}
	for i, values := range readings {
		// There is a second reading only if it differs: of the owner's part, the first is then
		// both.
		ownersAlone := robotstag.Join(owners[min(i, len(owners)-1)])
		v.verifyAnswer(&answer{want: w, path: path, goesWithout: goesWithout, values: values,
			ownersAlone: ownersAlone, wanted: wanted})
	}
	if !v.keepsPreviews || !slices.ContainsFunc(readings[0], v.isOurs) {
		return
	}
	got := robotstag.Join(v.dialect.Values(v.file, previewHost, path))
	if !genericNoindex(got) {
		v.out.Report("header-preview", policy.Error, 0, w.URL,
			"a preview host would serve %s with %q, without its noindex", path, got)
	}
}

// answer is what a host answers at a request path of a file, in one reading of the rules.
type answer struct {
	want        *robotstag.Want
	path        string
	goesWithout bool // the file is to go without its values
	values      []robotstag.Value
	ownersAlone string // what the owner's rules alone would give, in that reading
	wanted      string // what is to be sent; "" for nothing of ours
}

// verifyAnswer reports an answer that is not what is wanted, in each way in which the host may send
// it: its values in one line, or in several.
func (v *verifier) verifyAnswer(a *answer) {
	for _, sent := range v.dialect.send(&v.header, a.values) {
		if got := sent.String(); got != a.wanted && !v.isAcceptable(a, got) {
			v.out.Report("header-mismatch", policy.Error, 0, a.want.URL,
				"%s would serve %s with %q instead of %q", v.dialect.Name(), a.path, got, a.wanted)
		}
	}
}

// isOurs reports whether a line that is sent is one of ours.
func (v *verifier) isOurs(value robotstag.Value) bool { return v.oursAt[value.Line] }

// isAcceptable reports whether an answer will do although it is not the wanted text itself, which
// the caller has compared. got is the answer's values as the host sends them in one way. Ours are
// lines of rules for files and, if an environment states something for every file, of its rule.
// These answers will do:
//
//	what the file wants      what is sent
//	nothing of ours          the owner's lines alone, just as without our rules
//	noindex                  NoIndex of the owner's, or anyone's in an environment: it says the same
//	noindex                  other words of the owner's, known to say it at each path (want.Found)
//	noindex                  noindex of ours, and beside it a line of the owner's that says no more
//	noindex, goes without    the owner's lines alone, or what the environment states
func (v *verifier) isAcceptable(a *answer, got string) bool {
	var ours, theirs []robotstag.Value
	for _, value := range a.values {
		if v.isOurs(value) {
			ours = append(ours, value)
		} else {
			theirs = append(theirs, value)
		}
	}
	// No line of ours is sent, and none has taken away or replaced one of the owner's.
	isUntouched := ours == nil && robotstag.Join(a.values) == a.ownersAlone
	saysTheSame := v.header.Equal(got, a.wanted)
	hasEnvironment := v.everywhere != ""
	switch {
	case a.wanted == "": // of no file in an environment, whose rule is for all that are not Free
		return isUntouched
	case ours != nil && !hasEnvironment:
		// Ours alone are to be just the text. With lines of the owner's beside them they cannot be.
		return saysTheSame && len(theirs) > 0
	case saysTheSame:
		return true
	case isUntouched:
		isFound := a.want.Found && a.ownersAlone != ""
		return isFound || a.goesWithout
	}
	// What is left of a file that goes without is the environment's rule, perhaps with the owner's
	// lines.
	statesEnvironment := v.header.Equal(got, v.everywhere) || robotstag.Join(ours) == v.everywhere
	return a.goesWithout && hasEnvironment && statesEnvironment
}

// verifyHosts reports rules of ours for other hosts that hold at one of the site's own. It also
// reports files that another host would serve without noindex, or without what the rules for their
// path say. own are all hosts of the site's own, without which there is nothing to compare; told
// are other hosts that the owner's files tell.
func (v *verifier) verifyHosts(wants []robotstag.Want, own, told []string) {
	if len(own) == 0 {
		return
	}
	v.verifyOwnHosts(own)
	others := v.otherHosts(own, told)
	for i := range wants {
		for path := range v.dialect.Requests(v.site, wants[i].Path, wants[i].Source) {
			for _, host := range others {
				v.verifyElsewhere(host, path, wants[i].URL)
			}
		}
	}
}

// verifyOwnHosts reports rules of ours for other hosts that hold at one of the site's own.
func (v *verifier) verifyOwnHosts(own []string) {
	for _, r := range v.file.Rules {
		isForHosts := r.Host != "" && v.oursAt[r.Line]
		for _, host := range own {
			if isForHosts && hostMatches(r.Host, host) {
				v.out.Report("header-mismatch", policy.Error, r.Line, "",
					"a rule for other hosts would hold at %s, which is the site's own", host)
			}
		}
	}
}

// otherHosts are hosts at which a site is served and that are not its own: examples of Cloudflare's
// names for a site, and those that the owner's files tell, except those that no rule tells from one
// of the site's own.
func (v *verifier) otherHosts(own, told []string) (others []otherHost) {
	examples := []string{"p-1.pages.dev", "a1b2c3d4.p-1.pages.dev", "w.a-2.workers.dev"}
	for i, name := range slices.Concat(examples, told) {
		// A rule has the whole name of a host from the owner's files, and of Cloudflare's own the
		// form alone.
		isCloudflares := strings.HasSuffix(name, ".pages.dev") ||
			strings.HasSuffix(name, ".workers.dev")
		isByForm := i < len(examples) || isCloudflares
		isLike := func(own string) bool { return own == name || isByForm && isOfForm(own, name) }
		if slices.ContainsFunc(own, isLike) {
			continue
		}
		isFor := func(r Rule) bool { return r.Host != "" && hostMatches(r.Host, name) }
		others = append(others, otherHost{name: name,
			hasOwnersRules: slices.ContainsFunc(v.owners.Rules, isFor),
			passed:         map[[2]string]bool{}})
	}
	return others
}

// otherHost is a host that is not the site's own.
type otherHost struct {
	name string
	// hasOwnersRules: the owner has rules for it, which say what is to be sent there.
	hasOwnersRules bool
	// passed are pairs that were found right: what the rules for a path say, and the answer there.
	passed map[[2]string]bool
}

// isOfForm reports whether a host has as many labels as another, and its domain.
func isOfForm(host, other string) bool {
	labels, others := strings.Split(host, "."), strings.Split(other, ".")
	return len(labels) == len(others) &&
		slices.Equal(labels[len(labels)-2:], others[len(others)-2:])
}

// verifyElsewhere reports a request at another host that would be served without noindex. Unless
// the owner has rules for that host, it also has to be served with what the rules for its path say.
func (v *verifier) verifyElsewhere(host otherHost, path, url string) {
	const noHost = ""
	stated := v.dialect.send(&v.header, v.dialect.Values(v.file, noHost, path))[0].String()
	for _, sent := range v.dialect.send(&v.header, v.dialect.Values(v.file, host.name, path)) {
		got := sent.String()
		if host.passed[[2]string{stated, got}] {
			continue
		}
		isKeptOut := robotstag.Told(got)[""].NoIndex()
		if !isKeptOut || !host.hasOwnersRules && !robotstag.Covers(got, stated) {
			v.out.Report("header-mismatch", policy.Error, 0, url,
				"%s would serve %s at %s with %q, which is to be noindex there",
				v.dialect.Name(), path, host.name, got)
			return
		}
		host.passed[[2]string{stated, got}] = true
	}
}

// hideOurs returns the file with our lines turned into comments, so that lines keep their
// numbers: as it is for the owner alone. oursAt has the numbers of the lines that were ours.
func hideOurs(file []byte) (owners []byte, oursAt map[int]bool) {
	lines := bytes.Split(slices.Clone(file), []byte("\n"))
	theirs, oursAt := make(map[int]bool), make(map[int]bool)
	for _, l := range readUser(file).lines.Lines {
		theirs[l.Number] = true
	}
	for i := range lines {
		if len(lines[i]) > 0 && !theirs[i+1] {
			oursAt[i+1], lines[i] = true, []byte("#")
		}
	}
	return bytes.Join(lines, []byte("\n")), oursAt
}
