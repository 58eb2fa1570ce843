package marks

import "testing"

// N5: what is ours is between two marks; a mark alone is a finding.
func TestHouse_AMarkAloneIsBroken(t *testing.T) {
	const begin, end = Begin + "\n", End + "\n"
	for _, test := range []struct {
		name, file string
		line       int
	}{
		{"nothing", "", 0},
		{"a pair", "/a\n  X: y\n" + begin + "/b\n" + end, 0},
		{"two pairs", begin + end + "x\n" + begin + end, 0},
		{"CRLF and blanks", "  # metarobots: begin (x)\r\n\t# metarobots: end \r\n", 0},
		{"a line of ours in a block of the owner's", "/a\n# metarobots\n  X-Robots-Tag: noindex\n", 0},
		{"begin alone", "x\n" + begin + "/b\n", 2},
		{"end alone", "x\ny\n" + end, 3},
		{"begin twice", "x\n" + begin + "/b\n" + begin + "/b\n" + end, 2},
		{"end twice", begin + "/b\n" + end + end, 4},
		{"begin twice and end twice", "x\n" + begin + "y\n" + begin + "/b\n" + end + "z\n" + end, 2},
		{"the last line has no end", begin + "# metarobots: end", 0},
	} {
		if got := Read([]byte(test.file)).Broken; got != test.line {
			t.Errorf("%s: line %d, want %d", test.name, got, test.line)
		}
	}
}

// N5: lines that no pair of marks encloses are the owner's, and no run takes them out.
func TestHouse_WhatAMarkAloneOpensIsTheOwners(t *testing.T) {
	const begin, end = Begin + "\n", End + "\n"
	for file, own := range map[string]string{
		begin + "y\n" + begin + "/b\n" + end + "z\n" + end: begin + "y\nz\n" + end,
		begin + "/b\n" + end + "z\n" + end:                 "z\n" + end,
		"x\n" + begin + "/b\n":                             "x\n" + begin + "/b\n",
		"x\n" + begin + "/b\n" + end + "y\n":               "x\ny\n",
	} {
		if got := string(Read([]byte(file)).Own()); got != own {
			t.Errorf("%q: %q, want %q", file, got, own)
		}
	}
}
