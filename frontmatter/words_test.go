package frontmatter

import "testing"

// TestHouse_WordsOfAllKeys: a key that is not among the words of front matter states nothing there.
func TestHouse_WordsOfAllKeys(t *testing.T) {
	words := Words{}
	words.Add(map[string]any{"Title": "draft", "seo.Hide": true, "tags": []string{"private"},
		"extra": map[string]any{"list": []any{map[any]any{" Menu ": nil}}}})
	for key, want := range map[string]bool{"title": true, "hide": true, "seo.hide": true, "extra.list.0.menu": true,
		"menu": true, "draft": false, "private": false, "seo.private": false, "params.hide": false} {
		if got := words.MayHave(key); got != want {
			t.Errorf("%s: %t, want %t", key, got, want)
		}
	}
}
