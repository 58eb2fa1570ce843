package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// unusedPolicy reports what of the policy selected nothing (S4).
func unusedPolicy(site *plan.Site) (all []policy.Finding) {
	known := map[string][]string{} // names by group: all pages are asked once for each
	for _, u := range site.Unused() {
		o := unusedOrigin(site.Project, u)
		f := policy.Finding{ID: "selects-nothing", Severity: policy.Warning, File: o.File, Line: o.Line,
			Message: fmt.Sprintf("%s: %q selects nothing", o.Key, u.Name)}
		switch u.Group {
		case "match":
			f.Severity = policy.Error
			f.Message += " (allowEmpty = true on the rule if that is meant)"
		case "except":
		default:
			names, asked := known[u.Group]
			if !asked {
				names = namesOf(site, u.Group)
				known[u.Group] = names
			}
			there := slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, u.Name) })
			if near := policy.Near(u.Name, names); near != "" && !there {
				f.Severity = policy.Error
				f.Message += fmt.Sprintf(" (did you mean %q?)", near)
			} else if len(names) > 0 && !there {
				f.Message += fmt.Sprintf(": the %s of the site are %s", u.Group, strings.Join(names, ", "))
			}
		}
		all = append(all, f)
	}
	return all
}

// namesOf are the sections, types, kinds, … that pages of the site have.
func namesOf(site *plan.Site, group string) []string {
	known := map[string]bool{}
	for _, pg := range site.Pages {
		names := []string{pg.Fact(group)}
		if group == "archives" {
			names = pg.Taxonomies()
			if pg.Pager > 1 {
				known["paginated"] = true
			}
		}
		for _, name := range names {
			known[name] = true
		}
	}
	delete(known, "") // of files that have none
	return slices.Sorted(maps.Keys(known))
}

// unusedOrigin is where the configuration says what selects nothing.
func unusedOrigin(project *plan.Project, u policy.Unused) policy.Origin {
	if u.Rule < 0 {
		return project.Policy.Visibility[u.Index].Origin
	}
	o := project.Policy.Rules[u.Rule].Origin
	o.Key = fmt.Sprintf("%s.%s[%d]", o.Key, u.Group, u.Index)
	if _, line := project.Config.Locate("rules", fmt.Sprint(u.Rule), u.Group, fmt.Sprint(u.Index)); line > 0 {
		o.Line = line
	}
	return o
}

// unusedLinks reports what of the links' policy selected nothing (S4).
func unusedLinks(site *plan.Site) (all []policy.Finding) {
	c := site.Project.Config.Robots.Links
	if c.Empty() {
		return nil
	}
	say := func(o policy.Origin, what string) {
		all = append(all, policy.Finding{ID: "selects-nothing", Severity: policy.Warning, File: o.File, Line: o.Line,
			Message: o.Key + ": " + what})
	}
	rules, classes := site.UsedLinks()
	for i, used := range rules {
		if !used {
			say(c.RuleOrigins[i], "no link of the site is one of these")
		}
	}
	for i, used := range classes {
		if !used {
			say(c.SnippetOrigins[i], fmt.Sprintf("no element has the class %q", c.Options.NoSnippet[i]))
		}
	}
	return all
}
