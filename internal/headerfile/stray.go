package headerfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
	"metarobots/policy"
)

// signalHeaders say by themselves what AI may do with a file.
var signalHeaders = []string{"Content-Signal", "Content-Usage", "tdm-reservation"}

// restricting are the headers whose values may restrict crawlers.
var restricting = append([]string{robotstag.Name}, signalHeaders...)

// A stray is a value that does not reach the file that it is for.
type stray struct {
	value robotstag.Stray
	// served is the path at which the file is served; "" if it is at the end of the host's redirect.
	served string
	// isServedElsewhere says that this is the path of the value too: another host serves the file there.
	isServedElsewhere bool
}

// reportStrays reports each line of the owner's that restricts something at paths where the file is
// not served, most of them since the host only redirects there: crawlers go on to what is served,
// and that line says nothing of it.
func (c *compiler) reportStrays(h *File) {
	for _, name := range restricting {
		if !h.mayName(name) {
			continue
		}
		header := headerOf(name)
		owners, file, err := h.ownersRules(header)
		if err == nil && owners != nil {
			c.reportUnreached(h, header, owners, file)
		}
		if owners = h.netlify.owners(header); owners != nil {
			c.reportUnreached(h, header, owners, h.netlify.file)
		}
	}
}

// reportUnreached reports the lines of one of the owner's files that restrict something and reach
// no file.
func (c *compiler) reportUnreached(h *File, header robotstag.Header, owners *hosts.Owners, file string) {
	lines := c.mayStray(h, header, owners, file)
	strays := c.strays(h, header, owners, lines)
	for _, line := range slices.Sorted(maps.Keys(strays)) {
		c.report(file, strays[line].finding(header.Name))
		delete(lines, line)
	}
	deleteReaching(c, h, owners, lines)
	c.reportIdle(h, header, owners, lines, file)
}

// ownersRules are the owner's rules for a header in the file that the host reads, and that file for
// messages; nil if it is a program.
func (h *File) ownersRules(header robotstag.Header) (rules *hosts.Owners, file string, err error) {
	if o := h.instead; o != nil {
		u, err := o.read(header.Name)
		if u == nil || err != nil {
			return nil, o.file, err
		}
		owners := hosts.OwnersOf(u.Serve(h.addresses.On(h.Target)), header)
		return &owners, o.file, nil
	}
	owners, err := hosts.ReadUser(h.user, header, h.options())
	return &owners, h.Change.File, err
}

// finding is the warning at the line of a value of a header.
func (s *stray) finding(header string) policy.Finding {
	v := &s.value
	f := policy.Finding{ID: "header-redirected", Severity: policy.Warning, Line: v.Value.Line}
	value := fmt.Sprintf("%s: %q is for %s, ", header, v.Value.Text, v.Path)
	switch {
	case v.Route != nil:
		f.Message = value + fmt.Sprintf("which %s redirects to %s: it does not hold for the "+
			"file, which is served at %s", v.Route.Origin.Place(), v.To, s.servedAt())
		f.Fix = ". State it in the policy"
	case v.To == "":
		f.Message = value + fmt.Sprintf("where the host does not serve %s: it does not hold "+
			"for the file, which is served at %s", v.File, s.servedAt())
		if f.Fix = ". Write the rule for " + s.served; s.isServedElsewhere {
			f.Fix = ". State it in the policy"
		}
	default:
		f.Message = value + fmt.Sprintf("which the host only redirects to %s: crawlers judge "+
			"what is served there", v.To)
		f.Fix = ". Write the rule for " + v.To
	}
	return f
}

// servedAt says where the file is served.
func (s *stray) servedAt() string {
	if s.isServedElsewhere {
		return s.served + " by another host"
	}
	return s.served
}

// strays are the first values, by their lines, of rules that restrict something and reach no file.
// Hardly any owner has a line that reaches none.
func (c *compiler) strays(h *File, header robotstag.Header, owners *hosts.Owners,
	lines map[int]bool) map[int]*stray {
	if len(lines) == 0 {
		return nil
	}
	unserved := map[string][]robotstag.Stray{} // by the file
	for _, s := range owners.Unserved() {
		unserved[s.File] = append(unserved[s.File], s)
	}
	strays := map[int]*stray{}
	for name, d := range c.servedFiles(h) {
		for _, s := range append(owners.Strays(name), unserved[name]...) {
			if line := s.Value.Line; lines[line] && strays[line] == nil && restricts(header, s.Value.Text) {
				if lost := c.lostBy(h, d, header, owners, s); lost != nil {
					strays[line] = lost
				}
			}
		}
	}
	deleteReaching(c, h, owners, strays)
	return strays
}

