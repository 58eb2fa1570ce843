package site

import (
	"strings"
	"testing"
)

// A policy under a name that is nearly right is read by nobody: its owner has to be told (#18).
func TestHouse_MisspelledPolicyNamesAreRecognized(t *testing.T) {
	for name, want := range map[string]bool{"metarobots.toml": false, "metarobot.toml": true, "metarobots.yaml": true,
		"Metarobots.toml": true, "meta-robots.toml": true, "metarobtos.yml": true, ".metarobots.toml": true,
		"metarobots.lock.json": false, "metarobots.json": false, "metarobots-preview.toml": false,
		"metarobots.preview.toml": false, "hugo.toml": false, "robots.txt": false, "metarobots.toml.bak": false} {
		if MistakenFile(name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
	for key, want := range map[string]bool{"params.metarobots": false, "params.metarobot": true, "params.metaRobot": true,
		"params.robots": false, "params.meta": false, "robots": true, "metarobots": true, "metarobot": true,
		"params.seo.metarobot": false, "params": false, "sitemap": false, "enableRobotsTXT": false} {
		if got := MistakenKey(strings.Split(key, ".")); (got != "") != want {
			t.Errorf("%s: got %q", key, got)
		}
	}
}
