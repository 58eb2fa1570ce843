package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"metarobots/internal/published"
	"metarobots/internal/seen"
	"metarobots/internal/snapshot"
	"metarobots/policy"
)

// writeFiles writes a row for each file, below the names of the columns. A site has as many files
// as it likes, so that no template makes these rows.
func (v *view) writeFiles(w io.Writer) error {
	if _, err := io.WriteString(w, byteOrderMark); err != nil {
		return err
	}
	c := newCSV(w)
	columns := "url title file kind type section language format state robots crawlers header cause where since " +
		"robotsTxt aiTraining aiSearch aiInput aiMayStillUse"
	_ = c.Write(strings.Fields(columns)) // the first error comes back at the end
	ai := aiCells{}
	for _, r := range v.Rows {
		p := r.Page
		fields := []string{p.URL, p.Title, p.File, p.Kind, p.Type, p.Section, p.Language, p.Format, stateName(r.State),
			r.Robots(), asField(r.Crawlers()), asField(p.Header), r.Cause(), r.Where(), p.Since, asField(r.Barred()),
			ai.of(r, policy.UseTraining), ai.of(r, policy.UseSearch), ai.of(r, policy.UseInput), asField(r.MayStillUse())}
		for i, f := range fields {
			fields[i] = field(f)
		}
		_ = c.Write(fields)
	}
	c.Flush()
	return c.Error()
}

// newCSV writes rows in the form of RFC 4180.
func newCSV(w io.Writer) *csv.Writer {
	c := csv.NewWriter(w)
	c.UseCRLF = true
	return c
}

// asField is a list of texts as one field.
func asField(texts []string) string { return strings.Join(texts, "; ") }

// record is a row of CSV with its end of line. A list of texts is one field. [field] makes each
// field fit.
func record(values ...any) string {
	fields := make([]string, len(values))
	for i, v := range values {
		if texts, ok := v.([]string); ok {
			v = asField(texts)
		}
		fields[i] = field(fmt.Sprint(v))
	}
	var b strings.Builder
	c := newCSV(&b)
	_ = c.Write(fields) // a builder takes every text
	c.Flush()
	return b.String()
}

// byteOrderMark begins each CSV: without it Excel reads UTF-8 as the system's old encoding.
const byteOrderMark = "\ufeff"

// Cause names the layer and the key that decide, to a client the layer alone. It is empty if
// nothing is restricted.
func (r *row) Cause() string {
	if len(r.deciding) == 0 {
		return ""
	}
	if r.view.Data.Client {
		return r.reason().Layer
	}
	return r.deciding[0].Layer.String() + ", " + r.deciding[0].Key
}

// Where is the place of what [row.Cause] names.
func (r *row) Where() string {
	if len(r.deciding) == 0 {
		return ""
	}
	place := r.reason().Place
	if place == "" && r.view.isDeployed() {
		return "a header of the answer"
	}
	return place
}

// Robots is what everyone reads, in the program's form: a deployed site may say "None".
func (r *row) Robots() string {
	if d := r.Decision.Robots.Directives; r.view.isDeployed() {
		return seen.Print(d).Printed
	}
	return r.Decision.Robots.Printed
}

// aiCells has the text of a cell about a use of AI, for files of which the owner decides nothing
// there. Many files share one list of answers, and the address of its first answer identifies it.
type aiCells map[aiCell]string

type aiCell struct {
	first *published.Answer
	use   policy.Use
}

// of is the cell of a file for a use of AI: what the owner decides, "allow" or "deny". If that is
// nothing, it says to whom what is published denies the use: "denied to Google (Google-Extended),
// OpenAI"; empty for nobody.
func (cells aiCells) of(r *row, use policy.Use) string {
	answers := r.Page.Vendors
	if stated := r.Page.AI[use.String()]; stated != "" || len(answers) == 0 {
		return stated
	}
	cell := aiCell{&answers[0], use}
	text, isKnown := cells[cell]
	if !isKnown {
		text = deniedTo(answers, use)
		cells[cell] = text
	}
	return text
}

// deniedTo says to which vendors a use is denied; empty for none.
func deniedTo(all []published.Answer, use policy.Use) string {
	var denied []string
	for _, answers := range answersByVendor(all) {
		if text := denial(answers, use); text != "" {
			denied = append(denied, text)
		}
	}
	if denied == nil {
		return ""
	}
	return "denied to " + strings.Join(denied, ", ")
}

// answersByVendor has a list of answers for each vendor of AI, one for each of its crawlers and
// uses.
func answersByVendor(all []published.Answer) [][]published.Answer {
	return snapshot.Group(all, func(a published.Answer) string { return a.Vendor })
}

// denial names the vendor of some answers if a use is denied to it: "OpenAI", or if some of its
// crawlers may fetch the file for that use, with those that may not: "Google (Google-Extended)". It
// is empty if none is denied it.
func denial(answers []published.Answer, use policy.Use) string {
	var denied []string // crawlers
	isAllowedToOthers := false
	for _, a := range answers {
		switch {
		case a.Use != use:
		case a.Allows():
			isAllowedToOthers = true
		default:
			denied = append(denied, a.Crawler)
		}
	}
	vendor := answers[0].Vendor
	switch {
	case len(denied) == 0:
		return ""
	case isAllowedToOthers:
		return vendor + " (" + strings.Join(denied, ", ") + ")"
	}
	return vendor
}

// MayStillUse are the uses that are denied, each with a vendor that may use the file for it all the
// same: nothing that the vendor reads says no, or it documents nothing, or it documents that it may
// ignore a no.
func (r *row) MayStillUse() (texts []string) {
	if len(r.Page.AI) == 0 {
		return nil
	}
	for _, use := range policy.Uses {
		if r.Page.AI[use.String()] != policy.Denied.String() {
			continue
		}
		for _, answers := range answersByVendor(r.Page.Vendors) {
			if note, may := mayUse(answers, use); may {
				texts = append(texts, use.String()+": "+answers[0].Vendor+note)
			}
		}
	}
	return texts
}

// mayUse reports whether a vendor may use a file, by the answers of its crawlers. If that is in
// doubt, note says why: what nobody documents goes before what may be ignored.
func mayUse(answers []published.Answer, use policy.Use) (note string, may bool) {
	for _, a := range answers {
		switch {
		case a.Use != use:
		case a.Allows():
			return "", true
		case a.Answer == published.Unknown:
			note = " (documents nothing)"
		case a.MayIgnore && note == "":
			note = " (may ignore it)"
		}
	}
	return note, note != ""
}

// Crawlers are those with directives of their own, and what these are.
func (r *row) Crawlers() (texts []string) {
	for _, name := range r.Decision.Names() {
		texts = append(texts, name+": "+r.Decision.Crawlers[name].Printed)
	}
	return texts
}

// Barred are the crawlers that robots.txt keeps from the file, with its rules.
func (r *row) Barred() (texts []string) {
	for _, t := range r.Page.RobotsTxt {
		if !t.Allowed {
			texts = append(texts, t.Crawler+" may not fetch it ("+t.Rule+")")
		}
	}
	return texts
}

// metas are robots metas as texts.
func metas(list []seen.Meta) (texts []string) {
	for _, m := range list {
		texts = append(texts, m.Name+": "+m.Content)
	}
	return texts
}
