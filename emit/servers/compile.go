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

// Compile adds to the user's file of a format the rules that serve every want with its values and nothing else with
// any. Rules of an earlier run are taken out first. It fails where the file cannot be read as what the host takes, and,
// with [robotstag.ErrBudget] and the result, where a limit of the host's is in the way: of the files other than HTML,
// or, in scope "all", of all of them.
//
// The first demand is X-Robots-Tag, which alone has scopes and an environment. Of other headers a file gets what the
// host takes beside that, or is among those that are lost.
func (f *Format) Compile(existing []byte, demands []robotstag.Demand, o robotstag.Task) (robotstag.Result, error) {
	d := &draft{format: f, existing: existing, base: strings.TrimRight(o.Base, "/"), left: o.Left(), own: o.Own}
	if o.Addresses != nil {
		d.addresses = o.Addresses.On(f.host)
	}
	var err error
	for i := 0; i < len(demands) && err == nil; i++ {
		c, broken := d.newCompiler(demands[i])
		if broken != nil {
			return robotstag.Result{}, broken
		} else if i == 0 {
			err = c.writeRobots(o)
		} else {
			err = c.writeOther()
		}
		c.reportRefused()
	}
	if errors.Is(err, robotstag.ErrBudget) {
		hint := ""
		if o.Scope == robotstag.ScopeAll {
			hint = ` (headers.scope = "files" leaves HTML to its tags)`
		}
		d.report("header-budget", policy.Error, "%s", d.over.size).Detail = d.over.limit + hint
	} else if err != nil {
		return robotstag.Result{}, err
	}
	if d.slow != "" {
		d.report("header-count", policy.Warning, "%s", d.slow)
	}
	if d.todo != "" {
		d.report("other-hosts", policy.Note, "%s", d.todo)
	}
	if err == nil {
		d.reportPreviews()
	}
	d.res.Total = d.res.Rules // the owner's, which a limit counts too, have no simple number
	d.res.Sort()
	return d.res, err
}

// A value is what a header says: its lines, with line ends between them.
type value string

func valueOf(lines []string) value { return value(strings.Join(lines, "\n")) }

func (v value) lines() []string { return strings.Split(string(v), "\n") }

// sent is the value as a host sends it that has a line for each.
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
	existing  []byte
	base      string
	addresses *address.Site   // of the files on the host; nil if nobody has configured it
	headers   []*compiler     // X-Robots-Tag first
	own       []string        // the site's own hosts, if the file is to have rules for others
	left      robotstag.Left  // the HTML that is left to its tags
	leftHTML  map[string]bool // the files that so go without their rules
	over      overflow        // zero if no limit is in the way
	slow      string          // says why the file slows the host down
	todo      string          // says what the owner's configuration needs since this run
	res       robotstag.Result
}

func (d *draft) write() (err error) {
	d.res.File, d.res.Rules, err = d.format.write(d)
	return err
}

// report notes a finding about the file.
func (d *draft) report(id string, severity policy.Severity, format string, args ...any) *policy.Finding {
	return d.res.Report(id, severity, 0, "", format, args...)
}

// An overflow is how a file goes beyond a limit of its host.
type overflow struct {
	size  string // "the file would have 7 rules"
	limit string // "; the host takes 5"
}

func (o overflow) text() string { return o.size + o.limit }

// compiler finds out which request path needs a rule with which value of a header; a host's write puts that into its
// file.
type compiler struct {
	draft      *draft
	header     robotstag.Header
	user       *User
	wants      []robotstag.Want
	everywhere value // what one rule says for all files; "" for none

	values  []value         // of each want what a rule has to give it, perhaps the one for everything
	refused map[int]refusal // the wants that get no rule

	// What follows is made of the values.
	owners map[string]int   // the wants whose files are served at request paths; or disputed
	rivals map[string][]int // the wants of disputed paths
	urls   []string         // the request paths of files that are not free, sorted
	groups []group          // those that need a rule of their own
	placed placements       // of their rules
	inWay  map[int]*obstacle
}

// A refusal is why a file gets no rule, with the ID of a finding about X-Robots-Tag.
type refusal struct{ id, why string }

// group is the URLs that get one value in one place, sorted, decoded.
type group struct {
	place placement
	value value
	urls  []string
}

