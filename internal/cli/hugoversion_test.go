package cli

import "testing"

// X9k: the version of Hugo that netlify.toml states is found with its line.
func TestNetlify_HugoVersionIsFound(t *testing.T) {
	for text, want := range map[string]struct {
		line    int
		version string
	}{
		"[build]\ncommand = \"x\"\n[build.environment]\nHUGO_VERSION = \"0.163.1\"\n":                 {4, "0.163.1"},
		"[build]\nenvironment = { HUGO_VERSION = \"v0.163.1\" }\n":                                    {2, "0.163.1"},
		"[context.production.environment]\n\nHUGO_VERSION = \"extended_0.163.1\"\n":                   {3, "0.163.1"},
		"[build.environment]\nNODE_VERSION = \"20\"\n[[headers]]\nfor = \"/*\"\nHUGO_VERSION = \"1\"": {0, ""},
		"[build": {0, ""},
	} {
		if line, version := statedHugo([]byte(text)); line != want.line || version != want.version {
			t.Errorf("%s: line %d, version %q, want %v", text, line, version, want)
		}
	}
	if got := plainVersion("Hugo v0.165.0+extended"); got != "0.165.0" {
		t.Error(got)
	}
}
