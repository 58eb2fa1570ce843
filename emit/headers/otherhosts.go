package headers

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"metarobots/emit/robotstag"
)

// Rules for the hosts at which Cloudflare serves a site beside its own (N11). They come last in our
// block. Cloudflare adds up what all matching rules say, so that they add noindex to what path
// rules say, and no rule comes behind them that takes it away.

// cloudflareHosts are the names of Cloudflare's own: of a Pages project, of its deployments and
// branches, and of a Worker with its versions and previews. A placeholder matches one label of a
// name, or a part of one.
// https://developers.cloudflare.com/pages/configuration/headers/
var cloudflareHosts = []hostNames{
	{"any-0.pages.dev", []string{"https://:project.pages.dev/*", "https://:site.pages.dev/*"}},
	{"any-0.any-1.pages.dev", previewPaths},
	{"any-0.any-1.workers.dev", []string{workersPath, "https://:name.:account.workers.dev/*"}},
}

// workersPath is the path of the rule for all Workers.
const workersPath = "https://:worker.:account.workers.dev/*"

// hostNames are the names of one form that a host gives a site.
type hostNames struct {
	// example is one that no owner's rule names, and paths are those of rules for all of them, a
	// second one for files in which the owner has the first.
	example string
	paths   []string
}

// keepsOthersOut reports whether the file is to have rules for other hosts: if the site's own are
// named, and Cloudflare alone reads the file. If an environment keeps everything out of the index,
// it needs none.
func (s *setting) keepsOthersOut() bool {
	return s.isFirst && len(s.task.Own) > 0 && len(s.task.Everywhere) == 0 && s.cloudflare != nil &&
		!s.isForNetlify
}

// otherHosts are our rules for other hosts: one for each form of name of Cloudflare's, and one for
// each host that is named whole, without those at which a rule of the owner's does it or the site
// is at home. wants are those of all files.
func (s *setting) otherHosts(wants []robotstag.Want) (rules []ourRule) {
	text, detaches := s.textElsewhere(wants)
	for _, h := range slices.Concat(cloudflareHosts, s.versionsOfOwn()) {
		path := s.firstWithoutOwnersBlock(h.paths)
		if path != "" && !s.holdsAtOwn(path) && !s.isKeptOut(h.example, detaches) {
			rules = append(rules, s.makeRule(path, []string{text}, detaches))
		}
	}
	for _, host := range s.task.Others {
		path := "https://" + host + "/*"
		isFree := s.ownersBlocks[path] == nil && !s.isKeptOut(host, detaches)
		if isFree && !s.holdsAtOwn(path) && !isCloudflares(host) {
			rules = append(rules, s.makeRule(path, []string{text}, detaches))
		}
	}
	return rules
}

// versionsOfOwn are the names of versions and previews of a Worker whose own name, w.a.workers.dev,
// is one of the site's own, so that the rule for all Workers is not for it:
// VERSION-w.a.workers.dev.
// https://developers.cloudflare.com/workers/configuration/previews/
func (s *setting) versionsOfOwn() (names []hostNames) {
	for _, own := range s.task.Own {
		if hostMatches(hostOf(workersPath), own) {
			names = append(names, hostNames{"any-" + own, []string{"https://:version-" + own + "/*",
				"https://:preview-" + own + "/*"}})
		}
	}
	return names
}

// isCloudflares reports whether a host has a name of Cloudflare's own.
func isCloudflares(host string) bool {
	for _, h := range cloudflareHosts {
		if hostMatches(hostOf(h.paths[0]), host) {
			return true
		}
	}
	return false
}

// hostOf is the host in the path of a rule that names one.
func hostOf(path string) string {
	host, _, _ := strings.Cut(strings.TrimPrefix(path, "https://"), "/")
	return host
}

// holdsAtOwn reports whether a rule for a path that names a host would hold at one of the site's
// own.
func (s *setting) holdsAtOwn(path string) bool {
	matches := func(own string) bool { return hostMatches(hostOf(path), own) }
	return slices.ContainsFunc(s.task.Own, matches)
}

// isKeptOut reports whether a rule of the owner's that stays behind ours keeps a host out of the
// index. If ours has to take away first what others say (detaches), theirs has to as well.
func (s *setting) isKeptOut(host string, detaches bool) bool {
	first := firstHostLine([]*setting{s}) // of those that stay behind ours; 0 for none
	if first == 0 {
		return false
	}
	keepsOut := func(r Rule) bool {
		isForAllOfHost := r.Path == "https://"+r.Host+"/*" && hostMatches(r.Host, host)
		return r.Line >= first && isForAllOfHost && genericNoindex(robotstag.Join(r.values)) &&
			(r.detaches || !detaches)
	}
	return slices.ContainsFunc(s.cloudflare.file.Rules, keepsOut)
}

// textElsewhere is what our rules for other hosts say, and whether they take away first what others
// say. After the name of a crawler, an added noindex would be that crawler's alone. Then the rules
// say, to everyone, all that is said of any file to anyone.
func (s *setting) textElsewhere(wants []robotstag.Want) (text string, detaches bool) {
	said := make(map[string]bool) // what any rule or want says
	for _, r := range s.cloudflare.file.Rules {
		for _, v := range r.values {
			said[v.Text] = true
		}
	}
	for i := range wants {
		said[strings.Join(wants[i].Values, ", ")] = true
	}
	delete(said, "")
	canAppend := func(value string) bool { return genericNoindex(value + ", " + s.header.Preview) }
	if every(slices.Collect(maps.Keys(said)), canAppend) {
		return s.header.Preview, false
	}
	said[s.header.Preview] = true
	text = robotstag.ForEveryone(maps.Keys(said)).String()
	if badValues(s.spelling, []string{text}) != "" {
		text = ""
	}
	return cmp.Or(text, s.header.Preview), true
}
