package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/printable"
	"metarobots/internal/project"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// ErrNoHost is matched by the [project.InvalidError] where no base is given and the snapshot names
// none.
var ErrNoHost = errors.New("the snapshot names no host")

// A server is a host that is asked.
type server struct {
	base *url.URL // of the first root that is served by it
	down error    // why it cannot be reached; nil if it can
	shut string   // why its robots.txt cannot be read, so that crawlers fetch nothing; empty if it can or is missing
	// files is what its robots.txt and its files about AI say.
	files seen.Host
	// robots is what it answered for robots.txt.
	robots robotsTxt
	// isRobotsCompared: its robots.txt was compared with the built one, so the report knows if it
	// is none.
	isRobotsCompared bool
	// isRobotsBlamed: an error says what its robots.txt newly denies, so that no second one is
	// about the pages.
	isRobotsBlamed bool
	refusals       refusals // to a crawler whose name is borrowed
	missed         int      // how many requests in a row were not served
	gone           error    // that they were too many, so that it is asked no more; nil as long as it is asked
}

// ErrDown is matched by an error about a host that cannot be reached at all.
var ErrDown = errors.New("the host cannot be reached")

// A root is where a folder of the publish root is served.
type root struct {
	folder string    // as URLs name it: "/", or "/de/" of one host among several
	base   *url.URL  // nil where that is another host than those asked
	files  seen.Host // what the files of that host should say, by the snapshot
	// robots is what its robots.txt should say, with the block that the site's host puts before it.
	robots *robotstxt.File
	// knowsRobots: the snapshot knows what robots.txt should say there.
	knowsRobots bool
	server      *server
}

// rootsOf are where the URLs of a snapshot are requested: at its hosts, or below base if there is
// one. Of several hosts only the one of base is used. If base is none of them, such as a preview's,
// the whole publish root is assumed to be served there. note says what may surprise an owner, in
// one line.
//
//	snapshot's hosts      base         requested
//	none                  none         nothing: an error
//	one or several        none         each folder at its host
//	none                  x.example    all below x.example
//	/ de.example          de.example   all below de.example
//	/ de.example          x.example    all below x.example, with a note
//	/de/ de.example       de.example   /de/ below de.example
//	/de/ de.example       x.example    /de/ below x.example, with a note
//	/de/ de.example, …    de.example   /de/ below de.example, with a note
//	/de/ de.example, …    x.example    all below x.example, with a note
//
// If several folders are at the host of base, the one at its path counts: /de/ at example.org/de/.
// If none is at that path, all is requested below base, as if its host were another.
//
// Of several hosts, the folders of those that are not asked stay in the list, without a base, so
// that nobody requests the URLs of /de/at/ here if only /de/ is. base is nil if the caller names
// none. note is empty if nothing may surprise. An error is a [project.InvalidError].
func rootsOf(s *snapshot.Snapshot, base *url.URL) (roots []root, note string, err error) {
	roots, err = ownRoots(s)
	switch {
	case err != nil:
		return nil, "", err
	case base == nil && len(roots) == 0:
		return nil, "", project.Invalid(fmt.Errorf("%w: give its BASE-URL", ErrNoHost))
	case base == nil:
		return roots, "", nil
	case len(roots) == 0:
		return allBelow(s, base), "", nil
	}
	madeFor := "the snapshot was made for " + basesOf(roots)
	atHost, atHostAndPath := foldersAt(roots, base)
	if len(roots) == 1 {
		if isItsBase := len(atHostAndPath) == 1; !isItsBase {
			note = madeFor
		}
		roots[0].base = base
		return roots, note, nil
	}
	meant := atHost // the folders that base may be meant for
	if len(atHostAndPath) == 1 {
		meant = atHostAndPath
	}
	if len(meant) != 1 { // base is none of the hosts, or nothing says which folder is meant
		return allBelow(s, base), madeFor + ": all of its URLs are requested below one base here", nil
	}
	askOnly(meant[0], base, roots)
	return roots, fmt.Sprintf("%s: only the URLs of %s are requested here", madeFor, meant[0]), nil
}

// allBelow is the whole publish root of a snapshot at a base.
func allBelow(s *snapshot.Snapshot, base *url.URL) []root { return []root{rootOf(s, "/", base)} }

// askOnly sets the base of one folder's root, and takes those of the others, so that they are not
// asked.
func askOnly(folder string, base *url.URL, roots []root) {
	for i := range roots {
		roots[i].base = nil
		if roots[i].folder == folder {
			roots[i].base = base
		}
	}
}

