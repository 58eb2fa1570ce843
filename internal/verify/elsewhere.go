package verify

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
)

// elsewhere says where a host's URLs lead if more than half of them lead off it, or to a single page of it, such as a
// login: then it is probably not the intended site. It is empty otherwise. results are those of each URL.
func elsewhere(base *url.URL, results [][]Comparison) string {
	leads := map[string]int{} // by page of the host, and "" for other hosts
	first := ""
	for _, list := range results {
		to := leadsTo(list)
		switch {
		case to == nil:
			continue
		case sameHost(to, base):
			to.RawQuery, to.ForceQuery = "", false // which page to go back to, for one
		default:
			if first == "" {
				first = fmt.Sprintf("%s to %s", list[0].URL, to)
			}
			to = &url.URL{}
		}
		leads[to.String()]++
	}
	for page, n := range leads {
		switch {
		case len(results) < 2 || 2*n <= len(results):
		case page == "":
			return fmt.Sprintf("the site at %s redirects away: %s lead to another host, %s for one: "+
				"verify that host, or let verify in (--user, --header)", base, of(n, len(results)), first)
		default:
			return fmt.Sprintf("the site at %s redirects to one page: %s lead to %s: "+
				"if that is a login, let verify in (--user, --header)", base, of(n, len(results)), page)
		}
	}
	return ""
}

// hidden lists the pages of a host that should be in the index and are not, the home page first. It is empty for none.
func hidden(base *url.URL, results [][]Comparison) string {
	var urls, homes []string
	why := ""
	for _, list := range results {
		i := slices.IndexFunc(list, func(r Comparison) bool { return r.hidden })
		switch {
		case i < 0:
			continue
		case list[i].URL == "/":
			homes = []string{"the home page /"}
		default:
			urls = append(urls, list[i].URL)
		}
		why = cmp.Or(why, fmt.Sprintf("%s for %s: %s", list[i].URL, list[i].Crawler, list[i].Why))
	}
	n := len(homes) + len(urls)
	if n == 0 {
		return ""
	}
	names := append(homes, urls...)
	if n > 5 {
		names = append(names[:5], fmt.Sprintf("%d more", n-5))
	}
	return fmt.Sprintf("%s: %s should be indexed, but robots.txt, a header or a tag forbids it: %s (%s)%s", base,
		of(n, len(results)), and(names), why, allow)
}

// of prints how many URLs of all.
func of(n, all int) string {
	if all == 1 {
		return "1 URL"
	}
	if n == all {
		return fmt.Sprintf("all %d URLs", all)
	}
	return fmt.Sprintf("%d of %d URLs", n, all)
}

// leadsTo is where a URL leads by its results; nil where it was read, or is to lead elsewhere.
func leadsTo(list []Comparison) *url.URL {
	for _, r := range list {
		if to, err := url.Parse(r.Location); err == nil && r.Verdict == Redirected {
			return to
		}
	}
	return nil
}

// allMissing reports whether all URLs of a host, if they are several, answer 404.
func allMissing(results [][]Comparison) bool {
	there := func(list []Comparison) bool { return list[0].Status != http.StatusNotFound }
	return len(results) > 1 && !slices.ContainsFunc(results, there)
}
