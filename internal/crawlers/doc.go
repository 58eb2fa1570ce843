// Package crawlers identifies crawlers: which one a user agent names, and whether the address that it came from is
// one of its operator's. Who only says so is never taken for it.
//
// # Names
//
// [Identify] finds a crawler's product token in a User-Agent header: one of the table in package policy.
//
// # Verification
//
// A [Verifier] knows the address ranges that operators publish. They are built in, as data/*.json (the file that a
// crawler's addresses are named by in the table), each with its source and the day on which it was last seen to be the
// published one. They age: an address outside them is [Claimed], which says that the request is probably somebody
// else's. Where an operator documents host names instead, or as well, DNS is asked, if the caller wants that: the name
// of the address must end in the operator's domain, and lead back to the address
// (https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests).
//
// The built-in ranges were collected from public mirrors of the publishers' files, since this package asks nobody;
// where two mirrors were at hand they were compared. Not built in, and so verified by DNS alone: Google's
// user-triggered fetchers and Amazonbot (2,000 and more addresses that change weekly).
package crawlers
