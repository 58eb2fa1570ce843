package policy

import "strings"

// A Style says how [Directives] are printed. The zero value is the default of the configuration.
type Style struct {
	// KeepRedundant prints what another directive implies too (redundant = "keep").
	KeepRedundant bool
	// None prints noindex, nofollow as none (D1). Some crawlers do not know the word.
	None bool

	omit [2]bool // index, follow: the permissive word is left out (A5)
}

// A Word is one printed directive and the axis whose value it prints. Implied is true for the permissive word of an
// axis on which nothing was stated, printed because the other of index and follow was (P5).
type Word struct {
	Axis    Axis
	Text    string
	Implied bool
}

// String prints d in canonical form (P1), without what another directive implies (P3); nothing for nothing stated.
// String of what [Parse] reads from it is the same text.
func (d Directives) String() string { return d.Format(Style{}) }

// Format prints d in canonical form: order and separator of P1, never both polarities of an axis, never a duplicate
// (P2).
func (d Directives) Format(s Style) string { return list(d.Words(s)) }

// Words returns the printed directives one by one.
func (d Directives) Words(s Style) []Word {
	if !s.KeepRedundant {
		d = d.Implied()
	}
	words := make([]Word, 0, 8)
	add := func(a Axis, text string) { words = append(words, Word{Axis: a, Text: text}) }
	either := func(chain int, restrictive, allowing string) {
		switch {
		case d.rank[chain] > permissive:
			add(axisOf[chain], restrictive)
		case !s.omit[chain] && (d.rank[index] != 0 || d.rank[follow] != 0):
			words = append(words, Word{axisOf[chain], allowing, d.rank[chain] == 0})
		}
	}
	if s.None && d.NoIndex() && d.NoFollow() {
		add(AxisIndex, "none")
	} else {
		either(index, "noindex", "index")
		either(follow, "nofollow", "follow")
	}
	for i := range directiveTable {
		row := &directiveTable[i]
		switch {
		case row.Form() != "" && d.rank[row.axis] != 0:
			add(axisOf[row.axis], row.Name+":"+row.value.print(d.rank[row.axis]))
		case row.flag == ofResults && has(d.flags, row.Name):
			add(Axis(row.Name), row.Name)
		case row.Name == "indexifembedded":
			if d.rank[index] == embeddable {
				add(AxisIndex, row.Name)
			}
			for _, name := range split(only(d.flags, func(name string) bool {
				return flagOf(name) != ofResults && !isUnread(name)
			})) {
				add(Axis(name), name)
			}
		default:
			for axis, rank := range row.states.rank {
				if axis > follow && rank != 0 && rank == d.rank[axis] {
					add(axisOf[axis], row.Name)
					d.rank[axis] = 0 // nosnippet is max-snippet:0
				}
			}
		}
	}
	// At the end no reader takes what follows for a part of such a date.
	for _, name := range split(only(d.flags, isUnread)) {
		add(Axis(name), strings.ReplaceAll(name, inDate, ","))
	}
	return words
}

// list joins printed words.
func list(words []Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, ", ")
}
