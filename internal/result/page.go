package result

import "metarobots/policy"

// RoleUnknown is the role of a file that nothing in the site's source is known to make.
const RoleUnknown = "unknown"

// A Page is one published file.
type Page struct {
	// URL is the encoded path from the publish root, File the path of the file in it.
	URL  string `json:"url"`
	File string `json:"file"`
	// Role is page, output, resource, static, redirect, error, control or [RoleUnknown]; empty where it is not said.
	Role     string `json:"role"`
	Title    string `json:"title,omitempty"`
	Kind     string `json:"kind"`
	Type     string `json:"type"`
	Section  string `json:"section"`
	Language string `json:"language"`
	Format   string `json:"format"`
	// Meta are the robots tags that the file carries, by name; Header the X-Robots-Tag lines that its decision asks
	// for.
	Meta   map[string]string `json:"meta"`
	Header []string          `json:"header"`
	// LeftToTag says that no rule gives it that header: the rules did not fit the host, or HTML has none by
	// headers.scope.
	LeftToTag bool  `json:"leftToTag,omitempty"`
	Why       []Why `json:"why"`
	// Since is the day, as 2006-01-02, since when the page is noindex; empty where that is not known.
	Since string `json:"since,omitempty"`
	// RobotsTxt is what robots.txt says of it, where somebody asked.
	RobotsTxt []Verdict `json:"robotsTxt,omitempty"`
}

// A Why is one statement that applied, as [policy.Statement.States] prints it.
type Why struct {
	policy.Origin
	States string `json:"states"`
}

// stated is what a statement says, and to whom.
func (w Why) stated() (crawler string, d policy.Directives) {
	crawler, text := addressee(w.States)
	return crawler, Directives(text)
}

// A Verdict is what robots.txt says to one crawler about one page.
type Verdict struct {
	Crawler string `json:"crawler"`
	Allowed bool   `json:"allowed"`
	// File, Line and Rule say what decided; they are empty where no rule matches.
	File string `json:"file"`
	Line int    `json:"line"`
	Rule string `json:"rule"`
}
