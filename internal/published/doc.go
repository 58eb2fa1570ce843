// Package published reads a plan as others do once it is published: what each robots.txt says of a URL and where that is
// stated, and what the vendors of AI do with it.
package published
