package servers

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
)

// serverMaps are the maps of our block in a file of nginx's or Caddy's, such as
//
//	map $uri $metarobots {
//	    default "";
//	    "/a.pdf" "noindex";
//	}
//
// A map of Caddy's sets several variables.
// https://nginx.org/en/docs/http/ngx_http_map_module.html
// https://caddyserver.com/docs/caddyfile/directives/map
type serverMaps struct {
	syntax     mapSyntax
	byVariable map[string]*serverMap // by the variable that they set
	// openVariables are those that the map of this line sets, while lines are read; nil outside of
	// a map.
	openVariables []string
	linesAround   []string // the lines around the maps
}

// mapSyntax is how a server reads a map.
type mapSyntax struct {
	pathVariable string // the one that has the decoded path
	// words takes a line apart; isWhole is false if a quotation mark is not closed.
	words   func(line string) (all []string, isWhole bool)
	special string                  // characters that mean more in an entry; ours have none
	fold    func(key string) string // the spelling in which two texts are compared
}

// serverMap is what a map sets one variable to. A text is looked up before the expressions, which
// are tried in their order.
type serverMap struct {
	from        string            // the variable by which it is looked up
	outputs     map[string]output // by the key; that of an expression is "~" and its text
	expressions []*regexp.Regexp
}

// output is what a map gives, and the line that says so.
type output struct {
	text string
	line int
}

// readMaps reads the lines between our marks.
func readMaps(t *marks.Text, syntax mapSyntax) (*serverMaps, error) {
	m := &serverMaps{syntax: syntax, byVariable: make(map[string]*serverMap)}
	for _, l := range t.Block {
		if err := m.readLine(l); err != nil {
			return nil, fmt.Errorf("line %d: %w", l.Number, err)
		}
	}
	if m.openVariables != nil {
		return nil, errors.New("a map without an end")
	}
	return m, nil
}

// readLine reads one line between our marks: an entry or the end of the open map, the beginning of
// a map, or a line beside the maps, which goes to linesAround. There hostNginx refuses what is not
// ours, such as a map from a variable that it does not know, and hostCaddy looks for what it needs.
// An empty line is skipped. It fails if a line in a map is no entry of ours, and if another's
// quotation marks are not closed.
func (m *serverMaps) readLine(l marks.Line) error {
	text := l.Trim()
	words, isWhole := m.syntax.words(strings.TrimSuffix(text, ";")) // which nginx has behind an entry
	switch isInMap := m.openVariables != nil; {
	case text == "":
	case isInMap && text == "}":
		m.openVariables = nil
	case isInMap:
		isEntry := isWhole && !strings.ContainsAny(text, m.syntax.special) &&
			len(words) == 1+len(m.openVariables) // a key, and an output for each variable
		if !isEntry {
			return errors.New("not an entry of ours")
		}
		key, outputs := words[0], words[1:]
		return m.readEntry(key, outputs, l.Number)
	case !isWhole:
		return errors.New("not a line of ours")
	case m.opensMap(words):
		m.openMap(words)
	default:
		m.linesAround = append(m.linesAround, text)
	}
	return nil
}

// openMap begins the map of a line for which opensMap is true: a map for each variable that the
// line names, all looked up by the same one, and filled by the lines that follow. From
//
//	map {path} {metarobots} {metarobots_1} {
//
// it makes the maps of metarobots and of metarobots_1, both from path.
func (m *serverMaps) openMap(words []string) {
	from, variables := words[1], words[2:len(words)-1]
	for _, variable := range variables {
		name := nameOfVariable(variable)
		m.openVariables = append(m.openVariables, name)
		m.byVariable[name] = &serverMap{from: nameOfVariable(from), outputs: make(map[string]output)}
	}
}

// nameOfVariable is a variable without the braces of Caddy's placeholders.
func nameOfVariable(variable string) string { return strings.Trim(variable, "{}") }

// opensMap reports whether a line's words begin a map from the path, from the host's name or from
// what another map sets: "map", that variable, at least one that the map sets, and "{".
func (m *serverMaps) opensMap(words []string) bool {
	last := len(words) - 1
	if last < 3 || words[0] != "map" || words[last] != "{" {
		return false
	}
	from := words[1]
	isPath, isOfMap := nameOfVariable(from) == m.syntax.pathVariable, m.byVariable[from] != nil
	return isPath || isOfMap || from == nginxHost
}

// readEntry reads an entry of the open map: a key, and an output for each variable. Of two entries
// of one key the first counts.
func (m *serverMaps) readEntry(key string, outputs []string, line int) error {
	text, isExpression := strings.CutPrefix(key, "~")
	var expression *regexp.Regexp
	if isExpression {
		var err error
		if expression, err = regexp.Compile(text); err != nil {
			return err
		}
	} else {
		key = m.syntax.fold(key)
	}
	for i, variable := range m.openVariables {
		one := m.byVariable[variable]
		if isExpression {
			one.expressions = append(one.expressions, expression)
		}
		if _, isTaken := one.outputs[key]; !isTaken {
			one.outputs[key] = output{outputs[i], line}
		}
	}
	return nil
}

