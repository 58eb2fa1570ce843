package verify

import (
	"fmt"
	"net/http"
	"net/url"
)

// elsewhere says where a host's URLs lead if more than half of them lead off it, or to one and the same page of it, as
// where a login is asked for: then it is hardly the site that was meant. It is empty otherwise.
func elsewhere(base *url.URL, chosen []target, results [][]Result) string {
	asked, away, first := 0, 0, ""
	pages, most, where := map[string]int{}, 0, ""
	for i, list := range results {
		if list == nil || !sameHost(chosen[i].at, base) {
			continue
		}
		asked++
		to := leadsTo(list)
		switch {
		case to == nil:
		case !sameHost(to, base):
			if away++; away == 1 {
				first = fmt.Sprintf("%s to %s", chosen[i].at.EscapedPath(), to)
			}
		default:
			to.RawQuery, to.ForceQuery = "", false // which page to go back to, for one
			page := to.String()
			if pages[page]++; pages[page] > most {
				most, where = pages[page], page
			}
		}
	}
	switch {
	case asked < 2:
	case 2*away > asked:
		return fmt.Sprintf("the site at %s redirects away: %s lead to another host, %s for one: "+
			"verify that host, or let verify in (--user, --header)", base, of(away, asked), first)
	case 2*most > asked:
		return fmt.Sprintf("the site at %s redirects to one page: %s lead to %s: "+
			"if that is a login, let verify in (--user, --header)", base, of(most, asked), where)
	}
	return ""
}

// of names a part of some URLs.
func of(n, all int) string {
	if n == all {
		return fmt.Sprintf("all %d URLs", all)
	}
	return fmt.Sprintf("%d of %d URLs", n, all)
}

// leadsTo is where a URL leads by its results; nil where it was read, or is to lead elsewhere.
func leadsTo(list []Result) *url.URL {
	for _, r := range list {
		if r.Verdict != Redirected {
			continue
		}
		if to, err := url.Parse(r.Location); err == nil {
			return to
		}
	}
	return nil
}

// gone reports whether all URLs of a host, if they are several, answer 404.
func gone(base *url.URL, chosen []target, results [][]Result) bool {
	asked := 0
	for i, list := range results {
		if list == nil || !sameHost(chosen[i].at, base) {
			continue
		}
		if asked++; list[0].Status != http.StatusNotFound {
			return false
		}
	}
	return asked > 1
}
