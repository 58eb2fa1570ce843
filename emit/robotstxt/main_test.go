package robotstxt

import (
	"flag"
	"os"
	"testing"
)

// TestMain has the laws over random files run half of the usual cases, with PROOFS=all all of them.
func TestMain(m *testing.M) {
	if os.Getenv("PROOFS") != "all" {
		flag.Set("rapid.checks", "50") // the command line may say otherwise
	}
	os.Exit(m.Run())
}
