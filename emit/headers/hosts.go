package headers

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// A host name as a rule can have it: lower case, no port, nothing that a pattern would take for more.
var hostRE = regexp.MustCompile(`^[0-9a-z]([-0-9a-z]*[0-9a-z])?(\.[0-9a-z]([-0-9a-z]*[0-9a-z])?)+$`)

// placeHosts writes one rule for each of the other hosts. They come after the
// rules for paths and take away what those brought.
func (c *compiler) placeHosts() {
	if len(c.opt.Hosts) == 0 || len(c.opt.Everywhere) > 0 || len(c.user.engines) == 0 {
		return
	}
	if c.cloudflare() == nil || c.portable() {
		c.report(policy.Finding{ID: robotstag.IDHost, Severity: policy.Warning, Message: fmt.Sprintf(
			"only target cloudflare can say a header for a host name: %s %s none",
			strings.Join(slices.Sorted(maps.Keys(c.opt.Hosts)), ", "),
			map[bool]string{true: "gets", false: "get"}[len(c.opt.Hosts) == 1])})
		return
	}
	for _, host := range slices.Sorted(maps.Keys(c.opt.Hosts)) {
		values := c.opt.Hosts[host]
		msg := c.badHost(host)
		if msg == "" && len(values) == 0 {
			msg = "no value is given"
		}
		if msg == "" {
			msg = badValues(values)
		}
		path := ""
		if msg == "" {
			if path = c.hostPath(host); path == "" {
				msg = "the site's own rule for it stands in the way (remove it: the configuration covers the host)"
			}
		}
		if msg != "" {
			c.report(
				policy.Finding{
					ID:       robotstag.IDHost,
					Severity: policy.Error,
					Message:  fmt.Sprintf("the header for the host %s: %s", host, msg),
				},
			)
			continue
		}
		c.hosts = append(c.hosts, ours{path: path, name: Name, detach: true, before: values})
		if c.res.Hosts == nil {
			c.res.Hosts = make(map[string][]string)
		}
		c.res.Hosts[host] = values
	}
}

// badHost says why a host can have no rule, or "".
func (c *compiler) badHost(host string) string {
	switch {
	case !hostRE.MatchString(host):
		return "it is no host name in lower case, without scheme and port"
	case c.opt.Host != "" && host == hostname(c.opt.Host):
		return "it is the site's own host"
	}
	return ""
}

// hostPath returns a rule's path for a whole host. Where the user has a block of that path, of which Cloudflare would
// keep one, a placeholder for one label makes another that matches the host and none else we know.
func (c *compiler) hostPath(host string) string {
	path := "https://" + host + "/*"
	if c.rivals[path] == nil {
		return path
	}
	labels := strings.Split(host, ".")
	for i := len(labels) - 1; i >= 0; i-- {
		twin := slices.Clone(labels)
		twin[i] = ":label"
		pattern := strings.Join(twin, ".")
		path = "https://" + pattern + "/*"
		others := append(slices.Collect(maps.Keys(c.opt.Hosts)), c.opt.Host, previewHost)
		if c.rivals[path] == nil &&
			!slices.ContainsFunc(others, func(o string) bool { return o != host && hostMatches(pattern, o) }) {
			return path
		}
	}
	return ""
}

// VerifyHosts proves the rules for other hosts in a finished file: at each host every known request path gets exactly
// the host's values. It knows nothing of how [Compile] came to the file.
func VerifyHosts(file []byte, wants []robotstag.Want, hosts map[string][]string) []policy.Finding {
	parsed := Cloudflare.Parse(file)
	var findings []policy.Finding
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		joined := strings.Join(hosts[host], ", ")
		for _, w := range wants {
			served, redirected := Forms(Cloudflare, w.Path)
			for _, form := range append(served, redirected...) {
				if got := text(Cloudflare.Values(parsed, host, form)); got != joined {
					findings = append(
						findings,
						policy.Finding{ID: robotstag.IDMismatch, Severity: policy.Error, URL: w.URL,
							Message: fmt.Sprintf("cloudflare would serve https://%s%s with %q instead of %q", host,
								form, got, joined)},
					)
				}
			}
		}
	}
	return findings
}
