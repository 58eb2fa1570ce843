package findings

import "metarobots/policy"

var site = []Kind{
	{
		ID: "config-computed", Group: Site, Severity: policy.Warning, Also: []policy.Severity{policy.Note},
		What: "The generator's configuration is a program, and something in it is no plain value; of data that speaks for pages a warning, else a note.",
		Why:  "Configuration is read and never run, so what it computes is not known, and the generator's default counts in its place (M6).",
		Mend: "Say under `[site.content]` where content lies and how its pages are named.",
	},
	{
		ID: "page-metadata", Was: "handover", Group: Site, Severity: policy.Error,
		What: "A `<meta name=\"metarobots\">` of a template cannot be read.",
		Why:  "What it was meant to say of the page is not said, so that the page may be indexed against its author's will (D6).",
		Mend: "Print JSON in `content`, in single quotes: `{\"robots\": \"noindex\"}`.",
	},
	{
		ID: "page-metadata-in-body", Group: Site, Severity: policy.Warning,
		What: "A `<meta name=\"metarobots\">` stands in the body of a page.",
		Why:  "The body holds what authors write, and nobody's text may say what kind of page it stands on. It is taken out and states nothing (M8).",
		Mend: "Print it in the head of the template. What an author has to say of crawlers goes into front matter.",
	},
	{
		ID: "page-metadata-published", Was: "handover-published", Group: Site, Severity: policy.Warning,
		What: "`metarobots.json`, the metadata of the site's pages, is published.",
		Why:  "It is meant for the build, and tells every visitor the names of content files (L6).",
		Mend: "Write it beside the publish folder, or remove it after the run.",
	},
	{
		ID: "no-page", Group: Site, Severity: policy.Error, Also: []policy.Severity{policy.Warning, policy.Note},
		What: "A content file that states something of robots makes no published page that is known; where one is known and another page may show it too, or where it is a draft and its generator is not known, a warning. Files without a statement, and drafts in their generator's words, are a note, said once.",
		Why:  "Its page may be public under a name that is not known, without what the author said of it (L8).",
		Mend: "Say under `[site.content]` how pages are named, or hand the page over by a `<meta name=\"metarobots\">`. Exclude files that make no page.",
	},
	{
		ID: "source-differs", Group: Site, Severity: policy.Warning,
		What: "A page says that it was made from another file, or by another generator, than it was taken for, or it links to be edited to a file that has a page of its own.",
		Why:  "The wrong front matter would decide on it, so what both files say counts (L8).",
		Mend: "Say under `[site.content]` how pages are named.",
	},
	{
		ID: "baseline", Group: Site, Severity: policy.Error, Also: []policy.Severity{policy.Warning},
		What: "More pages are newly noindex since the snapshot of `--baseline` than are allowed, or the snapshot cannot be compared.",
		Why:  "A page that drops out of search by mistake is noticed weeks later; a snapshot shows it before the deploy. A preview is noindex throughout, so snapshots of different environments say nothing of each other (E3).",
		Mend: "Where it is meant, name the pages under `robots.baseline.acknowledged`, or write a new snapshot: `metarobots snapshot`. Else find the statement that `explain` names.",
	},
	{
		ID: "guard", Group: Site, Severity: policy.Error,
		What:   "In an environment that is public, the home page is `noindex`, or more of the site than `robots.guard.noindex` allows.",
		Why:    "Whole sites have dropped out of search, unnoticed for long, by one variable that was missing in production (S3). The finding fails the run; it does not stop the writing.",
		Source: "https://github.com/google/docsy/issues/217",
		Mend:   "Find the cause with `metarobots explain /`. If it is meant, raise `robots.guard.noindex`, or suppress it for a home page that is hidden on purpose.",
	},
	{
		ID: "hard-link", Group: Site, Severity: policy.Warning,
		What: "A page that changes has a second name, a hard link.",
		Why:  "Pages are replaced whole and never changed in place, so the second name keeps the old bytes (M6).",
		Mend: "Copy files into the publish folder instead of linking them.",
	},
	{
		ID: "looks-private", Group: Site, Severity: policy.Note,
		What:   "`noindex` is all that guards a page whose path looks private: `/internal/`, `/customers/`, `/backup.zip` and their like.",
		Why:    "It hides a page from search engines that obey it, and from no person who has or guesses the URL. What must not be read must not be published.",
		Source: "https://developers.google.com/search/docs/crawling-indexing/control-what-you-share",
		Mend:   "Put a password before it at the host, or take it off the site. Suppress it where it only looks private.",
	},
	{
		ID: "newly-noindex", Group: Site, Severity: policy.Note,
		What:   "Pages are `noindex` that the last run left to be indexed.",
		Why:    "They leave search results only when crawlers come again, which may take weeks, and until then they are found. If it was not meant, this is the moment to see it.",
		Source: "https://support.google.com/webmasters/answer/9689846",
		Mend:   "If it is meant, give the addresses to the removal tools of Google and Bing where it is urgent: `summary.newlyNoindex` of `--json` lists them. If not, `metarobots explain` says which line did it.",
	},
	{
		ID: "not-published", Group: Site, Severity: policy.Note,
		What: "Pages that the site's source has are not in the publish folder.",
		Why:  "The folder may come from another source, branch or set of flags, and then front matter is taken for the wrong pages (section X, `apply`).",
		Mend: "Build the site anew from this source, and give `apply` the flags that `hugo` had: `-D`, `-F`, `-E`, `-e`.",
	},
	{
		ID: "precompressed", Group: Site, Severity: policy.Warning, Also: []policy.Severity{policy.Note},
		What:   "A page that changes has a compressed copy beside it: `.gz`, `.br` or `.zst`.",
		Why:    "Servers send the copy in place of the page, and crawlers then read the old tags. As a note it is a `.gz`, which is made anew where it is a copy of the page.",
		Source: "https://nginx.org/en/docs/http/ngx_http_gzip_static_module.html",
		Mend:   "Compress after metarobots.",
	},
	{
		ID: "state", Group: Site, Severity: policy.Warning,
		What: "What earlier runs wrote cannot be read.",
		Why:  "metarobots then cannot tell its own tags from the theme's, and takes them for found: a policy that was loosened stays strict until the pages are made anew (M7).",
		Mend: "Build the site anew. Keep the state folder between runs (`--state`), and let the user of the run read it.",
	},
	{
		ID: "symlink", Group: Site, Severity: policy.Warning,
		What: "A symlink in the publish folder is not followed, or carries tags that are looser than what is decided for its own URL.",
		Why:  "A link that leads out of the folder is never edited (M6); one inside it has the bytes of its target. Crawlers read there what nobody decided for that URL.",
		Mend: "Publish a copy instead of a link, or give both URLs the same policy.",
	},
	{
		ID: "not-read", Group: Site, Severity: policy.Error,
		What: "A file of the site is there and is not read.",
		Why:  "Only regular files are read (M6), up to a limit, and only those that lie in the site: in its folder, its repository or a folder that the configuration names. A link that leads elsewhere, a named pipe, a socket or a device is left alone, and what the file would say does not count.",
		Mend: "Put a regular file in its place. Of content that lies elsewhere name the folder (`[site.content] folders`), or leave it out (`[site.content] exclude`).",
	},
	{
		ID: "no-html", Group: Site, Severity: policy.Warning,
		What: "No HTML file is published.",
		Why:  "A publish folder that does not exist is an error (section X). One without a page is mostly not the one that the generator publishes to, or its templates print nothing.",
		Mend: "Name the folder (`metarobots apply DIR`, `-d`, `[site] destination`), or look at what the generator reports.",
	},
	{
		ID: "two-files", Group: Site, Severity: policy.Warning,
		What:   "`x.html` and `x/index.html` are both published.",
		Why:    "Both are served at `/x`, and hosts differ in which they take. Where the two are decided differently, chance decides.",
		Source: "https://developers.cloudflare.com/pages/configuration/serving-pages/",
		Mend:   "Remove or rename one, in Hugo by `url` or `slug`. If it is left from an earlier build, empty the publish folder first: `--cleanDestinationDir`.",
	},
	{
		ID: "two-outputs", Group: Site, Severity: policy.Warning,
		What: "Two output formats of one page are published as the same file.",
		Why:  "Hugo writes both and keeps the one that comes last. Which format's policy holds for the file is not certain (L5).",
		Mend: "Give one of the formats another `baseName` or `path` under `[outputFormats]`.",
	},
	{
		ID: "two-pages", Group: Site, Severity: policy.Error,
		What: "Two pages of the site are published as the same file, or two lists of Eleventy may both have made it.",
		Why:  "Hugo writes both and keeps the one that comes last, so one of them is not on the site. What both say counts for the file, so that a hidden page is not made public by the other (section L).",
		Mend: "Change the `url`, `slug` or name of one of them. `hugo --printPathWarnings` lists such pages.",
	},
	{
		ID: "unknown-file", Group: Site, Severity: policy.Warning, Also: []policy.Severity{policy.Note},
		What: "A published page is one that nothing in the site's source makes. Other files of that kind are a note, said once.",
		Why:  "It is mostly left from an earlier build, and is still served; a file that is no page may be one that a template publishes under a name of its own. Only rules, the environment and what it says itself decide on it, as no front matter speaks for it any more (M7).",
		Mend: "Empty the publish folder before building: `--cleanDestinationDir`. Write a rule by its path if it is meant to stay.",
	},
}
