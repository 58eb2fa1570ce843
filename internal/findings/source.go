package findings

// Pages that more than one kind rests on.
const (
	googleMeta      = "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag"
	googleNoindex   = "https://developers.google.com/search/docs/crawling-indexing/block-indexing"
	googleCanonical = "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls"
	googleHead      = "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata"
	googleRobotsTxt = "https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec"
	googleSitemap   = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap"
	rfc9309         = "https://www.rfc-editor.org/rfc/rfc9309"
	cloudflare      = "https://developers.cloudflare.com/pages/configuration/headers/"
	netlify         = "https://docs.netlify.com/manage/routing/headers/"
)
