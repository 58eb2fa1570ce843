package head

import (
	"testing"

	"metarobots/internal/tables"
)

func TestStandard_ReferencesInAttributes(t *testing.T) {
	for _, row := range tables.Read(t, "testdata/references.txt") {
		v, want := row["v"], row["want"]
		if got := string(Decode(nil, []byte(v))); got != want {
			t.Errorf("%q: got %q, want %q", v, got, want)
		}
	}
}
