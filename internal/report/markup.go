package report

import (
	"strings"

	"github.com/yuin/goldmark/util"

	"metarobots/internal/printable"
)

// A markup writes texts of the site for the cells of a table: as Markdown, or as the HTML that
// [render] makes of that.
type markup struct {
	text func(s string) string        // words; URLs in them are code
	code func(s string) string        // a name or a place; "" if s is blank
	link func(name, to string) string // a name, as code made it, that leads to a URL of [view.address]
}

var (
	asMarkdown = &markup{text, cell, markdownLink}
	asHTML     = &markup{htmlText, htmlCode, htmlLink}
)

func markdownLink(name, to string) string { return "[" + name + "](<" + to + ">)" }

// htmlText is [text] as HTML, htmlCode is [cell] as HTML, and htmlLink a link.
func htmlText(s string) string {
	return withURLs(printable.Line(s), htmlWords, htmlCode)
}

func htmlCode(s string) string {
	s = printable.Line(s)
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return "<code>" + markLine(htmlWords(s)) + "</code>"
}

func htmlLink(name, to string) string {
	href := util.URLEscape([]byte(to), true) // which resolves entities, as in Markdown
	return `<a href="` + htmlWords(string(href)) + `">` + name + "</a>"
}

// htmlWords escapes what goldmark does, and nothing else.
func htmlWords(s string) string { return string(util.EscapeHTML([]byte(s))) }

// markLine marks the number of a line that ends a place.
func markLine(place string) string {
	colon := strings.LastIndexByte(place, ':')
	if colon < 0 || colon == len(place)-1 || strings.TrimLeft(place[colon+1:], "0123456789") != "" {
		return place
	}
	return place[:colon] + `<span class="line">` + place[colon:] + "</span>"
}
