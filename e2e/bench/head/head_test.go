// Package head measures the scanner and the whole program on pages like those of real sites.
// Figures stand in docs/bench.md.
//
//	go test -run '^$' -bench . -count 5 ./e2e/bench/head       # the scanner, a page
//	bash e2e/bench/head/compare/compare.sh                     # whole programs, beside others; takes long
package head

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"

	"metarobots/e2e/bench/head/corpus"
	"metarobots/emit/head"
	"metarobots/emit/patch"
	"metarobots/policy"
)

func robots(name []byte) head.Kind {
	if string(name) == "robots" {
		return head.Robots
	}
	return head.None
}

// pages returns a thousand pages, and the same ones cut where the body begins.
func pages() (whole, heads [][]byte) {
	for i := range 1000 {
		p := corpus.Page(i)
		cut := bytes.Index(p, []byte("<body"))
		whole, heads = append(whole, p), append(heads, p[:cut+len("<body>"):cut+len("<body>")])
	}
	return whole, heads
}

// each does one page an iteration, so that ns/op is ns a page.
func each(b *testing.B, pages [][]byte, do func(src []byte)) {
	size := 0
	for _, p := range pages {
		size += len(p)
	}
	b.SetBytes(int64(size / len(pages)))
	b.ReportAllocs()
	for _, p := range pages { // buffers reach their size
		do(p)
	}
	for i := 0; b.Loop(); i++ {
		do(pages[i%len(pages)])
	}
}

func BenchmarkPages(b *testing.B) {
	whole, heads := pages()
	// A found tag is returned as strings: the pages without one show the scan alone.
	plain := func(pages [][]byte) (without [][]byte) {
		for i, p := range pages {
			if i%100 >= 63 {
				without = append(without, p)
			}
		}
		return without
	}
	var s head.Scanner
	scan := func(src []byte) { s.Scan(src, robots) }
	var dst []byte
	tags := head.Tags([]policy.Tag{{Name: "robots", Content: "noindex, follow"}})

	b.Run("copy", func(b *testing.B) { each(b, whole, func(src []byte) { dst = append(dst[:0], src...) }) })
	b.Run("head", func(b *testing.B) { each(b, heads, scan) })
	b.Run("head/without", func(b *testing.B) { each(b, plain(heads), scan) })
	b.Run("page", func(b *testing.B) { each(b, whole, scan) })
	b.Run("page/without", func(b *testing.B) { each(b, plain(whole), scan) })
	b.Run("rewrite", func(b *testing.B) {
		each(b, whole, func(src []byte) {
			f := s.Scan(src, robots)
			made := patch.New(src, f.Edits(tags))
			dst, _ = made.Apply(dst[:0], src)
		})
	})
	b.Run("xnet-tokenizer/head", func(b *testing.B) { each(b, heads, tokens) })
	b.Run("xnet-tokenizer/page", func(b *testing.B) { each(b, whole, tokens) })
	b.Run("xnet-parse/page", func(b *testing.B) {
		each(b, whole, func(src []byte) {
			if _, err := html.Parse(bytes.NewReader(src)); err != nil {
				b.Fatal(err)
			}
		})
	})
}

// tokens looks for robots metas as a program does that uses the tokenizer of x/net.
func tokens(src []byte) {
	found := 0
	for z := html.NewTokenizer(bytes.NewReader(src)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			name, attributes := z.TagName()
			if string(name) != "meta" {
				continue
			}
			for attributes {
				var key, value []byte
				key, value, attributes = z.TagAttr()
				if string(key) == "name" && bytes.EqualFold(value, []byte("robots")) {
					found++
				}
			}
		}
	}
}
