package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"metarobots/policy"
)

// commands are the severities as workflow commands.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-a-notice-message
var commands = map[policy.Severity]string{policy.Error: "error", policy.Warning: "warning", policy.Note: "notice"}

// The runner unescapes data and properties differently: a property ends with a comma or a colon.
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes the findings as annotations, errors first: GitHub shows the first ten of each severity and step.
func writeGitHub(w io.Writer, d *Data, o Options) error {
	var b strings.Builder
	for _, g := range groups(d.Findings) {
		title := cmp.Or(o.About[g.id].Title, capital(words(g.id)))
		for _, f := range g.findings {
			properties := []string{}
			if f.File != "" {
				properties = append(properties, "file="+escapeProperty.Replace(f.File))
				if f.Line > 0 {
					properties = append(properties, fmt.Sprintf("line=%d", f.Line))
				}
			}
			properties = append(properties, "title="+escapeProperty.Replace(title))
			message := f.Message
			if f.URL != "" {
				message = f.URL + ": " + message
			}
			fmt.Fprintf(&b, "::%s %s::%s\n", cmp.Or(commands[f.Severity], "notice"), strings.Join(properties, ","), escapeData.Replace(message))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
