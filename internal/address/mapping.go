package address

import (
	"regexp"
	"slices"
	"strings"
)

// A Mapping is how a rule leads from the paths of one pattern to those of another. Both may have
// named parts: what one matches in the path that was asked for is put into the path to which the
// rule leads. So "/a/:id/*  /b/:splat", as _redirects has it, is
//
//	From  "/a/", id (Segment), "/", splat (Rest)
//	To    "/b/", splat
//
// and leads from /a/1/x/y to /b/x/y: that is what [Route].Takes returns. [Route].Sources asks the
// reverse, from where a rule leads to /b/x/y. Here that cannot be listed: id may be anything.
type Mapping struct {
	// From is the rule's source, percent-encoded unless DecodesPath is set. To is its destination,
	// percent-encoded.
	From, To []Part
	// DecodesPath says that the host decodes a path before it compares it with the source.
	DecodesPath bool
	// IgnoresEndSlash says that a slash at the end of a path is no difference to the host.
	IgnoresEndSlash bool
}

// A Part is a text of a pattern, or a named part.
type Part struct {
	// Text is what it holds. A named part has none.
	Text string
	// Name and Matches are those of a part that matches something else: Matches is one of the
	// expressions below.
	Name, Matches string
	// Optional says that the part may be missing in a source, with the slash before it.
	Optional bool
}

// What named parts match.
const (
	Segment  = `[^/]+`            // what is between two slashes
	Segments = `[^/]+(?:/[^/]+)*` // several of these
	Some     = `.+`               // anything
	Rest     = `.*`               // anything, and nothing
)

// takesSlash reports whether a slash at the end of a path may belong to the part.
func (p *Part) takesSlash() bool { return p.Matches == Some || p.Matches == Rest }

// SetMapping makes a route take the paths of a mapping's source, and lead to its destination. It
// sets Takes, and Sources if the route Rewrites, which is set before.
func (r *Route) SetMapping(m Mapping) {
	if m.IgnoresEndSlash {
		m.From = withoutEndSlash(m.From)
	}
	r.head = strings.TrimSuffix(commonBeginning(m.From), "/")
	f := follower{mapping: m}
	if isLiteral(m.From) {
		r.literal = &literal{fixedText(m.From), m.DecodesPath, m.IgnoresEndSlash}
		f.literal = r.literal
	} else {
		f.from = m.source()
	}
	if !isLiteral(m.To) {
		f.to = m.destination()
	}
	r.Takes = f.takes
	if r.Rewrites {
		r.Sources = f.sources
		r.setDestination(m.To)
	}
}

// withoutEndSlash is a source without the slash at its end, since its host ignores that, and
// without a part that is empty then: "/a/" is "/a", and "/a/", x, "/" is "/a/", x. The root stays
// "/".
func withoutEndSlash(from []Part) []Part {
	if len(from) == 0 || fixedText(from) == "/" {
		return from
	}
	from = slices.Clone(from)
	last := &from[len(from)-1]
	last.Text = strings.TrimSuffix(last.Text, "/")
	if isEmpty := last.Name == "" && last.Text == ""; isEmpty {
		from = from[:len(from)-1]
	}
	return from
}

// commonBeginning is the text with which every path begins that a pattern takes, up to what needs
// an encoding.
func commonBeginning(parts []Part) string {
	if len(parts) == 0 {
		return ""
	}
	text := parts[0].Text
	if i := strings.IndexFunc(text, func(c rune) bool { return c >= 0x80 || !bareInComponent[byte(c)] }); i >= 0 {
		return text[:i]
	}
	return text
}

func isLiteral(parts []Part) bool {
	return !slices.ContainsFunc(parts, func(p Part) bool { return p.Name != "" })
}

// A literal is the one path that a route takes.
type literal struct {
	path string
	// comparesDecoded and ignoresEndSlash are DecodesPath and IgnoresEndSlash of [Mapping].
	comparesDecoded, ignoresEndSlash bool
}

// takes reports whether a path is the one. The path is decoded if the literal comparesDecoded.
func (l *literal) takes(path string) bool {
	return path == l.path || l.ignoresEndSlash && path == strings.TrimSuffix(l.path, "/")+"/"
}