// value is what a variable has for a path; nothing if no map sets it. An output that is the
// variable by which the map is looked up means what that has.
func (m *serverMaps) value(variable, path string) output {
	one := m.byVariable[variable]
	if one == nil {
		return output{}
	}
	from := path
	if one.from != m.syntax.pathVariable {
		from = m.value(one.from, path).text
	}
	o := one.lookUp(from, m.syntax.fold)
	if o.text == one.from {
		o.text = from
	}
	return o
}

// lookUp is the output for a text: that of the text itself, of the first expression that matches
// it, or of "default"; nothing if there is none.
func (one *serverMap) lookUp(text string, fold func(key string) string) output {
	if o, isNamed := one.outputs[fold(text)]; isNamed {
		return o
	}
	for _, e := range one.expressions {
		if e.MatchString(text) {
			return one.outputs["~"+e.String()]
		}
	}
	return one.outputs["default"]
}

// readingOf returns the reading by which some variables are sent, a line for each that is not
// empty, and at most so many lines; 0 is any number.
func (m *serverMaps) readingOf(mostLines int, variables []string) *reading {
	return &reading{mostLines: mostLines, lookUp: func(path string) answer {
		var lines []string
		for _, v := range variables {
			lines = append(lines, m.value(v, path).text)
		}
		return answerOf(m.value(variables[0], path).line, lines...)
	}}
}

// hostNginx is [Format.read] for nginx: it reads what nginx does with our maps. The maps alone send
// nothing: the owner's configuration sends their variables by add_header, as the comments beside
// the maps show. It fails on a line that is not ours.
func hostNginx(file []byte, header robotstag.Header) (*hostFile, error) {
	t := marks.Read(file)
	quoted := func(line string) ([]string, bool) { return splitWords(line, `"'`) }
	maps, err := readMaps(t, mapSyntax{pathVariable: nginxPath, words: quoted, fold: asciiLower})
	if err != nil {
		return nil, err
	}
	for _, l := range maps.linesAround {
		if isComment := l[0] == '#'; !isComment && !strings.HasPrefix(l, "map_hash_") {
			return nil, fmt.Errorf("not a directive of ours: %q", l)
		}
	}
	m := &hostFile{others: maps.nginxOtherHosts(), redirect: maps.nginxHomeRedirect()}
	if header.Name == robotstag.Name {
		m.readNginxRobots(maps, t)
	} else {
		m.readNginxOther(maps, t, header.Name)
	}
	return m, nil
}

// readNginxRobots sets the readings of X-Robots-Tag. The owner's configuration may send it in two
// ways, and each is a reading, so that the file has to be right in both: one add_header for the
// whole value, $metarobots, or one for each of its lines, $metarobots_1 and so on.
func (f *hostFile) readNginxRobots(maps *serverMaps, t *marks.Text) {
	const whole = "$metarobots"
	var lines []string
	for i := range nginxLines {
		lines = append(lines, fmt.Sprintf("%s_%d", whole, i+1))
	}
	const oneLine = 1
	f.readings = []*reading{maps.readingOf(oneLine, []string{whole}),
		maps.readingOf(nginxLines, lines)}
	f.requireMaps(maps, t, append([]string{whole}, lines...)...)
}

// readNginxOther sets the reading of another header: it has one line, of one variable. If the
// comments show the header, the owner may send it, and its map has to be there.
func (f *hostFile) readNginxOther(maps *serverMaps, t *marks.Text, header string) {
	variable := "$metarobots_" + strings.ReplaceAll(strings.ToLower(header), "-", "_")
	const oneLine = 1
	f.readings = []*reading{maps.readingOf(oneLine, []string{variable})}
	isShown := slices.Contains(maps.linesAround, "#   add_header "+header+" "+variable+";")
	if isShown {
		f.requireMaps(maps, t, variable)
	}
}

// requireMaps notes as faults the variables that the owner's configuration uses, and that our
// block, if there is one, does not set.
func (f *hostFile) requireMaps(maps *serverMaps, t *marks.Text, variables ...string) {
	for _, v := range variables {
		if hasBlock := len(t.Block) > 0; hasBlock && maps.byVariable[v] == nil {
			f.addFault("header-mismatch", t.Last, "no map of %s: nginx does not start where it is used", v)
		}
	}
}

// nginxOtherHosts reads the map of the host's name; nil if the owner's configuration sends nothing
// of it.
func (m *serverMaps) nginxOtherHosts() *otherHosts {
	byHost := m.byVariable[nginxOthers]
	if byHost == nil || byHost.from != nginxHost || !slices.Contains(m.linesAround, nginxOthersUsage) {
		return nil
	}
	standard := byHost.outputs["default"]
	return &otherHosts{sent: valuesSent(standard.line, standard.text), has: byHost.isSetAt}
}

