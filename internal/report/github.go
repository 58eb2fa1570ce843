package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"metarobots/internal/printable"
	"metarobots/policy"
)

// commands are the severities as workflow commands.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-a-notice-message
var commands = map[policy.Severity]string{policy.Error: "error", policy.Warning: "warning", policy.Note: "notice"}

// An annotation is one line, so no text holds the end of one. The runner unescapes data and properties differently: a
// property ends with a comma or a colon.
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
var (
	escapeData     = strings.NewReplacer("%", "%25")
	escapeProperty = strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
)

func data(s string) string     { return escapeData.Replace(printable.Line(s)) }
func property(s string) string { return escapeProperty.Replace(printable.Line(s)) }

// writeGitHub writes the findings as annotations, errors first: GitHub shows the first ten of each severity and step.
func writeGitHub(w io.Writer, d *Data) error {
	var b strings.Builder
	for _, g := range groups(d.Findings) {
		title := g.Title()
		for _, f := range g.Findings {
			properties := []string{}
			if f.File != "" {
				properties = append(properties, "file="+property(f.File))
				if f.Line > 0 {
					properties = append(properties, fmt.Sprintf("line=%d", f.Line))
				}
			}
			properties = append(properties, "title="+property(title))
			message := f.Message
			if f.URL != "" {
				message = f.URL + ": " + message
			}
			command := cmp.Or(commands[f.Severity], "notice")
			fmt.Fprintf(&b, "::%s %s::%s\n", command, strings.Join(properties, ","), data(message))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
