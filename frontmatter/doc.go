// Package frontmatter reads what an author says to crawlers in a page's front matter, from a generator's parameters or
// from the bytes of a content file: one code path for both. What is read, and at which levels, is table F of
// docs/semantics.md; it gathers the spellings of Hugo themes, Docusaurus, Eleventy, Next.js and others.
package frontmatter
