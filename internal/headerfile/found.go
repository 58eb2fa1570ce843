package headerfile

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/policy"
)

// What an owner's file states is read twice. Each value by itself, as its owner means it, counts
// for the decision. The lines that a host sends, in which it joins values, are what crawlers read,
// as they document it: we add nothing only if these lines give the decision (N5), and an audit goes
// by them.

// isSent reports whether an answer has the header at all.
func isSent(s robotstag.Sent) bool { return len(s) > 0 }

// each changes the values of answers.
func each(answers []robotstag.Sent, change func(*robotstag.Value)) {
	for _, s := range answers {
		for _, line := range s {
			for i := range line {
				change(&line[i])
			}
		}
	}
}

// part is a value of the owner's in a line that is sent, behind what addresses a crawler at last,
// or everyone (""), and as whose words it is read.
type part struct {
	value   robotstag.Value
	crawler string
	as      policy.Text
}

// answer is what has been sent, known by its first value and its text.
type answer struct {
	first robotstag.Value
	text  string
}

// reading is what a part states, and whom it addresses at last.
type reading struct {
	statements []policy.Statement
	crawler    string
}

// States returns what the owner's rules state for a published file. An audit goes by what crawlers
// read, unless a run of ours has written what is meant: into the header file itself, or into the
// tags of the page (isKeptOut: these say noindex).
func (fs *Files) States(file string, isKeptOut bool) (statements []policy.Statement) {
	for _, h := range fs.All {
		name, ok := h.Host.Serves(file)
		if !ok || h.Former {
			continue
		}
		isMeantUnwritten := h.rules.isAudited && !isKeptOut
		ways := [][]robotstag.Sent{h.rules.found(name, "")}
		for _, answers := range append(ways, h.netlify.ways(name, "")...) {
			if fs.reportJoined(answers); isMeantUnwritten {
				statements = append(statements, fs.readAsSent(answers)...)
			} else {
				statements = append(statements, fs.readByItself(answers)...)
			}
		}
	}
	return statements
}

// readByItself returns what each value states by itself. Those of one block are one source (D3).
func (fs *Files) readByItself(answers []robotstag.Sent) (all []policy.Statement) {
	values := robotstag.Values(answers)
	for from, to := 0, 0; from < len(values); from = to {
		first := len(all)
		for ; to == from || to < len(values) && values[to].Block == values[from].Block; to++ {
			all = append(all, fs.read(part{values[to], "", policy.Found}).statements...)
		}
		if values[from].Block > 0 {
			policy.ApplyIndexIfEmbedded(all[first:])
		}
	}
	return all
}

