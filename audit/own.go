package audit

import "metarobots/policy"

var own = []Kind{
	{
		ID: "bad-value", Group: Own, Severity: policy.Error, Also: []policy.Severity{policy.Warning}, Fixed: true,
		What:   "A directive has a value that cannot be read: `max-snippet:many`, `max-image-preview:huge`, an `unavailable_after` that is no date, a flag that is neither true nor false.",
		Why:    "Google ignores a directive whose value it cannot read, so the page would be looser than its author believes. In front matter and configuration it is an error, and nothing is written; in tags and headers that are found it is a warning, and the directive states nothing.",
		Source: googleMeta,
		Mend:   "Write the value in the form that the message shows.",
	},
	{
		ID: "config", Group: Own, Severity: policy.Warning,
		What:   "A `config.toml` in the site's folder is read by neither Hugo nor metarobots.",
		Why:    "Hugo prefers its `hugo.toml`, and without `[site]` or `[robots]` the file is no policy. Whatever it says has no effect.",
		Source: "https://gohugo.io/configuration/introduction/#configuration-file",
		Mend:   "Give the policy a `[robots]` table, move the settings into `hugo.toml`, or delete the file.",
	},
	{
		ID: "environment", Group: Own, Severity: policy.Warning,
		What:   "The host says that this is a preview, and a flag, a variable or the configuration says that it is not.",
		Why:    "A preview that is indexed competes with the site it previews. So both apply, and the stricter counts (E2): a production deployment that is announced as a preview is not indexed either.",
		Source: "https://docs.netlify.com/configure-builds/environment-variables/",
		Mend:   "Take `-e`, `HUGO_ENVIRONMENT` or `site.environment` out of the preview's build. If the preview is to be public, say so under its name: `[robots.environments]`, `deploy-preview = true`.",
	},
	{
		ID: "environment-unnamed", Group: Own, Severity: policy.Note,
		What: "The run is in continuous integration (`CI` is set), nothing names the environment, and production is assumed.",
		Why:  "If the run makes a preview, it will be indexed (E2). Hosts differ in what they announce: Cloudflare names the branch and not the environment.",
		Mend: "Name it: `-e production` or `HUGO_ENVIRONMENT` in the build command, `[site] environment`, or on Cloudflare `[site] productionBranch`.",
	},
	{
		ID: "expired", Group: Own, Severity: policy.Warning,
		What:   "The `unavailable_after` of a page has passed.",
		Why:    "Google stops showing such a page in its results. It counts as `noindex` from now on, so that every crawler is told the same and it leaves the sitemap (L7).",
		Source: googleMeta,
		Mend:   "Move the date, or take the page off the site. Silence the finding where old pages are meant to fade out.",
	},
	{
		ID: "indexifembedded", Group: Own, Severity: policy.Warning,
		What:   "`indexifembedded` is stated where nothing says `noindex`.",
		Why:    "It loosens a `noindex` for pages that are shown inside of another, and has no effect without one. It also has none where another source says `noindex` without it (D3).",
		Source: googleMeta,
		Mend:   "Write `noindex, indexifembedded` in one place, or take the word out.",
	},
	{
		ID: "inert-crawler", Group: Own, Severity: policy.Error, Also: []policy.Severity{policy.Warning},
		What:   "Something is told to a crawler that does not listen there: `google-extended`, `applebot-extended` and `duckassistbot` read `robots.txt` alone, `googlebot-image` and others read the header and no tag.",
		Why:    "It does nothing, and the owner believes that it does (A4). It is an error in the configuration, a warning in front matter and in what is found.",
		Source: "https://developers.google.com/search/docs/crawling-indexing/overview-google-crawlers",
		Mend:   "Say it where the crawler reads it: under `[robots.txt]` with `block` or `groups`, or in a rule's `agents`, from which the header is made.",
	},
	{
		ID: "inert-directive", Group: Own, Severity: policy.Error, Also: []policy.Severity{policy.Warning}, Fixed: true,
		What:   "`nopagereadaloud` stands among the directives of a robots tag.",
		Why:    "Google reads it in `<meta name=\"google\">` alone, so here it does nothing (A4). In front matter and configuration it is an error, and nothing is written; in tags and headers that are found it is a warning.",
		Source: googleMeta,
		Mend:   "Put `<meta name=\"google\" content=\"nopagereadaloud\">` into the theme's head, which metarobots leaves alone, and take the word out here.",
	},
	{
		ID: "nofollow-for-noindex", Group: Own, Severity: policy.Note,
		What:   "A page, a rule or a visibility says `nofollow`, and nothing says `noindex` or `index`.",
		Why:    "`nofollow` is about the links of a page and keeps nothing out of an index. Where a page was to be hidden, it is not.",
		Source: googleMeta,
		Mend:   "Write `noindex` if the page is to be hidden. Where only the links are meant, write `index, nofollow`, or silence it.",
	},
	{
		ID: "per-language", Group: Own, Severity: policy.Warning,
		What:   "A language's own parameters say `robots`, which is read for the whole site alone.",
		Why:    "It has no effect here, so the language is not treated as its author believes. The same of `params.metarobots` is an error, and nothing is written.",
		Source: "https://gohugo.io/configuration/languages/",
		Mend:   "Name the language under `[robots.visibility]`, `languages = { de = false }`, or in a rule's `languages`.",
	},
	{
		ID: "prefix", Group: Own, Severity: policy.Error, Also: []policy.Severity{policy.Warning}, Fixed: true,
		What:   "A crawler's name with a colon stands inside of a list of directives: `googlebot: noindex`.",
		Why:    "That is the grammar of the header. In a tag's `content` nobody reads it, so it states nothing; in front matter and configuration it is an error, and nothing is written.",
		Source: googleMeta,
		Mend:   "Write the map form, `robots: {googlebot: noindex}`, or the crawler's own key, `googlebot: noindex`. A theme prints `<meta name=\"googlebot\" content=\"noindex\">`.",
	},
	{
		ID: "selects-nothing", Group: Own, Severity: policy.Error, Also: []policy.Severity{policy.Warning},
		What: "A rule or an entry of the configuration selects nothing of the site.",
		Why:  "Most often a path was renamed or mistyped, and what was to be hidden is public (S4). For a rule's `match` it is an error; for an `except`, for a kind, type, section, language, format or archive, and for what `[robots.links]` asks, it is a warning.",
		Mend: "Mend the name, or remove the entry; `metarobots explain` shows what a page is. Set `allowEmpty = true` on a rule that may match nothing.",
	},
	{
		ID: "separator", Group: Own, Severity: policy.Error, Also: []policy.Severity{policy.Warning}, Fixed: true,
		What:   "Directives are separated by blanks, semicolons, slashes or bars instead of commas.",
		Why:    "A crawler takes `noindex nofollow` for one word it does not know. metarobots reads the words one by one, the strictest way; where it cannot tell what is meant in front matter or configuration, it is an error, and nothing is written.",
		Source: googleMeta,
		Mend:   "Put commas between them, as the message shows, or write a list.",
	},
	{
		ID: "silence", Group: Own, Severity: policy.Warning, Fixed: true,
		What: "An entry of `robots.silence` silences nothing.",
		Why:  "What it was written for is gone, and it would hide the next one that comes (the same thought as S4). Such an entry is itself reported, and that report is not silenced.",
		Mend: "Remove the entry, or mend its `id` or `match`.",
	},
	{
		ID: "unknown-crawler", Group: Own, Severity: policy.Warning,
		What: "An `X-Robots-Tag` of the site's own, or an argument of `resolve`, addresses a crawler that is not known.",
		Why:  "The line stays in its file as it is, and makes no tag (A1). If the name is mistyped, nobody obeys it.",
		Mend: "Mend the name, or add it to `robots.crawlers` if it is right.",
	},
	{
		ID: "unknown-directive", Group: Own, Severity: policy.Error, Also: []policy.Severity{policy.Warning}, Fixed: true,
		What:   "A word among directives is none that is known.",
		Why:    "Crawlers pass over what they do not know, so a mistyped `noindex` leaves the page in the index. In front matter and configuration it is an error, and nothing is written; in tags and headers that are found it is kept and reported (D7).",
		Source: googleMeta,
		Mend:   "Mend the word; the message names the nearest one that is known.",
	},
}
