// Package headers reads, models and writes _headers files: the headers that Netlify and Cloudflare (Pages, Workers
// static assets) serve for the files of a site.
//
// A [Dialect] is one host's reading of the file: [Dialect.Parse] keeps what the host keeps and reports what it drops,
// [Dialect.Values] is what a response for a request path carries, and [Forms] lists the request paths of a published
// file. [robotstag.Header] says which header a file is read and written for.
//
// [Compile] adds to the user's own file the rules that give every published file its value and no other file any. The
// user's lines stay byte for byte. Ours stand in one marked block at the end, or, where Cloudflare would keep only one
// of two blocks of the same path, as marked lines inside the user's. [Verify] proves the finished file with the
// dialects alone. It shares no code with the compiler.
//
// Several headers are compiled one after the other: X-Robots-Tag first, then each other header with what is left of the
// limit. Where Cloudflare alone reads the file, ":splat" in a value stands for what the star of the rule's path
// matches.
//
// Four shapes of rules are written, in this order; a later one overrides an earlier one by "! Name" and its full value:
//
//	/docs/*       a folder, or the whole site: /*
//	/docs*        a folder and what else begins with its name, as Netlify reads /docs/*
//	/docs/*.pdf   a suffix, in a folder or anywhere
//	/docs/a.pdf   one request path
//
// The top of fewest.go explains how the fewest are found. Request paths that no file of the site
// answers may get any header.
//
// The dialects follow the hosts' own code:
//
//   - https://github.com/cloudflare/workers-sdk
//     packages/workers-shared/utils/configuration/parseHeaders.ts, validateURL.ts, constructConfiguration.ts;
//     packages/workers-shared/asset-worker/src/utils/rules-engine.ts, headers.ts;
//     packages/pages-shared/asset-server/handler.ts
//   - https://github.com/netlify/build packages/headers-parser/src: line_parser.ts, normalize.ts, merge.ts,
//     for_regexp.ts
//   - https://github.com/netlify/cli src/utils/headers.ts, proxy.ts
//
// Netlify's own servers are closed; their parser is public, and the way of combining is that of the command line's
// emulator.
package headers
