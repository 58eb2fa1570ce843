package hugo

import (
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
}

// remember keeps what was listed, for Relist.
func (s *hugoSite) remember(m *pageMap, pages selection) assembled {
	return assembled{s.sites, s.configs, s.source, pages, m}
}

// Relist implements [site.Relister]: nothing is assembled anew, which costs as much as a build but for its templates.
func (s *hugoSite) Relist(o frontmatter.Config) (_ site.Map, err error) {
	defer s.caught(&err, new(string)) // which page it was, Hugo does not tell
	defer func(of assembled) { s.sites, s.configs, s.source = of.sites, of.configs, of.source }(s.remember(nil, allPages))
	m, err := s.again(s.listed, o)
	if err == nil && s.unbuilt.m != nil {
		if m.unbuilt, err = s.again(s.unbuilt, o); err == nil {
			m.findings = append(m.findings, m.unbuilt.findings...)
		}
	}
	return m, err
}

func (s *hugoSite) again(of assembled, o frontmatter.Config) (*pageMap, error) {
	s.sites, s.configs, s.source = of.sites, of.configs, of.source
	m, err := s.list(o, of.pages)
	if err == nil {
		m.made = of.m.made
	}
	return m, err
}
