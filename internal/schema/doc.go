// Package schema makes JSON Schemas for editors: of a policy file, of Hugo's configuration with [params.metarobots],
// and of a page's front matter. Keys and forms are those of the code that reads them ([config.Keys],
// [frontmatter.Keys]), descriptions are the comments of the reference configuration, config.toml. Tests try values at
// every key and hold what the schema says against what the code says.
//
// The schemas are of draft-07, which every editor reads: Taplo (Even Better TOML) compiles it, the YAML extension of VS
// Code had no other for years (https://github.com/redhat-developer/vscode-yaml/issues/704, read 2026-11-21).
//
// For a text, a schema proposes words and examples, and the program reports which are wrong. It does not know the names
// under [robots] crawlers, nor keys in another case of letters than documented.
package schema
