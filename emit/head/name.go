package head

// A name is an element name the standard treats in a special way; other is
// every name it does not mention.
type name uint8

const (
	other name = iota
	nA
	nAddress
	nAnnotationXML
	nApplet
	nArea
	nArticle
	nAside
	nB
	nBase
	nBasefont
	nBgsound
	nBig
	nBlockquote
	nBody
	nBr
	nButton
	nCaption
	nCenter
	nCode
	nCol
	nColgroup
	nDd
	nDesc
	nDetails
	nDialog
	nDir
	nDiv
	nDl
	nDt
	nEm
	nEmbed
	nFieldset
	nFigcaption
	nFigure
	nFont
	nFooter
	nForeignObject
	nForm
	nFrame
	nFrameset
	nH1
	nH2
	nH3
	nH4
	nH5
	nH6
	nHead
	nHeader
	nHgroup
	nHr
	nHTML
	nI
	nIframe
	nImage
	nImg
	nInput
	nKeygen
	nLi
	nLink
	nListing
	nMain
	nMalignmark
	nMarquee
	nMath
	nMenu
	nMeta
	nMglyph
	nMi
	nMn
	nMo
	nMs
	nMtext
	nNav
	nNobr
	nNoembed
	nNoframes
	nNoscript
	nObject
	nOl
	nOptgroup
	nOption
	nP
	nParam
	nPlaintext
	nPre
	nRb
	nRp
	nRt
	nRtc
	nRuby
	nS
	nScript
	nSearch
	nSection
	nSelect
	nSmall
	nSource
	nSpan
	nStrike
	nStrong
	nStyle
	nSub
	nSummary
	nSup
	nSvg
	nTable
	nTbody
	nTd
	nTemplate
	nTextarea
	nTfoot
	nTh
	nThead
	nTitle
	nTr
	nTrack
	nTt
	nU
	nUl
	nVar
	nWbr
	nXmp
	names // how many there are
)

// spelling holds each name in lower case, as a tag spells it.
var spelling = [names]string{
	nA: "a", nAddress: "address", nAnnotationXML: "annotation-xml", nApplet: "applet", nArea: "area",
	nArticle: "article", nAside: "aside", nB: "b", nBase: "base", nBasefont: "basefont", nBgsound: "bgsound",
	nBig: "big", nBlockquote: "blockquote", nBody: "body", nBr: "br", nButton: "button", nCaption: "caption",
	nCenter: "center", nCode: "code", nCol: "col", nColgroup: "colgroup", nDd: "dd", nDesc: "desc",
	nDetails: "details", nDialog: "dialog", nDir: "dir", nDiv: "div", nDl: "dl", nDt: "dt", nEm: "em",
	nEmbed: "embed", nFieldset: "fieldset", nFigcaption: "figcaption", nFigure: "figure", nFont: "font",
	nFooter: "footer", nForeignObject: "foreignobject", nForm: "form", nFrame: "frame", nFrameset: "frameset",
	nH1: "h1", nH2: "h2", nH3: "h3", nH4: "h4", nH5: "h5", nH6: "h6", nHead: "head", nHeader: "header",
	nHgroup: "hgroup", nHr: "hr", nHTML: "html", nI: "i", nIframe: "iframe", nImage: "image", nImg: "img",
	nInput: "input", nKeygen: "keygen", nLi: "li", nLink: "link", nListing: "listing", nMain: "main",
	nMalignmark: "malignmark", nMarquee: "marquee", nMath: "math", nMenu: "menu", nMeta: "meta",
	nMglyph: "mglyph", nMi: "mi", nMn: "mn", nMo: "mo", nMs: "ms", nMtext: "mtext", nNav: "nav",
	nNobr: "nobr", nNoembed: "noembed", nNoframes: "noframes", nNoscript: "noscript", nObject: "object",
	nOl: "ol", nOptgroup: "optgroup", nOption: "option", nP: "p", nParam: "param", nPlaintext: "plaintext",
	nPre: "pre", nRb: "rb", nRp: "rp", nRt: "rt", nRtc: "rtc", nRuby: "ruby", nS: "s", nScript: "script",
	nSearch: "search", nSection: "section", nSelect: "select", nSmall: "small", nSource: "source",
	nSpan: "span", nStrike: "strike", nStrong: "strong", nStyle: "style", nSub: "sub", nSummary: "summary",
	nSup: "sup", nSvg: "svg", nTable: "table", nTbody: "tbody", nTd: "td", nTemplate: "template",
	nTextarea: "textarea", nTfoot: "tfoot", nTh: "th", nThead: "thead", nTitle: "title", nTr: "tr",
	nTrack: "track", nTt: "tt", nU: "u", nUl: "ul", nVar: "var", nWbr: "wbr", nXmp: "xmp",
}

