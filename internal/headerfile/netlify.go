package headerfile

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
	"metarobots/internal/disk"
	"metarobots/internal/hosts"
	"metarobots/internal/mention"
	"metarobots/internal/project"
	"metarobots/internal/source"
	"metarobots/policy"
)

// netlifyTOML is [[headers]] of a site's netlify.toml, which Netlify puts over _headers: of two
// values for one URL the response has the one of netlify.toml (N8).
// https://docs.netlify.com/build/configure-builds/file-based-configuration/#headers
type netlifyTOML struct {
	path, file, host string // the file, absolute and for messages, and the name of the site's host
	site             *address.Site
	index            *source.Index
	// findings are about what Netlify does not read, or reads against its documentation.
	findings []policy.Finding
	// rules are those of [[headers]], and inContext those of contexts that may be the one that is
	// deployed. Netlify's documentation says that headers have no context, and its code has the
	// latter take the place of the former: each counts.
	rules, inContext netlifyRules
	unread           []mention.Line // that mention X-Robots-Tag outside of the rules
	mistakes         []mention.Mistake
}

// netlifyRules are some that Netlify reads together.
type netlifyRules struct {
	all    []netlifyRule
	robots served // of X-Robots-Tag
}

// netlifyRule is one element of [[headers]].
type netlifyRule struct {
	path   []string // that leads to it
	from   string   // the pattern
	values map[string]any
}

// pathOf leads to a value of the rule, by its key.
func (r *netlifyRule) pathOf(key string) []string {
	return append(slices.Clone(r.path), "values", key)
}

// isOnNetlify reports whether Netlify serves what is written for a target.
func isOnNetlify(target string) bool {
	return target == headers.TargetNetlify || target == headers.TargetPortable
}

// readNetlifyTOML reads netlify.toml of the site's folder or of the working folder; nil for none.
func readNetlifyTOML(p *project.Project, site *address.Site) (*netlifyTOML, error) {
	for _, folder := range []string{p.Source, p.Options.WorkDir} {
		file := filepath.Join(folder, "netlify.toml")
		data, err := p.Read(file, project.MaxConfig)
		if disk.Refused(err) {
			return nil, project.Invalid(&policy.Finding{File: p.Short(file),
				Message: "the file is not read: " + project.Reason(err)})
		} else if data != nil {
			n, err := parseNetlifyTOML(p.Short(file), data, p, site)
			if err == nil {
				reader := mention.Lookup(file)
				n.path, n.unread, n.mistakes = file, unread(reader, data, n.accounts), reader.Mistakes(data)
			}
			return n, err
		}
	}
	return nil, nil
}

