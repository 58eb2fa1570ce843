package published

import (
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
	"metarobots/internal/plan"
	"metarobots/internal/vendors"
	"metarobots/policy"
)

// Vendors are what is published for the vendors of AI, and what they do with it. It is not for several goroutines at once.
type Vendors struct {
	plan    *plan.Plan
	readers map[*plan.RobotsFile]*vendors.Reader
}

// NewVendors reads what is published: robots.txt, headers and tags.
func NewVendors(s *plan.Plan) *Vendors {
	managed := s.Project.Config.Robots.Txt.Managed
	v := &Vendors{s, map[*plan.RobotsFile]*vendors.Reader{nil: vendors.NewReader(nil, managed, s.Project.Policy)}}
	for _, r := range s.Robots {
		if r.Change.New != nil {
			v.readers[r] = vendors.NewReader(r.File, managed, s.Project.Policy)
		}
	}
	return v
}

// Of returns what they do with a file that is asked for with a query, which begins with a question mark or is empty.
// Files that are alike share the list, which is not to be changed. Lines are those of the robots.txt, which is returned
// too; nil where there is none.
func (v *Vendors) Of(pg *plan.Page, query string) ([]vendors.Answer, *plan.RobotsFile) {
	r, url := v.robots(pg, query)
	return v.readers[r].Ask(url, v.header(pg), pg.Carries), r
}

// robots is the robots.txt that crawlers read for a file: none that lies below the root of its host.
func (v *Vendors) robots(pg *plan.Page, query string) (*plan.RobotsFile, string) {
	r, url := robotsOf(v.plan, pg, query)
	if r != nil && r.Host.Base != "" {
		return nil, url
	}
	return r, url
}

// header are the X-Robots-Tag lines that a file is served with.
func (v *Vendors) header(pg *plan.Page) []string {
	if len(pg.Header()) == 0 || v.plan.LeftToTag(pg) || v.plan.Headerless() {
		return nil
	}
	return pg.Header()
}

// A Signal is a line of robots.txt, a header or a directive that says how AI may use a file, and that no vendor
// documents to obey.
type Signal struct {
	Text string
	At   policy.Origin // of a header, the rule
}

// signalHeaders are those that say how content may be used.
var signalHeaders = []string{"Content-Usage", "Content-Signal", "TDM-Reservation", "TDM-Policy"}

// Signals are those that are published for a file.
func (v *Vendors) Signals(pg *plan.Page) (list []Signal) {
	if r, url := v.robots(pg, ""); r != nil {
		for _, l := range r.File.Signals(url) {
			list = append(list, Signal{l.String(), policy.Origin{File: r.Change.File, Line: l.Number}})
		}
	}
	if rule, file := v.reserved(pg); rule != "" {
		list = append(list, Signal{"tdm-reservation: " + rule, policy.Origin{File: file}})
	}
	for _, l := range pg.Others {
		if !l.Lost && isSignal(l.Name, l.Value) {
			list = append(list, Signal{l.Name + ": " + l.Value, l.Origin})
		}
	}
	if len(pg.Header())+len(pg.Carries) == 0 {
		return list
	}
	for _, st := range vendors.Said(v.plan.Project.Policy, v.header(pg), pg.Carries).Statements {
		if d := st.Directives; !d.On("noai").IsZero() || !d.On("noimageai").IsZero() {
			list = append(list, Signal{Text: st.Origin.Key})
		}
	}
	return list
}

// reserved is the rule of our tdmrep.json that reserves mining of a file, and where it stands; "" for none.
func (v *Vendors) reserved(pg *plan.Page) (rule, file string) {
	for _, c := range v.plan.TDMRep {
		for _, h := range v.plan.Project.Hosts {
			if name, ok := h.Serves(pg.File.Name); ok && c.Name == h.Root+robotstxt.TDMRepPath[1:] {
				rules, _ := robotstxt.ParseTDMRep(c.New)
				return rules.Reserves(h.At(name)), c.File
			}
		}
	}
	return "", ""
}

// isSignal reports whether a header says how content may be used, by itself or with a link to terms.
func isSignal(name, value string) bool {
	for _, known := range signalHeaders {
		if strings.EqualFold(name, known) {
			return true
		}
	}
	links, _ := robotstag.ParseLinks(value)
	for _, l := range links {
		if strings.EqualFold(name, robotstag.LinkName) && l.Is("license") {
			return true
		}
	}
	return false
}

// Addressed reports whether anything about AI is stated for a file, or published.
func (v *Vendors) Addressed(pg *plan.Page) bool {
	r, _ := robotsOf(v.plan, pg, "")
	return pg.File.Role.Policed() &&
		(!pg.Decision.AI.IsZero() || r != nil && r.File.SpeaksOfAI() || len(v.Signals(pg)) > 0)
}
