package report

import (
	"strings"

	"metarobots/internal/printable"
	"metarobots/policy"
)

// command is a severity as a workflow command.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-a-notice-message
func command(s policy.Severity) string {
	if s == policy.Error || s == policy.Warning {
		return string(s)
	}
	return "notice"
}

// An annotation is one line, so no text holds the end of one. A property ends with a comma or a colon.
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
var (
	escapeMessage  = strings.NewReplacer("%", "%25")
	escapeProperty = strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C")
)

func message(s string) string  { return escapeMessage.Replace(printable.Line(s)) }
func property(s string) string { return escapeProperty.Replace(printable.Line(s)) }
