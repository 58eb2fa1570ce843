// Metarobots decides what crawlers may do with each URL of a static site, writes that into the pages and the host's
// headers, and explains every decision.
//
// Usage:
//
//	metarobots [build] [flags]                 build the Hugo site and apply the policy
//	metarobots apply [DIR] [flags]             apply the policy to a site that is already built
//	metarobots check [DIR] [flags]             write nothing; exit 1 if anything would change
//	metarobots explain URL-OR-FILE … [flags]   show a decision and its reasons
//	metarobots init [DIR] [-n]                 write a first policy for the site
//	metarobots report [DIR] [-o FILE] [flags]  show all decisions as HTML, Markdown, SARIF …
//	metarobots snapshot [DIR] [-o FILE]        write all decisions to one file
//	metarobots diff OLD NEW                    compare two snapshots
//	metarobots verify [BASE-URL] [flags]       compare a deployed site with the decisions
//	metarobots logs ACCESS.LOG … [flags]       show which crawler has read which decision
//	metarobots schema NAME                     print a JSON Schema for editors
//	metarobots data [-o FILE] [flags]          write the tags as data for a live preview
//	metarobots resolve STATEMENT …             combine statements as a crawler would
//	metarobots version | help | completion
//
// Exit codes: 0 success; 1 a check failed or a finding is an error; 2 wrong usage, configuration or front matter,
// nothing was written; 3 rendering, reading or writing failed.
package cli

// manual is what --help prints.
const manual = `
metarobots decides what crawlers may do with each URL of a static site. It combines the policy, each page's front matter
and the tags that the theme printed; the most restrictive directive wins. It writes the result into the HTML
(<meta name="robots">) and into the host's headers (X-Robots-Tag), and explains every decision.

Without a command, it builds the Hugo site in the working folder, or the one that the policy file names. For any other
site, build it first, then run metarobots apply.

The policy is --policy FILE, else metarobots.toml in the site's folder, else config.toml there if it has [site] or
[robots] and no baseURL; or [params.metarobots] in Hugo's own configuration. Flags override the policy.

Exit codes: 0 success; 1 a check failed or a finding is an error; 2 wrong usage, configuration or front matter, nothing
was written; 3 rendering, reading or writing failed.
`
