package headerfile

import (
	"fmt"
	"path/filepath"

	"metarobots/emit/robotstag"
	"metarobots/emit/servers"
	"metarobots/internal/hosts"
	"metarobots/internal/project"
	"metarobots/policy"
)

// An ownersConfig is a file in which the owner configures a host that takes no file of ours beside
// it.
type ownersConfig struct {
	path   string // absolute
	file   string // for messages
	config hosts.Config
	data   []byte
}

// configIn returns the owner's configuration in a folder that takes the place of the host's file;
// nil for none.
func (fs *Files) configIn(folder string, host *hosts.Host) (*ownersConfig, error) {
	for _, config := range host.Configs {
		path := filepath.Join(folder, config.Name)
		if !project.Exists(path) {
			continue
		}
		o := &ownersConfig{path: path, file: fs.project.Short(path), config: config}
		if config.Format == nil {
			return o, nil
		}
		var err error
		if o.data, err = fs.project.Read(path, project.MaxConfig); err != nil {
			return nil, project.Invalid(&policy.Finding{File: o.file,
				Message: "the file is not read: " + project.Reason(err)})
		}
		return o, nil
	}
	return nil, nil
}

// read reads what the configuration states of a header; nil where nobody can.
func (o *ownersConfig) read(header string) (*servers.User, error) {
	if o.config.Format == nil {
		return nil, nil
	}
	u, err := o.config.Format.ReadUser(o.data, header)
	if err != nil {
		return nil, project.Invalid(&policy.Finding{File: o.file,
			Message: fmt.Sprintf("it cannot be read: %v", err)})
	}
	return u, nil
}

// reader returns what the configuration serves of a header, as [File.readerOfFile] does.
func (o *ownersConfig) reader(h *File, header string, countedOf func(*hosts.Owners) served) (
	served, error) {
	u, err := o.read(header)
	if u == nil || err != nil {
		return func(string, string) []robotstag.Sent { return nil }, err
	}
	owners := hosts.OwnersOf(u.Serve(h.addresses.On(h.Target)), headerOf(header))
	read := countedOf(&owners)
	return func(name, source string) []robotstag.Sent {
		answers := read(name, source)
		each(answers, func(v *robotstag.Value) { v.File, v.Name = o.file, header })
		return answers
	}, nil
}

// reportUnreadRules reports the rules about X-Robots-Tag that are not read.
func (fs *Files) reportUnreadRules(o *ownersConfig) {
	u, _ := o.read(robotstag.Name)
	if u == nil {
		return
	}
	for _, f := range u.Unread() {
		f.File = o.file
		fs.Findings = append(fs.Findings, f)
	}
}

// leaveToOwner plans no rules of ours for a host that an owner's configuration serves
// ([File.instead]): beside our rules it would take nothing at all. It reports the files that go
// without what is decided.
//
// The new file is the owner's own part of it. If there is such a file, the host still finds two,
// and that is an error as a file without its header is. Where only tags have to do it, it is a
// warning.
func (c *compiler) leaveToOwner(h *File, wants []robotstag.Want, others []robotstag.Demand) {
	o, host := h.instead, h.kind
	h.Change.New = h.withoutOurs() // nil if the owner has no such file
	isBesideOurs := h.Change.New != nil
	missed := c.splitUnserved(h, wants)
	for _, d := range others {
		why := fmt.Sprintf("%s takes no %s beside this file", host.Name, host.File)
		h.Result.Lose(d.Header.Name, why, robotstag.Wanting(d.Wants))
	}
	c.report(o.file, h.Result.Findings...)
	c.noteLost(h)
	c.reportStrays(h)
	isNothingLost := len(missed)+len(h.Result.GivenUp)+len(others) == 0
	if isNothingLost && !isBesideOurs {
		return
	}
	two := policy.Finding{ID: "two-configurations", Severity: policy.Error,
		Message: fmt.Sprintf("%s, so %s gets no rules of ours%s (%s)",
			o.config.Stops, h.Change.File, h.lacks(missed), o.config.Fix)}
	if len(missed) == 0 && !isBesideOurs {
		two.Severity = policy.Warning
	}
	c.report(o.file, two)
}

// lacks says, behind a colon, which files go without a header: those that are missed, or else those
// whose tags have to do it; "" if there are none.
func (h *File) lacks(missed []robotstag.Want) string {
	tagged := len(h.Result.GivenUp)
	switch {
	case len(missed) > 0:
		return fmt.Sprintf(": %s served without what is decided, %s first",
			robotstag.Count(len(missed), "file is", "files are"), missed[0].URL)
	case tagged > 0:
		return ": " + robotstag.LeftToTags(tagged)
	default:
		return ""
	}
}

// splitUnserved parts the files for which the owner's rules do not give what is decided: those
// whose meta tags say it go to [robotstag.Result.GivenUp], the others to Missed. With the scope
// "all" no tag is enough. It returns the wants of Missed, in the order of the wants.
func (c *compiler) splitUnserved(h *File, wants []robotstag.Want) (missed []robotstag.Want) {
	mustAllBeSent := c.files.project.Config.Robots.Headers.Scope == robotstag.ScopeAll
	for _, w := range robotstag.Wanting(wants) { // which has none that is Free
		switch {
		case w.Found:
		case w.HTML && !mustAllBeSent:
			h.Result.GivenUp = append(h.Result.GivenUp, w.Path)
		default:
			h.Result.Missed, missed = append(h.Result.Missed, w.Path), append(missed, w)
		}
	}
	h.Result.Sort()
	return missed
}