// ownRoots are the folders of a snapshot, in order, each at the host that the snapshot names for
// it. A host that is no URL, or a folder that is none, is an error.
func ownRoots(s *snapshot.Snapshot) (list []root, err error) {
	for _, folder := range slices.Sorted(maps.Keys(s.Hosts)) {
		base, _, err := ParseBase(s.Hosts[folder])
		switch {
		case err != nil:
			return nil, project.Invalid(fmt.Errorf("the snapshot's host of %s: %w", folder, err))
		case !strings.HasPrefix(folder, "/") || !strings.HasSuffix(folder, "/"):
			return nil, project.Invalid(fmt.Errorf("the snapshot's hosts: %q is not a folder of the publish root", folder))
		}
		list = append(list, rootOf(s, folder, base))
	}
	return list, nil
}

// rootOf is a folder of a snapshot at a base, with what the snapshot says of the host's files.
func rootOf(s *snapshot.Snapshot, folder string, base *url.URL) root {
	files := s.Host(folder)
	return root{folder: folder, base: base, files: files, robots: files.Robots.Behind(s.Managed),
		knowsRobots: s.KnowsRobots(folder)}
}

// foldersAt are the folders of roots at the host of a base, and those of them at its path too.
func foldersAt(roots []root, base *url.URL) (atHost, atHostAndPath []string) {
	for _, r := range roots {
		if !sameHost(r.base, base) {
			continue
		}
		atHost = append(atHost, r.folder)
		if r.base.EscapedPath() == base.EscapedPath() {
			atHostAndPath = append(atHostAndPath, r.folder)
		}
	}
	return atHost, atHostAndPath
}

// basesOf lists the bases of roots for a sentence.
func basesOf(roots []root) string {
	var bases []string
	for _, r := range roots {
		bases = append(bases, r.base.String())
	}
	return printable.JoinAnd(bases)
}

// hostsOf are the base URLs of the hosts that a snapshot was made for, without those that are none.
func hostsOf(s *snapshot.Snapshot) (bases []*url.URL) {
	for _, folder := range slices.Sorted(maps.Keys(s.Hosts)) {
		if u, _, err := ParseBase(s.Hosts[folder]); err == nil {
			bases = append(bases, u)
		}
	}
	return bases
}

// comparesRobots reports whether the host's robots.txt is the built one, and the snapshot knows
// what that says.
func (r *root) comparesRobots() bool {
	return r.knowsRobots && r.base != nil && r.base.EscapedPath() == "/"
}

// served is what the files beside the pages say at the root's host, for URLs of its folder.
func (r *root) served() seen.Host {
	h := r.server.files
	h.Folder, h.Root, h.Shut = r.folder, strings.TrimSuffix(r.base.EscapedPath(), "/"), r.server.shut
	return h
}

// urlOf is the URL at which a path of the snapshot is requested. Its encoding stays, letter by
// letter.
func (r root) urlOf(path string) *url.URL {
	below := strings.TrimSuffix(r.base.EscapedPath(), "/") + "/" + strings.TrimPrefix(path, r.folder)
	u, _ := url.Parse(r.base.Scheme + "://" + r.base.Host + below)
	return u
}

// hostOf names the host of a URL, the same for what [sameHost] takes for one; empty where there is
// none.
func hostOf(u *url.URL) string {
	name, err := asciiHost(u.Hostname())
	if err != nil || name == "" {
		return ""
	}
	port := u.Port()
	if port == "80" && u.Scheme == "http" || port == "443" && u.Scheme == "https" {
		port = ""
	}
	return name + ":" + port
}

// sameHost reports whether two URLs are of one host. The usual ports of http and https are one:
// what answers on both is taken for one site.
func sameHost(a, b *url.URL) bool { return hostOf(a) != "" && hostOf(a) == hostOf(b) }

// onHostOf reports of URLs whether they are on the host of another one.
func onHostOf(from *url.URL) func(to *url.URL) bool {
	return func(to *url.URL) bool { return sameHost(to, from) }
}

// maxFileHops is how many redirects are followed to a robots.txt or a sitemap. A file behind more
// of them counts as missing.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.2
const maxFileHops = 5

// getFile gets a file, at most so many bytes of it, and follows redirects to it on its host. As
// with [follow], an answer with an error is a redirect that leads to nothing.
func (f *fetcher) getFile(ctx context.Context, s *server, at *url.URL, most int64) (*response, error) {
	rule := redirectRule{most: maxFileHops, mayFollow: onHostOf(at)}
	return follow(at, rule, func(path []*url.URL) (*response, error) {
		return f.getForAnyName(ctx, s, path[len(path)-1], upTo(most))
	})
}

