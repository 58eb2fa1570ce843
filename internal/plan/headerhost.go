package plan

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/emit/servers"
	"metarobots/policy"
)

// headerHost reads and makes the header files of one target.
type headerHost interface {
	// read returns what the site's own rules give each published file at the host's name.
	read(user []byte, host string) (found func(name string) []robotstag.Value, err error)
	// compile adds our rules; with no wants it takes them out.
	compile(user []byte, wants []robotstag.Want, o headers.Options) (headers.Result, error)
	// verify proves a finished file (N3).
	verify(file []byte, wants []robotstag.Want, o headers.Options, left []string) []policy.Finding
}

// underscore is a host that reads _headers.
type underscore struct{ target string }

func (u underscore) read(user []byte, host string) (func(string) []robotstag.Value, error) {
	r, err := headers.ReadUser(u.target, user, host)
	if err != nil {
		return nil, err
	}
	return r.Found, nil
}

func (u underscore) compile(user []byte, wants []robotstag.Want, o headers.Options) (headers.Result, error) {
	return headers.Compile(user, wants, o)
}

func (u underscore) verify(file []byte, wants []robotstag.Want, o headers.Options, left []string) []policy.Finding {
	return headers.Verify(u.target, file, wants, o.Everywhere, o.Host, left)
}

// server is a host with a configuration of its own form.
type server struct{ target, base string }

func (s server) read(user []byte, _ string) (func(string) []robotstag.Value, error) {
	r, err := servers.ReadUser(s.target, user)
	if err != nil {
		// Compile says so again, with all that depends on it.
		return func(string) []robotstag.Value { return nil }, nil
	}
	return r.Found, nil
}

func (s server) compile(user []byte, wants []robotstag.Want, o headers.Options) (headers.Result, error) {
	r, err := servers.Compile(s.target, user, wants, s.options(o))
	if len(o.Hosts) > 0 {
		r.Findings = append(r.Findings, policy.Finding{ID: robotstag.IDHost, Severity: policy.Warning,
			Message: "only target cloudflare can say a header for a host name: nothing is said of " +
				strings.Join(slices.Sorted(maps.Keys(o.Hosts)), ", ")})
	}
	if errors.Is(err, servers.ErrBudget) {
		err = fmt.Errorf("%w: %w", headers.ErrBudget, err)
	}
	// Of the owner's rules, which a limit counts too, the host's file has no simple number: the limit is Compile's to
	// keep.
	return headers.Result{File: r.File, Rules: r.Rules, Total: r.Rules, GivenUp: r.GivenUp, Missed: r.Missed,
		Findings: r.Findings}, err
}

func (s server) verify(file []byte, wants []robotstag.Want, o headers.Options, left []string) []policy.Finding {
	return servers.Verify(s.target, file, wants, s.options(o), left)
}

func (s server) options(o headers.Options) servers.Options {
	return servers.Options{Scope: o.Scope, Everywhere: o.Everywhere, Base: s.base}
}
