package plan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/patch"
	"metarobots/emit/redirects"
	"metarobots/internal/headerfile"
	"metarobots/internal/project"
	"metarobots/internal/state"
	"metarobots/policy"
)

// A RedirectsFile is the _redirects of one host, in which other names of the site on Netlify are
// sent home (N11l).
type RedirectsFile struct {
	Change state.Output
	// Names are those that it sends home, by our block. Stated are those of them that every run
	// knows, on whatever machine: the host's own build alone knows the name that the host gave the
	// site.
	Names, Stated []string
	// Missing are errors: names that its new bytes do not send home.
	Missing []policy.Finding
}

func (r *RedirectsFile) Output() *state.Output      { return &r.Change }
func (r *RedirectsFile) Unproven() []policy.Finding { return r.Missing }

// planRedirects plans the _redirects of each host: with our block on Netlify, if other names are to
// redirect, and without it otherwise.
func (mk *Maker) planRedirects(s *Plan) (findings []policy.Finding) {
	for _, h := range mk.project.Hosts.All {
		r := &RedirectsFile{Change: mk.project.Output(h.Root + "_redirects")}
		owner, err := mk.ownersRedirects(&r.Change)
		names := mk.sentHome(h)
		switch {
		case err != nil && len(names) > 0:
			findings = append(findings, policy.Finding{ID: "other-hosts", Severity: policy.Warning, File: r.Change.File,
				Message: "it cannot be read, so nothing is redirected by it: " + project.Reason(err)})
		case err == nil && (len(names) > 0 || r.hasOurs(owner)):
			findings = append(findings, headerfile.BrokenMarks(r.Change.File, owner)...)
			r.Names, r.Stated = names, mk.statedNames(names)
			mk.planRedirectsFile(r, owner, h)
			s.HostFiles.Redirects = append(s.HostFiles.Redirects, r)
		}
	}
	return findings
}

// hasOurs reports whether an earlier run has left our block, in what is published or in the text
// that counts as the owner's.
func (r *RedirectsFile) hasOurs(owner []byte) bool {
	return r.Change.Stands != nil || !bytes.Equal(redirects.WithoutOurs(owner), owner)
}

// sentHome are the names that the _redirects of a host is to send home; none on another host than
// Netlify. Names that the owner's own redirects send home, or lead elsewhere, are not among them.
func (mk *Maker) sentHome(h project.Host) (names []string) {
	isOnNetlify := slices.Contains(mk.hosting.Targets, headers.TargetNetlify)
	if !isOnNetlify || mk.project.Home(h) == "" {
		return nil
	}
	own, err := mk.project.OwnHosts()
	if err != nil { // reported by the reader of header files
		return nil
	}
	names, _ = mk.hosting.NamesToSendHome(own) // what is left to the owner is reported there too
	return names
}

// statedNames are those of some names that the configuration and the owner's files tell.
func (mk *Maker) statedNames(names []string) (stated []string) {
	all := mk.project.OtherNames(nil, func(string) bool { return true })
	for _, name := range names {
		if slices.Contains(all, name) {
			stated = append(stated, name)
		}
	}
	return stated
}

// ownersRedirects returns the owner's text of a _redirects, and notes what is published: it may be
// a static file that a build is yet to copy.
func (mk *Maker) ownersRedirects(c *state.Output) (owner []byte, err error) {
	if c.Old, err = mk.project.Read(c.Path, project.MaxConfig); err != nil {
		return nil, err
	}
	owner = mk.project.OwnBytes(mk.from, c)
	if static := mk.pages.File(c.Name).Source; owner == nil && static != "" && mk.from.Builds() {
		if owner, err = mk.project.ReadStatic(static, project.MaxConfig); err != nil {
			return nil, err
		}
	}
	return owner, nil
}

// planRedirectsFile sets the new bytes of a _redirects, and proves them: each name leads home by
// the finished file, as Netlify reads it.
func (mk *Maker) planRedirectsFile(r *RedirectsFile, owner []byte, h project.Host) {
	c, names := &r.Change, r.Names
	ownersAlone := redirects.WithoutOurs(owner)
	text := redirects.SendHome(ownersAlone, names, mk.project.Home(h))
	if hasNoOwnersText := len(ownersAlone) == 0 && r.hasOurs(owner) || owner == nil; hasNoOwnersText {
		ownersAlone = nil // the file is ours, and goes with our block
	}
	if len(text) == 0 {
		text = ownersAlone
	}
	c.New, c.Left = state.Edit(nil, ownersAlone, c.Old, patch.Between(ownersAlone, text), c.Stands)
	sent := redirects.SentHome(redirects.Rules(c.New, c.File), h.URL.Hostname())
	isSent := func(name string) bool { return slices.Contains(sent, name) }
	if missing := slices.DeleteFunc(slices.Clone(names), isSent); len(missing) > 0 {
		r.Missing = []policy.Finding{{ID: "header-mismatch", Severity: policy.Error, File: c.File,
			Message: fmt.Sprintf("the finished file would not send %s home", strings.Join(missing, ", "))}}
	}
}