// readFiles reads the robots.txt of a host, which also shows whether the host answers, and the
// files about AI that are expected. It sets s.robots, s.files, and s.down or s.shut if something is
// wrong. The error is the context's, or that of an address that may not be requested, for which
// s.down is set too. By what comes of asking for robots.txt:
//
//	no answer                       s.down, or s.shut if the base answers
//	redirects that lead nowhere     none is read: it counts as missing
//	status 2xx                      its rules are in s.files
//	status 5xx and 429              s.shut
//	any other status, such as 404   it is missing, and nothing is wrong
//
// What is worth a word of a missing one, the comparison says, or [run.warnOfRobots].
// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1
func (r *run) readFiles(ctx context.Context, s *server) error {
	host := &url.URL{Scheme: s.base.Scheme, Host: s.base.Host}
	s.robots = r.fetcher.getRobotsTxt(ctx, s, host.JoinPath("/robots.txt"))
	// Behind redirects. Both are set if these lead to nothing.
	answer, err := s.robots.got, s.robots.err
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case answer == nil:
		if fault := r.judgeWithoutRobots(ctx, s, err); fault != nil {
			return fault
		}
	case err != nil:
	case answer.status/100 == 2:
		s.files.Robots = s.robots.file()
	case answer.status >= 500, answer.status == http.StatusTooManyRequests:
		// Google takes 429 for an error of the server.
		// https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec#http-status-codes
		s.shut = fmt.Sprintf("robots.txt answers %d", answer.status)
		if isChallenge(answer.header) {
			s.shut += fmt.Sprintf(", a challenge to this client (%s)", mitigated)
		}
	}
	if isDown := s.down != nil; isDown { // no other file is asked for
		return ctx.Err()
	}
	return r.readAIFiles(ctx, s)
}

// judgeWithoutRobots sets s.down of a host that did not answer for robots.txt, as the error failed
// says, or s.shut if robots.txt alone does not answer. For that it asks for the base too, without
// reading the body. The error is that of an address that may not be requested.
func (r *run) judgeWithoutRobots(ctx context.Context, s *server, failed error) error {
	var noBody bodyLimit
	_, s.down = r.fetcher.getForAnyName(ctx, s, s.base, noBody)
	switch {
	case s.down == nil:
		s.shut = "robots.txt: " + failed.Error()
	case errors.Is(s.down, ErrPrivate):
		// In the words of ErrDown alone: nobody tried to reach the host.
		return project.Invalid(fmt.Errorf("%v: %s: %w: use --allow-private to request it anyway",
			ErrDown, s.base.Host, s.down))
	}
	return nil
}

// warnOfRobots warns of what a host answered for robots.txt if that is none, or not all of it is
// read. If a comparison was made, that says so, and nothing is left to say here. A host that did
// not answer, or with an error of the server, is down or shut, which is reported elsewhere.
func (r *run) warnOfRobots(s *server) {
	answer := &s.robots
	hasAnswer := answer.got != nil
	switch {
	case s.isRobotsCompared || !hasAnswer:
	case answer.err != nil: // redirects lead to nothing
		r.warnRobots(s, answer.err.Error()+": it is treated as missing")
	case answer.got.status/100 == 4 && s.shut == "":
		r.warnOfMissingRobots(s)
	case answer.got.status/100 == 2:
		r.warnOfRobotsFile(s)
	}
}

// warnOfMissingRobots warns of a challenge to this client in place of robots.txt. Another status of
// 4xx is a note, if the URLs are those of sitemaps or a list: a snapshot that does not know
// robots.txt says nothing about it.
func (r *run) warnOfMissingRobots(s *server) {
	switch answer := &s.robots; {
	case isChallenge(answer.got.header):
		r.warnRobots(s, answer.substitute())
	case r.report.Summary.IsOfURLs():
		r.note("%s: %s", answer.asked(), answer.substitute())
	}
}

// warnOfRobotsFile warns of a file that crawlers read as robots.txt if it is longer than they read,
// in UTF-16, or a page. A text of rules is no page, even if its Content-Type is HTML.
func (r *run) warnOfRobotsFile(s *server) {
	answer, file := &s.robots, s.robots.file()
	if answer.got.isCut {
		r.warnRobots(s, fmt.Sprintf("only its first %d KiB are read, as crawlers do: what follows has no effect",
			robotstxt.MaxSize>>10))
	}
	if file.IsUTF16() {
		r.warn("robots.txt: %s", answer.substitute())
	}
	isPage := answer.beginsAsPage() || answer.isPage() && len(rulesOf(file)) == 0
	r.report.IsRobotsPage = isPage
	if isPage {
		r.warnRobots(s, answer.substitute())
	}
}

