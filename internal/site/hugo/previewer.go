package hugo

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gohugoio/hugo/hugofs/files"

	"metarobots/internal/site"
)

// DataFolder is the first folder that the site itself mounts as data: what dataDir says, or its module.mounts. One
// inside of data is none: what lies there has another name in templates.
// https://gohugo.io/configuration/module/#mounts
func (s *hugoSite) DataFolder() string {
	for _, m := range s.configs.Modules[0].Mounts() {
		if filepath.ToSlash(filepath.Clean(m.Target)) == files.ComponentFolderData {
			return s.absolute(m.Source)
		}
	}
	return ""
}

// Pager returns <page's folder>/<pagination path>/<n>/index.html or, with ugly URLs, <page>/<path>/<n>.html. Lists
// alone are divided. https://gohugo.io/templates/pagination/
func (s *hugoSite) Pager(f site.File, n int) string {
	conf := s.configs.GetByLang(f.Language)
	if f.Kind == "page" || conf == nil {
		return ""
	}
	folder, base := path.Split(f.Name)
	number, ext := strconv.Itoa(n), path.Ext(base)
	if stem := strings.TrimSuffix(base, ext); stem != "index" && conf.IsUglyURLs(f.Section) {
		return path.Join(folder, stem, conf.Pagination().Path, number+ext)
	}
	return path.Join(folder, conf.Pagination().Path, number, base)
}