// newCompiler adds a header to the draft, and reports what is not read of the owner's rules about it.
func (d *draft) newCompiler(demand robotstag.Demand) (*compiler, error) {
	user, err := d.format.ReadUser(d.existing, demand.Header.Name)
	if err != nil {
		return nil, err
	}
	if user.Serve(d.addresses); d.addresses == nil {
		published := make(map[string]bool, len(demand.Wants))
		for _, w := range demand.Wants {
			published[w.Path] = true
		}
		isPublished := func(file string) bool { return published[file] }
		user.Serve(address.New(isPublished, nil, user.serves.site.Handlings()...))
	}
	c := &compiler{draft: d, header: demand.Header, user: user, wants: demand.Wants,
		values: make([]value, len(demand.Wants)), refused: make(map[int]refusal)}
	d.headers = append(d.headers, c)
	d.res.Findings = append(d.res.Findings, user.unread...)
	return c, nil
}

// another reports whether the header is another than X-Robots-Tag.
func (c *compiler) another() bool { return c != c.draft.headers[0] }

// writeRobots writes the file with X-Robots-Tag.
func (c *compiler) writeRobots(o robotstag.Task) error {
	d := c.draft
	if v := valueOf(o.Everywhere); v != "" {
		if why := cmp.Or(badValue(o.Everywhere), d.format.unfit(c, "/", v)); why != "" {
			d.report("header-value", policy.Error, "the environment's header: %s: it gets no X-Robots-Tag", why)
		} else {
			c.everywhere = v
		}
	}
	write := func() error {
		clear(c.refused)
		d.leftHTML = make(map[string]bool)
		c.choose(c.robots)
		c.settle()
		return d.write()
	}
	err := write()
	over, before := d.over, len(d.leftHTML)
	for errors.Is(err, robotstag.ErrBudget) {
		more, ok := o.LeaveMore(d.left, c.wants)
		if !ok {
			break
		}
		d.left = more
		if err = write(); err == nil {
			d.report("header-budget", policy.Warning, "%s", over.size).Detail = over.limit + ": " +
				robotstag.LeftToTags(len(d.leftHTML)-before)
		}
	}
	d.res.GivenUp = slices.Collect(maps.Keys(d.leftHTML))
	return err
}

// refuse notes that a file gets no rule, and why.
func (c *compiler) refuse(i int, id, why string) { c.values[i], c.refused[i] = "", refusal{id, why} }

// reportRefused reports the files that get no rule, or one that does not count.
func (c *compiler) reportRefused() {
	res, lost := &c.draft.res, make(map[string][]robotstag.Want)
	for i, w := range c.wants {
		if r, ok := c.refused[i]; ok && c.another() {
			lost[r.why] = append(lost[r.why], w)
		} else if ok {
			res.Missed = append(res.Missed, w.Path)
			res.Report(r.id, policy.Error, 0, w.URL, "%s: it gets no X-Robots-Tag", r.why)
		}
	}
	for why, files := range lost {
		res.Lose(c.header.Name, why, files)
	}
	for line, o := range c.inWay {
		instead, others := fmt.Sprintf("is served with %q", o.rule.sends.Text), ""
		if o.rule.unread && o.rule.sends.Text != "" && !o.rule.vague {
			instead = fmt.Sprintf("may be served with %q", o.rule.sends.Text)
		} else if o.rule.unread {
			instead = "may be served otherwise"
		} else if o.rule.sends.Text == "" {
			instead = "is served without " + robotstag.Name
		}
		if n := len(o.files) - 1; n > 0 {
			others = fmt.Sprintf(" (and so for %s)", robotstag.Count(n, "other file", "other files"))
		}
		for _, i := range o.files {
			res.Missed = append(res.Missed, c.wants[i].Path)
		}
		rule := strings.Replace(c.draft.format.obstacle, "ROUTE", strconv.Quote(o.rule.before), 1)
		if o.rule.unread && c.draft.format.place != nil && o.rule.before == "" {
			rule = "nobody knows where this rule holds, and neither it nor ours restricts all that the other does " +
				"(have it state all that is decided too)"
		} else if o.rule.always || o.rule.beside {
			rule = "this line is sent beside ours, and they mean less with it (take it out: the policy " +
				"covers the files)"
		}
		res.Report("header-found", policy.Error, line, c.wants[o.files[0]].URL,
			"%s: the file %s where %q is decided%s", rule, instead, o.wanted, others)
	}
}

