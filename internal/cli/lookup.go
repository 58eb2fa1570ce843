package cli

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/address"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/policy"
)

// lookup finds the pages that an argument of explain names. It may be a URL at which hosts serve
// one or from which they redirect to it, a path from the publish root, a published file or a
// content file; or else a folder, which names all pages in it. at is the encoded path of a URL,
// from the publish root; empty if the argument is none. If there is no page, an error says why, as
// well as it can.
func lookup(s *plan.Plan, name string) (found []*plan.Page, at string, err error) {
	paths, at := pathsOf(s.Project, name)
	addressed := pagesAt(s, at)
	if found = pagesNamed(s, paths, at, addressed); len(found) == 0 {
		found = pagesBelow(s, paths)
	}
	if len(found) == 0 {
		found = addressed
	}
	if len(found) > 0 {
		return found, at, nil
	}
	why := cmp.Or(unpublished(s.Project, name), redirectedAway(s, at), elsewhere(s.Project, name), withheld(s, at),
		notListed(s, paths))
	if why != "" {
		return nil, at, invalidf("%s: %s", name, why)
	}
	return nil, at, invalidf("%s: no published file or page has this URL or name%s", name, suggest(s, paths))
}

// notListed says that one of some paths is in what counts as not published (M6t); empty if none is.
func notListed(s *plan.Plan, paths []string) string {
	for _, name := range s.Folder.Unlisted {
		isInside := func(path string) bool {
			return strings.HasPrefix(strings.TrimPrefix(path, "/")+"/", name+"/")
		}
		if slices.ContainsFunc(paths, isInside) {
			return "metarobots does not list what is in " + name + ", since it is no part of the site"
		}
	}
	return ""
}

// pagesNamed are the pages that an argument names exactly: those that hosts serve at the path of a
// URL, among the ones to which it leads (addressed), and those whose URL or file is one of the
// paths.
func pagesNamed(s *plan.Plan, paths []string, at string, addressed []*plan.Page) (found []*plan.Page) {
	for _, pg := range addressed { // a rule may lead there from any path
		isAt := func(a address.Address) bool { return a.Path == at }
		if slices.ContainsFunc(s.Sites.Of(pg.File.Name), isAt) {
			found = append(found, pg)
		}
	}
	for _, pg := range s.Pages {
		isName := func(path string) bool {
			return path != "" && (path == pg.URL || path == pg.File.Path.URL || path == pg.File.Path.File ||
				path == pg.File.Source)
		}
		if !slices.Contains(found, pg) && slices.ContainsFunc(paths, isName) {
			found = append(found, pg)
		}
	}
	return found
}

// pagesBelow are the pages in a folder that has one of the paths, of what is published or of
// content files.
func pagesBelow(s *plan.Plan, paths []string) (found []*plan.Page) {
	for _, pg := range s.Pages {
		isAbove := func(path string) bool {
			folder := strings.TrimSuffix(path, "/") + "/"
			return folder != "/" && (strings.HasPrefix(pg.URL, folder) || strings.HasPrefix(pg.File.Source, folder))
		}
		if slices.ContainsFunc(paths, isAbove) {
			found = append(found, pg)
		}
	}
	return found
}

// elsewhere says of a name that means nothing on this site what it is, and how that is explained;
// empty if nothing is known of it.
func elsewhere(p *project.Project, name string) string {
	hosts := hostsOf(p)
	isOne := func(host string) bool {
		return slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, host) })
	}
	host, _, _ := strings.Cut(name, "/")
	info, err := os.Stat(project.Absolute(p.Options.WorkDir, name))
	switch {
	case isElsewhere(p, name):
		u, _ := url.Parse(name)
		return fmt.Sprintf("this is another host than the site's (%s): metarobots explain %s says what the site "+
			"has at this path; explained alone, the deployed site is asked", strings.Join(hosts, ", "), pathOf(u))
	case host != "" && isOne(host):
		return "a URL begins with its scheme (did you mean https://" + name + "?)"
	case err == nil && info.IsDir():
		return "this folder is no part of the site; the publish folder is named by -d: metarobots explain -d " +
			name + " URL"
	}
	return ""
}

// hostsOf are the names of the site's hosts that are known.
func hostsOf(p *project.Project) (hosts []string) {
	for _, h := range p.Hosts.All {
		if h.URL.Host != "" {
			hosts = append(hosts, h.URL.Host)
		}
	}
	return hosts
}

