package headerfile

import (
	"cmp"
	"fmt"
	"strings"

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
	c.findings = append(c.findings, policy.Finding{ID: "other-hosts", Severity: policy.Warning, File: file, Line: line,
		Message: "robots.hosts.others: " + strings.ReplaceAll(stays, "HOST", c.files.own[0]),
		Fix:     ": " + strings.ReplaceAll(instead, "HOST", c.files.own[0])})
}