// choose finds out the value that a rule has to give each file, and refuses those whose paths or values do not fit a
// rule of the host's. needs says what a file needs, or why it cannot have that, with the ID of a finding.
func (c *compiler) choose(needs func(w *robotstag.Want) (v value, id, why string)) {
	for i := range c.wants {
		w := &c.wants[i]
		v, id, why := needs(w)
		c.values[i] = v
		if v != "" && v != c.everywhere {
			id = "header-name"
			for _, url := range c.user.serves.all(w.Path, w.Source) {
				why = cmp.Or(why, c.draft.format.unfit(c, c.draft.base+url, v))
			}
		}
		if why != "" {
			c.refuse(i, id, why)
		}
	}
}

// robots is what a file needs of X-Robots-Tag.
func (c *compiler) robots(w *robotstag.Want) (v value, id, why string) {
	text := strings.Join(w.Values, ", ")
	switch {
	case w.Free || text == "":
	case badValue(w.Values) != "":
		return "", "header-value", badValue(w.Values)
	case badName(w.Path):
		return "", "header-name", unwritableName
	case c.header.Equal(text, c.everywhere.String()):
		return c.everywhere, "", ""
	case c.believes(w):
	case c.draft.left.Has(w):
		c.draft.leftHTML[w.Path] = true
	default:
		return valueOf(w.Values), "", ""
	}
	return "", "", ""
}

// believes reports whether the user's own rules serve a want, at each request path and however the host compares it.
// One rule for everything would override them, and so may a line that is not read.
func (c *compiler) believes(w *robotstag.Want) bool {
	if !w.Found || c.everywhere != "" {
		return false
	}
	text := strings.Join(w.Values, ", ")
	return !slices.ContainsFunc(c.user.serves.all(w.Path, w.Source), func(url string) bool {
		return slices.ContainsFunc(c.user.views, func(v view) bool {
			values, known := v.relied(url)
			return !known || !c.header.Equal(robotstag.Join(values), text)
		})
	})
}

// gather finds out what each request path needs.
func (c *compiler) gather() {
	c.owners, c.rivals = c.user.serves.owners(c.draft.base, c.wants, func(i, j int) bool {
		return c.values[i] == c.values[j] && c.wants[i].Free == c.wants[j].Free
	})
	c.urls, c.groups = nil, nil
	for _, url := range slices.Sorted(maps.Keys(c.owners)) {
		if i := c.owners[url]; i == disputed || !c.wants[i].Free {
			c.urls = append(c.urls, url)
		}
	}
	c.placed = c.place()
	type rule struct {
		place placement
		value value
	}
	byRule := make(map[rule][]string)
	for _, url := range c.urls {
		if v := c.own(url); v != "" && !c.isGivenUp(url) {
			r := rule{c.placed.at(url), v}
			byRule[r] = append(byRule[r], url)
		}
	}
	for r, urls := range byRule {
		c.groups = append(c.groups, group{r.place, r.value, urls})
	}
	slices.SortFunc(c.groups, func(a, b group) int {
		return cmp.Or(strings.Compare(a.value.String(), b.value.String()), strings.Compare(a.urls[0], b.urls[0]))
	})
}

// isGivenUp reports whether a request path gets no rule because it would take away what an owner's rule restricts.
func (c *compiler) isGivenUp(url string) bool {
	return c.placed.obstacles[url] != nil && c.draft.format.givesUp
}

// settle gathers what each path needs, and refuses the files that the host may not tell from one
// that wants something else: it may not say whether it decodes a path or minds its case.
func (c *compiler) settle() {
	c.gather()
	if !c.another() {
		c.findObstacles()
	}
	if c.draft.format.names == nil || len(c.groups) == 0 {
		return
	}
	for i, other := range c.indistinct() {
		if c.another() { // one reason for all of them
			other = "another file"
		}
		c.refuse(i, "header-overlap", fmt.Sprintf("the host may not tell it from %s, which wants "+
			"something else (rename one)", other))
	}
	c.gather()
}

