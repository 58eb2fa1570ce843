package result

import (
	"slices"

	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/published"
	"metarobots/internal/seen"
	"metarobots/policy"
)

// RoleUnknown is the role of a file that nothing in the site's source is known to make.
const RoleUnknown = "unknown"

// A Page is one published file.
type Page struct {
	URL  string `json:"url"`  // the encoded path from the publish root
	File string `json:"file"` // its path there
	// Served are the encoded paths from the publish root at which it can be asked for
	// ([plan.Sites.ServedAt]), if these are not its URL alone: first the one that represents it. An
	// empty list says that no host serves it.
	Served []string `json:"served,omitzero"`
	// Role is page, output, resource, static, redirect, error, control or [RoleUnknown]; of a URL
	// of a deployed site that nobody may read it is [seen.Disallowed]. It is empty if nobody says
	// it.
	Role  string `json:"role"`
	Title string `json:"title,omitempty"`
	Facts
	Meta   map[string]string `json:"meta"`   // the robots tags that the file carries, by name
	Header []string          `json:"header"` // the X-Robots-Tag lines that its decision asks for
	// AI is "allow" or "deny" by use: training, search, input. It is nil if nothing is stated.
	AI map[string]string `json:"ai,omitempty"`
	// LeftToTag says that no rule gives it that header: the rules did not fit the host, or HTML has
	// none by headers.scope.
	LeftToTag bool `json:"leftToTag,omitempty"`
	// Headers are the lines of other headers that rules ask for, and the canonical links of the
	// owner's own.
	Headers []HeaderLine `json:"headers,omitempty"`
	Why     []Why        `json:"why"`
	Since   string       `json:"since,omitempty"` // the day, as 2006-01-02, since when it is noindex, if that is known
	Asked
}

// Facts are what the generator says of a page, as in [policy.Facts]. Each is empty if it says
// nothing.
type Facts struct {
	Kind     string `json:"kind"`
	Type     string `json:"type"`
	Section  string `json:"section"`
	Language string `json:"language"`
	Format   string `json:"format"`
}

// Asked is what a page has beside its decision: what carries that, its canonical link, and what is
// in the answer to somebody who asked for the page, as explain and the like do.
type Asked struct {
	// CarriedBy are what carries to crawlers what the file restricts: "tag", and the targets of
	// header files, as [plan.CarriedBy] says.
	CarriedBy []string `json:"carriedBy,omitzero"`
	// Leads is the other URL that search engines list instead of it; nil if they list the page
	// itself.
	Leads *plan.Lead `json:"leads,omitempty"`
	// Status is what a deployed site answered with in the end, 0 for a built page or if nothing
	// answered. First is the status of the URL itself, if redirects led on from there. Location is
	// where it led.
	Status   int    `json:"status,omitempty"`
	First    int    `json:"firstStatus,omitempty"`
	Location string `json:"location,omitempty"`
	// Told is what a deployed site restricts there, by Meta and Header as they came; nil of a built
	// page.
	Told *seen.Told `json:"told,omitempty"`
	// Addresses are those at which hosts answer with it, and redirect to it.
	Addresses []Address `json:"addresses,omitempty"`
	// Canonical is the canonical link in its head if that names the newest version because its own
	// is old; nil for any other.
	Canonical *CanonicalLink `json:"canonical,omitempty"`
	// RobotsTxt says who may fetch it.
	RobotsTxt []seen.Fetch `json:"robotsTxt,omitempty"`
	// Vendors are what vendors of AI do with it, and Signals what else is said to them.
	Vendors []published.Answer `json:"vendors,omitempty"`
	Signals []published.Signal `json:"signals,omitempty"`
}

// A CanonicalLink is the canonical link in the head of a page, and the key that asks for it.
type CanonicalLink struct {
	To   string     `json:"to"` // an absolute URL
	Rule HeaderRule `json:"rule"`
}

// An Address is a path at which a host answers with a page, or from which it redirects there. Paths
// are encoded, from the publish root, as URLs of pages are.
type Address struct {
	Path string     `json:"path"`
	By   address.By `json:"by,omitempty"` // how the path leads to the file, if that is known
	// RedirectsTo is empty if the file itself is served.
	RedirectsTo string `json:"redirects_to,omitempty"`
	// Rule is the owner's that rewrites or redirects; nil if the host does so by itself.
	Rule *HeaderRule `json:"rule,omitempty"`
}

// A HeaderLine is a line of another header than X-Robots-Tag.
type HeaderLine struct {
	Name  string     `json:"name"`
	Value string     `json:"value"`
	Rule  HeaderRule `json:"rule"`
	Lost  bool       `json:"lost,omitempty"` // it is not served: a finding says why
}

// A HeaderRule is the place of a rule, or of the owner's line.
type HeaderRule struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// A Why is one statement that applied, as [policy.Statement.States] prints it.
type Why struct {
	Layer  policy.Layer `json:"layer"`
	File   string       `json:"file"`
	Line   int          `json:"line"`
	Key    string       `json:"key"`
	States string       `json:"states"`
	AI     string       `json:"ai,omitempty"` // what it states of the uses of AI: "training = deny"
	// Decides: it fixed something that the page's decision restricts ([policy.Decision.Deciding]).
	Decides bool `json:"decides,omitempty"`
}

// Origin is the place of the statement.
func (w Why) Origin() policy.Origin {
	return policy.Origin{Layer: w.Layer, File: w.File, Line: w.Line, Key: w.Key}
}

// Deciding are the statements that decided; none if nothing is restricted.
func (p *Page) Deciding() (deciding []Why) {
	for _, w := range p.Why {
		if w.Decides {
			deciding = append(deciding, w)
		}
	}
	return deciding
}

// Cause is the place of the statement that decided, as [policy.Decision.DecidedAt] has it: of the
// first noindex if there is one, else of the first restriction. It is zero if nothing is
// restricted.
func (p *Page) Cause() policy.Origin {
	deciding := p.Deciding()
	if len(deciding) == 0 {
		return policy.Origin{}
	}
	isNoindex := func(w Why) bool {
		_, text := seen.Addressee(w.States)
		return seen.Read(text).NoIndex()
	}
	if i := slices.IndexFunc(deciding, isNoindex); i >= 0 {
		return deciding[i].Origin()
	}
	return deciding[0].Origin()
}

// Reason is what decided, in words; zero if nothing is restricted.
func (p *Page) Reason() seen.Reason {
	var deciding []policy.Origin
	for _, w := range p.Deciding() {
		deciding = append(deciding, w.Origin())
	}
	return seen.ReasonOf(deciding...)
}

// Told is what the page tells crawlers: each of them what the header lines for it say or, if there
// are none, its tag. A header is asked for only if something is restricted (N1), so it says all
// that the tag should. Of a URL of a deployed site that is known.
func (p *Page) Told() seen.Told {
	if p.Asked.Told != nil {
		return *p.Asked.Told
	}
	if seen.Unpoliced(p.Role) || p.Role == seen.Disallowed {
		return seen.Told{Role: p.Role}
	}
	told := seen.Told{HeaderOnly: len(p.Meta) == 0 && len(p.Header) > 0}
	for name, text := range p.Meta {
		told.Tell(name, seen.Read(text))
	}
	for _, line := range p.Header {
		name, text := seen.Addressee(line)
		told.Tell(name, seen.Read(text))
	}
	return told
}