// parseNetlifyTOML reads a netlify.toml, whose name is for messages. It fails if the file is no
// TOML, or if its rules cannot be matched within limits.
func parseNetlifyTOML(name string, data []byte, p *project.Project, site *address.Site) (
	n *netlifyTOML, err error) {
	var root map[string]any
	n = &netlifyTOML{file: name, host: p.Hosts.Main.URL.Hostname(), site: site}
	if n.index, err = source.Read("toml", data, 0, &root); err != nil {
		return nil, project.Invalid(&policy.Finding{File: name,
			Message: fmt.Sprintf("it cannot be read: %v", err)})
	}
	n.rules.all = netlifyRulesOf(root, "headers")
	inContexts := n.readContexts(root, p)
	n.reportIgnored(root, slices.Concat(n.rules.all, inContexts))
	for _, rules := range []*netlifyRules{&n.rules, &n.inContext} {
		if rules.robots, err = n.readRules(rules.all, robotstag.Name); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// readContexts reads and reports the rules of all contexts, and returns them. Those of a context
// that may be the one that is deployed go to inContext.
func (n *netlifyTOML) readContexts(root map[string]any, p *project.Project) (all []netlifyRule) {
	contexts, _ := root["context"].(map[string]any)
	for _, context := range slices.Sorted(maps.Keys(contexts)) {
		rules := netlifyRulesOf(root, "context", context, "headers")
		all = append(all, rules...)
		counts := mayBeDeployed(context, p)
		if counts {
			n.inContext.all = append(n.inContext.all, rules...)
		}
		n.reportContext(rules, context, counts)
	}
	return all
}

// accounts reports whether a line sets X-Robots-Tag in a rule.
func (n *netlifyTOML) accounts(line int) bool {
	for _, r := range slices.Concat(n.rules.all, n.inContext.all) {
		for key := range r.values {
			if isRestricting(key) && n.index.Nearest(r.pathOf(key)...) == line {
				return true
			}
		}
	}
	return false
}

// mayBeDeployed reports whether a deploy of the run's environment may have a context: its own name,
// or a branch that nobody knows to be another one.
// https://docs.netlify.com/deploy/deploy-overview/#deploy-contexts
func mayBeDeployed(context string, p *project.Project) bool {
	environment := p.Environment.Name
	previews := []string{"deploy-preview", "branch-deploy", "preview-server", "dev"}
	branch := cmp.Or(p.Options.Getenv("BRANCH"), p.Config.Site.ProductionBranch)
	isProduction := environment == "production"
	switch {
	case strings.EqualFold(context, environment):
		return true
	case context == "production":
		return false
	case slices.Contains(previews, context):
		return !isProduction && !slices.Contains(previews, environment)
	case !isProduction:
		return true
	case branch == "":
		return context == "main" || context == "master"
	}
	start, isPattern := strings.CutSuffix(context, "*")
	return context == branch || isPattern && strings.HasPrefix(branch, start)
}

// netlifyRulesOf are the rules of a list that Netlify reads: one whose pattern or values have
// another form is none. https://github.com/netlify/build packages/headers-parser/src/normalize.ts
func netlifyRulesOf(root map[string]any, path ...string) (rules []netlifyRule) {
	var list any = root
	for _, name := range path {
		table, _ := list.(map[string]any)
		list = table[name]
	}
	tables, _ := list.([]map[string]any)
	if array, ok := list.([]any); ok {
		for _, element := range array {
			table, _ := element.(map[string]any)
			tables = append(tables, table)
		}
	}
	for i, table := range tables {
		from, isText := table["for"].(string)
		values, isTable := table["values"].(map[string]any)
		if isText && isTable && every(slices.Collect(maps.Values(values)), isNetlifyValue) {
			rules = append(rules, netlifyRule{append(slices.Clone(path), strconv.Itoa(i)), from, values})
		}
	}
	return rules
}

// isNetlifyValue reports whether a value is a text or a list of texts.
func isNetlifyValue(value any) bool {
	if list, ok := value.([]any); ok {
		return every(list, func(v any) bool { _, ok := v.(string); return ok })
	}
	_, ok := value.(string)
	return ok
}

// isRestricting reports whether a key is the name of a header that may restrict crawlers. Netlify
// leaves blanks around it out.
func isRestricting(key string) bool {
	key = strings.TrimSpace(key)
	isKey := func(name string) bool { return strings.EqualFold(key, name) }
	return slices.ContainsFunc(restricting, isKey)
}

// reportContext reports the rules of a context.
func (n *netlifyTOML) reportContext(rules []netlifyRule, context string, mayCount bool) {
	does := "it does not count, since this run is for another deploy"
	if mayCount {
		does = "what it restricts counts"
	}
	for _, r := range rules {
		for _, key := range slices.Sorted(maps.Keys(r.values)) {
			if isRestricting(key) {
				n.report(r.pathOf(key), fmt.Sprintf("Netlify documents that headers have no context, and "+
					"reads those of context %q all the same: %s (write [[headers]], or state it in the "+
					"policy, by environment if need be)", context, does))
			}
		}
	}
}

// reportIgnored reports each header that may restrict crawlers and is where Netlify reads none:
// anywhere in a value of the file, such as "X-Robots-Tag" right below [[headers]]. path leads to
// the value; it is empty for the file as a whole, and names an element of a list by its number:
// "headers", "0", "values". known are the rules that are read: what is in their values is not
// ignored.
func (n *netlifyTOML) reportIgnored(value any, known []netlifyRule, path ...string) {
	if len(path) > 0 && isRestricting(path[len(path)-1]) && !isInRule(path, known) {
		n.report(path, fmt.Sprintf("Netlify ignores %s here: it reads [[headers]] with for = "+
			"\"PATH\", whose values are texts in [headers.values] (write it there, or as a rule of the "+
			"policy)", strings.TrimSpace(path[len(path)-1])))
		return // what is in it is no news
	}
	pathOf := func(key string) []string { return append(slices.Clone(path), key) }
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			n.reportIgnored(value[key], known, pathOf(key)...)
		}
	case []map[string]any: // as the decoder has an array of tables
		for i, table := range value {
			n.reportIgnored(table, known, pathOf(strconv.Itoa(i))...)
		}
	case []any:
		for i, element := range value {
			n.reportIgnored(element, known, pathOf(strconv.Itoa(i))...)
		}
	}
}

// isInRule reports whether a path leads to a header of one of some rules: to the rule, values and a
// key. It makes no slice for each rule: a file may have thousands, and is asked for each header.
func isInRule(path []string, rules []netlifyRule) bool {
	return slices.ContainsFunc(rules, func(r netlifyRule) bool {
		n := len(r.path)
		return len(path) == n+2 && path[n] == "values" && slices.Equal(path[:n], r.path)
	})
}

// report adds a warning at the line to which a path leads.
func (n *netlifyTOML) report(path []string, message string) {
	n.findings = append(n.findings, policy.Finding{ID: "header-syntax", Severity: policy.Warning, File: n.file,
		Line: n.index.Nearest(path...), Message: message})
}

// ways are what it may send of X-Robots-Tag for a file: by its rules, and by those of contexts, if
// there are any.
func (n *netlifyTOML) ways(name, source string) (ways [][]robotstag.Sent) {
	if n == nil {
		return nil
	}
	ways = [][]robotstag.Sent{n.rules.robots(name, source)}
	if len(n.inContext.all) > 0 {
		ways = append(ways, n.inContext.robots(name, source))
	}
	return ways
}

