package site

import (
	"os"
	"path/filepath"
	"testing"
)

// Hugo's own rules of where its configuration lies (https://gohugo.io/configuration/introduction/), with ours for a
// config.toml that is a policy.
func TestHugo_ASiteIsKnownByItsConfiguration(t *testing.T) {
	isPolicy := func(values map[string]any) bool { return values["robots"] != nil }
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"hugo.toml", "", true},
		{"hugo.yaml", "", true},
		{"hugo.yml", "", true},
		{"hugo.json", "", true},
		{"config.yaml", "", true},
		{"config.yml", "", true},
		{"config.json", "", true},
		{"config.toml", "baseURL = '/'", true},
		{"config.toml", "broken", true}, // what is wrong with it, Hugo says
		{"config.toml", "robots = 1", false},
		{"hugo.toml", "robots = 1", true},
		{"config/_default/params.toml", "", true},
		{"config/production/hugo.toml", "", false},
		{"hugo.toml/x", "", false},
		{"metarobots.toml", "", false},
		{"content/hugo.toml", "", false},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, filepath.FromSlash(c.name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := IsHugo(dir, isPolicy); got != c.want {
			t.Errorf("a folder with %s (%q): %v, want %v", c.name, c.text, got, c.want)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("robots = 1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if !IsHugo(dir, nil) {
		t.Error("where nothing is a policy, config.toml is Hugo's")
	}
}
