package servers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"

	"metarobots/emit/robotstag"
)

// printable is a value that every host sends as it stands.
var printable = regexp.MustCompile(`^[!-~](?:[ -~]*[!-~])?$`)

// headerName is what every format can hold, and make a variable of.
var headerName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`)

// addOthers adds headers for as many files as the host takes beside X-Robots-Tag, those that are lists of links first.
func (d *draft) addOthers(demands []robotstag.Demand) error {
	demands = slices.Clone(demands)
	slices.SortStableFunc(demands, func(a, b robotstag.Demand) int {
		return cmp.Compare(fmt.Sprint(b.Header.Join), fmt.Sprint(a.Header.Join))
	})
	for _, demand := range demands {
		user, err := d.format.read(d.existing, demand.Header.Name)
		if err == nil {
			err = d.add(newCompiler(d, user, demand))
		}
		if err != nil {
			return err
		}
	}
	for _, c := range d.headers[1:] {
		c.reportLost()
	}
	return nil
}

// add writes the file with one more header, or with as many of its files as fit.
func (d *draft) add(c *compiler) (err error) {
	files := c.gatherOthers()
	if len(files) == 0 {
		return nil
	}
	certain, over := c.lost, ""
	fits := func(n int) bool {
		c.lost = maps.Clone(certain)
		for _, i := range files[n:] {
			c.lost[&c.wants[i]] = over
		}
		err = d.write()
		return !errors.Is(err, robotstag.ErrBudget)
	}
	if !fits(len(files)) {
		over, d.searching = d.over, true
		fits(sort.Search(len(files), func(n int) bool { return !fits(n + 1) }))
		d.searching = false
	}
	return err
}

// canonical is a link that says which URL search engines are to list.
var canonical = regexp.MustCompile(`(?i)\brel\s*=\s*(?:canonical\b|"[^"]*\bcanonical\b)`)

// gatherOthers finds out what each file needs, and returns those that need something in the order in which they get
// it: canonical links first, then the values of many files.
func (c *compiler) gatherOthers() (files []int) {
	rank := make(map[string]int)
	for i := range c.wants {
		text := c.beside(&c.wants[i])
		if c.texts[i] = text; text == "" {
			continue
		}
		files, c.lines[text] = append(files, i), []string{text}
		if rank[text]++; rank[text] == 1 && canonical.MatchString(text) {
			rank[text] += len(c.wants)
		}
	}
	slices.SortFunc(files, func(a, b int) int {
		return cmp.Or(rank[c.texts[b]]-rank[c.texts[a]], strings.Compare(c.texts[a], c.texts[b]),
			strings.Compare(c.wants[a].Path, c.wants[b].Path))
	})
	return files
}

// beside is the value that a rule of ours has to give a file of another header, with what the owner's rules serve of
// it (H4); "" for none.
func (c *compiler) beside(w *robotstag.Want) string {
	if len(w.Values) == 0 || w.Free {
		return ""
	}
	ours := strings.Join(w.Values, ", ")
	var found, own []robotstag.Value // what the owner's rules send, and of that what ours would take the place of
	missing := false
	for _, url := range c.user.serves.all(w.Path) {
		for i := range c.user.views {
			v := &c.user.views[i]
			sent, known := v.relied(url)
			after, by := v.run(url, []robotstag.Value{{Text: ours}}, true)
			found = append(found, sent...)
			switch {
			case by != nil && by.elsewhere || known && c.serves(sent, w.Values):
				continue
			case !known && (!c.header.Join || c.draft.format != Apache || by != nil):
				return c.lose(w, "the host's file has a rule of yours about it that cannot be read or relied on")
			case by != nil:
				return c.lose(w, fmt.Sprintf("your rule in line %d of the host's file goes before ours", by.sends.Line))
			}
			missing = true
			for _, value := range sent {
				if !slices.Contains(after, value) {
					own = append(own, value)
				}
			}
		}
	}
	rival := func(value robotstag.Value) bool { // of two canonical links search engines may use none
		joins := c.header.Join && !(canonical.MatchString(value.Text) && canonical.MatchString(ours))
		return !joins && !c.serves([]robotstag.Value{value}, w.Values)
	}
	at := slices.IndexFunc(found, rival)
	switch text := c.withOwn(own, found, w.Values); {
	case !missing:
		return ""
	case w.Spare:
		return c.lose(w, "what denies leaves no room for it")
	case at >= 0:
		return c.lose(w, fmt.Sprintf("your rule in line %d of the host's file has another value, and stays",
			found[at].Line))
	case !headerName.MatchString(c.header.Name):
		return c.lose(w, "the host's file cannot hold the header's name")
	case badName(w.Path):
		return c.lose(w, unwritableName)
	case !printable.MatchString(text) || c.draft.format.unwritable.MatchString(text):
		return c.lose(w, "the host's file cannot hold its value")
	default:
		return text
	}
}

// withOwn is the value of a rule of ours, with those values of the owner's that it takes the place of.
func (c *compiler) withOwn(own, found []robotstag.Value, values []string) string {
	if c.header.Join && c.draft.format.adds {
		own = nil
	} else {
		found = own
	}
	lines := robotstag.Texts(own)
	slices.Sort(lines)
	for _, value := range values {
		if !c.serves(found, []string{value}) {
			lines = append(lines, value)
		}
	}
	return strings.Join(slices.Compact(lines), ", ")
}

// serves reports whether what is sent says all that is wanted: as members of a list, or by the one value of a header
// that is none.
func (c *compiler) serves(sent []robotstag.Value, values []string) bool {
	text, ours := robotstag.Join(sent), strings.Join(values, ", ")
	if !c.header.Join {
		return c.header.Equal(text, ours)
	}
	return !slices.ContainsFunc(values, func(value string) bool {
		return !strings.Contains(", "+text+", ", ", "+value+", ")
	})
}

func (c *compiler) lose(w *robotstag.Want, why string) string {
	c.lost[w] = why
	return ""
}

// reportLost says which files go without the header, and what is not read of the owner's rules.
func (c *compiler) reportLost() {
	res := &c.draft.res
	res.Findings = append(res.Findings, c.user.unread...)
	lost := make(map[string][]robotstag.Want)
	for i := range c.wants {
		if why, ok := c.lost[&c.wants[i]]; ok {
			lost[why] = append(lost[why], c.wants[i])
		}
	}
	for why, files := range lost {
		res.Lose(c.header.Name, why, files)
	}
}