// byHash finds a name by its first letter, last letter and length. A bucket
// holds few names, and the usual tags of a head are found in one comparison.
var byHash = func() (table [256][]name) {
	// The names of a head come first in their buckets.
	for _, n := range []name{nMeta, nLink, nScript, nStyle, nTitle, nHead, nHTML, nBody} {
		h := hash([]byte(spelling[n]))
		table[h] = append(table[h], n)
	}
	for n := nA; n < names; n++ {
		h := hash([]byte(spelling[n]))
		table[h] = append(table[h], n)
	}
	return table
}()

func hash(b []byte) uint8 {
	return (b[0]|0x20)*7 ^ (b[len(b)-1]|0x20)*31 ^ uint8(len(b))*59
}

// lookup returns the name that b spells, in any case.
func lookup(b []byte) name {
	if len(b) == 0 {
		return other
	}
	for _, n := range byHash[hash(b)] {
		if fold(b, spelling[n]) {
			return n
		}
	}
	return other
}

// fold reports whether b is lower, its ASCII letters in any case. Names compare
// by ASCII case alone: U+212A KELVIN SIGN is no k
// (https://infra.spec.whatwg.org/#ascii-case-insensitive).
func fold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if toLower(c) != lower[i] {
			return false
		}
	}
	return true
}

func toLower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// A set is a set of names.
type set [names]bool

func setOf(ns ...name) (s set) {
	for _, n := range ns {
		s[n] = true
	}
	return s
}

var (
	// special elements stop the search for the element an end tag closes
	// (https://html.spec.whatwg.org/multipage/parsing.html#special).
	special = setOf(nAddress, nApplet, nArea, nArticle, nAside, nBase, nBasefont, nBgsound, nBlockquote, nBody, nBr,
		nButton, nCaption, nCenter, nCol, nColgroup, nDd, nDetails, nDir, nDiv, nDl, nDt, nEmbed, nFieldset,
		nFigcaption, nFigure, nFooter, nForm, nFrame, nFrameset, nH1, nH2, nH3, nH4, nH5, nH6, nHead, nHeader,
		nHgroup, nHr, nHTML, nIframe, nImg, nInput, nKeygen, nLi, nLink, nListing, nMain, nMarquee, nMenu, nMeta,
		nNav, nNoembed, nNoframes, nNoscript, nObject, nOl, nP, nParam, nPlaintext, nPre, nScript, nSearch,
		nSection, nSelect, nSource, nStyle, nSummary, nTable, nTbody, nTd, nTemplate, nTextarea, nTfoot, nTh,
		nThead, nTitle, nTr, nTrack, nUl, nWbr, nXmp)

	// breakout elements end foreign content
	// (https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign).
	breakout = setOf(nB, nBig, nBlockquote, nBody, nBr, nCenter, nCode, nDd, nDiv, nDl, nDt, nEm, nEmbed, nH1, nH2,
		nH3, nH4, nH5, nH6, nHead, nHr, nI, nImg, nLi, nListing, nMenu, nMeta, nNobr, nOl, nP, nPre, nRuby, nS,
		nSmall, nSpan, nStrong, nStrike, nSub, nSup, nTable, nTt, nU, nUl, nVar)

	// implied elements are closed by generating implied end tags.
	implied = setOf(nDd, nDt, nLi, nOptgroup, nOption, nP, nRb, nRp, nRt, nRtc)

	// thoroughly are those a template's end closes as well.
	thoroughly = setOf(nCaption, nColgroup, nDd, nDt, nLi, nOptgroup, nOption, nP, nRb, nRp, nRt, nRtc, nTbody,
		nTd, nTfoot, nTh, nThead, nTr)

	// formatting elements may stand on the list of active formatting elements.
	formatting = setOf(nA, nB, nBig, nCode, nEm, nFont, nI, nNobr, nS, nSmall, nStrike, nStrong, nTt, nU)

	headings = setOf(nH1, nH2, nH3, nH4, nH5, nH6)

	tableParts = setOf(nTable, nTbody, nTfoot, nThead, nTr)
)
