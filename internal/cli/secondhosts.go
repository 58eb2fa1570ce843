package cli

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/disk"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/internal/verify"
)

// statedHosts are the second hosts that --also names. What is wrong with one goes to
// [command.wrong].
func (c *verifyCommand) statedHosts() (list []verify.SecondHost) {
	for _, text := range c.also {
		base, user, err := verify.ParseBase(text)
		switch {
		case err != nil:
			c.wrongf("--also %w", err)
		case user != nil:
			c.wrongf("--also: a user is sent to BASE-URL alone")
		case !slices.ContainsFunc(list, func(host verify.SecondHost) bool { return isSameBase(host.Base, base) }):
			list = append(list, verify.SecondHost{Base: base, By: "--also", IsStated: true})
		}
	}
	return list
}

// isSameBase reports whether two bases are of the same root, whatever the letters' case of the
// host.
func isSameBase(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host) && a.Path == b.Path
}

// askSecondHosts asks other hosts whether they serve the site too. The answers go to the report.
func (c *verifyCommand) askSecondHosts(r *verify.Report, stated []verify.SecondHost) error {
	list := c.hostsToAsk(r, stated)
	if len(list) == 0 {
		return nil
	}
	_, err := c.network.ask(&c.command, c.network.askOptions(&c.command, c.arg(), c.getenv(verifyUser)),
		func(ctx context.Context, o verify.AskOptions) (*verify.Report, error) {
			return r, r.AskSecondHosts(ctx, list, o)
		})
	return err
}

// hostsToAsk are the hosts that the owner states, and those that the site's own files name if the
// site itself is asked on the network. What may surprise the owner is a note of the report.
func (c *verifyCommand) hostsToAsk(r *verify.Report, stated []verify.SecondHost) (list []verify.SecondHost) {
	for _, host := range stated {
		if r.IsOwn(host.Base) {
			r.Summary.Notes = append(r.Summary.Notes, fmt.Sprintf("--also %s: that is the site's own host", host.Base))
		} else {
			list = append(list, host)
		}
	}
	isOnThisMachine := func(base *url.URL) bool { return isLocal(base.Hostname()) }
	if r.IsOfItsOwnHosts() && !slices.ContainsFunc(r.MadeFor, isOnThisMachine) {
		list = append(list, c.namedHosts(r, stated)...)
	}
	return list
}

// namedHosts are the second hosts that nobody states: those that files of the site name, in the
// working folder and beside the snapshot, and the site's own domain with or without www. What
// cannot be asked is a note of the report: a file that cannot be read, and a name that no file
// tells whole.
func (c *verifyCommand) namedHosts(r *verify.Report, stated []verify.SecondHost) []verify.SecondHost {
	folders := []string{"."}
	if dir := filepath.Dir(c.against); dir != "." { // c.against is the snapshot; "" if there is none
		folders = append(folders, dir)
	}
	found := foundHosts{report: r, stated: stated}
	found.addFromFiles(folders)
	found.addWithWWW()
	return found.list
}

// foundHosts collects second hosts that files name, beside those that the owner states.
type foundHosts struct {
	report *verify.Report // knows the site's own hosts
	stated []verify.SecondHost
	list   []verify.SecondHost
}

// addFromFiles adds the hosts that files in some folders name, and notes what cannot be asked.
func (f *foundHosts) addFromFiles(folders []string) {
	note := func(format string, args ...any) {
		f.report.Summary.Notes = append(f.report.Summary.Notes, fmt.Sprintf(format, args...))
	}
	readable := disk.Around(".").With(folders...) // no symlink leads out of these
	nameInNotes := filepath.ToSlash
	names, err := hosts.Names(readable, folders, nameInNotes)
	for _, unread := range flat(err) { // one for each file that cannot be read
		note("%v: other names of the site that it may tell are not asked", unread)
	}
	for i := range names {
		switch name := &names[i]; {
		case f.hasNamed(name): // the owner states it, or it is the site's own
		case name.Unknown != "": // a part of the name that no file tells
			note("%s: the site may be served at %s too, and no file tells %s: %s", name.By.Place(),
				name.Host, name.Unknown, name.Hint())
		default:
			f.add(name.Host, name.By.Place())
		}
	}
}

// addWithWWW adds the other name of each host that the snapshot was made for: with www. or without.
// A host with a port is a local server, which has no other name.
func (f *foundHosts) addWithWWW() {
	for _, base := range f.report.MadeFor {
		other, hasOther := project.WithWWW(base.Hostname())
		isPublic := base.Port() == ""
		if hasOther && isPublic {
			f.add(other, "the other name of "+base.Hostname())
		}
	}
}

// add adds a host, unless it is one of the site's own, stated, or in the list. by says what names
// it.
func (f *foundHosts) add(name, by string) {
	base := &url.URL{Scheme: "https", Host: name, Path: "/"}
	isSame := func(host verify.SecondHost) bool { return host.Base.Hostname() == name }
	if !f.report.IsOwn(base) && !slices.ContainsFunc(slices.Concat(f.stated, f.list), isSame) {
		f.list = append(f.list, verify.SecondHost{Base: base, By: by})
	}
}

// hasNamed reports whether the owner states the host that a file names, or the site is known to be
// there. If the owner states garden-7ou.pages.dev, the garden.pages.dev that a file tells is
// another site's: the host has lengthened the name of this one.
func (f *foundHosts) hasNamed(name *hosts.Name) bool {
	isStated := func(host verify.SecondHost) bool { return isNamed(host.Base, name) }
	isOwn := func(base *url.URL) bool { return isNamed(base, name) }
	own := slices.Concat(f.report.MadeFor, f.report.Own)
	return slices.ContainsFunc(f.stated, isStated) || slices.ContainsFunc(own, isOwn)
}

// isNamed reports whether a host is the one that a file names, which a host's own names may be in
// three ways:
//
//	garden.pages.dev                the file names garden.pages.dev
//	garden-7ou.pages.dev            the same: that name was taken, and the host has lengthened it
//	garden.anna.workers.dev         the file names garden.ACCOUNT.workers.dev, where ACCOUNT is unknown
func isNamed(base *url.URL, name *hosts.Name) bool {
	label, ending, _ := strings.Cut(name.Host, ".") // garden and pages.dev
	beginning := label + "-"
	if name.Unknown != "" { // garden and ACCOUNT.workers.dev
		beginning, ending = label+".", strings.TrimPrefix(ending, name.Unknown+".")
	}
	host := base.Hostname()
	isOfHost := hosts.OfName(host) != nil && strings.HasPrefix(host, beginning) && strings.HasSuffix(host, "."+ending)
	return host == name.Host || isOfHost
}

// joinedHosts prints second hosts with what each was found to be.
func joinedHosts(list []verify.SecondAnswer) string {
	var texts []string
	for i := range list {
		texts = append(texts, list[i].String())
	}
	return strings.Join(texts, "; ")
}
