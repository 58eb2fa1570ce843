package address

import (
	"regexp"
	"slices"
	"strings"
)

// A Mapping is how a rule leads from the paths of one pattern to those of another. Both may have
// named parts: what one matches in the path that was asked for is put into the path to which the
// rule leads.
type Mapping struct {
	// From is the rule's source, percent-encoded unless Decodes is set. To is its destination,
	// percent-encoded.
	From, To []Part
	// Decodes says that the host decodes a path before it compares it with the source.
	Decodes bool
	// Loose says that a slash at the end of a path is no difference to the host.
	Loose bool
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

// Follow makes a route take the paths of a mapping's source, and lead to its destination. It sets
// what depends on that; Rewrites is set before.
func (r *Route) Follow(m Mapping) {
	if m.Loose && text(m.From) != "/" && len(m.From) > 0 {
		m.From = slices.Clone(m.From)
		last := &m.From[len(m.From)-1]
		if last.Text = strings.TrimSuffix(last.Text, "/"); last.Name == "" && last.Text == "" {
			m.From = m.From[:len(m.From)-1]
		}
	}
	r.head = strings.TrimSuffix(begin(m.From), "/")
	f := follower{mapping: m}
	if isLiteral(m.From) {
		r.literal = &literal{text(m.From), m.Decodes, m.Loose}
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
		r.lead(m.To)
	}
}

// begin is the text with which every path begins that a pattern takes, up to what needs an
// encoding.
func begin(parts []Part) string {
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
	path           string
	decoded, loose bool // as in [Mapping]
}

// is reports whether a path, decoded if that is asked for, is the one.
func (l *literal) is(path string) bool {
	return path == l.path || l.loose && path == strings.TrimSuffix(l.path, "/")+"/"
}

// text is a pattern without its named parts.
func text(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// head is the text with which a pattern begins.
func head(parts []Part) string {
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
	if last := len(m.From) - 1; m.Loose && !m.From[last].takesSlash() {
		b.WriteString("/?")
	}
	return newExpression(strings.TrimSuffix(head(m.From), "/"), b.String())
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
	return newExpression(decode(head(m.To)), b.String())
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

// follower is a mapping with its expressions; of a source that is one path, and of such a
// destination, there is none.
type follower struct {
	mapping  Mapping
	literal  *literal
	from, to *expression
}

// takes is a [Route]'s Takes.
func (f *follower) takes(path string) (to string, ok bool) {
	if f.mapping.Decodes {
		path = decode(path)
	}
	if f.literal != nil {
		return text(f.mapping.To), f.literal.is(path)
	}
	found := f.from.find(path)
	if found == nil {
		return "", false
	}
	var values []string // of the named parts of the source, in their order
	for _, value := range found[1:] {
		if f.mapping.Decodes {
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

// fill puts values in the places of the named parts.
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

// sources is a [Route]'s Sources.
func (f *follower) sources(to string) (from []string, listed bool) {
	if f.adjoins() {
		return nil, false
	}
	if to = decode(to); f.to == nil && to != decode(text(f.mapping.To)) {
		return nil, true
	}
	found := []string{to}
	if f.to != nil {
		found = f.to.find(to)
	}
	if found == nil {
		return nil, true
	}
	names, values := f.names(f.mapping.To), found[1:]
	for i, name := range names {
		if first := slices.Index(names, name); values[first] != values[i] {
			return nil, f.divides()
		}
	}
	optional := 0
	for i, p := range f.mapping.From {
		if p.Optional {
			optional++
		}
		again := slices.ContainsFunc(f.mapping.From[:i], func(o Part) bool { return o.Name == p.Name })
		if p.Name != "" && (again || !slices.Contains(names, p.Name)) {
			return nil, false // it may be anything, as the second of two parts of one name may
		}
	}
	if optional > mostOptional {
		return nil, false
	}
	for _, bare := range []*bareSet{bareInURL, bareInComponent} {
		for _, path := range f.spell(names, values, bare) {
			if !slices.Contains(from, path) {
				from = append(from, path)
			}
		}
	}
	return from, f.divides()
}

// adjoins reports whether two named parts of the source have nothing between them: they may divide
// an encoded character.
func (f *follower) adjoins() bool {
	named := false
	for _, p := range f.mapping.From {
		if p.Name != "" && named {
			return true
		}
		named = p.Name != "" || named && p.Text == ""
	}
	return false
}

// mostOptional is how many parts of a source may be missing where its sources are listed: each
// doubles them.
const mostOptional = 3

// divides reports whether a path is divided between the named parts of the destination in one way
// alone: a slash is between any two, and at most one of them may have slashes.
func (f *follower) divides() bool {
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

// spell returns the source with values in it, in the ways in which it can be written.
func (f *follower) spell(names, values []string, bare *bareSet) (all []string) {
	all = []string{""}
	add := func(text string) {
		for i := range all {
			all[i] += text
		}
	}
	for i, p := range f.mapping.From {
		switch {
		case p.Name == "" && f.mapping.Decodes:
			add(encode(p.Text, bare))
		case p.Name == "":
			add(p.Text)
		default:
			value := values[slices.Index(names, p.Name)]
			if p.Optional && value == "" { // with and without the slash
				without := slices.Clone(all)
				for k := range without {
					without[k] = strings.TrimSuffix(without[k], "/")
				}
				if p.Matches != Rest {
					all = without
				} else {
					all = append(without, all...)
				}
			}
			add(encode(value, bare))
		}
		if last := i == len(f.mapping.From)-1; last && f.mapping.Loose && !p.takesSlash() {
			for k := range slices.Clone(all) {
				all = append(all, strings.TrimSuffix(all[k], "/")+"/")
			}
		}
	}
	return slices.DeleteFunc(all, func(path string) bool { return path == "" })
}

// Match makes a route take the decoded paths that match, which cannot be listed, and lead to each
// path of its destination from some of them. Named parts of the destination may be anything.
func (r *Route) Match(matches func(path string) bool, to []Part) {
	var from []Part
	for _, p := range to {
		if p.Name != "" {
			from = append(from, Part{Name: p.Name, Matches: Rest})
		}
	}
	m := Mapping{From: from, To: to}
	leads, destination := m.destination(), text(to)
	r.Takes = func(path string) (string, bool) { return destination, matches(decode(path)) }
	if r.Rewrites {
		r.Sources = func(to string) ([]string, bool) { return nil, leads.find(decode(to)) == nil }
		r.lead(to)
	}
}

// Unread makes a route whose source is not understood: it takes no path for certain, and leads from
// somewhere to each path of its destination.
func (r *Route) Unread(to []Part) { r.Match(func(string) bool { return false }, to) }

// List says that some decoded paths are all that the route takes.
func (r *Route) List(paths ...string) {
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

// lead notes the one path to which a route leads.
func (r *Route) lead(to []Part) {
	r.leadsBelow = strings.TrimSuffix(begin(to), "/")
	if isLiteral(to) {
		end := decode(text(to))
		r.end = &end
	}
}
