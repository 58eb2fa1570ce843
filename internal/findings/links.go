package findings

import "metarobots/policy"

var links = []Kind{
	{
		ID: "canonical-and-noindex", Group: Links, Severity: policy.Warning,
		What:   "A page that is `noindex` names another page as its canonical one.",
		Why:    "The one says that this page is to be forgotten, the other that it is the same as that page. Google advises against `noindex` as a means to choose the canonical, as the page is then blocked from search altogether, and what points at it may not count for the other.",
		Source: googleCanonical,
		Mend:   "Drop the `noindex` where the page is a copy of the other, and the canonical where it is not. A page that is `noindex` may name itself.",
	},
	{
		ID: "canonical-to-noindex", Group: Links, Severity: policy.Warning,
		What:   "A page names as its canonical one a page that is `noindex`.",
		Why:    "The page asks to be shown under the URL of one that must not be shown. Neither may end up in the index.",
		Source: googleCanonical + "#rel-canonical-link-method",
		Mend:   "Let the page name itself or another page that is indexed, or take the `noindex` off the canonical one. `metarobots explain` says where that comes from.",
	},
	{
		ID: "hreflang-to-noindex", Group: Links, Severity: policy.Warning,
		What:   "A page names as its version in another language a page that is `noindex`.",
		Why:    "Search engines send readers to the version in their language, and cannot show one that must not be indexed. Its readers get another language, or nothing.",
		Source: "https://developers.google.com/search/docs/specialty/international/localized-versions",
		Mend:   "Leave the page out of the `hreflang` list, in Hugo by a condition in the theme's head on what hides it. Or drop its `noindex`.",
	},
	{
		ID: "sitemap", Group: Links, Severity: policy.Warning,
		What:   "A sitemap cannot be read.",
		Why:    "It stays as it is, so pages that are `noindex` are not taken out of it (S1), and search engines may fail to read it too.",
		Source: "https://www.sitemaps.org/protocol.html",
		Mend:   "Mend the XML that the message speaks of, in Hugo in the theme's `sitemap.xml`.",
	},
	{
		ID: "sitemap-lists-disallowed", Group: Links, Severity: policy.Warning,
		What:   "A sitemap lists pages that `robots.txt` keeps crawlers from.",
		Why:    "The one asks crawlers to come, the other turns them away (S2). Search engines report such URLs as faults, and may index them by their links alone.",
		Source: googleSitemap,
		Mend:   "Remove or narrow the `Disallow`, or leave the pages out of the sitemap. It is said once for each rule.",
	},
	{
		ID: "sitemap-empty", Group: Links, Severity: policy.Warning,
		What: "No page of a sitemap is to be indexed.",
		Why:  "The file is left without entries and leaves the sitemap index (S1). Often a whole language or section was hidden by one setting.",
		Mend: "Check with `metarobots explain` that the pages are meant to be hidden. If they are, suppress it or take the file out of the generator's outputs.",
	},
	{
		ID: "sitemap-lists-noindex", Group: Links, Severity: policy.Warning,
		What:   "A sitemap lists pages that are `noindex`.",
		Why:    "A sitemap names the URLs that are to appear in search results, and these must not. Search engines report it as a fault of the site.",
		Source: googleSitemap,
		Mend:   "Set `robots.sitemap.filter = true`, which takes them out. For some weeks a page that is to leave the index may stay listed, so that crawlers come and see: then suppress it.",
	},
}
