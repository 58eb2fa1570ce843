package headerfile

import (
	"cmp"
	"fmt"
	"strings"

	"metarobots/emit/headers"
	"metarobots/internal/printable"
	"metarobots/policy"
)

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
