// Package headers reads, models and writes _headers files: the X-Robots-Tag
// header that Netlify and Cloudflare (Pages, Workers static assets) serve for
// the files of a site.
//
// # Reading
//
// A [Dialect] is one host's reading of the file. [Dialect.Parse] keeps what the
// host keeps, with line numbers, and reports what it drops. [Dialect.Values] is
// what a response for a request path carries. [Forms] lists the request paths
// at which a host serves a published file.
//
// # Writing
//
// [Compile] adds to the user's own file the rules that give every published
// file its header and no other file any. The user's lines stay byte for byte.
// Ours stand in one marked block, or, where Cloudflare would keep only one of
// two blocks of the same path, as marked lines inside the user's block.
// [Verify] proves the finished file with the dialects alone; it shares no code
// with the compiler. [Found] tells what the user's own rules say of a file.
//
// # Sources
//
// The dialects follow the hosts' own code:
//
//   - https://github.com/cloudflare/workers-sdk
//     packages/workers-shared/utils/configuration/parseHeaders.ts, validateURL.ts, constructConfiguration.ts;
//     packages/workers-shared/asset-worker/src/utils/rules-engine.ts, headers.ts;
//     packages/pages-shared/asset-server/handler.ts
//   - https://github.com/netlify/build packages/headers-parser/src: line_parser.ts, normalize.ts, merge.ts, for_regexp.ts
//   - https://github.com/netlify/cli src/utils/headers.ts, proxy.ts
//
// Netlify's own servers are closed; their parser is public, and the way of
// combining is that of the command line's emulator.
package headers
