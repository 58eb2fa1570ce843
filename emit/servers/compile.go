package servers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/policy"
)

// Compile returns the owner's file of a format with the rules that serve every want with its values
// and nothing else with any. Rules of an earlier run are taken out first. It fails if the file
// cannot be read as what the host takes, and, with [robotstag.ErrBudget] and a result whose file is
// not to be written, if a limit of the host's leaves no room for X-Robots-Tag: for the files other
// than HTML, or, in scope "all", for all of them.
//
// The first demand is X-Robots-Tag, which alone has scopes and an environment. Of other headers a
// file gets what the host takes beside that, or is among those that are lost.
func (f *Format) Compile(existing []byte, demands []robotstag.Demand, o robotstag.Task) (
	robotstag.Result, error) {
	d := &draft{format: f, existing: existing, base: strings.TrimRight(o.Base, "/"),
		leftToTags: o.Left(), // the HTML that the scope leaves to its tags
		ownHosts:   o.Own, knownHosts: o.Others, home: o.Home}
	if o.Addresses != nil { // else nobody has configured the host
		d.addresses = o.Addresses.On(f.host)
	}
	err := d.writeAll(demands, o) // the file, and what is found on the way, are in d
	isOverBudget := errors.Is(err, robotstag.ErrBudget)
	if err != nil && !isOverBudget {
		return robotstag.Result{}, err
	}
	if isOverBudget {
		d.reportOverflow(o.Scope)
	}
	if d.slowness != "" {
		d.report("header-count", policy.Warning, "%s", d.slowness)
	}
	for _, todo := range d.todos {
		d.report("other-hosts", policy.Note, "%s", todo)
	}
	if !isOverBudget { // else it is not to be written, and no rule of ours opens previews
		d.reportPreviews()
	}
	d.result.Total = d.result.Rules // the owner's rules are not counted: one may be several to the host
	d.result.Sort()
	return d.result, err
}

// reportOverflow reports the limit of the host's that leaves no room for X-Robots-Tag, and the
// scope that needs fewer rules, if the task has another.
func (d *draft) reportOverflow(scope string) {
	hint := ""
	if scope == robotstag.ScopeAll {
		hint = ` (headers.scope = "files" leaves HTML to its tags)`
	}
	d.report("header-budget", policy.Error, "%s", d.overflow.size).Detail = d.overflow.limit + hint
}

// writeAll writes the file with the first header, and again with each further one, until one fails.
// Each header's findings are reported, those of one that fails included.
func (d *draft) writeAll(demands []robotstag.Demand, o robotstag.Task) error {
	for i, demand := range demands {
		c, err := d.newCompiler(demand)
		if err != nil {
			return err
		}
		if isRobots := i == 0; isRobots {
			err = c.writeRobots(o)
		} else {
			err = c.writeOther()
		}
		c.reportRefused()
		c.reportObstacles()
		if err != nil {
			return err
		}
	}
	return nil
}

// A value is what a rule gives a header: its lines, with line ends between them. "" is no value.
type value string

// valueOf is the value of some lines.
func valueOf(lines []string) value { return value(strings.Join(lines, "\n")) }

// lines are those of the value; of no value an empty one.
func (v value) lines() []string { return strings.Split(string(v), "\n") }

// sent is what a host sends that has a line of the header for each line of the value.
func (v value) sent() (all robotstag.Sent) {
	for _, text := range v.lines() {
		all = append(all, []robotstag.Value{{Text: text}})
	}
	return all
}

// String is the value in one line.
func (v value) String() string { return strings.ReplaceAll(string(v), "\n", ", ") }

