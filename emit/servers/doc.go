// Package servers writes X-Robots-Tag and other headers for hosts that read no _headers file: web servers of one's own
// (Apache, nginx, Caddy) and hosts with a configuration of their own form (Vercel, Firebase, Amplify, Azure Static Web
// Apps).
//
// [Format.Compile] takes what every published file is to be served with and returns the host's file: the user's own
// with our rules in it. Each rule names one path, so no other file gets a header. The user's bytes stay; what an
// earlier run wrote is recognised and replaced, and with nothing wanted the user's bytes come back. What is ours stands
// between "# metarobots: begin" and "# metarobots: end", in rules whose pattern holds (?:metarobots){0}, which matches
// nothing, or between the routes /.metarobots/begin and /.metarobots/end.
//
// [Format.Verify] proves each finished file in the run that makes it: it reads the bytes back by a model of the host,
// and compares what each file would be served with. Real Apache, nginx and Caddy are asked for every file in e2e. What
// the models of the other hosts say rests on their documentation, and on what is public of their code. Where that leaves two ways open, a file must be right in each, and what is found is what any of
// them brings.
//
// # Lines
//
// Apache, nginx and Caddy send the generic line and one for each crawler, as Google documents
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag). The other hosts have one
// value for a name, or do not say whether they take two: there lines are joined with ", ", the generic one first. A
// list means the same as several lines (https://www.rfc-editor.org/rfc/rfc9110#section-5.3), but some readers know a
// crawler's name only where a line begins.
//
// Any other header has one line. A file gets its whole value or is named in [robotstag.Result.Lost]. What the owner's
// rules say of the header stays alone.
//
// # Other hosts
//
// Where the site's own hosts are named, every other one gets noindex (otherhosts.go): on Apache, nginx and Caddy as a
// line of its own, on Vercel by the last rule, with a condition.
//
// # What is read of the user's rules
//
// Patterns that name a path, or what paths begin and end with; any other is a finding. It may match all that begins
// with the same folders as far as a rule of ours is concerned, and matches nothing as far as something is found. In a
// .htaccess, lines for all files and lines in sections for files; in the files that nginx and Caddy include, lines for
// all files. An owner's rule that goes before ours and does not give what is decided is an error. Nothing of ours takes
// away what a rule restricts that is not read: see order.go.
package servers
