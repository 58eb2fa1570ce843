// Package head finds the robots metas of an HTML page and exchanges them,
// leaving every other byte of the page as it was.
//
// A meta counts only where the HTML standard's tree construction makes an element of it
// (https://html.spec.whatwg.org/multipage/parsing.html#tree-construction, scripting enabled): not in a comment, a
// script, a style, a title, a template or a noscript. The standard also says where the head ends, and that is seldom
// where "</head>" stands: the first text, the first element that cannot be in a head, ends it.
//
// The work is done in two parts. The head is read by a short loop (head.go) that knows the insertion modes before, in
// and after the head, allocates nothing and stops at the head's end. The rest of the page is only searched for the
// bytes of a meta the caller asked for. Where such bytes exist, golang.org/x/net/html makes the tree of the page, with
// a mark in each meta, and the marks that become attributes of a meta in the tree tell which are real (tree.go): only a
// tree can tell a meta in a style from one in the style of an svg. A page of which it makes none, or too large a one,
// is read tag by tag (tags.go).
package head
