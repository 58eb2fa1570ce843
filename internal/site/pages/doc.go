// Package pages knows the sites of generators that it does not run: Eleventy, Astro, Jekyll, Docusaurus, VitePress,
// Hexo, MkDocs and Pelican, and any folder of pages.
//
// What is published is the truth. A content file is matched with the page it makes by the rules by which its generator
// names pages; what such a rule gives counts where a page of that name is published. Configuration is read and never
// run; of one that is a program only literal values count. The site itself may say which file is whose source, in
// metarobots.json or in its templates, which goes before every rule. A content file that states something and whose
// page is not found is an error, since its page may be public under another name.
package pages