// draft is a host's new file: the owner's, with rules for some headers.
type draft struct {
	format    *Format
	existing  []byte        // the file as it is, with rules of an earlier run
	base      string        // the path, "/docs", below which the host serves the site
	addresses *address.Site // of the files on the host; nil if nobody has configured it
	headers   []*compiler   // X-Robots-Tag first
	ownHosts  []string      // the site's own hosts, if the file is to have rules for others
	// knownHosts are those of [robotstag.Task.Others], and home is where other hosts are to
	// redirect.
	knownHosts []string
	home       string
	leftToTags robotstag.Left  // the HTML that is left to its tags
	leftHTML   map[string]bool // the files that so go without their rules
	overflow   overflow        // of the last write that failed; zero for none
	slowness   string          // says why the file as it was last written slows the host down
	todos      []string        // say what the owner's configuration needs from this run on
	result     robotstag.Result
}

// write makes the file of what the headers' compilers have found by now, again with each header and
// each step that leaves more HTML to its tags. It fails with [robotstag.ErrBudget] if a limit of
// the host's is in the way, which overflow then names. It sets slowness anew, and may add the same
// todos again: [robotstag.Result.Sort] leaves one finding of each.
func (d *draft) write() (err error) {
	d.result.File, d.result.Rules, err = d.format.write(d)
	return err
}

// report notes a finding about the file.
func (d *draft) report(id string, severity policy.Severity, format string, args ...any) *policy.Finding {
	return d.result.Report(id, severity, 0, "", format, args...)
}

// An overflow is how a file goes beyond a limit of its host.
type overflow struct {
	size  string // "the file would have 7 rules"
	limit string // "; the host takes 5"
}

// text is the overflow as the reason that something is left out.
func (o overflow) text() string { return o.size + o.limit }

// compiler finds out which request path needs a rule with which value of a header; a host's write
// puts that into its file.
type compiler struct {
	draft      *draft
	header     robotstag.Header
	user       *User
	wants      []robotstag.Want
	everywhere value // what one rule says for all files; "" for none

	values  []value         // of each want what a rule has to give it, perhaps the one for everything
	refused map[int]refusal // the wants that get no rule

	// What follows is made of the values.
	owners    map[string]int    // the wants whose files are served at request paths; or disputed
	rivals    map[string][]int  // the wants of disputed paths
	paths     []string          // the request paths of files that are not free, sorted
	groups    []group           // those that need a rule of their own
	placed    placements        // of their rules
	obstacles map[int]*obstacle // by the line of the owner's rule
}

// A refusal is why a file gets no rule, with the ID of a finding about X-Robots-Tag.
type refusal struct{ id, why string }

// group is the decoded request paths whose rules say one value in one place, sorted.
type group struct {
	placement placement
	value     value
	paths     []string
}

// newCompiler adds a header to the draft, and reports what is not read of the owner's rules about
// it.
func (d *draft) newCompiler(demand robotstag.Demand) (*compiler, error) {
	user, err := d.format.ReadUser(d.existing, demand.Header.Name)
	if err != nil {
		return nil, err
	}
	user.serveWants(d.addresses, demand.Wants)
	c := &compiler{draft: d, header: demand.Header, user: user, wants: demand.Wants,
		values: make([]value, len(demand.Wants)), refused: make(map[int]refusal)}
	d.headers = append(d.headers, c)
	d.result.Findings = append(d.result.Findings, user.findings...)
	return c, nil
}

// isOther reports whether the header is another than X-Robots-Tag.
func (c *compiler) isOther() bool { return c != c.draft.headers[0] }

// writeRobots writes the file with X-Robots-Tag. If not all rules fit, it leaves HTML to its tags,
// step by step, as the task allows.
func (c *compiler) writeRobots(o robotstag.Task) error {
	d := c.draft
	c.setEverywhere(o.Everywhere)
	err := c.chooseAndWrite()
	firstOverflow, leftBefore := d.overflow, len(d.leftHTML)
	for errors.Is(err, robotstag.ErrBudget) {
		more, isPossible := o.LeaveMore(d.leftToTags, c.wants)
		if !isPossible {
			break
		}
		d.leftToTags = more
		if err = c.chooseAndWrite(); err == nil {
			d.report("header-budget", policy.Warning, "%s", firstOverflow.size).Detail = firstOverflow.limit + ": " +
				robotstag.LeftToTags(len(d.leftHTML)-leftBefore)
		}
	}
	d.result.GivenUp = slices.Collect(maps.Keys(d.leftHTML))
	return err
}

