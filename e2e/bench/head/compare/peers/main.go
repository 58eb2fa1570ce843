// Peers does the job of metarobots apply with other people's parsers: each page's robots metas are
// taken out of the head, and one is put after the declaration of the encoding.
//
//	peers xnet|goquery DIR CONTENT
//
// xnet splices by the tokens of golang.org/x/net/html up to the end of the head and keeps all other
// bytes; it cannot tell where the head ends but by its tag. goquery writes the page anew.
package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

const workers = 4 // as many as metarobots has on two cores

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: peers xnet|goquery DIR CONTENT")
		os.Exit(2)
	}
	edit := map[string]func(src []byte, content string) []byte{"xnet": xnet, "goquery": query}[os.Args[1]]
	names := make(chan string, 1024)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for name := range names {
				src, err := os.ReadFile(name)
				check(err)
				temp := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".tmp")
				check(os.WriteFile(temp, edit(src, os.Args[3]), 0o644))
				check(os.Rename(temp, name))
			}
		})
	}
	check(filepath.WalkDir(os.Args[2], func(name string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".html") {
			names <- name
		}
		return err
	}))
	close(names)
	wg.Wait()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func tag(content string) string { return `<meta name="robots" content="` + content + `" />` }

func xnet(src []byte, content string) []byte {
	out := make([]byte, 0, len(src)+128)
	from, at := 0, 0
	for z := html.NewTokenizer(bytes.NewReader(src)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return append(out, src[from:]...)
		}
		start := at
		at += len(z.Raw())
		if kind == html.EndTagToken {
			if name, _ := z.TagName(); string(name) == "head" {
				return append(out, src[from:]...)
			}
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		if name, more := z.TagName(); string(name) == "meta" {
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				switch {
				case string(key) == "charset":
					out = append(append(out, src[from:at]...), tag(content)...)
					from = at
				case string(key) == "name" && bytes.EqualFold(value, []byte("robots")):
					out = append(out, src[from:start]...)
					from = at
				}
			}
		}
	}
}

func query(src []byte, content string) []byte {
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(src))
	check(err)
	doc.Find("head meta[name]").Each(func(_ int, s *goquery.Selection) {
		if strings.EqualFold(s.AttrOr("name", ""), "robots") {
			s.Remove()
		}
	})
	doc.Find("head meta[charset]").First().AfterHtml(tag(content))
	var out bytes.Buffer
	check(goquery.Render(&out, doc.Selection))
	return out.Bytes()
}
