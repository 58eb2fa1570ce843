package policy

// A Role says what a published file is to the policy.
type Role uint8

// The roles.
const (
	// RolePage: an HTML file of the generator: a page, one of its pagers, another HTML output of
	// it.
	RolePage Role = iota
	// RoleOutput: an output of a page that is no HTML: a feed, JSON.
	RoleOutput
	// RoleResource: a file of one or several leaf bundles.
	RoleResource
	// RoleStatic: a file that no page of the generator stands behind.
	RoleStatic
	// RoleRedirect: an HTML file that only sends readers on (L4).
	RoleRedirect
	// RoleError: an error template (L3).
	RoleError
	// RoleControl: a file for crawlers or hosts, such as robots.txt (L6).
	RoleControl
)

var roleNames = [...]string{"page", "output", "resource", "static", "redirect", "error", "control"}

// String returns the role's name.
func (r Role) String() string { return roleNames[r] }

// Policed reports whether files of the role get a policy at all: redirects, error templates and
// control files do not (L3, L4, L6).
func (r Role) Policed() bool { return r < RoleRedirect }

// An Owner is a page as another file sees it: the page that a pager belongs to, or one whose leaf
// bundle a file is in.
type Owner struct {
	Path  Path
	Facts Facts
	// Statements are the page layer: the page's front matter, one source.
	Statements []Statement
}

// A Subject is one published file, as far as a decision asks.
type Subject struct {
	Path  Path
	Facts Facts
	Role  Role
	HTML  bool
	// IsPageItsOwn says that Page was written for this very file, and not only for the page that
	// the file is an output of: its content makes nothing else, or the file is named by its URL.
	// From other files without a head L5 keeps the page layer.
	IsPageItsOwn bool
	// Of is the page that this file is a pager or another HTML output of; nil for the page's own
	// file.
	Of *Owner
	// Pager is the number of a pager, 2 and on; else 0 or 1.
	Pager int
	// Taxonomies are the plural names of those whose archive this is: its list or one of its terms.
	Taxonomies []string
	// Page is the page layer of the page behind the file.
	Page []Statement
	// Owners are the pages in whose leaf bundles the file is.
	Owners []Owner
	// Copied is the page whose content the file publishes again; nil for none. What restricts the
	// page restricts the file, and what is stated about AI for the page holds for the file.
	Copied *Subject
	// Found are the robots metas that stand in the file, one source a name.
	Found []Statement
	// Claimed is the file as its own metadata describes it, which may be untrue (M8); nil if it has
	// none. The statements for both count, so that it can make a decision stricter and nothing
	// else.
	Claimed *Subject
	// Headers are the X-Robots-Tag rules of the site's own header files that reach the file.
	Headers []Statement
}
