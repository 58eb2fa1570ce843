package plan

import (
	"hash/maphash"
	"slices"

	"metarobots/emit/head"
	"metarobots/policy"
)

// told is what crawlers are told of a file. Pages of which the same is said share one, and nobody changes it.
type told struct {
	Decision policy.Decision
	// Header is what the decision asks of X-Robots-Tag, the generic line first.
	Header []string
	metas  []policy.Tag
	html   string // of the metas
}

var seed = maphash.MakeSeed()

// toldBy decides by what is said of a file; of files of which the same is said, the first is asked for all. What nobody
// else shares, since it stands in the page itself, is not kept.
func (p *planner) toldBy(statements []policy.Statement, keep bool) *told {
	var h maphash.Hash
	if h.SetSeed(seed); keep {
		for i := range statements {
			maphash.WriteComparable(&h, statements[i])
		}
		if known, ok := p.known.Load(h.Sum64()); ok && slices.Equal(known.(*told).Decision.Statements, statements) {
			return known.(*told)
		}
	}
	d := p.Policy.Resolve(statements)
	metas := d.Metas(p.Policy.Style)
	t := &told{d, d.Header(p.Policy.Style), metas, head.Tags(metas)}
	if keep {
		p.known.LoadOrStore(h.Sum64(), t)
	}
	return t
}
