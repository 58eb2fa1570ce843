package check

import "testing"

// #26: one word of a path does not make a page look private.
func TestHouse_LooksPrivateByMoreThanOneWord(t *testing.T) {
	for path, want := range map[string]bool{"/internal/customers/": true, "/staff/salaries.pdf": true,
		"/Customer-Backup.zip": true, "/docs/v1.5/api-types/backup/": false, "/internal/": false,
		"/internal/internal/": false, "/privately/members-only/": false, "/": false} {
		if isPrivate(path) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}
