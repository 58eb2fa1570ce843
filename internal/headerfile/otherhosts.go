package headerfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/config"
	"metarobots/internal/hosts"
	"metarobots/internal/printable"
	"metarobots/policy"
)

// toldHosts are names at which the owner's files say that the site is served, and that are not its own: those
// of a staging site in wrangler.toml (N11k). Names of hosts' own, such as project.pages.dev, are not among
// them. A file that cannot be read is reported by the reader of its host.
func (fs *Files) toldHosts() (told []string) {
	names, _ := hosts.Names(fs.project.Root, fs.project.Folders(), fs.project.Short)
	for _, name := range names {
		host, err := config.HostName(name.Host)
		isWhole := err == nil && name.Unknown == "" && hosts.OfName(host) == nil
		if isWhole && !slices.Contains(fs.own, host) && !slices.Contains(told, host) {
			told = append(told, host)
		}
	}
	return told
}

// reportOpenHosts reports that other hosts than the site's own stay in the index, because no rule in
// the file of this host can be for them, and what its owner can do instead (N11f). An environment
// that keeps everything out of the index needs no rule.
func (c *compiler) reportOpenHosts(h *File) {
	p := c.files.project
	if len(c.files.own) == 0 || h.Former || p.Policy.Hides() || h.kind.Others.ByHost && h.instead == nil {
		return
	}
	stays, instead := h.kind.Others.Stays, h.kind.Others.Instead
	if o := h.instead; o != nil {
		stays = fmt.Sprintf("%s is configured by %s, which metarobots does not write", h.kind.Name, o.file)
		instead = cmp.Or(o.config.Fix, "state it there")
	}
	file, line := p.Config.Locate("hosts", "others")
	at := policy.Origin{File: file, Line: line, Key: "robots.hosts.others"}
	named := strings.NewReplacer("HOST", c.files.own[0])
	if sent := c.files.sentHome; len(sent) > 0 && h.Target == headers.TargetNetlify {
		f := at.Finding("other-hosts", policy.Note, "%s leads home by your redirect; %s", printable.JoinAnd(sent),
			h.kind.Others.StaysBeside)
		f.Fix = ": " + named.Replace(h.kind.Others.InsteadBeside)
		c.findings = append(c.findings, f)
		return
	}
	f := at.Finding("other-hosts", policy.Warning, "%s", named.Replace(stays))
	f.Fix = ": " + named.Replace(instead)
	c.findings = append(c.findings, f)
}
