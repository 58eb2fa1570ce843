package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"metarobots/frontmatter"
	"metarobots/internal/disk"
)

// unpublished says of a content file behind which no page stands why that is so, as far as its front matter tells;
// empty where the name is no file.
func (p *Project) unpublished(name string) string {
	file := absolute(p.options.WorkDir, name)
	data, err := disk.ReadFile(file, maxPage)
	if err != nil {
		return ""
	}
	doc, err := frontmatter.Parse(data, "...") // some generators close it so
	if err != nil {
		return fmt.Sprintf("no page was published from it (%v)", err)
	}
	var reasons []string
	for _, key := range slices.Sorted(maps.Keys(doc.Params)) {
		value, reason := doc.Params[key], ""
		at, err := frontmatter.Date(value)
		isDate, day := err == nil, at.Format(time.DateOnly)
		on, isFlag := frontmatter.Truth(value)
		switch lower := strings.ToLower(key); lower {
		case "draft":
			if isFlag && on {
				reason = "it is a draft"
			}
		case "status":
			if text, ok := value.(string); ok && strings.EqualFold(text, "draft") {
				reason = "it is a draft"
			}
		case "published", "publishdate", "pubdate", "date":
			switch {
			case isFlag && !on && lower == "published":
				reason = "it says published: false"
			case isDate && at.After(p.Policy.Now):
				reason = fmt.Sprintf("its %s, %s, is still to come", key, day)
			}
		case "expirydate", "unpublishdate":
			if isDate && at.Before(p.Policy.Now) {
				reason = fmt.Sprintf("it expired on %s", day)
			}
		}
		if reason != "" {
			reasons = append(reasons, fmt.Sprintf("%s (line %d)", reason, doc.Index.Line(key)))
		}
	}
	if len(reasons) == 0 {
		return "no page was published from it"
	}
	return "no page was published from it: " + strings.Join(reasons, ", ")
}