// isSetAt reports whether a map from the host's name sets its variable to some text at a host.
func (m *serverMap) isSetAt(host string) bool {
	own, isNamed := m.outputs[asciiLower(host)]
	return !isNamed || own.text != ""
}

// caddyOtherHosts reads the lines about other hosts among those around our maps. They are to be the
// last: the others replace what is there by then.
func caddyOtherHosts(rest []string) *otherHosts {
	if len(rest) > 0 && caddyHome.MatchString(rest[len(rest)-1]) {
		rest = rest[:len(rest)-1]
	}
	if len(rest) < 2 {
		return nil
	}
	own, isMatcher := strings.CutPrefix(rest[len(rest)-2], "@metarobots_others not host ")
	args, _ := caddyWords(rest[len(rest)-1])
	names := strings.Fields(own)
	if !isMatcher || len(args) != 4 || args[0] != "header" || args[1] != "@metarobots_others" ||
		args[2] != "+"+robotstag.Name {
		return nil
	}
	isOther := func(host string) bool { return !slices.Contains(names, host) }
	return &otherHosts{sent: valuesSent(0, args[3]), has: isOther}
}

// hostCaddy reads what Caddy does with our map, which gives each placeholder its output, and with
// the owner's lines for all files.
func hostCaddy(file []byte, header robotstag.Header) (*hostFile, error) {
	t := marks.Read(file)
	asWritten := func(key string) string { return key }
	maps, err := readMaps(t, mapSyntax{pathVariable: "path", words: caddyWords, special: "{}", fold: asWritten})
	if err != nil {
		return nil, err
	}
	names := maps.caddyNames(header)
	around := strings.Join(maps.linesAround, "\n")
	isUsed := strings.Contains(around, strings.Join(caddyHeaders(header, names), "\n"))
	if maps.byVariable[names[0]] != nil && !isUsed {
		return nil, fmt.Errorf("line %d: the map is not used", t.Last)
	}
	r := maps.readingOf(0, names)
	r.addsOurs = header.Join
	var before []userRule
	before, r.last = caddyOwnersRules(t, header)
	const anyPath = ""
	r.standard.sent = answer{}.afterRules(before, anyPath).sent
	others := caddyOtherHosts(maps.linesAround)
	redirect := caddyHomeRedirect(maps.linesAround, others)
	return &hostFile{readings: []*reading{r}, others: others, redirect: redirect}, nil
}

// caddyNames are the placeholders of a header's lines, without braces: the first, and those that
// our map sets besides.
func (m *serverMaps) caddyNames(header robotstag.Header) []string {
	if header.Name != robotstag.Name {
		return []string{"metarobots_" + strings.ReplaceAll(strings.ToLower(header.Name), "-", "_")}
	}
	names := []string{"metarobots"}
	for m.byVariable[caddyName(len(names))] != nil {
		names = append(names, caddyName(len(names)))
	}
	return names
}

// caddyOwnersRules reads the owner's lines about a header. Those with the matcher /* are carried
// out before ours, and those for all files after them.
func caddyOwnersRules(t *marks.Text, header robotstag.Header) (before, after []userRule) {
	owner := &User{header: header.Name}
	for _, l := range t.Lines {
		m := caddySite.FindStringSubmatch(l.Trim())
		if m == nil || !owner.mentionsHeader(l) {
			continue
		}
		matcher, value := m[1], m[3]
		name, isAdded := strings.CutPrefix(m[2], "+")
		if !strings.EqualFold(name, header.Name) {
			continue
		}
		rule := userRule{sends: owner.valueAt(l.Number, value), effect: replaces}
		if isAdded {
			rule.effect = adds
		}
		if matcher == "/*" {
			before = append(before, rule)
		} else {
			after = append(after, rule)
		}
	}
	return before, after
}

// caddyWords takes a line apart at blanks. A word may be in quotes, where a backslash escapes a
// quote and means itself otherwise. isWhole is always true.
func caddyWords(line string) (all []string, isWhole bool) {
	for _, m := range caddyWord.FindAllStringSubmatch(line, -1) {
		inQuotes, inBackquotes, bare := strings.ReplaceAll(m[1], `\"`, `"`), m[2], m[3]
		all = append(all, inQuotes+inBackquotes+bare)
	}
	return all, true
}

var caddyWord = lazyregexp.New("\"((?:[^\"\\\\]|\\\\.)*)\"|`([^`]*)`|(\\S+)")

// caddySite is a line of the owner's for all files: a matcher, a header's name, perhaps with a "+"
// that adds, and a value.
var caddySite = lazyregexp.New("^(?:header )?(?:(\\*|/\\*) )?(\\+?[\\w-]+) [\"`]?(.*?)[\"`]?$")
