package plan_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain has the law over random sites with copies run fewer cases than usual, with PROOFS=all all of them.
func TestMain(m *testing.M) {
	if os.Getenv("PROOFS") != "all" {
		flag.Set("rapid.checks", "40") // the command line may say otherwise
	}
	os.Exit(m.Run())
}