// readAsSent returns what answers tell crawlers.
func (fs *Files) readAsSent(answers []robotstag.Sent) (all []policy.Statement) {
	known := map[policy.Statement]bool{}
	for _, s := range answers {
		for _, statement := range fs.readAnswer(s, policy.Audited) {
			if !known[statement] { // as at another request path
				known[statement] = true
				all = append(all, statement)
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Origin.Line < all[j].Origin.Line })
	return all
}

// readAnswer returns what one answer tells crawlers, by their reading or another. Its lines are one
// source (D3).
func (fs *Files) readAnswer(s robotstag.Sent, as policy.Text) (all []policy.Statement) {
	for _, line := range s {
		crawler := ""
		for _, v := range line {
			r := fs.read(part{v, crawler, as})
			all, crawler = append(all, r.statements...), r.crawler
		}
	}
	policy.ApplyIndexIfEmbedded(all)
	return all
}

// read reads a part. Each is read once, and may count for every file.
func (fs *Files) read(p part) reading {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	r, known := fs.stated[p]
	if !known {
		r = fs.parse(p)
		fs.stated[p] = r
	}
	return r
}

// parse reads a part, and adds what is wrong with it to the faults.
func (fs *Files) parse(p part) reading {
	crawlers, v := fs.project.Policy.Crawlers, p.value
	readings, last, problems := policy.ParseHeaderPart(p.crawler, v.Text, p.as, crawlers)
	// A crawler that is not known stays in the file and makes no line of ours (A1).
	readings = slices.DeleteFunc(readings, func(r policy.Statement) bool {
		_, known := crawlers.Lookup(r.Crawler)
		return r.Crawler != "" && !known
	})
	if p.as == policy.Documented { // each value is read as it is meant too, which says what is wrong
		problems = nil
	}
	for _, f := range problems {
		f.File, f.Line, f.Message = v.File, v.Line, robotstag.Name+": "+f.Message
		fs.faults = append(fs.faults, f)
	}
	return reading{policy.At(origin(v), readings...), last}
}

// origin is where the owner wrote a value.
func origin(v robotstag.Value) policy.Origin {
	return policy.Origin{Layer: policy.LayerFound, File: v.File, Line: v.Line, Key: v.Name}
}

// reportJoined reports a value that says less in the line that is sent than by itself: what is for
// everyone, behind a crawler's name. It does so once for an answer.
func (fs *Files) reportJoined(answers []robotstag.Sent) {
	for _, s := range answers {
		joined := func(line []robotstag.Value) bool { return len(line) > 1 }
		if !slices.ContainsFunc(s, joined) || !fs.isFirst(answer{s[0][0], s.String()}) {
			continue
		}
		as := policy.Found
		if fs.project.Options.Audit {
			as = policy.Audited
		}
		told := fs.project.Policy.Resolve(fs.readAnswer(s, as))
		for _, line := range s {
			fs.reportLine(line, &told, as)
		}
	}
}

// isFirst reports whether an answer is seen for the first time.
func (fs *Files) isFirst(a answer) bool {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	known := fs.joined[a]
	fs.joined[a] = true
	return !known
}

// reportLine reports the first value of a line that restricts more by itself than the whole answer,
// which tells crawlers so much.
func (fs *Files) reportLine(line []robotstag.Value, told *policy.Decision, as policy.Text) {
	crawler := ""
	for _, v := range line {
		alone := fs.project.Policy.Resolve(slices.Clone(fs.read(part{v, "", as}).statements))
		if crawler != "" && !told.Covers(&alone) {
			message := fmt.Sprintf("%s: %q is sent as a part of one line, %q, and crawlers take it for %s "+
				"alone: put what is for everyone before what is for one crawler",
				robotstag.Name, v.Text, robotstag.Join(line), crawler)
			fs.mu.Lock()
			defer fs.mu.Unlock()
			fs.faults = append(fs.faults, policy.Finding{ID: "header-joined", Severity: policy.Warning,
				File: v.File, Line: v.Line, Message: message})
			return
		}
		crawler = fs.read(part{v, crawler, as}).crawler
	}
}

// Faults are findings about the values that reach the files for which [Files.States] was called.
func (fs *Files) Faults() []policy.Finding {
	sort.SliceStable(fs.faults, func(i, j int) bool {
		a, b := &fs.faults[i], &fs.faults[j]
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line,
			strings.Compare(a.Text(), b.Text())) < 0
	})
	return slices.CompactFunc(fs.faults, func(a, b policy.Finding) bool {
		// A value with :splat is one for each path, and several files may be sent the same line.
		return a == b ||
			a.ID == "header-joined" && b.ID == a.ID && a.File == b.File && a.Line == b.Line
	})
}

// isServedByOwner reports whether the owner's rules alone serve a file with what it wants, at each
// of its request paths and in every way in which a host may send them. Where netlify.toml goes
// before them at all its paths, a rule of ours would come to nothing.
func (c *compiler) isServedByOwner(h *File, w *robotstag.Want) bool {
	over := h.netlify.ways(w.Path, w.Source)
	isOver := func(answers []robotstag.Sent) bool {
		return len(answers) > 0 && every(answers, isSent)
	}
	if h.Target == headers.TargetNetlify && len(over) > 0 && every(over, isOver) {
		return true
	}
	answers := h.rules.remaining(w.Path, w.Source)
	return len(answers) > 0 && every(answers, func(s robotstag.Sent) bool {
		return isSent(s) && c.robots.Equal(c.printed(s), strings.Join(w.Values, ", "))
	})
}

// printed is what would be served if the decision were what an answer tells crawlers.
func (c *compiler) printed(s robotstag.Sent) string {
	sent := s.String()
	text, known := c.prints[sent]
	if !known {
		told := c.files.project.Policy.Resolve(c.files.readAnswer(s, policy.Documented))
		text = strings.Join(told.Header(c.files.project.Policy.Style), ", ")
		c.prints[sent] = text
	}
	return text
}

// every reports whether all elements are something.
func every[T any](all []T, is func(T) bool) bool {
	return !slices.ContainsFunc(all, func(one T) bool { return !is(one) })
}
