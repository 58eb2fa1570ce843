package findings

import "metarobots/policy"

var tags = []Kind{
	{
		ID: "deprecated", Group: Tags, Severity: policy.Note,
		What:   "A directive is stated that no search engine acts on any more: `noodp`, `noydir`, `noyaca`, `nopreview`, `nositelinkssearchbox`.",
		Why:    "The directories that the first three speak of are closed, `nosnippet` has taken the place of the fourth, and Google no longer uses the last. They only lengthen the tag, and their author may believe that they do something.",
		Source: googleMeta,
		Mend:   "Take the word out of the front matter, the configuration or the theme. For `nopreview` write `nosnippet`.",
	},
	{
		ID: "edited", Group: Tags, Severity: policy.Warning,
		What: "A published page no longer carries the robots tags that metarobots wrote.",
		Why:  "Somebody edited it, or a step of the pipeline made it anew after metarobots (M7). What is deployed then need not be what was decided.",
		Mend: "Run `metarobots apply` as the last step before the deployment. Make lasting changes in front matter or configuration, not in generated pages.",
	},
	{
		ID: "encoding", Group: Tags, Severity: policy.Warning,
		What:   "A page is in an encoding that is not edited, so no robots tag was written into it.",
		Why:    "Bytes spliced into a page of another encoding would damage it, so it stays as it was (M5); what its own tags say is read and counts. Only `X-Robots-Tag` can tell crawlers then.",
		Source: "https://encoding.spec.whatwg.org/#names-and-labels",
		Mend:   "Publish the page as UTF-8, or make sure that the host serves headers (`robots.headers.targets`).",
	},
	{
		ID: "long-content", Group: Tags, Severity: policy.Error,
		What:   "A robots tag has more than 64 KB of `content`.",
		Why:    "Only its beginning is read, so that no page takes more time and memory than its share. A directive at its end is not known, and may be the one that restricts.",
		Source: googleMeta,
		Mend:   "See what prints the tag in the theme's template: no list of directives is that long.",
	},
	{
		ID: "meta-in-body", Group: Tags, Severity: policy.Warning,
		What:   "A robots tag stands in the body of a page, or after an element that ended its head.",
		Why:    "Google obeys robots tags in the body although it asks for them in the head, and others do not look there, so a stray `noindex` takes the page out of some indexes. It counts as found, is removed, and the head gets what is decided.",
		Source: googleHead,
		Mend:   "Move the tag in the theme's template into the head, before any element that does not belong there: `img`, `iframe` and `div` end the head. Where it was never meant, remove it.",
	},
	{
		ID: "mistaken-tag", Group: Tags, Severity: policy.Warning,
		What:   "A tag was meant for crawlers, and they do not read it: `name=\"robot\"` or `\"X-Robots-Tag\"`, `property=\"robots\"`, `http-equiv=\"X-Robots-Tag\"`, curly quotes around a name or a content.",
		Why:    "Google documents the attribute `name` with the values `robots`, `googlebot` and `googlebot-news`, and `X-Robots-Tag` as an HTTP header. Whoever wrote the tag believes that the page is restricted. It counts as found, as it was meant, is removed, and the page gets a tag that crawlers read (M2).",
		Source: googleMeta,
		Mend:   "Write `<meta name=\"robots\" content=\"...\">` in the theme's template, with straight quotes. Where the tag was never meant, remove it.",
	},
	{
		ID: "no-content", Group: Tags, Severity: policy.Warning,
		What:   "A robots tag has no `content`.",
		Why:    "Without `content` the tag says nothing to anybody, and whoever wrote it believes that it does.",
		Source: "https://html.spec.whatwg.org/multipage/semantics.html#meta-name",
		Mend:   "Mend or remove the tag in the theme's template. State what it was meant to say in front matter or under `[robots]`.",
	},
	{
		ID: "nosnippet-ignored", Group: Tags, Severity: policy.Warning,
		What:   "A class of `robots.links.nosnippet` is on an element that gets no `data-nosnippet`.",
		Why:    "Google reads the attribute on `div`, `span` and `section` alone, so on another element it would do nothing. The text may be shown in results.",
		Source: googleMeta,
		Mend:   "Put the class on a `div`, `span` or `section` around the text, in the theme's template.",
	},
	{
		ID: "page-too-large", Group: Tags, Severity: policy.Warning,
		What:   "A page is larger than 64 MB.",
		Why:    "It is not read, so what its own tags say is not known, and nothing is written into it (M5). Googlebot reads the first 15 MB of a page.",
		Source: "https://developers.google.com/search/docs/crawling-indexing/googlebot",
		Mend:   "Publish the page in parts, or as another kind of file. Make sure that the host serves headers (`robots.headers.targets`).",
	},
	{
		ID: "redirect", Group: Tags, Severity: policy.Warning,
		What:   "A page that only sends readers on, such as a Hugo alias, carries a robots tag.",
		Why:    "Hugo's aliases said `noindex` until v0.149.1, which took it out because Google dropped the pages they lead to. Redirect pages are left as they are (L4).",
		Source: "https://github.com/gohugoio/hugo/pull/13951",
		Mend:   "Set `robots.redirects = \"clean\"`, which removes the tag, or take it out of the theme's `alias.html`.",
	},
	{
		ID: "tags-at-odds", Group: Tags, Severity: policy.Warning,
		What:   "The robots tags of one page contradict each other, or one contradicts itself: `index` and `noindex`, `follow` and `nofollow`, `archive` and `noarchive`.",
		Why:    "Google obeys the stricter one and Yandex the one that allows, so the page is in one index and not in the other. metarobots counts the stricter and writes one tag.",
		Source: "https://yandex.com/support/webmaster/controlling-robot/meta-robots.html",
		Mend:   "Keep one of the tags in the theme's templates; two partials often print one each. Or set `robots.found = \"replace\"`, if what the theme prints is not to count at all.",
	},
	{
		ID: "theme-adds", Group: Tags, Severity: policy.Note,
		What: "The tag that the theme prints restricts pages in a way that neither their front matter nor the configuration asks for.",
		Why:  "What is found in a page counts, like any other statement (`found = \"merge\"`, section L). Many themes answer a mere `noindex` with `noindex, nofollow`, and links of the page then lead crawlers nowhere.",
		Mend: "Set `robots.found = \"replace\"` if the policy alone is to count. Otherwise leave it, and suppress it once it is known. It is said once for each effect, with the first page.",
	},
	{
		ID: "value-for-content", Group: Tags, Severity: policy.Warning,
		What:   "A robots tag has its directives in `value` instead of `content`.",
		Why:    "No crawler reads `value`, so the page is indexed as if the tag were not there. A theme in wide use writes it that way.",
		Source: "https://html.spec.whatwg.org/multipage/semantics.html#meta-name",
		Mend:   "Write `content=` in the theme's template. State in front matter or under `[robots]` what the tag was meant to say: metarobots does not take it for a statement.",
	},
}