// fixedText is a pattern without its named parts: all of it, if the pattern is literal.
func fixedText(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// firstText is the text with which a pattern begins, as it is written.
func firstText(parts []Part) string {
	if len(parts) == 0 {
		return ""
	}
	return parts[0].Text
}

// source is the expression for what the source takes.
func (m *Mapping) source() *expression {
	var b strings.Builder
	for i, p := range m.From {
		switch {
		case p.Name == "" && i+1 < len(m.From) && m.From[i+1].Optional: // the slash goes with the next part
			b.WriteString(quote(strings.TrimSuffix(p.Text, "/")))
		case p.Name == "":
			b.WriteString(quote(p.Text))
		case p.Optional:
			b.WriteString("(?:/(" + p.Matches + "))?")
		default:
			b.WriteString("(" + p.Matches + ")")
		}
	}
	if last := len(m.From) - 1; m.IgnoresEndSlash && !m.From[last].takesSlash() {
		b.WriteString("/?")
	}
	return newExpression(strings.TrimSuffix(firstText(m.From), "/"), b.String())
}

// destination is the expression for the decoded paths to which the destination may lead.
func (m *Mapping) destination() *expression {
	var b strings.Builder
	for _, p := range m.To {
		if from := m.part(p.Name); p.Name == "" {
			b.WriteString(quote(decode(p.Text)))
		} else if from.Optional {
			b.WriteString("((?:" + from.Matches + ")?)")
		} else {
			b.WriteString("(" + from.Matches + ")")
		}
	}
	return newExpression(decode(firstText(m.To)), b.String())
}

// part is the part of the source that has a name.
func (m *Mapping) part(name string) Part {
	if i := slices.IndexFunc(m.From, func(p Part) bool { return p.Name == name }); i >= 0 {
		return m.From[i]
	}
	return Part{Matches: Segment}
}

// An expression compares byte by byte: a path that is decoded need not be UTF-8. head is what all
// that matches begins with.
type expression struct {
	head     string
	compiled *regexp.Regexp
}

func newExpression(head, text string) *expression {
	return &expression{head, regexp.MustCompile("(?s)^" + text + "$")}
}

// quote is a text in an expression.
func quote(text string) string { return regexp.QuoteMeta(bytewise(text)) }

// find returns what the groups of the expression match in a text, behind the whole; nil if it does
// not match.
func (e *expression) find(text string) []string {
	if !strings.HasPrefix(text, e.head) {
		return nil
	}
	found := e.compiled.FindStringSubmatch(bytewise(text))
	if isASCII(text) {
		return found
	}
	for i, part := range found {
		bytes := make([]byte, 0, len(part))
		for _, c := range part {
			bytes = append(bytes, byte(c))
		}
		found[i] = string(bytes)
	}
	return found
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// bytewise has a character for each byte of a text.
func bytewise(text string) string {
	if isASCII(text) {
		return text
	}
	characters := make([]rune, len(text))
	for i := range len(text) {
		characters[i] = rune(text[i])
	}
	return string(characters)
}

// A follower is a mapping with what it takes to match its patterns.
type follower struct {
	mapping Mapping
	// literal is the source if that is one path, else nil; from is its expression otherwise.
	literal *literal
	from    *expression
	// to is the expression for the decoded paths of the destination; nil if that is one path.
	to *expression
}

// takes is a [Route]'s Takes.
func (f *follower) takes(path string) (to string, ok bool) {
	if f.mapping.DecodesPath {
		path = decode(path)
	}
	if f.literal != nil {
		return fixedText(f.mapping.To), f.literal.takes(path)
	}
	found := f.from.find(path)
	if found == nil {
		return "", false
	}
	var values []string // of the named parts of the source, in their order
	for _, value := range found[1:] {
		if f.mapping.DecodesPath {
			value = encode(value, bareInURL)
		}
		values = append(values, value)
	}
	return f.fill(f.mapping.To, f.names(f.mapping.From), values), true
}

// names are those of a pattern's named parts, in their order.
func (f *follower) names(parts []Part) (names []string) {
	for _, p := range parts {
		if p.Name != "" {
			names = append(names, p.Name)
		}
	}
	return names
}

// fill is a pattern with values in the places of its named parts, names[i] having values[i]; a part
// that is not among the names leaves nothing.
func (f *follower) fill(parts []Part, names, values []string) string {
	var b strings.Builder
	for _, p := range parts {
		if i := slices.Index(names, p.Name); p.Name != "" && i >= 0 {
			b.WriteString(values[i])
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// sources is a [Route]'s Sources: the encoded paths from which the rule leads to an encoded path,
// in each spelling. They are all of them if listed is true:
//
//	rule                   to             from           listed
//	/a/:x   /b/:x.html     /b/1.html      /a/1           true
//	/a/:x   /b/:x.html     /c/1.html      none           true: the rule never leads there
//	/a/:x   /b             /b             none           false: x may be anything
//	/a/:x   /b/:x-:x       /b/1-1-1-1     none           false: divided in the middle, both are 1-1
//	/a/:x   /b/:x/:x       /b/1/2         none           true: the two are never equal
//	/a/:x/:y  /b/:x-:y     /b/1-2-3       /a/1-2/3       false: or from /a/1/2-3
func (f *follower) sources(to string) (from []string, listed bool) {
	if f.hasAdjoiningParts() { // nobody knows which values they have
		return nil, false
	}
	values, leads := f.valuesAt(decode(to))
	if !leads {
		return nil, true
	}
	names := f.names(f.mapping.To)
	if !areConsistent(names, values) { // as the path is divided here: another division may be right
		return nil, f.dividesOneWay()
	}
	if !f.fixesSource(names) { // a part of the source may be anything
		return nil, false
	}
	for _, unencoded := range []*bareSet{bareInURL, bareInComponent} { // as [spellings] does
		for _, path := range f.spell(names, values, unencoded) {
			if !slices.Contains(from, path) {
				from = append(from, path)
			}
		}
	}
	return from, f.dividesOneWay()
}

// areConsistent reports whether each name has one value, wherever it is; names[i] is that of
// values[i].
func areConsistent(names, values []string) bool {
	for i, name := range names {
		if first := slices.Index(names, name); values[first] != values[i] {
			return false
		}
	}
	return true
}

// valuesAt returns the values that the named parts of the destination have in a decoded path, in
// their order, decoded as well; leads is false if the destination is never that path.
func (f *follower) valuesAt(to string) (values []string, leads bool) {
	if f.to == nil {
		return nil, to == decode(fixedText(f.mapping.To))
	}
	found := f.to.find(to)
	if found == nil {
		return nil, false
	}
	return found[1:], true
}

// fixesSource reports whether the values of the destination's named parts, which have these names,
// leave only a few paths of the source: each named part of the source has its value by name, and no
// more than mostOptional are optional. Of two parts of one name, the second may be anything.
func (f *follower) fixesSource(names []string) bool {
	optional := 0
	for i, p := range f.mapping.From {
		if p.Optional {
			optional++
		}
		again := slices.ContainsFunc(f.mapping.From[:i], func(o Part) bool { return o.Name == p.Name })
		if p.Name != "" && (again || !slices.Contains(names, p.Name)) {
			return false
		}
	}
	return optional <= mostOptional
}

// hasAdjoiningParts reports whether two named parts of the source have nothing between them: they
// may divide an encoded character.
func (f *follower) hasAdjoiningParts() bool {
	named := false
	for _, p := range f.mapping.From {
		if p.Name != "" && named {
			return true
		}
		named = p.Name != "" || named && p.Text == ""
	}
	return false
}

// mostOptional is how many optional parts a source may have if its paths are listed: each doubles
// them.
const mostOptional = 3

// dividesOneWay reports whether a path is divided between the named parts of the destination in one
// way alone: a slash is between any two, and at most one of them may have slashes. It is so for
// /b/:x/:y and /b/:x/*; /b/:x-:y may be divided in two ways, at each hyphen of /b/1-2-3.
func (f *follower) dividesOneWay() bool {
	wide, apart := 0, true
	for _, p := range f.mapping.To {
		switch {
		case p.Name == "":
			apart = apart || strings.Contains(p.Text, "/")
		case !apart:
			return false
		default:
			apart = false
			if from := f.mapping.part(p.Name); from.Matches != Segment && from.Matches != Segment+"?" {
				wide++
			}
		}
	}
	return wide <= 1
}

// spell returns the source with values in the places of its named parts, in each way in which that
// path can be written, for [follower.sources]. names[i] is the name of values[i], a decoded text;
// each named part of the source has to be among the names. Values are encoded except the characters
// of bare, and so is the source's own text if the mapping DecodesPath: else that is encoded
// already. If the mapping IgnoresEndSlash, each path is listed with a slash at its end too. There
// are no paths if the whole source was an optional part that is missing.
//
//	source "/a/", x                      x = 1        /a/1
//	"/a/", x (Optional)                  x = ""       /a, as the slash belongs to the part
//	"/a/", x (Optional, Rest)            x = ""       /a and /a/
//	"/a/", x, IgnoresEndSlash            x = 1        /a/1 and /a/1/, unless x takes that slash
func (f *follower) spell(names, values []string, bare *bareSet) (paths []string) {
	paths = []string{""} // each path as it is written up to the part that is next
	for _, p := range f.mapping.From {
		text := p.Text // of a part without a name
		if p.Name != "" {
			text = values[slices.Index(names, p.Name)]
		}
		if isMissing := p.Optional && text == ""; isMissing {
			paths = withoutPart(paths, p)
			continue
		}
		if p.Name != "" || f.mapping.DecodesPath {
			text = encode(text, bare)
		}
		for i := range paths {
			paths[i] += text
		}
	}
	if f.mayAddEndSlash() {
		for _, path := range paths {
			paths = append(paths, strings.TrimSuffix(path, "/")+"/")
		}
	}
	isNoPath := func(path string) bool { return path == "" }
	return slices.DeleteFunc(paths, isNoPath)
}

// mayAddEndSlash reports whether the source takes a path with a slash at its end as it does
// without: the mapping IgnoresEndSlash, and that slash is no part of what a named part takes.
func (f *follower) mayAddEndSlash() bool {
	last := len(f.mapping.From) - 1
	return f.mapping.IgnoresEndSlash && last >= 0 && !f.mapping.From[last].takesSlash()
}

// withoutPart returns the paths of a source, which are written up to an optional part, as they are
// if the part is missing: the slash before it is missing too. A part that may be empty (Rest) may
// also leave that slash.
func withoutPart(paths []string, p Part) []string {
	withoutSlash := slices.Clone(paths)
	for i := range withoutSlash {
		withoutSlash[i] = strings.TrimSuffix(withoutSlash[i], "/")
	}
	if p.Matches != Rest {
		return withoutSlash
	}
	return append(withoutSlash, paths...)
}

// SetMatcher makes a route take the decoded paths that match, which cannot be listed, and lead to
// each path of its destination from some of them. Named parts of the destination may be anything.
func (r *Route) SetMatcher(matches func(path string) bool, to []Part) {
	var from []Part
	for _, p := range to {
		if p.Name != "" {
			from = append(from, Part{Name: p.Name, Matches: Rest})
		}
	}
	m := Mapping{From: from, To: to}
	leads, destination := m.destination(), fixedText(to)
	r.Takes = func(path string) (string, bool) { return destination, matches(decode(path)) }
	if r.Rewrites {
		r.Sources = func(to string) ([]string, bool) { return nil, leads.find(decode(to)) == nil }
		r.setDestination(to)
	}
}

// SetUnread is for a route whose source is not understood: the route takes no path for certain, and
// leads from somewhere to each path of its destination. So a rewrite may serve that file anywhere,
// and a redirect hides no file.
func (r *Route) SetUnread(to []Part) { r.SetMatcher(func(string) bool { return false }, to) }

// SetSources says that some decoded paths are all that the route takes. The route rewrites, and
// [Route.SetMatcher] was called before.
func (r *Route) SetSources(paths ...string) {
	leads := r.Sources
	r.Sources = func(to string) (from []string, listed bool) {
		if _, elsewhere := leads(to); elsewhere {
			return nil, true
		}
		for _, path := range paths {
			from = append(from, spellings(path)...)
		}
		return from, true
	}
}

// setDestination notes what all paths to which a route leads begin with, and the path if it is one.
func (r *Route) setDestination(to []Part) {
	r.leadsBelow = strings.TrimSuffix(commonBeginning(to), "/")
	if isLiteral(to) {
		end := decode(fixedText(to))
		r.end = &end
	}
}
