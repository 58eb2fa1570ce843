package main

// manual is what --help prints.
const manual = `
metarobots decides for every URL of a static site what crawlers may do with it: from the configuration, each page's
front matter and what the theme already printed, always the most restrictive of what was said. It writes the answer
into the generated HTML (<meta name="robots">) and into _headers (X-Robots-Tag), and explains every decision.

Without a command it builds the Hugo site of the working folder, or the one that the policy file names.

Configuration: --policy FILE, else metarobots.toml in the site's folder, else config.toml there where it has [site] or
[robots] and no baseURL; or [params.metarobots] in Hugo's own configuration. Flags go before the file.

Exit codes: 0 done; 1 a check failed or a finding is an error; 2 usage, configuration or front matter is wrong, nothing
was written; 3 rendering, reading or writing failed.
`
