package servers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/internal/lazyregexp"
)

// printable is a value that every host sends as it is.
var printable = lazyregexp.New(`^[!-~](?:[ -~]*[!-~])?$`)

// headerName is what every format can hold, and make a variable of.
var headerName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9-]*$`)

// otherValue is the value of another header than X-Robots-Tag that a rule of ours has to give a
// file; "" if it needs none. Where the owner's rules say anything else of the header, or may do so,
// what they say stays (H4), and why says so. id is always empty: see [compiler.chooseValues].
func (c *compiler) otherValue(w *robotstag.Want) (v value, id, why string) {
	if len(w.Values) == 0 || w.Free {
		return "", "", ""
	}
	isMissing, why := c.isMissing(w)
	if !isMissing || why != "" {
		return "", "", why
	}
	ours := strings.Join(w.Values, ", ")
	switch unwritable := c.draft.format.unwritable; {
	case w.Spare:
		return "", "", "values that deny leave no room for it"
	case !headerName.MatchString(c.header.Name):
		return "", "", "the host's file cannot hold the header's name"
	case badName(w.Path):
		return "", "", unwritableName
	case !printable.MatchString(ours), unwritable != nil && unwritable.MatchString(ours):
		return "", "", "the host's file cannot hold its value"
	}
	return value(ours), "", ""
}

// isMissing reports whether the owner's rules leave a file without its value at some request path,
// of another header than X-Robots-Tag. why is the reason that a rule of ours must not give the
// value: at one of the paths the owner's rules say something else, or may. It is "" if there is
// none.
//
//	the owner's rules, for Link: <…>; rel="canonical"       isMissing   why
//	say it at each path                                     false       ""
//	say nothing of Link at some path                        true        ""
//	say another Link at some path                           false       your rule in line 3 …
//	have a rule about Link that is not read                 false       a rule of yours …
func (c *compiler) isMissing(w *robotstag.Want) (isMissing bool, why string) {
	for _, url := range c.user.serves.paths(w.Path, w.Source) {
		for i := range c.user.views { // the ways in which the host may read the owner's rules
			isMissingHere, why := c.isMissingAt(url, w, &c.user.views[i])
			if why != "" {
				return false, why
			}
			isMissing = isMissing || isMissingHere
		}
	}
	return isMissing, ""
}

// isMissingAt is [compiler.isMissing] at one request path, in one view of the owner's rules. At a
// path that they redirect no file is served, so that nothing is missing.
func (c *compiler) isMissingAt(url string, w *robotstag.Want, v *view) (
	isMissing bool, why string) {
	ours := robotstag.Sent{{{Text: strings.Join(w.Values, ", ")}}} // one line with one value
	// owners are the values that their rules send without ours; overriding is the rule of theirs
	// that counts in place of ours, nil for none.
	owners, isKnown := v.valuesToRelyOn(url)
	_, overriding := v.carryOut(url, ours, unreadCount)
	isRedirected := overriding != nil && overriding.isRedirect
	if isRedirected || isKnown && c.saysAll(owners, w.Values) {
		return false, ""
	}
	if !isKnown {
		return false, "a rule of yours in the host's file is about it, and cannot be read or relied on"
	}
	if overriding != nil { // it is in the way of ours even if it sends nothing
		owners = append(owners, overriding.sends)
	}
	if len(owners) > 0 {
		return false, fmt.Sprintf("your rule in line %d of the host's file has another value, and stays",
			owners[0].Line)
	}
	return true, ""
}

// saysAll reports whether what is sent of the header says all that is wanted: as members of a list,
// or by the one value of a header that is none.
func (c *compiler) saysAll(sent []robotstag.Value, values []string) bool {
	text := robotstag.Join(sent)
	if !c.header.Join {
		return c.header.Equal(text, strings.Join(values, ", "))
	}
	return !slices.ContainsFunc(values, func(value string) bool {
		return !strings.Contains(", "+text+", ", ", "+value+", ")
	})
}

// writeOther writes the file with another header than X-Robots-Tag, for as many files as the host
// takes beside the rest: it tries how many of the first ones fit.
func (c *compiler) writeOther() (err error) {
	c.chooseValues(c.otherValue)
	files, values, refused := c.filesInOrder(), slices.Clone(c.values), c.refused
	reason := "" // for those that do not fit
	fits := func(n int) bool {
		copy(c.values, values)
		c.refused = maps.Clone(refused)
		for _, i := range files[n:] {
			c.refuse(i, "", reason)
		}
		c.resolveConflicts()
		err = c.draft.write()
		return !errors.Is(err, robotstag.ErrBudget)
	}
	if len(files) == 0 || fits(len(files)) {
		return err
	}
	reason = c.draft.overflow.text()
	most := sort.Search(len(files), func(n int) bool { return !fits(n + 1) })
	fits(most)
	return err
}

// filesInOrder are the numbers of the wants that need something, in the order in which they get it:
// canonical links first, then the values of many files.
func (c *compiler) filesInOrder() (files []int) {
	rank := make(map[value]int)
	for i, v := range c.values {
		if v == "" {
			continue
		}
		files = append(files, i)
		if rank[v]++; rank[v] == 1 && len(robotstag.Canonicals(string(v))) > 0 {
			rank[v] += len(c.wants)
		}
	}
	slices.SortFunc(files, func(a, b int) int {
		return cmp.Or(rank[c.values[b]]-rank[c.values[a]], cmp.Compare(c.values[a], c.values[b]),
			strings.Compare(c.wants[a].Path, c.wants[b].Path))
	})
	return files
}