// setEverywhere sets what one rule says for all files, or reports why the host's file cannot have
// it.
func (c *compiler) setEverywhere(lines []string) {
	v := valueOf(lines)
	if v == "" {
		return
	}
	if why := cmp.Or(badValue(lines), c.draft.format.unfit(c, "/", v)); why != "" {
		c.draft.report("header-value", policy.Error, "the environment's header: %s: it gets no X-Robots-Tag", why)
		return
	}
	c.everywhere = v
}

// chooseAndWrite writes the file by what each file needs of X-Robots-Tag, where d.leftToTags is
// left to its tags. It begins anew whatever was chosen before.
func (c *compiler) chooseAndWrite() error {
	clear(c.refused)
	c.draft.leftHTML = make(map[string]bool)
	c.chooseValues(c.robotsValue)
	c.resolveConflicts()
	return c.draft.write()
}

// refuse notes that the file of a want gets no rule, and why.
func (c *compiler) refuse(want int, id, why string) {
	c.values[want], c.refused[want] = "", refusal{id, why}
}

// reportRefused reports the files that get no rule, and adds them to the result: of X-Robots-Tag to
// Missed, each with an error, of another header to Lost, with a finding for each reason. [Compile]
// sorts the findings in the end.
func (c *compiler) reportRefused() {
	lost := make(map[string][]robotstag.Want) // by the reason
	for i, w := range c.wants {
		refused, isRefused := c.refused[i]
		switch {
		case !isRefused:
		case c.isOther():
			lost[refused.why] = append(lost[refused.why], w)
		default:
			result := &c.draft.result
			result.Missed = append(result.Missed, w.Path)
			result.Report(refused.id, policy.Error, 0, w.URL, "%s: it gets no X-Robots-Tag", refused.why)
		}
	}
	for why, files := range lost {
		c.draft.result.Lose(c.header.Name, why, files) // with one finding for all of them
	}
}

// chooseValues finds out the value that a rule has to give each file, and refuses those whose paths
// or values do not fit a rule of the host's. needs returns what a file needs, or why it cannot have
// that, with the ID of a finding.
func (c *compiler) chooseValues(needs func(w *robotstag.Want) (v value, id, why string)) {
	for i := range c.wants {
		w := &c.wants[i]
		v, id, why := needs(w)
		c.values[i] = v
		if needsOwnRule := v != "" && v != c.everywhere; needsOwnRule {
			id = "header-name"
			for _, url := range c.user.serves.paths(w.Path, w.Source) {
				why = cmp.Or(why, c.draft.format.unfit(c, c.draft.base+url, v))
			}
		}
		if why != "" {
			c.refuse(i, id, why)
		}
	}
}

// robotsValue is the value of X-Robots-Tag that a rule has to give a file: "" for none, and for
// HTML that is left to its tags, which it notes in leftHTML. id and why are those of
// [compiler.chooseValues].
func (c *compiler) robotsValue(w *robotstag.Want) (v value, id, why string) {
	text := strings.Join(w.Values, ", ")
	switch {
	case w.Free || text == "":
	case badValue(w.Values) != "":
		return "", "header-value", badValue(w.Values)
	case badName(w.Path):
		return "", "header-name", unwritableName
	case c.header.Equal(text, c.everywhere.String()):
		return c.everywhere, "", ""
	case c.reliesOnOwner(w):
	case c.draft.leftToTags.Has(w):
		c.draft.leftHTML[w.Path] = true
	default:
		return valueOf(w.Values), "", ""
	}
	return "", "", ""
}

// reliesOnOwner reports whether the user's own rules serve a want, at each request path and however
// the host compares it. One rule for everything would override them, and so may a line that is not
// read.
func (c *compiler) reliesOnOwner(w *robotstag.Want) bool {
	if !w.Found || c.everywhere != "" {
		return false
	}
	text := strings.Join(w.Values, ", ")
	return !slices.ContainsFunc(c.user.serves.paths(w.Path, w.Source), func(url string) bool {
		return slices.ContainsFunc(c.user.views, func(v view) bool {
			values, isKnown := v.valuesToRelyOn(url)
			return !isKnown || !c.header.Equal(robotstag.Join(values), text)
		})
	})
}

