package hugo

import (
	"maps"
	"reflect"

	"github.com/gohugoio/hugo/config/allconfig"
	"github.com/gohugoio/hugo/hugolib"

	"metarobots/frontmatter"
	"metarobots/internal/site"
)

// assembled are sites whose pages Hugo has assembled, and what they were made of.
type assembled struct {
	sites   *hugolib.HugoSites
	configs *allconfig.Configs
	source  *sourceFs
	pages   selection // the pages that were listed
	m       *pageMap
	words   frontmatter.Words  // of the keys of their front matter
	options frontmatter.Config // by which it was read
}

// remember keeps what was listed, for Relist.
func (s *hugoSite) remember(m *pageMap, pages selection, o frontmatter.Config) assembled {
	return assembled{s.sites, s.configs, s.source, pages, m, s.words, o}
}

// statesAlike reports whether front matter states the same by other options: these differ in keys
// of the configuration alone, and no page has one of them.
func (a *assembled) statesAlike(o frontmatter.Config) bool {
	was := a.options
	onPages := func(keys map[string]frontmatter.Key) map[string]frontmatter.Key {
		keys = maps.Clone(keys)
		maps.DeleteFunc(keys, func(key string, _ frontmatter.Key) bool { return !a.words.MayHave(key) })
		return keys
	}
	was.Keys, o.Keys = onPages(was.Keys), onPages(o.Keys)
	areEqual := len(was.Keys)+len(o.Keys) == 0 || reflect.DeepEqual(was.Keys, o.Keys)
	was.Keys, o.Keys = nil, nil
	return areEqual && reflect.DeepEqual(was, o)
}

// Relist implements [site.Relister]: nothing is assembled anew, which costs as much as a build but
// for its templates. What was listed stays as it is if no page has a key that is read otherwise
// now.
func (s *hugoSite) Relist(o frontmatter.Config) (_ site.Map, err error) {
	if s.listed.statesAlike(o) && (s.unbuilt.m == nil || s.unbuilt.statesAlike(o)) {
		return s.listed.m, nil
	}
	defer s.panicToError(&err, unknownFile)
	before := s.remember(nil, allPages, o)
	defer func() { s.sites, s.configs, s.source = before.sites, before.configs, before.source }()
	m, err := s.again(s.listed, o)
	if err == nil && s.unbuilt.m != nil {
		if m.unbuilt, err = s.again(s.unbuilt, o); err == nil {
			m.reports.add(m.unbuilt.reports.findings...)
		}
	}
	return m, err
}

func (s *hugoSite) again(of assembled, o frontmatter.Config) (*pageMap, error) {
	s.sites, s.configs, s.source = of.sites, of.configs, of.source
	m, err := s.makePageMap(o, of.pages)
	if err == nil {
		m.published = of.m.published
	}
	return m, err
}