// warnRobots warns of the robots.txt of a host, which it names if there are several.
func (r *run) warnRobots(s *server, text string) {
	text = "robots.txt: " + text
	if len(r.servers) > 1 {
		text = s.base.Host + ": " + text
	}
	r.warn("%s", text)
	r.report.RobotsTxt = append(r.report.RobotsTxt, text)
}

// readAIFiles reads the files about AI that are expected on a host. One that is not there, or that
// cannot be read, denies nothing.
func (r *run) readAIFiles(ctx context.Context, s *server) error {
	s.files.AIFiles = map[robotstxt.AIFile]robotstxt.Rules{}
	for _, kind := range r.aiFiles {
		at := &url.URL{Scheme: s.base.Scheme, Host: s.base.Host, Path: kind.Path()}
		p, err := r.fetcher.getFile(ctx, s, at, robotstxt.MaxSize)
		if err == nil && p.status/100 == 2 {
			s.files.AIFiles[kind], _ = kind.Read(p.body)
		}
	}
	return ctx.Err()
}

// ban is the line of the host's robots.txt that disallows a URL to a crawler, "robots.txt:3:
// Disallow: /a", or what keeps crawlers from the whole host. It is empty if the URL is allowed.
func (s *server) ban(crawler string, u *url.URL) string {
	if s.shut != "" {
		return s.shut + ": crawlers stay away from the whole host"
	}
	if crawler == Everyone {
		crawler = "*"
	}
	if f, _ := s.files.Fetch(crawler, u.RequestURI()); !f.Allowed {
		return policy.Placed(f.File, f.Line, f.Rule)
	}
	return ""
}

// verdictOfBan is the verdict if robots.txt keeps the crawler from the URL that was asked, or from
// one to which redirects lead, and why; "" if it does not. In the result it notes if the reason
// names the URL that the result has as its Location.
func (c *comparison) verdictOfBan(want policy.Directives) (v seen.Verdict, why string) {
	server := c.target.root.server
	for i, u := range c.answer.path {
		ban := server.ban(c.result.Crawler, u)
		if ban == "" {
			continue
		}
		isAskedURL := i == 0 // else redirects lead there, and what was built says nothing of it
		if !isAskedURL {
			ban = fmt.Sprintf("it leads to %s, and %s", u, ban)
			c.result.Remarks.NamesLocation = u.String() == c.result.Location
		}
		isAsBuilt := server.shut == "" && isAskedURL && c.target.disallows(c.result.Crawler)
		if isAsBuilt {
			return matchOfBan(want, ban)
		}
		return c.mismatchOfBan(want, ban)
	}
	return "", ""
}

// matchOfBan is the verdict on a URL that the built robots.txt disallows too: it is as it was
// built. why is empty unless the crawler so misses a noindex: it is the note of the result then.
func matchOfBan(want policy.Directives, ban string) (v seen.Verdict, why string) {
	if want.NoIndex() {
		why = ban + ", as built; so it never reads noindex"
	}
	return seen.Match, why
}

// mismatchOfBan is the verdict on a URL that robots.txt keeps the crawler from, otherwise than as it
// was built.
func (c *comparison) mismatchOfBan(want policy.Directives, ban string) (
	v seen.Verdict, why string) {
	switch isShut := c.target.root.server.shut != ""; {
	case want.NoIndex(): // it may be listed all the same, by links to it
		return seen.Unreachable, ban + "; so it never reads noindex"
	case isShut: // for now: nobody knows what robots.txt says
		return seen.Unreachable, ban
	default:
		return seen.Stricter, ban
	}
}

// disallows reports whether the built robots.txt keeps a crawler from a target.
func (t *target) disallows(crawler string) bool {
	if crawler == Everyone {
		crawler = "*"
	}
	built := t.root.files
	built.Robots = t.root.robots
	f, _ := built.Fetch(crawler, built.PathAtHost(t.address))
	return t.root.knowsRobots && !f.Allowed
}

// liftedDenial says which uses the snapshot's signals of robots.txt and files about AI deny to AI
// at a target, and those of its host do not; "" for none. Who may fetch it is compared for the host
// as a whole, if the built robots.txt is known.
func (t *target) liftedDenial() string {
	compare := t.root.files.LostSignals
	if !t.root.comparesRobots() {
		compare = t.root.files.Lost
	}
	lost := compare(t.root.files.PathAtHost(t.address), t.root.server.files, t.at.EscapedPath())
	if lost == "" || t.root.server.shut != "" {
		return ""
	}
	return "no longer denied to AI: " + lost
}
