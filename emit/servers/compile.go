package servers

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Compile adds to the user's file for a target the rules that serve every want with its values and nothing else with
// any. What stood there from an earlier run is taken out first. It fails where the target or the scope is unknown,
// where the file cannot be read as what the host takes, and, with [ErrBudget] and the result, where a limit of the
// host's is in the way: of the files other than HTML, or, in scope "all", of all of them.
func Compile(existing []byte, wants []robotstag.Want, o robotstag.Options) (robotstag.Result, error) {
	if err := o.Check(); err != nil {
		return robotstag.Result{}, err
	}
	t, err := hostOf(o.Target)
	if err != nil {
		return robotstag.Result{}, err
	}
	user, err := ReadUser(existing, o)
	if err != nil {
		return robotstag.Result{}, err
	}
	c := newCompiler(t, user, existing, wants, o)
	err = c.write(t, o.Scope == robotstag.ScopeFiles)
	if errors.Is(err, robotstag.ErrBudget) && o.Auto() {
		less := newCompiler(t, user, existing, wants, o)
		if err = less.write(t, true); len(less.leftHTML) > 0 {
			less.res.GivenUp = less.leftHTML
			if err == nil {
				less.report(robotstag.IDBudget, policy.Warning, nil, "%s: the tags of %s alone carry the policy",
					c.over, robotstag.Count(len(less.leftHTML), "HTML page", "HTML pages"))
			}
			c = less
		}
	}
	switch {
	case errors.Is(err, robotstag.ErrBudget):
		hint := ""
		if !c.leaveHTML {
			hint = ` (headers.scope = "files" leaves HTML to its tags)`
		}
		c.report(robotstag.IDBudget, policy.Error, nil, "%s%s", c.over, hint)
	case err != nil:
		return robotstag.Result{}, fmt.Errorf("%s: %w", t.File, err)
	}
	c.res.Total = c.res.Rules // the owner's, which a limit counts too, have no simple number
	if len(o.Hosts) > 0 {
		c.report(robotstag.IDHost, policy.Warning, nil, "only target cloudflare can say a header for a host name: "+
			"nothing is said of %s", strings.Join(slices.Sorted(maps.Keys(o.Hosts)), ", "))
	}
	c.res.Sort()
	return c.res, err
}
