package head

import "testing"

const noindex = `<meta name="robots" content="noindex">`

// traps are pages that deceive whoever looks for a meta without building the
// tree. head is how many robots metas stand in the head by the HTML standard,
// scripting enabled; body, how many in the body.
//
// https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
var traps = []struct {
	name, page string
	head, body int
	notXNet    string // why x/net reads the page otherwise
}{
	{"comment", `<head><!-- ` + noindex + ` --></head>`, 0, 0, ""},
	{"comment abrupt <!-->", `<head><!-->` + noindex + `--></head>`, 1, 0, ""},
	{"comment abrupt <!--->", `<head><!--->` + noindex + `--></head>`, 1, 0, ""},
	{"comment --!> end", `<head><!-- a --!>` + noindex + `</head>`, 1, 0, ""},
	{"conditional comment, hidden", `<head><!--[if IE]>` + noindex + `<![endif]--></head>`, 0, 0, ""},
	{"conditional comment, revealed", `<head><![if !IE]>` + noindex + `<![endif]></head>`, 1, 0, ""},
	{"bogus comment <?", `<?xml version="1.0"?><head>` + noindex, 1, 0, ""},
	{"bogus comment </", `<head></ x>` + noindex, 1, 0, ""},
	{"script string", `<head><script>var s='` + noindex + `'</script></head>`, 0, 0, ""},
	{"script escaped", `<head><script><!-- <script> </script> ` + noindex + ` --></script></head>`, 0, 0, ""},
	{"JSON-LD with </head>", `<head><script type="application/ld+json">{"a":"</head>"}</script>` + noindex + `</head>`, 1, 0, ""},
	{"style", `<head><style>a::after{content:'` + noindex + `'}</style></head>`, 0, 0, ""},
	{"title", `<head><title>how to use ` + noindex + `</title></head>`, 0, 0, ""},
	{"unclosed title", `<head><title>x` + noindex + `</head><body>`, 0, 0, ""},
	{"noscript", `<head><noscript>` + noindex + `</noscript></head>`, 0, 0, ""},
	{"noscript with img", `<head><noscript><img src=x></noscript>` + noindex + `</head>`, 1, 0, ""},
	{"template", `<head><template>` + noindex + `</template></head>`, 0, 0, ""},
	{"div ends the head", `<head><div></div>` + noindex + `</head>`, 0, 1, ""},
	{"img ends the head", `<head><img src=p.gif>` + noindex + `</head>`, 0, 1, ""},
	{"iframe ends the head", `<head><iframe></iframe>` + noindex + `</head>`, 0, 1, ""},
	{"text ends the head", `<head>x` + noindex + `</head>`, 0, 1, ""},
	{"no-break space ends the head", "<head>\u00A0" + noindex + `</head>`, 0, 1, ""},
	{"a BOM in the middle ends the head", "<head>\uFEFF" + noindex + `</head>`, 0, 1, ""},
	{"custom element ends the head", `<head><x-seo></x-seo>` + noindex + `</head>`, 0, 1, ""},
	{"svg ends the head", `<head><svg></svg>` + noindex, 0, 1, ""},
	{"meta in body", `<head></head><body>` + noindex, 0, 1, ""},
	{"between </head> and <body>", `<head></head>` + noindex + `<body>`, 1, 0, ""},
	{"no <head>", `<!doctype html><title>x</title>` + noindex + `<p>x`, 1, 0, ""},
	{"text first", `hello ` + noindex, 0, 1, ""},
	{"</br> ends the head, </p> does not", `<head></p></div>` + noindex + `</br>` + noindex, 1, 1, ""},
	{"second <head>", `<head></head><head>` + noindex + `</head>`, 1, 0, ""},
	{"upper case", `<HEAD><META NAME=ROBOTS CONTENT=NOINDEX></HEAD>`, 1, 0, ""},
	{"unquoted with slash", `<head><meta name=robots content=noindex/></head>`, 1, 0, ""},
	{"single quotes, reversed, lines", "<head><meta\n content='noindex'\n name='robots'\n/></head>", 1, 0, ""},
	{"slash as separator", `<head><meta/name="robots"/content="noindex"></head>`, 1, 0, ""},
	{"> in a quoted value", `<head><meta content="a>b" name="robots"></head>`, 1, 0, ""},
	{"of two names the first", `<head><meta name="x" name="robots" content=noindex></head>`, 0, 0, ""},
	{"reference in the name", `<head><meta name="&#114;obots" content="noindex"></head>`, 1, 0, ""},
	{"references elsewhere", `<head><meta name="description" content="&lt;meta name=robots>"></head>`, 0, 0, ""},
	{"spaces in the name", `<head><meta name=" robots " content="noindex"></head>`, 1, 0, ""}, // house: trimmed
	{"no space between attributes", `<head><meta name="robots"content="noindex"></head>`, 1, 0, ""},
	{"spaces around =", `<head><meta name = "robots" content = "noindex"></head>`, 1, 0, ""},
	{"= begins a name", `<head><meta =name="robots" content="noindex"></head>`, 0, 0, ""},
	{"data-name, property", `<head><meta data-name="robots" property="robots" content=x></head>`, 0, 0, ""},
	{"http-equiv", `<head><meta http-equiv="robots" content=noindex></head>`, 0, 0, ""},
	{"meta in an attribute", `<head><link title='` + noindex + `'></head>`, 0, 0, ""},
	{"cut off by the end", `<head><meta name="robots" content="noindex"`, 0, 0, ""},
	{"unclosed quote", `<head><link title="x>` + noindex + `<link title="y"></head>`, 0, 0, ""},
	{"null in the tag's name", "<head><me\x00ta name=robots></head>", 0, 0, ""},
	{"byte order mark", "\uFEFF<head>" + noindex, 1, 0, "takes the mark for text, which ends the head"},
	{"frameset", `<head>` + noindex + `</head><frameset>`, 1, 0, ""},
	{"plaintext", `<head><plaintext>` + noindex, 0, 0, ""},
	{"noframes", `<head><noframes>` + noindex + `</noframes></head>`, 0, 0, ""},
	{"<metadata> is no meta", `<head><metadata name=robots>` + noindex, 0, 1, ""},
	{"CDATA in the head", `<head><![CDATA[ ` + noindex + ` ]]></head>`, 0, 0, ""}, // a bogus comment, which ends at the meta's ">"
	{"two", `<head>` + noindex + noindex + `</head>`, 2, 0, ""},
	{"AMP boilerplate", `<html ⚡><head><meta charset=utf-8><style amp-boilerplate>body{}</style><noscript><style amp-boilerplate>x</style></noscript>` + noindex, 1, 0, ""},
	{"head with attributes and >", `<head prefix="og: http://ogp.me/ns# >" data-x='<head>'>` + noindex, 1, 0, ""},
	{"<header> is no head", `<html><header>` + noindex + `</header>`, 0, 1, ""},
	{"doctype with > in an identifier", `<!DOCTYPE html PUBLIC "a>b"><head>` + noindex, 0, 1, ""},

	// Beyond the sixty: what only the body, foreign content and frames can do.
	{"svg is left", `<body><svg>` + noindex, 0, 1, ""},
	{"style of svg is markup", `<body><svg><style>` + noindex, 0, 1, ""},
	{"style after svg is raw text", `<body><svg><p><style>` + noindex, 0, 0, ""},
	{"title of svg holds HTML", `<body><svg><title><style>` + noindex + `</style></title>`, 0, 0, ""},
	{"CDATA of svg", `<body><svg><![CDATA[` + noindex + `]]>`, 0, 0, ""},
	{"CDATA of an integration point", `<body><svg><desc><![CDATA[` + noindex + `]]>`, 0, 0, ""},
	{"CDATA of HTML in svg is a comment", `<body><svg><desc><p><![CDATA[a>` + noindex + `]]>`, 0, 1, ""},
	{"math text", `<body><math><mi><textarea>` + noindex, 0, 0, ""},
	{"textarea", `<body><textarea>` + noindex + `</textarea>`, 0, 0, ""},
	{"noembed, xmp, iframe", `<body><noembed>` + noindex + `</noembed><xmp>` + noindex + `</xmp><iframe>` + noindex + `</iframe>`, 0, 0, ""},
	{"plaintext in body", `<body><plaintext>` + noindex + `</plaintext>`, 0, 0, ""},
	{"nested templates", `<body><template><template></template>` + noindex + `</template>` + noindex, 0, 1, ""},
	{"template in the head, nested", `<head><template><div><template></div></template>` + noindex + `</div></template>` + noindex, 1, 0, ""},
	{"select", `<body><select><option>` + noindex, 0, 1, ""},
	{"table", `<body><table><colgroup>` + noindex + `<tr>` + noindex + `<td>` + noindex + `<caption>` + noindex, 0, 4, ""},
	{"after </html>", `<body></body></html>` + noindex, 0, 1, ""},
	{"in a frameset", `<frameset>` + noindex + `<noframes>` + noindex + `</noframes></frameset>` + noindex, 0, 0, ""},
	{"a frameset takes out the body", `<p>` + noindex + `<frameset>`, 0, 0, ""},
	{"a frameset comes too late", `<p>x` + noindex + `<frameset>` + noindex, 0, 2, ""},
	{"noscript after </head>", `<head></head><noscript></noscript>` + noindex, 0, 1, ""},
	{"</template> alone", `<head></template>` + noindex, 1, 0, ""},
	{"quotes of one candidate hide the next", `<p><a b='<meta name=robots c=' >` + noindex, 0, 1, ""},

	// Where x/net departs from the standard. A row fails when it no longer does.
	{"< keeps a script escaped", `<script><!-- <3 <script> </script>` + noindex, 0, 0, "ends the escape at a < that begins nothing"},
	{"template in svg's HTML", `<body><svg><desc><template></template></desc></svg>` + noindex, 0, 1, "gives up at a template in foreign content"},
	{"style ignored in a column group", `<head><template><col><style></template>` + noindex, 1, 0, "reads the text of a style that is ignored"},
}

func TestStandard_SixtyTrapsAndMore(t *testing.T) {
	var p Page
	for _, c := range traps {
		want := count{c.head, c.body}
		if got := ours(&p, []byte(c.page)); got != want {
			t.Errorf("%s: got %v, want %v\n%q", c.name, got, want, c.page)
		}
		other, err := theirs([]byte(c.page))
		switch {
		case err != nil:
			t.Errorf("%s: x/net: %v", c.name, err)
		case c.notXNet == "" && other != want:
			t.Errorf("%s: x/net has %v, want %v\n%q", c.name, other, want, c.page)
		case c.notXNet != "" && other == want:
			t.Errorf("%s: x/net no longer %s", c.name, c.notXNet)
		}
	}
}
