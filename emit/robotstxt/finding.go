package robotstxt

// IDs of the findings about a robots.txt or a [Policy]. Line is a line of the robots.txt, from 1; the caller adds the
// file and its URL.
const (
	// IDUnread is a line that no crawler can read: no key and value.
	IDUnread = "robotstxt-unread-line"
	// IDUnknown is a line whose key no crawler is known to read.
	IDUnknown = "robotstxt-unknown-line"
	// IDNoindex is Noindex, Nofollow or Noarchive, which Google gave up reading in 2019.
	// https://developers.google.com/search/blog/2019/07/a-note-on-unsupported-rules-in-robotstxt
	IDNoindex = "robotstxt-noindex-line"
	// IDTypo is a line that Google reads in spite of a mistake and others may not.
	IDTypo = "robotstxt-typo"
	// IDBOM is a byte order mark.
	IDBOM = "robotstxt-bom"
	// IDEncoding is text that is not UTF-8, or holds NUL.
	IDEncoding = "robotstxt-encoding"
	// IDTooBig is a file of more than [MaxSize] bytes.
	IDTooBig = "robotstxt-too-big"
	// IDLongLine is a line whose end Google cuts off.
	IDLongLine = "robotstxt-long-line"
	// IDNoGroup is a rule before the first User-agent line.
	IDNoGroup = "robotstxt-rule-before-group"
	// IDVoidsStar is a crawler's own group, for which rules of the * group do not hold.
	IDVoidsStar = "robotstxt-group-voids-star"
	// IDAgent is a User-agent value that is read differently from how it stands there.
	IDAgent = "robotstxt-agent"
	// IDPath is a rule whose pattern can match nothing.
	IDPath = "robotstxt-path"
	// IDPathCase is a rule that matches no URL of the site, and would in another case of letters.
	IDPathCase = "robotstxt-path-case"
	// IDSitemap is a Sitemap line without a whole URL.
	IDSitemap = "robotstxt-sitemap"
	// IDCrawlDelay is a Crawl-delay that is no number.
	IDCrawlDelay = "robotstxt-crawl-delay"
	// IDContentSignal is a Content-Signal line that does not say what it should.
	IDContentSignal = "robotstxt-content-signal"
	// IDContentUsage is a Content-Usage line that does not say what it should.
	IDContentUsage = "robotstxt-content-usage"
	// IDPlace is a robots.txt below the host's root (S2).
	IDPlace = "robotstxt-place"
	// IDHidesNoindex is a robots.txt that keeps crawlers from reading an environment's noindex (S2).
	IDHidesNoindex = "robotstxt-hides-noindex"
	// IDHidesDirectives is a robots.txt that keeps crawlers from reading other restrictions (S2).
	IDHidesDirectives = "robotstxt-hides-directives"
	// IDPolicy is something in a [Policy] that cannot be written, or contradicts what the owner's file says.
	IDPolicy = "robotstxt-policy"
	// IDMayIgnore is a crawler that is blocked and may not obey.
	IDMayIgnore = "robotstxt-may-ignore"
	// IDOutweighed is a Disallow of ours that the owner's Allow loosens, whatever we write.
	IDOutweighed = "robotstxt-outweighed"
	// IDLeftOut is an Allow of ours that is not written, or has no effect, so that it does not loosen the owner's
	// rules.
	IDLeftOut = "robotstxt-left-out"
)