// indistinct are the numbers of the wants that need a rule at a path which the host may take for
// that of a file that wants something else, each with the first such file, quoted.
func (c *compiler) indistinct() map[int]string {
	rivals := make(map[int]string)
	byName := make(map[string][]string) // paths by the names that the host may give them
	for _, url := range c.urls {
		for _, name := range c.draft.format.names(url) {
			for _, other := range byName[name] {
				if cmp.Or(c.needs(url), c.everywhere) != cmp.Or(c.needs(other), c.everywhere) {
					c.noteRival(rivals, url, other)
					c.noteRival(rivals, other, url)
				}
			}
			byName[name] = append(byName[name], url)
		}
	}
	return rivals
}

// noteRival notes a path as the rival of the wants at another one, unless they need no rule there or
// have a rival.
func (c *compiler) noteRival(rivals map[int]string, url, rival string) {
	if c.own(url) == "" {
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

// needs is the value that a rule has to give a request path, perhaps the one for everything; "" if
// no rule is needed. If either of two files may be served there, the value restricts all that either
// is to restrict.
func (c *compiler) needs(url string) (v value) {
	if i := c.owners[url]; i != disputed {
		return c.values[i]
	} else if c.another() {
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
	slices.SortStableFunc(lines, func(a, b string) int { return namesOf(a) - namesOf(b) })
	return valueOf(lines)
}

// namesOf is how many crawlers a line of X-Robots-Tag names.
func namesOf(line string) (n int) {
	for crawler := range robotstag.Stated(line) {
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
// may be served that gets another value elsewhere: the rule for that file may hold for the path too.
func (c *compiler) disputedLikeAll() (all []string) {
	if c.everywhere == "" {
		return nil
	}
	isOther := func(i int) bool { return c.values[i] != c.everywhere }
	for _, url := range c.disputed(c.urls) {
		if c.own(url) == "" && !c.isGivenUp(url) && slices.ContainsFunc(c.rivals[url], isOther) {
			all = append(all, url)
		}
	}
	return all
}

// own is the value for which a request path needs a rule of its own, or "".
func (c *compiler) own(url string) value {
	if v := c.needs(url); v != c.everywhere {
		return v
	}
	return ""
}

func (c *compiler) count() (n int) {
	for _, g := range c.groups {
		n += len(g.urls)
	}
	return n
}

// An obstacle is a rule of the user's that the host puts before ours, or that loosens them, and the
// files that it does not give what they are to have; wanted is the value of the first of them.
type obstacle struct {
	rule   *userRule
	wanted value
	files  []int
}

// findObstacles finds the obstacles, by their lines.
func (c *compiler) findObstacles() {
	c.inWay = make(map[int]*obstacle)
	missed := make(map[int]bool)
	for i := range c.user.views {
		for _, url := range c.urls {
			file, wanted := c.wantsAt(url)[0], c.needs(url)
			if wanted == "" || missed[file] {
				continue
			}
			by := c.placed.obstacles[url]
			if by == nil && c.draft.format.obstacle != "" {
				by = c.obstacleAt(&c.user.views[i], url)
			}
			if by == nil || by.elsewhere {
				continue
			}
			missed[file] = true
			o := c.inWay[by.sends.Line]
			if o == nil {
				o = &obstacle{rule: by, wanted: wanted}
				c.inWay[by.sends.Line] = o
			}
			o.files = append(o.files, file)
		}
	}
}

// obstacleAt is the rule that the host puts before ours for a request path, or that loosens ours; nil for none.
func (c *compiler) obstacleAt(v *view, url string) *userRule {
	wanted := c.needs(url)
	sent, by := v.run(url, wanted.sent(), true)
	switch {
	case by == nil:
		return v.loosens(url, wanted.sent())
	case !by.unread && c.header.Equal(robotstag.Join(slices.Concat(sent...)), wanted.String()):
		return nil
	}
	return by
}

// pack joins the texts of URLs to texts that begin with a head and are not longer than most, if none alone is.
func pack(urls []string, head, separator string, most int, text func(url string) string) (packed []string) {
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

// badValue says why a value cannot be written. No directive and no crawler's name needs what is refused here; one host
// or another gives each a meaning.
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
