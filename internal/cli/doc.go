// Metarobots decides for every URL of a static site what crawlers may do with it, writes the answer into the pages
// and the host's headers, and explains every decision.
//
// Usage:
//
//	metarobots [build] [flags]                 build the Hugo site, the policy written as the pages are written
//	metarobots apply [DIR] [flags]             the same policy over a site that is already generated
//	metarobots check [DIR] [flags]             write nothing; exit 1 if anything would change
//	metarobots explain URL-OR-FILE … [flags]   the decision, and what decided it
//	metarobots init [DIR] [-n]                 a first policy, from what the site holds
//	metarobots report [DIR] [-o FILE] [flags]  a page to look at, Markdown, SARIF and others
//	metarobots snapshot [DIR] [-o FILE]        every URL's decision in one file
//	metarobots diff OLD NEW                    what changed between two of them
//	metarobots verify [BASE-URL] [flags]       what crawlers read at a deployed site
//	metarobots logs ACCESS.LOG … [flags]       which crawler has read which decision
//	metarobots schema NAME                     a JSON Schema for editors
//	metarobots data [-o FILE] [flags]          the tags of the site's pages, for the live preview
//	metarobots resolve STATEMENT …             combine statements in the grammar of X-Robots-Tag
//	metarobots version | help | completion
//
// Exit codes: 0 done; 1 a check failed or a finding is an error; 2 usage, configuration or front matter is wrong,
// nothing was written; 3 rendering, reading or writing failed.
package cli

// manual is what --help prints.
const manual = `
metarobots decides for every URL of a static site what crawlers may do with it: from the configuration, each page's
front matter and what the theme already printed, always the most restrictive of what was said. It writes the answer
into the generated HTML (<meta name="robots">) and into _headers (X-Robots-Tag), and explains every decision.

Without a command it builds the Hugo site of the working folder, or the one that the policy file names.

Configuration: --policy FILE, else metarobots.toml in the site's folder, else config.toml there where it has [site] or
[robots] and no baseURL; or [params.metarobots] in Hugo's own configuration. A flag goes before what the
file says.

Exit codes: 0 done; 1 a check failed or a finding is an error; 2 usage, configuration or front matter is wrong, nothing
was written; 3 rendering, reading or writing failed.
`
