// Package html takes any folder of generated pages for a site: what is known of a page stands in it, in its path, or in
// what its generator hands over.
package html

import "metarobots/internal/site/pages"

// Generator is the generator "html".
type Generator = pages.HTML
