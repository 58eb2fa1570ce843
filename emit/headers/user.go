package headers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
)

// User is the owner's own part of a _headers file, ours left out, as each host of a target reads
// it.
type User struct {
	lines   *marks.Text // joined they are what the file held before our first run
	header  robotstag.Header
	host    string
	engines []*engine
}

// engine is one dialect with its reading of the owner's file.
type engine struct {
	dialect *Dialect
	site    *address.Site // of the files on its host
	file    *Parsed
	// base is the file without our rules for files: the owner's, with those of an environment.
	base *Parsed
}

// ReadUser reads the owner's own rules for a header as the target would serve them at the host.
// Rules with wildcards that cannot be matched within limits are an error, with which the user is
// returned all the same. With an unknown target there is none: nil.
func ReadUser(user []byte, header robotstag.Header, o robotstag.Task) (*User, error) {
	dialects, err := Dialects(o.Target)
	if err != nil {
		return nil, err
	}
	u := readUser(user)
	u.header, u.host = header, o.Host
	for _, d := range dialects {
		file := d.Parse(u.lines.Own(), header.Name)
		e := &engine{dialect: d, site: d.site(o.Addresses), file: file, base: file}
		u.engines = append(u.engines, e)
		err = cmp.Or(err, e.file.tooWild())
	}
	return u, err
}

// readUser takes what is ours out of a file.
func readUser(file []byte) *User {
	u := &User{lines: marks.Read(file)}
	u.lines.TakeLines(func(header, line string) bool {
		name, ok := strings.CutPrefix(line, "! ")
		if !ok {
			name, _, ok = strings.Cut(line, ":")
			name = trim(name)
		}
		return ok && strings.EqualFold(name, cmp.Or(header, robotstag.Name))
	})
	u.lines.At = len(u.lines.Lines) // behind what would change our rules
	return u
}

// withoutHeader is one answer, which has none of the header.
var withoutHeader = []robotstag.Sent{nil}

// Sent returns what the owner's own rules alone send of the header for a published file: an answer
// for each of its request paths and each way in which a host of the target may read the rules and
// send it, some of them empty. The source is as in [robotstag.Want].
func (u *User) Sent(publishPath, source string) (all []robotstag.Sent) {
	if !slices.ContainsFunc(u.engines, func(e *engine) bool { return e.file.sets }) {
		return withoutHeader
	}
	for _, r := range u.requests(publishPath, source) {
		for _, values := range r.engine.dialect.readings(r.engine.file, u.host, r.path) {
			all = append(all, u.sent(r, values)...)
		}
	}
	return all
}

// sent is how values of the owner's are sent for a request, by the lines of the given file.
func (u *User) sent(r request, values []robotstag.Value) []robotstag.Sent {
	for i := range values {
		u.setLines(&values[i])
	}
	return r.engine.dialect.send(&u.header, values)
}

// Strays returns the values of the owner's own rules at the request paths that hosts of the target
// redirect to a published file, and at those from which the owner redirects elsewhere, and which
// would be the file's otherwise. They restrict nothing: a crawler goes on and judges what is served.
func (u *User) Strays(publishPath string) (all []robotstag.Stray) {
	for _, e := range u.engines {
		if !e.file.sets {
			continue
		}
		for _, a := range slices.Concat(e.site.Of(publishPath), e.site.SentOn(publishPath)) {
			if a.To != "" {
				all = u.addStrays(all, e, robotstag.Stray{File: publishPath, Path: a.Path, To: a.To, Route: a.Route})
			}
		}
	}
	return all
}

// Unserved returns the values of the owner's own rules for single request paths at which only other
// hosts would serve a file: a crawler finds nothing of the file there.
func (u *User) Unserved() (all []robotstag.Stray) {
	for _, path := range u.Patterns() {
		if !isOnePath(path) {
			continue
		}
		for _, e := range u.engines {
			for _, file := range e.site.Unserved(path) {
				all = u.addStrays(all, e, robotstag.Stray{File: file, Path: path})
			}
		}
	}
	return all
}

// addStrays adds a stray with each value that the owner's own rules have at its path on a host.
func (u *User) addStrays(all []robotstag.Stray, on *engine, s robotstag.Stray) []robotstag.Stray {
	for _, v := range u.ownValues(request{path: s.Path, engine: on}) {
		u.setLines(&v)
		s.Value = v
		all = append(all, s)
	}
	return all
}

// SentAt returns what the owner's own rules alone send of the header at an encoded request path, in
// each way in which a host of the target may send it.
func (u *User) SentAt(path string) (all []robotstag.Sent) {
	for _, e := range u.engines {
		r := request{path: path, engine: e}
		all = append(all, u.sent(r, u.ownValues(r))...)
	}
	return all
}

// Rules are the values of the owner's own rules, each as it is written.
func (u *User) Rules() (all []robotstag.OwnRule) {
	for _, e := range u.engines {
		for _, r := range e.file.Rules {
			for _, v := range r.values {
				u.setLines(&v)
				rule := robotstag.OwnRule{Value: v}
				switch {
				case r.Host != "":
				case isOnePath(r.Path):
					rule.Path = r.Path
				default:
					rule.Folder = folderOf(r.Path)
				}
				all = append(all, rule)
			}
		}
	}
	return all
}

