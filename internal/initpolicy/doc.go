// Package initpolicy writes the first policy of a site from what is seen there. What the site's own files leave no
// doubt of, and what hides no page, is set; everything that would take pages out of an index is a suggestion, which its
// owner uses by removing a #.
package initpolicy
