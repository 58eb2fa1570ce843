//go:build e2e

package e2e

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// A difference is one part of one account that two programs gave differently.
type difference struct {
	site        *trial
	order, part string
	was, is     string
}

// A group are differences of one kind: their first lines that differ are the same, whatever names
// and numbers are in them.
type group struct {
	kind   string
	orders map[string]int
	sites  map[string]bool
	// first are the first difference of each of the first three sites.
	first []difference
}

// groupsOf sorts differences into groups, those of the most sites first.
func groupsOf(differences []difference) []*group {
	byKind := map[string]*group{}
	for _, d := range differences {
		kind := d.kind()
		g := byKind[kind]
		if g == nil {
			g = &group{kind: kind, orders: map[string]int{}, sites: map[string]bool{}}
			byKind[kind] = g
		}
		g.orders[d.order]++
		if !g.sites[d.site.name] && len(g.first) < 3 {
			g.first = append(g.first, d)
		}
		g.sites[d.site.name] = true
	}
	return slices.SortedFunc(maps.Values(byKind), func(a, b *group) int {
		return cmp.Or(len(b.sites)-len(a.sites), strings.Compare(a.kind, b.kind))
	})
}

// String tells of a group: its kind, in which orders of how many sites it is, and its first ones.
func (g *group) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d sites, in", len(g.sites))
	for _, order := range sortedKeys(g.orders) {
		fmt.Fprintf(&b, " %s×%d", order, g.orders[order])
	}
	fmt.Fprintf(&b, ": %s\n", g.kind)
	for _, d := range g.first {
		lines := strings.Split(d.unified(), "\n")
		if len(lines) > 20 {
			lines = append(lines[:20], fmt.Sprintf("(%d lines more)", len(lines)-20))
		}
		fmt.Fprintf(&b, "  %s, %s, %s\n    %s\n", d.site.name, d.order, d.part, strings.Join(lines,
			"\n    "))
	}
	return b.String()
}

// unified is the difference as lines that go and come, with what is around them.
func (d difference) unified() string {
	text := string(diff.Diff("before", []byte(d.was), "after", []byte(d.is)))
	if _, lines, ok := strings.Cut(text, "\n@@"); ok {
		return "@@" + lines
	}
	return fmt.Sprintf("-%s\n+%s", d.was, d.is)
}

// kind is the part, of a file its ending, with the first lines that go and come.
func (d difference) kind() string {
	part := d.part
	if !streams[part] {
		part = "file " + cmp.Or(path.Ext(part), path.Base(part))
	}
	var goes, comes string
	for line := range strings.Lines(d.unified()) {
		switch {
		case line[0] == '-' && goes == "" && comes == "":
			goes = line
		case line[0] == '+' && comes == "":
			comes = line
		case line[0] == ' ' && goes+comes != "":
			return part + "\n  " + withoutNames(goes) + "\n  " + withoutNames(comes)
		}
	}
	return part + "\n  " + withoutNames(goes) + "\n  " + withoutNames(comes)
}

// withoutNames puts signs in place of what differs from one site to the next.
func withoutNames(line string) string {
	for _, n := range []struct{ pattern, sign string }{
		{`https?://[^\s",)]+`, "URL"},
		{`[-\w./\[\]{}+,@:é%*~ ]*/[-\w./\[\]{}+,@é%*~]*`, " PATH "},
		{`\b[-\w.+,@é]+\.(html?|pdf|PDF|md|json|txt|toml|xml)\b`, "FILE"},
		{`\b(gptbot|googlebot(-\w+)?|bingbot|claudebot|yandex|GPTBot|Googlebot|ClaudeBot)\b`, "CRAWLER"},
		{`\d+`, "N"},
	} {
		line = regexp.MustCompile(n.pattern).ReplaceAllString(line, n.sign)
	}
	return strings.TrimSpace(line)
}