// reader returns what netlify.toml serves of a header by its rules.
func (n *netlifyTOML) reader(header string) (served, error) {
	if n == nil {
		return func(string, string) []robotstag.Sent { return nil }, nil
	}
	return n.readRules(n.rules.all, header)
}

// owners are the rules for a header, as those of a _headers file, with the lines of this one; nil if
// there are none, or if they cannot be matched within limits.
func (n *netlifyTOML) owners(header robotstag.Header) *hosts.Owners {
	if n == nil {
		return nil
	}
	text, lines := n.asHeadersFile(n.rules.all, header.Name)
	if len(lines) == 0 {
		return nil
	}
	o := robotstag.Task{Target: headers.TargetNetlify, Host: n.host, Addresses: n.site}
	inText, err := hosts.ReadUser(text, header, o)
	if err != nil {
		return nil
	}
	strays := func(all []robotstag.Stray) []robotstag.Stray {
		for i := range all {
			all[i].Value.Line = lines[all[i].Value.Line-1]
		}
		return all
	}
	own := inText
	own.Sent = func(name, source string) []robotstag.Sent {
		answers := inText.Sent(name, source)
		each(answers, func(v *robotstag.Value) { v.Line = lines[v.Line-1] })
		return answers
	}
	own.Counted, own.Served = own.Sent, own.Sent
	own.Rules = func() []robotstag.OwnRule {
		all := inText.Rules()
		for i := range all {
			all[i].Value.Line = lines[all[i].Value.Line-1]
		}
		return all
	}
	own.Strays = func(path string) []robotstag.Stray { return strays(inText.Strays(path)) }
	own.Unserved = func() []robotstag.Stray { return strays(inText.Unserved()) }
	return &own
}

// readRules returns what rules serve of a header: it writes those that set it as a _headers file
// and reads that. It fails if they cannot be matched within limits.
func (n *netlifyTOML) readRules(rules []netlifyRule, header string) (served, error) {
	text, lines := n.asHeadersFile(rules, header)
	o := robotstag.Task{Target: headers.TargetNetlify, Host: n.host, Addresses: n.site}
	user, err := headers.ReadUser(text, headerOf(header), o)
	return func(name, source string) []robotstag.Sent {
		answers := user.Sent(name, source)
		each(answers, func(v *robotstag.Value) {
			v.Line, v.File, v.Name = lines[v.Line-1], n.file, header
		})
		return answers
	}, err
}

// asHeadersFile returns those of some rules that set a header as a _headers file, and for each of
// its lines the line of netlify.toml.
func (n *netlifyTOML) asHeadersFile(rules []netlifyRule, header string) (text []byte, lines []int) {
	var b bytes.Buffer
	for _, r := range rules {
		for _, key := range slices.Sorted(maps.Keys(r.values)) {
			if !strings.EqualFold(strings.TrimSpace(key), header) {
				continue
			}
			values, isList := r.values[key].([]any)
			if !isList {
				values = []any{r.values[key]}
			}
			// A pattern is written as one line. It may leave its first slash out.
			from := strings.ReplaceAll(strings.TrimSpace(r.from), "\n", " ")
			fmt.Fprintf(&b, "/%s\n", strings.TrimPrefix(from, "/"))
			for _, v := range values {
				value := strings.Join(strings.Fields(fmt.Sprint(v)), " ")
				fmt.Fprintf(&b, "  %s: %s\n", strings.TrimSpace(key), value)
			}
			line := n.index.Nearest(r.pathOf(key)...)
			lines = append(lines, slices.Repeat([]int{line}, 1+len(values))...)
		}
	}
	return b.Bytes(), lines
}

// reportOverridden reports a file whose header netlify.toml decides otherwise than the decision,
// which includes what it says.
func (c *compiler) reportOverridden(h *File, d *Decided, name string) {
	if !d.Role.Policed() {
		return
	}
	for _, answers := range h.netlify.ways(name, "") {
		for _, s := range answers {
			if isSent(s) && c.reportOverride(d, s) {
				break // the others of this file are no news
			}
		}
	}
}

// reportOverride reports an answer of netlify.toml that tells crawlers something else than the
// decision. It returns whether it did.
func (c *compiler) reportOverride(d *Decided, s robotstag.Sent) (isReported bool) {
	p, line := c.files.project, s[0]
	served := p.Policy.Resolve(c.files.readAnswer(s, policy.Documented))
	wanted := d.Decision.Generic.Restrictions()
	switch {
	case d.areTagsEnough(d.Decision) && p.Config.Robots.Headers.Scope == robotstag.ScopeFiles:
		// No rule of ours is wanted: its tag carries the decision.
	case d.TakesTags && len(d.Decision.Agents) == 0 && served.Generic.AtLeast(wanted):
		// It leaves out what allows, and the tag has that.
	case !slices.Equal(served.Header(p.Policy.Style), d.Header):
		c.reportOn(d, "netlify-toml", policy.Error, fmt.Sprintf("netlify.toml goes before _headers and "+
			"serves %q, where %q is decided: state that in the policy, and take line %d out",
			robotstag.Join(line), strings.Join(d.Header, ", "), line[0].Line))
		return true
	}
	return false
}