// findGroups finds out what each request path needs: it sets all that is made of the values, from
// owners to groups.
func (c *compiler) findGroups() {
	c.owners, c.rivals = c.user.serves.owners(c.draft.base, c.wants, func(i, j int) bool {
		return c.values[i] == c.values[j] && c.wants[i].Free == c.wants[j].Free
	})
	c.paths = nil
	for _, url := range slices.Sorted(maps.Keys(c.owners)) {
		if i := c.owners[url]; i == disputed || !c.wants[i].Free {
			c.paths = append(c.paths, url)
		}
	}
	c.placed = c.findPlacements()
	c.groups = c.grouped()
}

// grouped are the request paths that need a rule of their own, by its value and place. They are
// sorted by the value and the first path.
func (c *compiler) grouped() (groups []group) {
	type key struct {
		placement placement
		value     value
	}
	paths := make(map[key][]string)
	for _, url := range c.paths {
		if v := c.ruleValue(url); v != "" && !c.isGivenUp(url) {
			k := key{c.placed.placementAt(url), v}
			paths[k] = append(paths[k], url)
		}
	}
	var inOrder []*group // pointers, since sorting structs would add 12 KB of code to the program
	for k, paths := range paths {
		inOrder = append(inOrder, &group{k.placement, k.value, paths})
	}
	slices.SortFunc(inOrder, func(a, b *group) int {
		return cmp.Or(strings.Compare(a.value.String(), b.value.String()), strings.Compare(a.paths[0], b.paths[0]))
	})
	for _, g := range inOrder {
		groups = append(groups, *g)
	}
	return groups
}

// isGivenUp reports whether a request path gets no rule because it would take away what an owner's
// rule restricts.
func (c *compiler) isGivenUp(url string) bool {
	return c.placed.obstacles[url] != nil && c.draft.format.givesUp
}

// resolveConflicts follows chooseValues: it finds the groups of paths, and the owner's rules that
// are in the way of ours, and refuses the files that the host may not tell from one that wants
// something else: it may not say whether it decodes a path or minds its case. Then it finds the
// groups without these. A file with an obstacle may be among them: its owner has to mend both, so
// both are reported.
func (c *compiler) resolveConflicts() {
	c.findGroups()
	if !c.isOther() {
		c.findObstacles()
	}
	if c.draft.format.names == nil || len(c.groups) == 0 {
		return
	}
	for i, other := range c.indistinct() {
		if c.isOther() { // one reason for all of them
			other = "another file"
		}
		c.refuse(i, "header-overlap", fmt.Sprintf("the host may not tell it from %s, which wants "+
			"something else (rename one)", other))
	}
	c.findGroups()
}

// indistinct are the numbers of the wants that need a rule at a path which the host may take for
// that of a file that wants something else, each with the first such file, quoted.
func (c *compiler) indistinct() map[int]string {
	rivals := make(map[int]string)
	byName := make(map[string][]string) // paths by the names that the host may give them
	for _, url := range c.paths {
		for _, name := range c.draft.format.names(url) {
			for _, other := range byName[name] {
				if cmp.Or(c.valueAt(url), c.everywhere) != cmp.Or(c.valueAt(other), c.everywhere) {
					c.noteRivals(rivals, url, other)
					c.noteRivals(rivals, other, url)
				}
			}
			byName[name] = append(byName[name], url)
		}
	}
	return rivals
}

// noteRivals notes a path as the rival of the wants at another one, unless they need no rule there
// or have a rival.
func (c *compiler) noteRivals(rivals map[int]string, url, rival string) {
	if c.ruleValue(url) == "" {
		return
	}
	for _, i := range c.wantsAt(url) {
		if rivals[i] == "" {
			rivals[i] = strconv.Quote(rival[1:])
		}
	}
}

