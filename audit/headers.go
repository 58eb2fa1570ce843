package audit

import "metarobots/policy"

var headers = []Kind{
	{
		ID: "header-budget", Group: Headers, Severity: policy.Error, Also: []policy.Severity{policy.Warning}, Fixed: true,
		What:   "The rules that are needed do not fit a limit of the host: 100 rules on Cloudflare, 1,024 on Vercel, 25,000 characters on Amplify, 20 KiB on Azure.",
		Why:    "Hosts drop what is too much, or refuse the deployment. As a warning, all HTML pages are left to their tags, which carry the policy; as an error, the rest does not fit either, and nothing is written (N2).",
		Source: cloudflare,
		Mend:   "Use fewer and wider rules: put files that share a policy into one folder. Set `robots.headers.scope = \"files\"`, which leaves HTML to its tags and ends the warning.",
	},
	{
		ID: "header-count", Group: Headers, Severity: policy.Warning,
		What:   "The header file is so long that the host gets slow: more than 10,000 rules for Netlify, or thousands of URLs in an `.htaccess`.",
		Why:    "Netlify's parser takes time that grows with the square of the rules. Apache reads `.htaccess` anew for every request.",
		Source: netlify,
		Mend:   "Set `robots.headers.scope = \"files\"`, or put files that share a policy into one folder. On Apache, move the block into a `<Directory>` of the server's configuration, which is read once.",
	},
	{
		ID: "header-found", Group: Headers, Severity: policy.Error, Also: []policy.Severity{policy.Warning, policy.Note}, Fixed: true,
		What:   "A rule of the site's own stands in the way of the header that is decided, or cannot be taken into account.",
		Why:    "The host combines all rules that match, or lets the last one count, so crawlers get another value than the one that is decided (N3, N5). As a warning it says that a rule is too involved to be counted as found, or that an HTML page is left to its tag; as a note, that part of a new file is a guess.",
		Source: "https://www.rfc-editor.org/rfc/rfc9110#section-5.3",
		Mend:   "Remove `X-Robots-Tag` from the rule that is named, and state it as a rule of the policy instead.",
	},
	{
		ID: "header-host", Group: Headers, Severity: policy.Error, Also: []policy.Severity{policy.Warning, policy.Note}, Fixed: true,
		What:   "A header is for another host name than the site's own.",
		Why:    "As an error, what `robots.headers.hosts` asks for cannot be written, and that host is indexed beside the site. As a warning, the target has no rules for host names; as a note, a rule of the site's own for another host is kept and does not count as found (N5).",
		Source: cloudflare,
		Mend:   "Name the host in lower case, without scheme and port, and remove a rule of your own for it. Only `targets = [\"cloudflare\"]` can say a header for a host name.",
	},
	{
		ID: "header-mismatch", Group: Headers, Severity: policy.Error, Fixed: true,
		What: "The proof of the finished header file fails: by the host's own way of reading it, a file would be served with another `X-Robots-Tag` than the one that is decided.",
		Why:  "Every run proves what it wrote with code that shares nothing with what wrote it (N3). A mismatch means that crawlers are told something else.",
		Mend: "Remove `X-Robots-Tag` from the rules of your own that reach the file. If there are none, it is a fault of metarobots: report it with the header file and the message.",
	},
	{
		ID: "header-name", Group: Headers, Severity: policy.Error, Also: []policy.Severity{policy.Warning}, Fixed: true,
		What:   "No rule of the host can name a file exactly: its name holds `*`, a colon with a letter, a control character, or is too long.",
		Why:    "A rule that reaches further would tell crawlers something wrong of other files, so none is written (N3). As an error, the file is served without what is decided for it; as a warning, it is an HTML page and its tag carries the policy.",
		Source: cloudflare,
		Mend:   "Rename the file.",
	},
	{
		ID: "header-none", Group: Headers, Severity: policy.Warning,
		What: "The target serves no headers, and files that cannot carry a tag are restricted.",
		Why:  "For PDF, images and feeds the header is the only way to tell crawlers, so they are not told (N1).",
		Mend: "Choose a target that serves headers (`robots.headers.targets`), or keep such files off the site.",
	},
	{
		ID: "header-overflow", Group: Headers, Severity: policy.Error, Fixed: true,
		What:   "The header rules do not fit the host's limit, even without those for HTML pages.",
		Why:    "Some of the rules without the others would leave files to the index. So `apply` writes nothing at all, and `build` leaves the header file as it was (N2).",
		Source: cloudflare,
		Mend:   "Bring files that share a policy into one folder, so that one rule holds for all, and remove rules of your own that are not needed. `header-budget` has the numbers.",
	},
	{
		ID: "header-overlap", Group: Headers, Severity: policy.Error, Also: []policy.Severity{policy.Warning}, Fixed: true,
		What:   "The host cannot tell two files apart that are to be served with different headers, such as two names that differ in case alone.",
		Why:    "A rule for the one reaches the other too, so none is written (N3). As a warning, an HTML page is left to its tag, or only some ways in which the host may compare names are concerned.",
		Source: netlify,
		Mend:   "Rename one of the files, or give both the same policy.",
	},
	{
		ID: "header-preview", Group: Headers, Severity: policy.Error, Also: []policy.Severity{policy.Warning, policy.Note}, Fixed: true,
		What:   "A header without `noindex` takes away the `noindex` that Cloudflare gives its preview hosts.",
		Why:    "The first `X-Robots-Tag` of a rule replaces the host's own, and the preview is indexed (N6). As a note, HTML pages are left to their tags for that reason; as a warning, other files have such a header all the same; as an error, the proof of a finished file finds one.",
		Source: cloudflare,
		Mend:   "Set `robots.headers.targets = [\"cloudflare\"]`: that form of the file keeps previews out of the index. On Netlify set `[\"netlify\"]`.",
	},
	{
		ID: "header-syntax", Group: Headers, Severity: policy.Error, Also: []policy.Severity{policy.Warning, policy.Note}, Fixed: true,
		What:   "The site's own header file has a line or a rule that the host ignores or reads otherwise than it seems.",
		Why:    "Headers that its author counts on are not served. As an error, the whole file cannot be read, and nothing is added to it; as a note, one of two hosts does not know the line, which the other needs.",
		Source: netlify,
		Mend:   "Mend the line that is named. Silence the notes where the file is meant for both Netlify and Cloudflare.",
	},
	{
		ID: "header-value", Group: Headers, Severity: policy.Error, Also: []policy.Severity{policy.Warning}, Fixed: true,
		What:   "A value cannot stand in the host's file: it has characters that are not printable ASCII, or is too long for a line.",
		Why:    "Such values break the host's parser or are served damaged, so none is written. As an error, the files go without what is decided; as a warning, an HTML page is left to its tag.",
		Source: cloudflare,
		Mend:   "Take the odd directive out of the configuration, the front matter or the theme's tag: it is one that nobody knows.",
	},
	{
		ID: "netlify-toml", Group: Headers, Severity: policy.Error, Fixed: true,
		What:   "`netlify.toml` sets an `X-Robots-Tag` other than the one that is decided.",
		Why:    "Of two values for one URL Netlify serves that of `netlify.toml`, so the rules in `_headers` do not count (N8).",
		Source: "https://docs.netlify.com/build/configure-builds/file-based-configuration/#headers",
		Mend:   "Take `X-Robots-Tag` out of `[[headers]]` in `netlify.toml` and state it as a rule of the policy.",
	},
	{
		ID: "no-header", Group: Headers, Severity: policy.Warning,
		What:   "Files that cannot carry a tag are restricted, and `robots.headers.targets` says that the host serves no headers.",
		Why:    "Crawlers will not be told: for PDF, images, feeds and pages that cannot be edited the header is the only way (N1).",
		Source: googleMeta,
		Mend:   "Choose a host that serves headers and name it in `robots.headers.targets`, or keep the files off the site. Silence the finding where something else guards them, such as a password.",
	},
	{
		ID: "rewrite", Group: Headers, Severity: policy.Warning,
		What:   "A rewrite with status 200 in `_redirects` serves a restricted file at every URL below a path.",
		Why:    "Cloudflare takes header rules by the path that was asked for, and these cannot be listed. There the file is served without its `X-Robots-Tag`; of an HTML page the tag alone speaks.",
		Source: "https://developers.cloudflare.com/pages/configuration/redirects/#proxying",
		Mend:   "Name the paths one by one, or make it a redirect with status 301. For an HTML page whose tag says enough, silence it.",
	},
}
