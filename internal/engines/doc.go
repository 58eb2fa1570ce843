// Package engines holds what single search engines document about reading and combining robots metas and
// X-Robots-Tag: the answers of explain --as. Package policy, which decides, needs none of it.
package engines