// mayStray are the lines of the owner's that may restrict something and are not known to reach any
// file. Of X-Robots-Tag that is known by then: each file was asked what is stated for it.
func (c *compiler) mayStray(h *File, header robotstag.Header, owners *hosts.Owners,
	file string) map[int]bool {
	lines := map[int]bool{}
	for _, r := range owners.Rules() {
		mayHoldPart := strings.Contains(r.Value.Text, ":") // of the path, in place of ":name"
		if mayHoldPart || restricts(header, r.Value.Text) {
			lines[r.Value.Line] = true
		}
	}
	if header.Is(robotstag.Name) {
		c.files.deleteStated(h, lines, file)
	} else {
		deleteReaching(c, h, owners, lines)
	}
	return lines
}

// deleteStated deletes the lines of X-Robots-Tag in a file of headers that state something for a
// published file.
func (fs *Files) deleteStated(h *File, lines map[int]bool, file string) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for p := range fs.stated {
		v := &p.value
		isOfStatic := file == h.Change.File && v.File == h.rules.static.name
		if v.File == file || isOfStatic {
			delete(lines, v.Line)
		}
	}
}

// deleteReaching deletes what is known of lines that count for any file.
func deleteReaching[T any](c *compiler, h *File, owners *hosts.Owners, lines map[int]T) {
	if len(lines) == 0 {
		return
	}
	for name, d := range c.servedFiles(h) {
		counted := d.counted(owners)
		for _, source := range append(h.sources(name), "") { // "" for those without a rewrite
			for _, v := range robotstag.Values(counted(name, source)) {
				delete(lines, v.Line)
			}
		}
		if len(lines) == 0 {
			return
		}
	}
}

// lostBy returns what is lost if a value does not reach a file; nil for nothing:
//
//   - The owner's own redirect takes the only path of the file.
//   - A rule for a path that only other hosts serve may be there for these, and another rule says
//     the same of the file where it is served.
//   - In a file with a form of its own, another rule or what is decided says the same of the file.
//     There a setting beside the rules, such as cleanUrls, decides which path redirects to which, and
//     owners write a rule for both.
func (c *compiler) lostBy(h *File, d *Decided, header robotstag.Header, owners *hosts.Owners,
	s robotstag.Stray) *stray {
	lost := &stray{value: s}
	if leadsToFile := s.Route == nil && s.To != ""; !leadsToFile {
		lost.served = h.firstServed(s.File)
		lost.isServedElsewhere = lost.served == s.Path
		if lost.served == "" {
			return nil
		}
	}
	isForOthers := s.To == "" || h.hasOwnForm()
	if isForOthers && sendsAlready(owners, d, s.File, s.Value.Text) ||
		h.hasOwnForm() && c.isDecided(d, header, s.Value.Text) {
		return nil
	}
	return lost
}

// sendsAlready reports whether the owner's rules send a value with every answer for a file.
func sendsAlready(owners *hosts.Owners, d *Decided, name, value string) bool {
	const noRewrite = ""
	answers := d.counted(owners)(name, noRewrite)
	lacksValue := func(answer robotstag.Sent) bool {
		isValue := func(v robotstag.Value) bool { return v.Text == value }
		return !slices.ContainsFunc(slices.Concat(answer...), isValue)
	}
	return len(answers) > 0 && !slices.ContainsFunc(answers, lacksValue)
}

// counted returns what counts of the owner's rules for a file: for one without a policy, such as an
// error page, only what is sent where the host serves it, since no rule of ours says it again.
func (d *Decided) counted(owners *hosts.Owners) served {
	if d.Role.Policed() {
		return owners.Counted
	}
	return owners.Served
}

// isDecided reports whether what is decided on a file restricts all that a value does.
func (c *compiler) isDecided(d *Decided, header robotstag.Header, value string) bool {
	if !header.Is(robotstag.Name) {
		isSame := func(l Line) bool { return header.Is(l.Name) && header.Equal(l.Value, value) }
		return slices.ContainsFunc(d.Others, isSame)
	}
	p := c.files.project.Policy
	statements, _ := policy.ParseHeader(value, policy.Found, p.Crawlers)
	meant := p.Resolve(statements)
	return d.Decision.Covers(&meant)
}

// firstServed is the first path at which a host of the site serves a file; "" for nowhere.
func (h *File) firstServed(name string) string {
	for _, a := range h.addresses.Of(name) {
		if a.Serves() {
			return a.Path
		}
	}
	return ""
}

// restricts reports whether a value of a header restricts any crawler.
func restricts(header robotstag.Header, value string) bool {
	if header.Name != robotstag.Name {
		return !header.Allows(value)
	}
	for _, told := range robotstag.Meant(value) {
		if told.Restricts() {
			return true
		}
	}
	return false
}
