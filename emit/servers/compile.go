package servers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// Scopes of [Options].
const (
	// ScopeAuto covers HTML where the host's limit allows.
	ScopeAuto = "auto"
	// ScopeFiles leaves HTML to its meta tag.
	ScopeFiles = "files"
	// ScopeAll covers HTML; where it does not fit that is an error.
	ScopeAll = "all"
)

// Options say how much [Compile] writes, and for which place of a host.
type Options struct {
	// Scope is one of the Scope constants; empty means [ScopeAuto].
	Scope string
	// Everywhere, where not empty, are the X-Robots-Tag lines of an environment that states them for everything, the
	// generic one first. One rule carries them, and only files that want something else get rules of their own.
	Everywhere []string
	// Base is the path, "/docs", below which the site is served; empty at the root of its host. It counts for apache,
	// nginx and caddy: the others serve a site from the root of its host.
	Base string
}

// base is what stands before every request path.
func (o Options) base(t *Target) string {
	if !t.Below {
		return ""
	}
	return strings.TrimRight(o.Base, "/")
}

// Result is what [Compile] made.
type Result struct {
	// Name is the name of the file: ".htaccess", "metarobots.nginx.conf".
	Name string
	// File is the whole new file; nil where there is nothing to write and the user has none.
	File []byte
	// Rules is the number of rules of ours: those the host counts, or, where it counts none, the values.
	Rules int
	// GivenUp are the HTML files left to their meta tag, in scope "auto", because the rules for all files did not fit
	// the host's limit; sorted.
	GivenUp []string
	// Missed are the files that get less than they need, each with an error among the findings.
	Missed []string
	// Findings are about the user's file, those of the user's that are not read among them, and about what was left
	// out. They name no file.
	Findings []policy.Finding
}

// ErrBudget is returned where the rules do not fit the host's limit. Nothing is to be written then.
var ErrBudget = errors.New("the X-Robots-Tag rules do not fit the host's limit")

// Compile adds to the user's file for a target the rules that serve every want with its values and nothing else with
// any. What stood there from an earlier run is taken out first. It fails where the target or the scope is unknown,
// where the file cannot be read as what the host takes, and, with [ErrBudget] and the result, where a limit of the
// host's is in the way: of the files other than HTML, or, in scope "all", of all of them.
func Compile(target string, existing []byte, wants []robotstag.Want, o Options) (Result, error) {
	if !slices.Contains([]string{"", ScopeAuto, ScopeFiles, ScopeAll}, o.Scope) {
		return Result{}, fmt.Errorf("unknown headers scope %q (known: auto, files, all)", o.Scope)
	}
	t, err := hostOf(target)
	if err != nil {
		return Result{}, err
	}
	user, err := ReadUser(target, existing)
	if err != nil {
		return Result{}, err
	}
	c := newCompiler(t, user, existing, wants, o)
	err = c.write(t, o.Scope == ScopeFiles)
	if errors.Is(err, ErrBudget) && o.Scope != ScopeFiles && o.Scope != ScopeAll {
		less := newCompiler(t, user, existing, wants, o)
		if err = less.write(t, true); len(less.leftHTML) > 0 {
			less.res.GivenUp = less.leftHTML
			if err == nil {
				less.report(robotstag.IDBudget, policy.Warning, nil, "%s: the tags of %s alone carry the policy",
					c.over,
					counted(len(less.leftHTML), "HTML page", "HTML pages"))
			}
			c = less
		}
	}
	switch {
	case errors.Is(err, ErrBudget):
		hint := ""
		if !c.leaveHTML {
			hint = ` (headers.scope = "files" leaves HTML to its tags)`
		}
		c.report(robotstag.IDBudget, policy.Error, nil, "%s%s", c.over, hint)
	case err != nil:
		return Result{}, fmt.Errorf("%s: %w", t.File, err)
	}
	slices.SortStableFunc(c.res.Findings, func(a, b policy.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.URL, b.URL), cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Message, b.Message))
	})
	c.res.Findings = slices.Compact(c.res.Findings)
	return c.res, err
}

// counted prints a number and the words for one or for several.
func counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
