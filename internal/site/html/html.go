// Package html takes any folder of generated pages for a site: what is known of a page stands in it, in its path, or in
// the metadata that its generator prints.
package html

import "metarobots/internal/site/pages"

// Generator is the generator "html".
type Generator = pages.HTML
