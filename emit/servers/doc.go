// Package servers writes X-Robots-Tag and other headers for hosts that read no _headers file: web
// servers of one's own (Apache, nginx, Caddy) and hosts with a configuration of their own form
// (Vercel, Firebase, Amplify, Azure Static Web Apps).
//
// [Format.Compile] takes what every published file is to be served with and returns the host's
// file: the user's own with our rules in it. Each rule names one path, so no other file gets a
// header. The user's bytes stay; what an earlier run wrote is recognised and replaced, and with
// nothing wanted the user's bytes come back. What is ours is between "# metarobots: begin" and "#
// metarobots: end", in rules whose pattern holds (?:metarobots){0}, which matches nothing, or
// between the routes /.metarobots/begin and /.metarobots/end.
//
// [Format.Verify] proves each finished file in the run that makes it: it reads the bytes back by a
// model of the host, and compares what each file would be served with. Real Apache, nginx and Caddy
// are asked for every file in e2e. The models of the other hosts rest on their documentation, and
// on what is public of their code. If that leaves two ways open, a file must be right in each, and
// what is found is what any of them brings.
//
// # Lines
//
// Apache, nginx and Caddy send the generic line and one for each crawler, as Google documents
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag). The other hosts have one
// value for a name, or do not say whether they take two: there lines are joined with ", ", the
// generic one first. A list means the same as several lines
// (https://www.rfc-editor.org/rfc/rfc9110#section-5.3), but some readers know a crawler's name only
// where a line begins.
//
// Any other header has one line. A file gets its whole value or is named in
// [robotstag.Result.Lost]. What the owner's rules say of the header stays alone.
//
// # Other hosts
//
// Where the site's own hosts are named, every other one gets noindex (otherhosts.go): on Apache,
// nginx and Caddy as a line of its own, on Vercel by the last rule, with a condition.
//
// # What is read of the user's rules
//
// Patterns that name a path, or what paths begin and end with; any other is a finding. It may match
// all that begins with the same folders if a rule of ours is concerned, and matches nothing if it
// is asked what is found. In a .htaccess, lines for all files and lines in sections for files; in
// the files that nginx and Caddy include, lines for all files. An owner's rule that goes before
// ours and does not give what is decided is an error. Nothing of ours takes away what a rule
// restricts that is not read: see order.go.
//
// # Words of this package
//
//   - The user, or owner, is who has the site. A rule is theirs or ours. [User] is what their rules
//     in a file say of one header, and a userRule one of them; a rule of the model is of either.
//   - A want ([robotstag.Want]) is what one file is to be served with; wants have numbers, i. It is
//     free if any header will do. The base is the path below which the host serves the site.
//   - A url or path is a decoded request path that begins with a slash, and of a [compiler] with the
//     base. A value is what a rule gives a path: its lines.
//   - A [Format] is the file of a host: text with lines, or a ruleList, whose rules are a list in
//     JSON or YAML. A document is such a file, opened, and its
//     holder the object that has the list, with settings of the host beside it.
//   - Of a document, pathTo makes the keys that lead to something in a rule, lineOf is the line of
//     what is there, from 1, and headerValue is what a rule says of a header, with its line, and
//     whether it names it. member, elements and scalar take values of JSON, YAML and TOML apart:
//     nil or "" for what is not there.
//   - Of a text with lines ([marks.Text]), Lines are the owner's, Block those of ours between the
//     marks, At how many of the owner's are before ours, and Last the number of the end mark.
//   - A draft is the new file while it is made; a compiler finds what one header of it needs.
//     Everywhere is the value that one rule has for all files, in an environment.
//   - A disputed path is one at which several files may be served that want different things: these
//     are its rivals.
//   - A rule is unread if nobody knows for which paths it is, or when; vague if nobody knows what
//     it sends; conditional if it depends on the request. It overrides ours if the host carries it
//     out after ours, or instead of them. An obstacle is a rule of the owner's that counts in place
//     of ours, or loosens ours.
//   - A view is one way in which the compiler takes a host to read the owner's rules. A comparison is
//     how a host compares paths there. A patternIndex finds the patterns that match a path.
//   - The model is the same for the finished file, by code that the compiler does not share: a
//     hostFile has readings, and a reading answers what is sent at a path. The proof asks it.
//   - Apart is what Apache's "Header always" sets: a header of its own, sent beside the other.
//   - A placement is where a rule of ours is among the owner's. It is before one, or atEnd.
package servers
