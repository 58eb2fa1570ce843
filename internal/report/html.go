package report

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // the page's style and script
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"metarobots/internal/result"
)

var (
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

// chunk is how many files stand in one table of those that are read without scripting. A browser lays out only the
// tables near the window, which it does not do within one table.
// https://developer.mozilla.org/docs/Web/CSS/content-visibility
const chunk = 100

// bars is how many bars a chart has at most.
const bars = 12

// writeHTML writes one page that loads nothing: what may run in it is named by its hash.
func writeHTML(w io.Writer, d *Data, o Options) error {
	v := newView(d)
	b := bufio.NewWriter(w)
	open(b, v.title(), "files", fmt.Sprintf("%s<div class=\"numbers\" data-states=\"%s\">\n%s</div>\n",
		render(v.lead()), numberStates, render(v.numbers())), script)
	parts := v.parts()
	contents(b, append(parts, part{id: "files", title: filesTitle}))
	b.WriteString("<main>\n")
	for _, p := range parts {
		text := render(p.text)
		switch p.id {
		case "sections":
			text = v.sectionsChart() + fold("The numbers", text)
		case "causes":
			text = v.causesChart() + fold("The places", text)
		}
		writePart(b, p, text)
	}
	fmt.Fprintf(b, "<section id=\"files\" aria-labelledby=\"files-title\">\n<h2 "+
		"id=\"files-title\">%s</h2>\n%s<noscript>\n", filesTitle, filesForm)
	rows := v.pointers()
	for len(rows) > 0 {
		n := min(chunk, len(rows))
		var text strings.Builder
		filesTable(&text, rows[:n])
		fmt.Fprintf(b, "<div class=\"chunk\">\n%s</div>\n", render(text.String()))
		rows = rows[n:]
	}
	b.WriteString("</noscript>\n</section>\n</main>\n<footer>\n" + render(made(o)) + "</footer>\n")
	b.WriteString("<script type=\"application/json\" id=\"data\">")
	if err := v.writeCompact(b); err != nil {
		return err
	}
	fmt.Fprintf(b, "</script>\n<script>%s</script>\n</body>\n</html>\n", script)
	return b.Flush()
}

// open writes a page's head and what stands above its sections. The link for those who read by keyboard leads to the
// element skip; run is what may run in the page, empty for nothing.
func open(w io.Writer, title, skip, header, run string) {
	scripts := ""
	if run != "" {
		scripts = fmt.Sprintf(" script-src '%s';", hash(run))
	}
	to := "the table of files"
	if skip != "files" {
		to = "what was found"
	}
	fmt.Fprintf(w, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '%s';%s img-src data:; base-uri 'none'; form-action 'none'">
<meta name="robots" content="noindex, nofollow" />
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>%s</title>
<style>%s</style>
</head>
<body>
<a class="skip" href="#%s">To %s</a>
<header>
<h1>%s</h1>
%s</header>
`, hash(style), scripts, escape(title), style, skip, to, escape(title), header)
}

// contents writes links to the sections; nothing where there are none.
func contents(w io.Writer, parts []part) {
	if len(parts) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString("<nav aria-label=\"Sections\">\n<ul>\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "<li><a href=\"#%s\">%s</a></li>\n", p.id, escape(p.title))
	}
	_, _ = io.WriteString(w, b.String()+"</ul>\n</nav>\n")
}

// writePart writes one of them.
func writePart(w io.Writer, p part, text string) {
	fmt.Fprintf(w, "<section id=\"%s\" aria-labelledby=\"%[1]s-title\">\n<h2 "+
		"id=\"%[1]s-title\">%s</h2>\n%s</section>\n", p.id, escape(p.title), text)
}

// numberStates are the states that the numbers of the headline stand for, in their order; the script makes filters of
// them.
const numberStates = "indexable limited noindex"

const filesTitle = "Every file"

// filesForm is the search and the filters, which the script shows and fills.
const filesForm = `<form hidden id="filters" role="search" aria-label="Files">
<p class="search"><label for="search">Search</label><input id="search" type="search" autocomplete="off" spellcheck="false" aria-describedby="search-help"><span id="search-help" class="help">in addresses, titles and file names; the key / leads here</span></p>
<div class="selects"></div>
<p class="result"><output id="count" for="search"></output><button type="reset">Clear</button></p>
</form>
<div id="table" hidden></div>
`

// markdown renders the report's text: tables, and no markup that stands in the text.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(tables{}, 0))))

// render returns text as HTML.
func render(text string) string {
	var b bytes.Buffer
	if err := markdown.Convert([]byte(text), &b); err != nil {
		panic(fmt.Sprintf("a buffer takes every text: %v", err))
	}
	return b.String()
}

// hash is text's in the form of a policy's source.
// https://www.w3.org/TR/CSP3/#grammardef-hash-source
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// fold hides what a chart shows already.
func fold(title, text string) string {
	return fmt.Sprintf("<details>\n<summary>%s</summary>\n%s</details>\n", title, text)
}

// span is one coloured part of a bar.
type span struct {
	state result.State
	n     int
}

// bar writes one line of a chart: a name, a bar whose whole length is widest, and a number. The bar repeats the
// number for the eye, so readers of the page's text are spared it.
func bar(b *strings.Builder, name, note string, spans []span, widest int) {
	fmt.Fprintf(b, "<li><span class=\"name\">%s</span><svg viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" "+
		"aria-hidden=\"true\">", name)
	at := 0
	for _, s := range spans {
		width := s.n * 1000 / max(widest, 1)
		if s.n > 0 {
			width = max(width, 2) // what is there is seen
			fmt.Fprintf(b, "<rect class=\"%s\" x=\"%d\" width=\"%d\" height=\"10\"/>", s.state, at, width)
		}
		at += width
	}
	fmt.Fprintf(b, "</svg><span class=\"note\">%s</span></li>\n", note)
}

// sectionsChart draws the decisions of each section.
func (v *view) sectionsChart() string {
	var b strings.Builder
	b.WriteString("<ul class=\"legend\">")
	for _, s := range pageStates {
		fmt.Fprintf(&b, "<li><span class=\"swatch %s\"></span>%[1]s</li>", s)
	}
	b.WriteString("</ul>\n<ul class=\"chart\">\n")
	shown := v.sections[:min(bars, len(v.sections))]
	for _, s := range shown {
		var spans []span
		var notes []string
		for _, state := range pageStates {
			spans = append(spans, span{state, s.states[state]})
			if n := s.states[state]; n > 0 {
				notes = append(notes, fmt.Sprintf("%s %s", thousands(n), state))
			}
		}
		bar(&b, escape(cmp.Or(s.name, "no section")), strings.Join(notes, ", "), spans, v.sections[0].total)
	}
	b.WriteString("</ul>\n" + rest(len(v.sections)-len(shown), "smaller section"))
	return b.String()
}

// pageStates are the states of pages, in the order of charts.
var pageStates = []result.State{result.Indexable, result.Limited, result.Noindex}

// causesChart draws what made pages noindex.
func (v *view) causesChart() string {
	var b strings.Builder
	b.WriteString("<ul class=\"chart\">\n")
	shown := v.causes[:min(bars, len(v.causes))]
	for _, c := range shown {
		name := escape(capital(layer(c.layer))) + " <code>" + escape(c.key) + "</code>"
		bar(&b, name, number(c.pages, "page"), []span{{result.Noindex, c.pages}}, v.causes[0].pages)
	}
	b.WriteString("</ul>\n" + rest(len(v.causes)-len(shown), "other cause"))
	return b.String()
}

// rest says how many more there are.
func rest(n int, noun string) string {
	if n <= 0 {
		return ""
	}
	return "<p>And " + number(n, noun) + ", in the table below.</p>\n"
}
