package lazyregexp

import "testing"

// TestHouse_AWrongExpressionFailsATest: a program would notice it only at its first use.
func TestHouse_AWrongExpressionFailsATest(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("New took ( for an expression")
		}
	}()
	New("(")
}
