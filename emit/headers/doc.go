// Package headers reads, models and writes _headers files: the headers that Netlify and Cloudflare
// (Pages, Workers static assets) serve for the files of a site.
//
// A [Dialect] is one host's reading of the file: [Dialect.Parse] keeps what the host keeps and
// reports what it drops, [Dialect.Values] is what a response for a request path carries, and
// [Dialect.Requests] lists the request paths of a published file. [robotstag.Header] says which
// header a file is read and written for.
//
// [Compile] adds to the owner's own file the rules that give every published file its value and no
// other file any. The owner's lines stay byte for byte. Ours are in one marked block at the end,
// or, where Cloudflare would keep only one of two blocks of the same path, marked lines inside the
// owner's. [Verify] proves the finished file with the dialects alone. It shares no code with the
// compiler.
//
// The dialects follow the hosts' own code:
//
//   - https://github.com/cloudflare/workers-sdk
//     packages/workers-shared/utils/configuration/parseHeaders.ts, validateURL.ts,
//     constructConfiguration.ts; packages/workers-shared/asset-worker/src/utils/rules-engine.ts,
//     headers.ts; packages/pages-shared/asset-server/handler.ts
//   - https://github.com/netlify/build packages/headers-parser/src: line_parser.ts, normalize.ts,
//     merge.ts, for_regexp.ts
//   - https://github.com/netlify/cli src/utils/headers.ts, proxy.ts
//
// Netlify's own servers are closed; their parser is public, and the way of combining is that of the
// command line's emulator.
//
// # What rules are written
//
// Four shapes of rules, in this order; a later one overrides an earlier one by "! Name" and its
// full value:
//
//	/docs/*       a folder, or the whole site: /*
//	/docs*        a folder and what else begins with its name, as Netlify reads /docs/*
//	/docs/*.pdf   a suffix, in a folder or anywhere
//	/docs/a.pdf   one request path
//
// Rules may reach request paths that no file of the site answers. Where Cloudflare alone reads the
// file, ":splat" in a value takes the place of what the star of the rule's path matches.
//
// # Words of this package
//
//   - The owner, or user, is who has the site. Ours is what we write. A block is a path line of the
//     file with the lines below it; a rule is what a host makes of a block.
//   - A want ([robotstag.Want]) is what one file is to be served with of the header. It is Free if
//     any header will do, Found if the owner's rules say the same already, and Spare if it is not
//     worth a rule. A request is a request path as one host serves it; wants have numbers.
//   - An engine is a dialect with its reading of the owner's file. The base is that file with the
//     rules of an environment, which ours for files come on top of. Findings and rules of the
//     reading count the lines of the owner's text, without ours: lineInFile has the line of the
//     file.
//   - To detach is to take away what earlier rules set: "! Name", on Cloudflare alone. A host adds
//     if the values of all matching rules are sent, as Cloudflare does.
//   - The key of a path is its spelling in which a host compares it: Netlify's is in lower case.
//   - A value is what a request wants. A template is a value that repeats a part of the path, and
//     its tail is the end of the path that it leaves out. A label is its number.
//   - A star is that of a rule's path. A suffix is the text behind it, .pdf; number k is its place
//     among those that may have rules. A kind of requests is a set of suffixes that match them.
//   - A path rule is a rule for one path alone; all others have a star. A file is left to its tag
//     if it gets no header, because its meta tags say the same. A rule is a guess for a path that
//     it matches by Netlify's emulator, and not by its documentation. So /docs/* may match, by a
//     guess, what is beside a folder: what begins as its name does and is neither it nor in it, as
//     /docs.html.
//   - What is in force in a folder is the state: the labels that the rules with stars around it
//     give each kind. Rules reach an item if they give it what it wants, and mislead it if they
//     give something else. state.reach says so of requests of some kinds that want one label: none
//     is reached, a part, or all, or one is misled.
//   - A placed is an item in the tree, with its folder, its label and the kinds of its requests.
//   - A shape is what folders that look alike have in common. A price counts rules: one is that of
//     a rule, never that of what no rule can do. A loss is the price of a file that goes without
//     its value. Paid are blocks that earlier headers make: a rule there costs nothing. canStar
//     reports whether a rule for a text and an end with a star can be written: each host takes the
//     text literally, and the owner has no block of that path. solver.solve has the best choice for
//     a shape in a state: its price, and the labels of the folder's rules: number 0 is that of the
//     rule for all of it, number k that for suffix number k, and noRule is for none.
//   - A [Rule] matches paths in one of three ways: exact is the key of the one path that it
//     matches; its head is what the keys begin with that it matches, if headSuffices; else re is an
//     expression for the path, or for https://, host and path if the rule has a Host. With none of
//     these it matches nothing. Of a rule with re, head and tail are what each key begins and ends
//     with that re matches: they spare paths the expression. documented reports whether Netlify
//     documents that it matches a path; nil if it documents each that re matches. Its values are
//     those that it states of the header that the file is read for.
//   - A rule of ours (ourRule, by [setting.makeRule]) is a block of its own, or lines in
//     ownersBlock, the owner's block of the same path. addStarred, makePathRule and
//     placeEnvironment make them.
//
// From robotstag: Join has values in one line, parted by ", ", "" for none; Header.Equal reports
// whether two such texts say the same; Result.Report adds a finding and returns it: its name,
// severity, line of the file (0 for none), URL and message.
//
// # The stages of the compiler
//
// Several headers are compiled one after the other: X-Robots-Tag first, then each other header with
// what is left of the limit. Each one goes through these stages:
//
//  1. setting.go: what the rules depend on beside the files, the owner's rules above all.
//  2. item.go, pathrule.go, value.go: files become items. An item is what one rule for a single
//     path serves: request paths, the value that they want, whether they have it without us, and
//     which rule they can have for themselves.
//  3. suffix.go: the suffixes that may have rules, at most four, and the kinds into which they part
//     all requests.
//  4. tree.go, folder.go: items become a tree of folders.
//  5. fewest.go, choose.go: the least price of each folder is counted, from the leaves up.
//  6. write.go: the rules that attain it are written, from the root down.
//  7. budget.go: if they do not fit, something is given up, and rules are chosen and written again.
//  8. compile.go, hosts.go, otherhosts.go: the rules of all headers, and those for other hosts, are
//     put into the owner's file.
//
// # How the fewest rules are found
//
// A node of the tree is a folder: all items whose paths begin with some text. For a folder of the
// site there are two nodes, one in the other: its name (/docs, which also begins /docs.html) and
// its inside (/docs/). The leaves are items.
//
// Rules are written from the general to the specific, and a later one overrides an earlier one. So
// what a request gets depends on the rules of the folders around it, from the root down, and last
// on a rule for its own path. Which rules of a folder match a request depends on its kind alone,
// the set of suffixes whose rules match it. So what comes down to a folder is one label for each
// kind: what the rules above say to requests of that kind, a value or nothing. That is the state.
//
// In a given state, a folder may have no rule, or a rule for all of it, or rules for suffixes in
// it, or both, each with a value that is wanted there. These are its candidates. A rule for all of
// it sets the labels of all kinds, a rule for a suffix those of the kinds with that suffix. Each
// candidate makes a new state, in which the parts of the folder, its items and the folders in it,
// do not affect each other. So its price is that of its own rules and the least prices of its parts
// in the new state. The price of an item is 0 if the state gives it what it wants, else 1 for its
// path rule, or "never" if no such rule helps.
//
// The cheapest candidate is enough: what is chosen for a folder depends on nothing but the state,
// and what it does to the folders below is in its price. Folders that look alike have one shape,
// which is solved once for each state. The result is the optimum within three limits: at most four
// suffixes have rules, those that serve the most items; at most 64 values are tried for a folder
// and four for each of its suffixes; and only folders of the tree have rules. Tests compare it with
// brute force over small sites: no family of them needs more than 1.10 times the fewest rules.
//
// An item may have requests of several kinds, because Netlify ignores letter case and takes the dot
// of a suffix for any character, and Cloudflare does neither. It has its value only if the state
// gives it to each of its kinds.
//
// # An example
//
// Five files, for both hosts at once (portable). Two rules will do:
//
//	/docs/a.pdf noindex    /docs/b.pdf noindex    /docs/c.txt
//	/img/d.pdf  noindex    /img/x.PDF  noindex, nofollow
//
// Rules for one suffix, .pdf, are worth trying. Requests are of two kinds, "no suffix" and ".pdf".
// The rule /*.pdf matches /img/x.PDF on Netlify and not on Cloudflare, so that x.PDF is of both
// kinds; all other items are of one. The state is a pair: what requests without the suffix get, and
// what those with it get. At the root it is (no rule, no rule).
//
//	/docs/ in (no rule, no rule): 1, by /docs/*.pdf. By single paths it would be 2.
//	       in (no rule, noindex): 0. All is right: c.txt gets nothing, as it should.
//	       in (noindex, noindex): never. On Netlify no rule can take the header from c.txt.
//	/img/  in (no rule, no rule): 2, a rule for each path.
//	       in (no rule, noindex): 1. d.pdf is right. x.PDF would get noindex on Netlify alone,
//	                              and has a rule of its own.
//	/      without a rule: 1 + 2. With /*.pdf: 1, and 0 + 1 in (no rule, noindex).
//
// So the rules are /*.pdf and /img/x.PDF. Now let x.PDF want no header. Then /img/ in (no rule,
// noindex) costs "never", the root has no rule, and the rules are /docs/*.pdf and /img/d.pdf. The
// odd name has cost its own folder and those around it a rule, and /docs/ none.
//
// # When rules do not fit
//
// Cloudflare takes a hundred rules. If X-Robots-Tag needs more, HTML is left to its meta tags, as
// the scope allows: first pages whose tags tell every crawler, then all pages. Their items need no
// rule then, and rules are chosen again. If that does not suffice, nothing is written, and the
// error wraps [robotstag.ErrBudget].
//
// Any other header gets what X-Robots-Tag leaves of the limit. If that is too little, files go
// without: the price of an item is then at most a loss of less than one rule, which falls by an
// eighth until the rules fit. With a loss of 1/3, a rule for a folder of four files is worth its
// price, and one for two files is not. What room is left goes to single files, and a finding names
// the others.
package headers
