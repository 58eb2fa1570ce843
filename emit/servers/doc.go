// Package servers writes the X-Robots-Tag header for hosts that read no _headers
// file: web servers of one's own (Apache, nginx, Caddy) and hosts with a
// configuration of their own form.
//
// [Compile] takes what every published file is to be served with and returns the
// host's file: the user's own with our rules in it. Rules are exact, URLs
// grouped by value, and no other published file gets a header. The user's bytes
// stay; what an earlier run wrote is recognised and replaced, so a second run on
// its own output changes nothing, and with nothing wanted the user's bytes come
// back.
//
// [Verify] proves the finished file: it reads our rules back, and the user's as the
// host does, and knows nothing of what chose and wrote them. [ReadUser] tells what the
// user's own rules say of a file.
//
// # Lines
//
// Apache, nginx and Caddy send the generic line and one for each crawler, as
// Google documents
// (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag).
// nginx's lines are those of the add_headers in the owner's configuration, four at
// most: the last has what is left, joined, and $metarobots all of it. On the other
// hosts, and there, lines are joined with ", ", the generic one first: a list means
// the same as several lines (https://www.rfc-editor.org/rfc/rfc9110#section-5.3),
// and a crawler's name governs what follows it; but some readers know a name only
// where a line begins. A rule of Firebase and of Azure has one value for a name,
// and that one of Vercel or Amplify could have two, neither documents.
//
// # What is ours
//
//	apache, nginx, caddy, amplify  the lines from "# metarobots: begin" to "# metarobots: end"
//	vercel, firebase               rules whose pattern holds (?:metarobots){0}, which matches nothing
//	azure                          the routes from /.metarobots/begin to /.metarobots/end
//
// # How the hosts match
//
// Apache compares the decoded path, once inner redirects are done, with the
// texts of an expression (https://httpd.apache.org/docs/2.4/expr.html); the lines
// of a .htaccess are limited, so a value has several directives. nginx's map
// ignores the case of ASCII letters, save in regular expressions, which it tries
// after the texts (https://nginx.org/en/docs/http/ngx_http_map_module.html); so
// names that differ in case alone are written as expressions. Caddy's map
// compares exactly, with the path as it was asked for
// (https://caddyserver.com/docs/caddyfile/directives/map). These three are asked
// for every file in e2e.
//
// One of the three may serve the site below a path of its host: [Options] names
// it, and every request path begins with it. Caddy's map sees the path before a
// handle_path takes something away, so the import belongs outside of it. Of the
// Caddyfile's own header directives those without a matcher and those below the
// import come after ours, and what they set counts.
//
// Vercel and Firebase take regular expressions, into which URLs are packed;
// Vercel compares the path as it was sent, so every spelling of a name is named.
// Amplify and Azure take one path a rule. Firebase, Amplify and Azure do not say
// whether the path is decoded before; both forms are written, and where one
// file's name is how another's is encoded, that is a finding. Azure stops at the
// first route that matches, and forbids by routes, so a route of the user's that
// is in the way is an error, never passed. What is said of these four rests on
// their documentation, and on what is public of their code: Vercel's routing-utils
// with path-to-regexp, Firebase's superstatic with minimatch, the command line of
// Static Web Apps. Where that leaves two ways open, a file must be right in each,
// and what is found is what any of them brings.
//
// Of the user's patterns those are read that name a path, or what paths begin and
// end with; any other is a finding. It may match all that begins with the same
// folders as far as a rule of ours is concerned, and matches nothing as far as
// something is found.
//
// In a .htaccess of the user's, lines in sections for files are read, which Apache
// applies after all others; one in the way of a rule of ours is an error.
//
// Of several rules of the user's that match, the last that sets the header counts
// on Vercel, Firebase and Amplify; on Azure the first that matches at all, before
// globalHeaders. Ours stand last, so on the three they win; the user's are a part
// of what each file is to be served with.
//
// # Everything at once
//
// In an environment that states one thing for all files one rule carries it: ahead
// of the others a "Header set" without a condition, a pattern for every path, or
// "**"; the map's default; on Azure a last route, "/*".
//
// Of folder indexes, index.html alone is known.
package servers
