package policy

import "strings"

// A Style says how [Directives] are printed. The zero value is the default of the configuration.
type Style struct {
	// KeepRedundant prints what another directive implies too (redundant = "keep").
	KeepRedundant bool
	// None prints noindex, nofollow as none (D1). Some crawlers do not know the word.
	None bool

	// omit leaves out the permissive words of index and follow, by chain: for some crawlers one
	// addressed to everyone overrides the noindex that is addressed to them (A5).
	omit [2]bool
}

// A Word is one printed directive and the axis whose value it prints. Implied is true for the
// permissive word of an axis on which nothing was stated, printed because the other of index and
// follow was (P5).
type Word struct {
	Axis    Axis
	Text    string
	Implied bool
}

// String prints d in canonical form (P1), without what another directive implies (P3); nothing for
// nothing stated. String of what [Parse] reads from it is the same text.
func (d Directives) String() string { return d.Format(Style{}) }

// Format prints d in canonical form: order and separator of P1, never both polarities of an axis,
// never a duplicate (P2).
func (d Directives) Format(s Style) string { return list(d.Words(s)) }

// Words returns the printed directives one by one: for all that prints directives, and for
// explanations, which name the statement behind each word. Nothing stated has no words. The order
// is that of P1: index and follow, then the rows of the table in directive.go, then a date that
// cannot be read.
//
//	noindex, noarchive, max-snippet:50   index noindex, follow follow (implied), cache noarchive;
//	                                     with KeepRedundant also snippet max-snippet:50
func (d Directives) Words(s Style) []Word {
	if !s.KeepRedundant {
		d = d.WithoutImplied()
	}
	words := d.indexAndFollow(s)
	for i := range directiveTable {
		words = d.appendWordsOf(&directiveTable[i], words)
	}
	// Last is an unavailable_after that nobody here can read, kept as a flag: at the end no reader
	// takes what follows for a part of the date. In a flag, inDate is what was a comma.
	for _, flag := range split(only(d.flags, isUnreadDate)) {
		words = append(words, Word{Axis: Axis(flag), Text: strings.ReplaceAll(flag, inDate, ",")})
	}
	return words
}

// appendWordsOf adds to words what one row of the table prints of d; most rows print nothing. The
// rows of index and follow, and of all and none, which state both, never print: indexAndFollow has
// printed those chains.
//
//	row                what it prints
//	max-snippet        max-snippet:50, if that rank is stated; max-snippet:0 is printed as nosnippet
//	indexifembedded    its name, if noindex is stated with it; then all flags that are not about
//	                   results, sorted by name: those of ofUse, ofThePast and of no known name
//	notranslate        its name, if it is stated: a flag about results (ofResults)
//	noai, noodp        nothing, since the row of indexifembedded prints these flags
//	noarchive          its name, if its rank is the one that is stated
func (d Directives) appendWordsOf(row *Directive, words []Word) []Word {
	add := func(a Axis, text string) { words = append(words, Word{Axis: a, Text: text}) }
	switch {
	case row.Form() != "":
		rank := d.rank[row.axis]
		isPrintedAsNosnippet := row.axis == snippet && rank == limitNone
		if rank != 0 && !isPrintedAsNosnippet {
			add(axisOf[row.axis], row.Name+":"+row.value.print(rank))
		}
	case row.Name == "indexifembedded":
		if d.rank[index] == embeddable {
			add(AxisIndex, row.Name)
		}
		for _, flag := range split(only(d.flags, isPrintedByName)) {
			add(Axis(flag), flag)
		}
	case row.flag == ofResults:
		if has(d.flags, row.Name) {
			add(Axis(row.Name), row.Name)
		}
	case row.flag == noFlag: // a word that is a rank, which no other row of its chain has
		for chain, rank := range row.states.rank {
			isPrintedFirst := chain == index || chain == follow
			if !isPrintedFirst && rank != 0 && rank == d.rank[chain] {
				add(axisOf[chain], row.Name)
			}
		}
	}
	return words
}

// isPrintedByName reports whether a flag is printed among those that are sorted by name, where
// indexifembedded is in the table: any that is not about results, which have places of their own,
// and no date, which goes last.
func isPrintedByName(flag string) bool { return flagOf(flag) != ofResults && !isUnreadDate(flag) }

// indexAndFollow returns the first words: what is printed of the chains of index and follow, or
// "none" for both. If either axis is stated, both are printed, so that what restricts one says of
// the other that it is allowed (P5).
func (d Directives) indexAndFollow(s Style) []Word {
	words := make([]Word, 0, 8) // as many as most pages have in all
	if s.None && d.NoIndex() && d.NoFollow() {
		return append(words, Word{Axis: AxisIndex, Text: "none"})
	}
	isAnyStated := d.rank[index] != 0 || d.rank[follow] != 0
	texts := [...]struct{ restrictive, allowing string }{
		index:  {"noindex", "index"},
		follow: {"nofollow", "follow"},
	}
	for chain, text := range texts {
		switch {
		case d.rank[chain] > permissive:
			words = append(words, Word{Axis: axisOf[chain], Text: text.restrictive})
		case isAnyStated && !s.omit[chain]:
			isImplied := d.rank[chain] == 0
			words = append(words, Word{Axis: axisOf[chain], Text: text.allowing,
				Implied: isImplied})
		}
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
