// Package robotstxt reads robots.txt as Google's crawlers read it, finds what is wrong with one,
// and writes groups of ours into the owner's. It does no input or output.
//
// # Reading
//
// [Parse] never fails: it keeps every line and knows Google's leniences (typos, a missing colon, a
// byte order mark, the ends of long lines and files). [File.Ask] answers whether a crawler may
// fetch a URL, with the line that decides. [File.Check] lists what an owner would want to know.
//
// # Matching
//
// The longest rule wins, in octets of its percent-encoded pattern; of equally long ones Allow wins;
// * matches any octets, a final $ the end (RFC 9309, section 2.2.2 and 2.2.3). A question tries the
// patterns that the path begins with up to their first wildcard, each in one pass.
//
// # Crawlers
//
// The value of a User-agent line is read up to its first character that is no letter, hyphen or
// underscore, and compared with the crawler's product token without regard to case; it must be
// equal, not a prefix. "Googlebot/2.1" is googlebot's group, "Googlebot-Image" is not.
//
// RFC 9309 has no other characters in a product token, and crawlers have: AI2Bot, archive.org_bot.
// Google's parser cuts "User-agent: AI2Bot" to AI, and others compare whole names. So such a line
// means two tokens here, "ai2bot" and "ai", and a crawler AI2Bot obeys the first alone: what a
// group of AI denies is not sure to be denied to it. A name that begins with another character
// (360Spider) is compared up to its first white space.
//
// All groups of one token are one. A crawler without a group of its own obeys that of the next name
// that its vendor documents (googlebot-image: googlebot), then *.
//
// # Writing
//
// A [Policy] is what a configuration states. A crawler obeys one group alone, so each group of a
// policy repeats what holds for its crawlers without it, unless it is standalone. [Merge] writes
// the policy into a robots.txt as one marked block at the end and keeps the owner's bytes. Groups
// of one crawler add up across the two, and a group of ours takes its crawler out of the owner's *
// group; so the block repeats and outweighs rules until every crawler may fetch what both the
// owner's file and the policy let it fetch, and nothing else. Where that cannot be written, a
// finding says so.
//
// # Uses by AI
//
// [Policy.WithPreferences] adds [Preferences] by their carriers: groups of the crawlers of a
// purpose, signals in the group of *, and others. A rule is only written where all published URLs
// that it matches state the same, so the rules are exact. [Said.Prove] reads a finished file again,
// and finds what it does not deny.
//
// # Words of this package
//
//   - A token is a crawler's name as groups are compared: in lower case, "googlebot", or "*"
//     (star). tokensOf reads it from the value of a User-agent line; tokenOf reads what Google's
//     parser does.
//   - A [Line] has a Kind (Agent, Allow, Disallow, Sitemap, Other …) and its key in lower case; its
//     agents are the tokens of the group that it is in, nil for a line in none. A rule is an Allow
//     or a Disallow, compiled: pattern, parts between its stars, endsAtDollar, weight (the
//     pattern's length, unless it is raised to beat a rival, another rule), isImplied (it follows
//     from a rule for …/index.html, and no line has it). The further lines of a group are its
//     others: Crawl-delay, Clean-param, and signals.
//   - Two rules may overlap (mayOverlap) if one path may match both. samplePath is a path that a
//     rule matches, if it matches any. A rule isExact if it matches one path alone: it ends in $
//     and has no star. newLine makes a line that is to be written, which has no number yet, and
//     readLine reads one. A rule with an empty pattern ("Disallow:") says nothing; rulesWithPattern
//     leaves such ones out. patterns finds those of many rules that match a path.
//   - A line's Source is where it comes from. Crawlers that share a group may have its lines from
//     several places: addSource gives a line another source for one token, and lineFor is the line
//     as that token has it.
//   - A sheet is a robots.txt to be written. addGroup adds the lines of a crawler, which shares a
//     group with those that have the same; lines has all of them, numbered.
//   - A ruleset is what holds for one token: the sum of its groups, File.sets by token; none is
//     there for a token that no User-agent line has. Its rules and others are in the order of the
//     file. It is shut if it lets nothing be fetched, and total if a rule in it is about every
//     path.
//   - File.tokens are the names of groups in the order of the file, File.named says at which line
//     each is first. spelled has tokens as the file writes them.
//   - A crawler obeys the ruleset of its token, or of the next name (nextGroup: googlebot for
//     googlebot-image, then *; "" for a crawler that obeys no other). obeyedBy returns the first
//     that there is, with its token: no rules and "" if there is none. A standalone group is one
//     whose owner says that its crawlers need not obey the rules of *. A known crawler is one of
//     the table (policy.LookupCrawler; nil for any other): it has a Token as its operator writes
//     it, a Purpose if it fetches for AI, and an Engine if it is a search engine's.
//   - A signal is a line about uses by AI: Content-Signal, Content-Usage. Its [vocabulary] has its
//     words, as "ai-train=no", or train-ai=n for a path of its own ("/blog/ train-ai=n"); it is nil
//     of any other line. A use is what one line says of one use (usesOf): allowed or denied. A term
//     is one item as it is written; of two values the looser one has the greater looseness.
//   - A [Preferences] is what is to be said about AI; a carrier is a way to say it (a line, a
//     header, a file); a wording is what one carrier says, as rules for paths. Its site is what it
//     says of the whole site; its group states one use by Allow and Disallow, its usages are values
//     of Content-Usage.
//   - A finding about a file has the number of its line; one about the policy has 0. warn adds a
//     warning, fail an error about the policy, add any; causes gather the crawlers of one finding.
//     clip shortens a text for a message.
//   - ours is of the policy, owner's of the robots.txt that is there. A line of ours gives way if
//     it would loosen one of the owner's; a group of ours takes over if its crawler had none of its
//     own in the owner's file and obeyed another one there, which is repeated.
//
// # Why no library
//
// github.com/jimsmart/grobotstxt (v1.0.3, 2021), a port of Google's parser, reads the file anew for
// each question and tells neither the deciding line nor the lines that it cannot read; on 1.2
// million random questions it differs only in names of crawlers that RFC 9309 does not know
// ("foobot*"). github.com/temoto/robotstxt (v1.1.2, 2021) refuses files with a rule before the
// first group and answers 20 of the 170 questions of the tables here otherwise.
//
// # Sources
//
//   - RFC 9309, Robots Exclusion Protocol: https://www.rfc-editor.org/rfc/rfc9309
//   - Google's parser: https://github.com/google/robotstxt (robots.cc)
//   - How Google reads the specification:
//     https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec
package robotstxt
