package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"metarobots/internal/hosts"
	"metarobots/internal/printable"
	"metarobots/policy"
)

// builtin environments (E3): what they state unless the configuration says whether they are
// indexed.
var builtin = map[string]bool{ // true: noindex, nofollow
	"production": false, "development": true, "dev": true, "staging": true, "stage": true, "test": true,
	"preview": true, "deploy-preview": true, "branch-deploy": true, "preview-server": true,
}

// Environments are the names of the built-in ones, sorted.
func Environments() []string { return slices.Sorted(maps.Keys(builtin)) }

// A Chosen environment is the policy's, and what chose it (E2).
type Chosen struct {
	// Name is in lower case.
	Name string
	// By says what chose it, such as "-e" or "NETLIFY and CONTEXT".
	By string
	// Statements are what it states, with those of a host's preview where both apply.
	Statements []policy.Statement
	// Private: it says noindex. Preview: the site is not meant for an index, since an environment
	// of another name than production says so, or the host's preview does.
	Private, Preview bool
	// Findings are about disagreements.
	Findings []policy.Finding
}

// Choose finds the environment of a run, and what it states (E2). flag is the value of -e, empty
// without it. The first that is named counts: by the flag, by Hugo's variables, by [site]
// environment, by the host's own variables; or else it is production. If the host names another one
// that is stricter in anything, both apply: a preview must not be indexed by mistake. An error says
// that nobody knows the environment by its name, also if the host alone names it, or which branch
// the host builds, although production is one branch.
func (c *Config) Choose(flag string, getenv func(string) string) (Chosen, error) {
	var ofHost environmentName // in lower case, as hosts.Environment has it
	ofHost.name, ofHost.by = hosts.Environment(getenv, c.Site.ProductionBranch)
	named := firstNamed(
		environmentName{flag, "-e"},
		environmentName{getenv("HUGO_ENVIRONMENT"), "HUGO_ENVIRONMENT"},
		environmentName{getenv("HUGO_ENV"), "HUGO_ENV"},
		environmentName{c.Site.Environment, "site.environment"},
		ofHost,
		environmentName{"production", ByDefault})
	e := Chosen{Name: strings.ToLower(named.name), By: named.by}
	if e.By == ByDefault {
		if err := c.checkBranch(getenv); err != nil {
			return e, err
		}
	}
	var err error
	if e.Statements, err = c.States(e.Name, e.By); err != nil {
		return e, err
	}
	decision := resolved(e.Statements)
	e.Private = decision.NoIndex()
	e.Preview = e.Private && e.Name != "production"
	if ofHost.name != "" && ofHost.name != e.Name {
		err = c.addStricter(&e, ofHost)
	}
	return e, err
}

// An environmentName is the name that something gives the environment of a run; empty if it gives
// none.
type environmentName struct{ name, by string }

// firstNamed is the first that has a name. Callers end the list with one that always has.
func firstNamed(all ...environmentName) environmentName {
	return all[slices.IndexFunc(all, func(n environmentName) bool { return n.name != "" })]
}

// checkBranch returns an error if [site] says which branch is production, and a host builds the
// site that names the branch elsewhere and does not now: the build may be of any.
func (c *Config) checkBranch(getenv func(string) string) error {
	host, _, branch := hosts.Branch(getenv)
	if c.Site.ProductionBranch == "" || host == "" || branch != "" {
		return nil
	}
	return fmt.Errorf("site.productionBranch is %q, but %s does not say which branch this is: name the "+
		"environment with -e", c.Site.ProductionBranch, host)
}

// addStricter adds to the chosen environment what another one states that the host names, if that
// is stricter on any axis, with a finding that both apply.
func (c *Config) addStricter(e *Chosen, ofHost environmentName) error {
	statements, err := c.States(ofHost.name, ofHost.by)
	if err != nil {
		return err
	}
	chosen, byHost := resolved(e.Statements), resolved(statements)
	if chosen.AtLeast(&byHost) { // as strict on every axis
		return nil
	}
	if byHost.NoIndex() {
		e.Private, e.Preview = true, true
	}
	e.Statements = append(e.Statements, statements...)
	e.Findings = append(e.Findings, policy.Finding{ID: "environment", Severity: policy.Warning,
		Message: fmt.Sprintf("%s says the environment is %s, but %s says %s: both apply, so that a preview is "+
			"not indexed", e.By, e.Name, ofHost.by, ofHost.name)})
	return nil
}

// resolved is what statements of an environment come to for a page without other statements.
func resolved(statements []policy.Statement) policy.Decision {
	var nothingElse policy.Policy
	return nothingElse.Resolve(slices.Clone(statements))
}

// ByDefault is what chose the environment if nothing else did.
const ByDefault = "the default"

// States returns what an environment states, by its name in lower case (E3); none if it is public.
// One that is noindex by its name stays so until the configuration says index, noindex or true:
// what AI may do, for example, says nothing of that. A name that is neither configured nor built in
// is an error, which says that it came from by and prints the two lines to choose from.
func (c *Config) States(name, by string) ([]policy.Statement, error) {
	configured, isConfigured := c.Robots.Environments[name]
	isPrivateByName, isBuiltIn := builtin[name]
	statesIndex := func(s policy.Statement) bool { return s.Crawler == "" && s.Directives.StatesIndex() }
	isSettled := len(configured) == 0 || slices.ContainsFunc(configured, statesIndex) // none, as by NAME = true
	switch {
	case isConfigured && (isSettled || !isPrivateByName):
		return configured, nil
	case !isBuiltIn:
		key := toml.Key{name}.String()
		return nil, &printable.Help{Err: fmt.Errorf("environment %q (from %s) is not known%s: "+
			"say under [robots.environments] whether it is public,", name, by, c.likeEnvironment(name)),
			Lines: []string{"\t" + key + " = true", "or not,", "\t" + key + ` = "noindex, nofollow"`}}
	case !isPrivateByName:
		return nil, nil
	}
	return append(slices.Clone(configured), policy.Statement{Directives: policy.Stating("noindex, nofollow"),
		Origin: policy.Origin{Layer: policy.LayerEnvironment, Key: "environment " + name}}), nil
}

// likeEnvironment names the environment that an unknown name may mean, also by its beginning: prod.
func (c *Config) likeEnvironment(name string) string {
	known := slices.Sorted(maps.Keys(c.Robots.Environments))
	known = append(known, Environments()...)
	if hint := policy.DidYouMean(name, known); hint != "" || len(name) < 3 {
		return hint
	}
	i := slices.IndexFunc(known, func(k string) bool { return strings.HasPrefix(k, name) })
	if i < 0 {
		return ""
	}
	return policy.DidYouMean(known[i], known)
}

// Now returns the time that counts as now: --now, SOURCE_DATE_EPOCH or the system's (L7).
// https://reproducible-builds.org/specs/source-date-epoch/
func Now(now string, getenv func(string) string) (time.Time, error) {
	if now != "" {
		t, err := policy.ParseDate(now)
		if err != nil {
			return t, fmt.Errorf("--now: %w", err)
		}
		return t, nil
	}
	if epoch := getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %q is not a number of seconds", epoch)
		}
		return time.Unix(seconds, 0).UTC(), nil
	}
	return time.Now().UTC(), nil
}
