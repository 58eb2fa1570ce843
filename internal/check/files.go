package check

import (
	"fmt"
	"slices"
	"strings"

	"metarobots/internal/plan"
	"metarobots/policy"
)

// noHTML reports a site without a single HTML file, which is hardly ever meant.
func noHTML(site *plan.Site) []policy.Finding {
	if slices.ContainsFunc(site.Pages, func(pg *plan.Page) bool { return pg.HTML }) {
		return nil
	}
	return []policy.Finding{{ID: "no-html", Severity: policy.Warning, File: site.Published(""),
		Message: "no HTML file is published there: is it the publish folder?"}}
}

// headerless reports what no tag can carry where the host has no headers (M5, N1).
func headerless(site *plan.Site) []policy.Finding {
	if !site.Headerless() {
		return nil
	}
	t := tallyOf(site, func(pg *plan.Page) bool {
		return pg.Role.Policed() && pg.Decision.Restricts() && !pg.TakesTags()
	})
	return t.findings(site, "no-header", policy.Warning, "%d files that cannot carry a tag are restricted, this one "+
		"first, and headers.targets says that the host has no headers: crawlers will not be told", t.count)
}

// notPublished reports pages of the site that are not in the publish folder.
func notPublished(site *plan.Site) []policy.Finding {
	missing := site.Missing()
	if len(missing) == 0 {
		return nil
	}
	return []policy.Finding{{ID: "not-published", Severity: policy.Note, File: site.Published(missing[0]),
		Message: fmt.Sprintf("%d files of the site's pages are not published, such as this one: was the folder "+
			"built from this source?", len(missing))}}
}

// twoFiles reports two files for one URL: x.html and x/index.html.
func twoFiles(site *plan.Site) (all []policy.Finding) {
	for _, pg := range site.Pages {
		dir, ok := strings.CutSuffix(pg.Name, "/index.html")
		if !ok || site.Page(dir+".html") == nil {
			continue
		}
		f := about(site, pg, "two-files", policy.Warning, "%s.html and this file are both served at /%s: hosts "+
			"differ in which", dir, dir)
		f.URL = "/" + dir
		all = append(all, f)
	}
	return all
}

// precompressed reports the compressed copies of pages that change, which a server sends in a page's place: what a
// crawler gets may be the copy. One of gzip is made anew, the others are the pipeline's to make anew.
// https://nginx.org/en/docs/http/ngx_http_gzip_static_module.html
// https://caddyserver.com/docs/caddyfile/directives/file_server#precompressed
func precompressed(site *plan.Site) (all []policy.Finding) {
	for _, pg := range site.Pages {
		if !pg.Changes || !pg.HTML {
			continue
		}
		for _, ending := range []string{".gz", ".br", ".zst"} {
			if site.Page(pg.Name+ending) == nil {
				continue
			}
			f := policy.Finding{ID: "precompressed", Severity: policy.Warning,
				URL: pg.URL, File: site.Published(pg.Name + ending),
				Message: "the page changes and this compressed copy of it does not: compress after metarobots, or " +
					"the copy is served without the policy"}
			if ending == ".gz" {
				f.Severity = policy.Note
				f.Message = "the page changes: its compressed copy is made anew where it is a copy of the page"
			}
			all = append(all, f)
		}
	}
	return all
}
