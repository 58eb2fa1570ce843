package pages

import "testing"

// Patterns of a .gitignore: without a slash in the middle in any folder, else from the top; a folder with all below it;
// the last that matches decides. https://git-scm.com/docs/gitignore#_pattern_format
func TestGit_IgnorePatterns(t *testing.T) {
	const patterns = "# comment\n\nhidden.md\n/top.md\ndrafts/\na/b.md\n*.tmp.md\n!keep.tmp.md\r\n/sub/*\n"
	for file, want := range map[string]bool{
		"hidden.md": true, "x/hidden.md": true, "top.md": true, "x/top.md": false, "drafts/a.md": true,
		"x/drafts/y/a.md": true, "drafts.md": false,
		"drafts": false, "a/b.md": true, "x/a/b.md": false, "x.tmp.md": true, "x/y.tmp.md": true, "keep.tmp.md": false,
		"comment":  false,
		"sub/a.md": true, "sub/a/b.md": true, "x/sub/a.md": false, "other.md": false,
	} {
		if got := readIgnored(patterns).match(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}