// wantsAt are the numbers of the wants whose files may be served at a request path.
func (c *compiler) wantsAt(url string) []int {
	if i := c.owners[url]; i != disputed {
		return []int{i}
	}
	return c.rivals[url]
}

// valueAt is the value that a rule has to give a request path, perhaps the one for everything; ""
// if no rule is needed. If either of two files may be served there, the value restricts all that
// either is to restrict.
func (c *compiler) valueAt(url string) (v value) {
	if i := c.owners[url]; i != disputed {
		return c.values[i]
	} else if c.isOther() {
		return ""
	}
	for _, i := range c.rivals[url] {
		v = stricter(v, c.values[i])
	}
	return v
}

// stricter is the one of two values that restricts all that the other does, or all lines of both.
// What is for everyone comes first: in a line behind a crawler's name it would be for that crawler.
func stricter(a, b value) value {
	switch {
	case robotstag.Covers(string(b), string(a)):
		return b
	case robotstag.Covers(string(a), string(b)):
		return a
	}
	lines := append(a.lines(), b.lines()...)
	slices.SortStableFunc(lines, func(a, b string) int { return countCrawlers(a) - countCrawlers(b) })
	return valueOf(lines)
}

// countCrawlers is how many crawlers a line of X-Robots-Tag names.
func countCrawlers(line string) (n int) {
	for crawler := range robotstag.Told(line) {
		if crawler != "" {
			n++
		}
	}
	return n
}

// disputed are those of some request paths at which one of several files may be served.
func (c *compiler) disputed(urls []string) (all []string) {
	for _, url := range urls {
		if c.owners[url] == disputed {
			all = append(all, url)
		}
	}
	return all
}

// disputedLikeAll are the disputed request paths that get what everything gets, and at which a file
// may be served that gets another value elsewhere: the rule for that file may hold for the path
// too.
func (c *compiler) disputedLikeAll() (all []string) {
	if c.everywhere == "" {
		return nil
	}
	isOther := func(i int) bool { return c.values[i] != c.everywhere }
	for _, url := range c.disputed(c.paths) {
		if c.ruleValue(url) == "" && !c.isGivenUp(url) && slices.ContainsFunc(c.rivals[url], isOther) {
			all = append(all, url)
		}
	}
	return all
}

// ruleValue is the value for which a request path needs a rule of its own; "" if it needs none.
func (c *compiler) ruleValue(url string) value {
	if v := c.valueAt(url); v != c.everywhere {
		return v
	}
	return ""
}

// countPaths is how many request paths need a rule of their own.
func (c *compiler) countPaths() (n int) {
	for _, g := range c.groups {
		n += len(g.paths)
	}
	return n
}

// packTexts joins the texts of request paths, with separators between them, to as few texts as
// their order allows. Each begins with a head and has at most so many bytes, unless one path's text
// alone has more.
func packTexts(urls []string, head, separator string, most int, text func(url string) string) (
	packed []string) {
	for _, url := range urls {
		t, last := text(url), len(packed)-1
		if last >= 0 && len(packed[last])+len(separator)+len(t) <= most {
			packed[last] += separator + t
		} else {
			packed = append(packed, head+t)
		}
	}
	return packed
}

// badValue says why a value cannot be written. No directive and no crawler's name needs what is
// refused here; one host or another gives each a meaning.
func badValue(lines []string) string {
	text := strings.Join(lines, ", ")
	for _, r := range text {
		if r < ' ' || r > '~' || strings.ContainsRune("\"\\$`{}", r) {
			return fmt.Sprintf("the value %q holds %q, which cannot be written in the host's file", text, r)
		}
	}
	return ""
}

// Why a file gets no rule.
const (
	unwritableName = "the name holds a control character or is not UTF-8"
	specialName    = "the name holds a character that means something else in a pattern (rename the file)"
	tooLong        = "the path or its value is too long for a rule of this host"
)

// badName reports whether a name cannot be written in every host's file.
func badName(path string) bool {
	return !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7F })
}
