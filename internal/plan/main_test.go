package plan_test

import (
	"testing"

	"metarobots/internal/tables"
)

// TestMain has the law over random sites with copies run fewer cases than usual.
func TestMain(m *testing.M) { tables.Laws(m, 40, 100) }
