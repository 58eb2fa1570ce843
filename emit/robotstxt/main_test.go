package robotstxt

import (
	"testing"

	"metarobots/internal/tables"
)

// TestMain has the laws over random files run half of the usual cases.
func TestMain(m *testing.M) { tables.Laws(m, 50, 100) }