// isOnePath reports whether the path of a rule has no wildcard and names no host.
func isOnePath(path string) bool {
	return strings.HasPrefix(path, "/") && !strings.ContainsAny(path, "*:")
}

// folderOf returns the folder that the path of a rule is for, "/a/" of "/a/*"; "" if it is for none.
func folderOf(path string) string {
	folder, endsInStar := strings.CutSuffix(path, "*")
	if !endsInStar || !strings.HasSuffix(folder, "/") || !isOnePath(folder) {
		return ""
	}
	return folder
}

// Patterns are the paths of the owner's rules that are about the header, as the hosts of the target
// read them.
func (u *User) Patterns() (all []string) {
	for _, e := range u.engines {
		for _, r := range e.file.Rules {
			if r.isAboutHeader() && r.Host == "" && !slices.Contains(all, r.Path) {
				all = append(all, r.Path)
			}
		}
	}
	return all
}

// request is a request path as one host serves it.
type request struct {
	path   string
	engine *engine
	want   int32 // the number of the want for the file that is served there
}

// requests are those for a published file, on each host. The source is as in [robotstag.Want].
func (u *User) requests(publishPath, source string) (all []request) {
	for _, e := range u.engines {
		for path := range e.dialect.Requests(e.site, publishPath, source) {
			all = append(all, request{path: path, engine: e})
		}
	}
	return all
}

// ownValues returns what the owner's rules alone give a request.
func (u *User) ownValues(r request) []robotstag.Value {
	return r.engine.dialect.Values(r.engine.file, u.host, r.path)
}

// baseValues returns the rules that match a request without any of ours for files, and what
// they give it: the owner's rules, and those of an environment.
func (u *User) baseValues(r request) (rules []*Rule, values []robotstag.Value) {
	d := r.engine.dialect
	rules = d.matching(r.engine.base, u.host, r.path)
	return rules, d.combine(rules, u.host, r.path)
}

// lineInFile returns the number in the given file of a line of the owner's text, which is without
// our lines.
func (u *User) lineInFile(n int) int { return u.lines.Lines[n-1].Number }

// setLines replaces the lines of a value, which count the owner's text, by those in the given file.
func (u *User) setLines(v *robotstag.Value) {
	v.Line, v.Block = u.lineInFile(v.Line), u.lineInFile(v.Block)
}

// spellingOfHeader chooses how our rules write the header's name. On Netlify, names of different
// case are different headers, and of those in the file, the one that came in last wins: so ours is
// either the only one, or new.
func (u *User) spellingOfHeader() (spelling string) {
	names, name := make(map[string]bool), u.header.Name
	for _, e := range u.engines {
		for _, r := range e.base.Rules {
			for _, v := range r.values {
				names[v.Name] = true
			}
		}
	}
	lower := strings.ToLower(name)
	for _, spelling = range []string{name, lower, strings.ToUpper(name), name[:1] + lower[1:]} {
		if len(names) < 2 || !names[spelling] {
			break
		}
	}
	return spelling
}

// ourRule is a rule of ours: a block of its own, or lines in a block of the owner's, in front of
// what that says of the header.
type ourRule struct {
	path        string // of its block
	ownersBlock *Rule  // the owner's block that the lines go into; nil for a block of its own
	header      string
	spelling    string // how the rule writes the header's name
	detaches    bool   // what earlier rules set is taken away first
	values      []string
	order       string // see [setting.orderOf]
}

// lines are those of the rule, below its path.
func (r *ourRule) lines() (lines []string) {
	if r.detaches {
		lines = append(lines, "! "+r.header)
	}
	for _, v := range r.values {
		lines = append(lines, r.spelling+": "+v)
	}
	return lines
}

// printWith returns the whole file: the owner's text with rules of ours, in their order. Those that
// are blocks of their own are in one marked block, those of one path as one rule. Lines for a block
// of the owner's are in that, marked.
func (u *User) printWith(all []ourRule) []byte {
	eol := u.lines.EOL()
	inOwners := make(map[int]string)          // lines for the owner's blocks, by the line of their paths
	var blocks []string                       // of ours, each with its lines
	numbers := make(map[string]int, len(all)) // of blocks, by their paths
	for _, r := range all {
		if r.ownersBlock != nil {
			mark := strings.TrimPrefix(r.header, robotstag.Name) // "" for X-Robots-Tag, else the name
			inOwners[r.ownersBlock.Line] += u.lines.Mark(mark, r.lines()...)
			continue
		}
		number, isKnown := numbers[r.path]
		if !isKnown {
			number, blocks = len(blocks), append(blocks, r.path)
			numbers[r.path] = number
		}
		blocks[number] += eol + "  " + strings.Join(r.lines(), eol+"  ")
	}
	return u.lines.With(blocks, inOwners)
}

// badValues says why a _headers file cannot have lines with these values; "" if it can.
func badValues(header string, values []string) string {
	for _, v := range values {
		switch {
		case strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r > '~' }):
			return fmt.Sprintf("the value %q has a character that is not printable ASCII", v)
		case v == "" || trim(v) != v || normalizeCommas(v) != v:
			return fmt.Sprintf("the value %q is empty or has blanks where engines change them", v)
		case len(header+": "+v) > CloudflareLine:
			return fmt.Sprintf("a value of %d characters makes a line longer than %d",
				len(v), CloudflareLine)
		}
	}
	return ""
}