// isElsewhere reports whether an argument is a URL of another host than those of the site that are
// known.
func isElsewhere(p *project.Project, arg string) bool {
	u, err := url.Parse(arg)
	hosts := hostsOf(p)
	return err == nil && isURL(arg) && u.Host != "" && len(hosts) > 0 &&
		!slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, u.Host) })
}

// pathOf is what a URL has behind its host.
func pathOf(u *url.URL) string { return cmp.Or(u.EscapedPath(), "/") + queryOf(u.String()) }

// isPublishFolder reports whether a name is that of the folder that is published.
func isPublishFolder(p *project.Project, name string) bool {
	at := project.Absolute(p.Options.WorkDir, name)
	info, err := os.Stat(at)
	return name != "/" && err == nil && info.IsDir() && filepath.Clean(at) == filepath.Clean(p.Settings.Publish)
}

// pagesAt are the pages to which a path from the publish root leads; of hosts that differ, each
// one's.
func pagesAt(s *plan.Plan, at string) (all []*plan.Page) {
	if at == "" {
		return nil
	}
	for name := range s.Sites.FilesReached(at) {
		if pg := s.Page(name); pg != nil && !slices.Contains(all, pg) {
			all = append(all, pg)
		}
	}
	return all
}

// redirectedAway says which rule of the owner's sends a path to what is no page of the site; empty
// for none.
func redirectedAway(s *plan.Plan, at string) string {
	if at == "" {
		return ""
	}
	for _, a := range s.Sites.At(at) {
		if a.Route != nil && a.To != "" {
			return fmt.Sprintf("%s redirects it to %s", policy.Place(a.Route.Origin.File, a.Route.Origin.Line), a.To)
		}
	}
	return ""
}

// queryOf is that of a URL, or of its path, on the command line, with its question mark; empty for
// none.
func queryOf(name string) string {
	u, err := url.Parse(name)
	if err != nil || u.RawQuery == "" && !u.ForceQuery {
		return ""
	}
	return "?" + u.RawQuery
}

// suggest names the URL or file closest to one that is not there.
func suggest(s *plan.Plan, paths []string) string {
	var names []string
	for _, pg := range s.Pages {
		names = append(names, pg.URL, pg.File.Path.File, pg.File.Source)
	}
	for _, path := range paths {
		if n := policy.Near(path, names); n != "" && len(path) <= 60 {
			return " (did you mean " + n + "?)"
		}
	}
	return ""
}

// pathsOf returns what a name on the command line may mean, for comparison with the names of pages:
// paths from the publish root ("/posts/a/"), also decoded, and the names of a content file, from
// the working folder or else from the site, as pages have theirs. at is the encoded path from the
// publish root, without query and fragment, if the name is a URL, whole or without its host; else
// empty. For a URL of another site both are empty.
func pathsOf(p *project.Project, name string) (paths []string, at string) {
	u, err := url.Parse(name)
	isWholeURL := err == nil && u.Host != ""
	if isWholeURL || strings.HasPrefix(name, "/") {
		const onNoPage = "" // so that nothing is relative to it
		to, isOfSite := p.ResolveLink(onNoPage, name, project.UnknownIsOurs)
		switch {
		case isOfSite:
			at = to
			paths = append(paths, to, policy.Decoded(to))
		case isWholeURL:
			return nil, ""
		case err == nil: // not below the path of baseURL: it is meant from the publish root
			at = u.EscapedPath()
		}
	}
	return append(paths, namesOfFile(p, name)...), at
}

// namesOfFile are those that a page may have if a name on the command line is that of a file or a
// folder: of a published one its path from the publish root, of a content file its name as messages
// have it, and else the name itself as a path.
//
//	public/a/index.html    /a/index.html
//	content/a.md           content/a.md
//	posts/a                posts/a, /posts/a, /posts/a/
func namesOfFile(p *project.Project, name string) (names []string) {
	file := project.Absolute(p.Options.WorkDir, name)
	if rel, err := filepath.Rel(p.Settings.Publish, file); err == nil && filepath.IsLocal(rel) {
		names = append(names, "/"+filepath.ToSlash(rel))
		if rel == "." { // the publish folder itself
			names = append(names, "/")
		}
	}
	name = filepath.ToSlash(name)
	asFolder := "/" + strings.Trim(name, "/") + "/"
	return append(names, p.Short(file), name, "/"+name, asFolder)
}
