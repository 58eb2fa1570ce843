// Package headers reads, models and writes _headers files: the X-Robots-Tag header that Netlify and Cloudflare (Pages,
// Workers static assets) serve for the files of a site.
//
// # Reading
//
// A [Dialect] is one host's reading of the file. [Dialect.Parse] keeps what the host keeps, with line numbers, and
// reports what it drops. [Dialect.Values] is what a response for a request path carries. [Forms] lists the request
// paths at which a host serves a published file.
//
// # Writing
//
// [Compile] adds to the user's own file the rules that give every published file its header and no other file any. The
// user's lines stay byte for byte. Ours stand in one marked block, or, where Cloudflare would keep only one of two
// blocks of the same path, as marked lines inside the user's block. [Verify] and [VerifyHosts] prove the finished file
// with the dialects alone; they share no code with the compiler. [Found] tells what the user's own rules say of a file.
//
// # The fewest rules
//
// The compiler chooses among four shapes, as a rule:
//
//	/docs/*       a directory, or the whole site: /*
//	/docs*        a directory and what else begins with its name: docs.html, docs-old/
//	/docs/*.pdf   a suffix, below a directory or anywhere: /*.pdf
//	/docs/a.pdf   one request path
//
// They stand in this order: those with stars before the exact ones; of those, /docs before what begins with it, and a
// directory before its suffixes. A later rule overrides an earlier one: "! X-Robots-Tag" and the full value in one
// block mean just that value on both hosts. Where only Cloudflare reads the file, a rule can also take the header away
// and give none.
//
// Within these shapes and this order no smaller set of rules gives every file what it wants; tests try all others on
// all small trees. The bounds: up to four suffixes, those most needed, have rules; at one directory at most 256 values,
// and as many combinations of values for suffixes, are tried; a suffix that Netlify cannot tell from another (/*.js
// takes .mjs) is left out; and where a site is so mixed that the search would take too long, there are rules for fewer
// suffixes. What may go either way is not bought with a rule: a page that is left to its meta tag gets a header only
// where a rule for others says just what it wants. Of equally few rules the narrowest are taken.
//
// On Netlify /docs/* and /docs* are one, so the tree of directories is ordered by the text of their paths, not by
// segments; for it, and for portable, without case. A directory that has a neighbour of another case, like Docs and
// docs, has no pattern in a portable file. Request paths that no file of the site answers may get any header: a 404
// carries no harm.
//
// A file whose name has what a rule takes for a wildcard (Cat:Foo.pdf on Cloudflare, st*r.pdf) is named all the same
// where the rule matches no other file. Where the rules do not fit Cloudflare's limit, those that name one path each
// are merged: a pattern with one star anywhere takes the place of several of them that say the same, if of all files it
// matches just theirs. Nothing leans on Netlify's reading of a dot beside a star as any character: a file that only so
// has a suffix is right under the suffix's rule and without it.
//
// Not used: adding to a value of the user's, since an override says the same in as many rules but for rare cases.
//
// # Sources
//
// The dialects follow the hosts' own code:
//
//   - https://github.com/cloudflare/workers-sdk
//     packages/workers-shared/utils/configuration/parseHeaders.ts, validateURL.ts, constructConfiguration.ts;
//     packages/workers-shared/asset-worker/src/utils/rules-engine.ts, headers.ts;
//     packages/pages-shared/asset-server/handler.ts
//
//   - https://github.com/netlify/build packages/headers-parser/src: line_parser.ts, normalize.ts, merge.ts,
//     for_regexp.ts
//
//   - https://github.com/netlify/cli src/utils/headers.ts, proxy.ts
//
// Netlify's own servers are closed; their parser is public, and the way of combining is that of the command line's
// emulator.
package headers
