package hugo

import (
	"fmt"
	"path/filepath"

	"metarobots/policy"
)

// robotsTemplates are the names of the template for robots.txt, the first that is there counts.
// https://gohugo.io/templates/robots/
var robotsTemplates = []string{"robots.txt", "_default/robots.txt"}

// noteRobotsTemplates notes what each robots.txt is rendered from, and reports each one of a static
// folder that Hugo replaces: with enableRobotsTXT it renders one of its own after static files are
// copied, by a template of the site, its theme or a module, without a word (S2n).
func (l *lister) noteRobotsTemplates() {
	names := []string{"robots.txt"}
	for _, host := range l.m.languages.hosts() {
		names = append(names, host+"/robots.txt")
	}
	for _, name := range names {
		file, isRendered := l.m.fixed[name]
		if !isRendered {
			continue
		}
		file.from = l.robotsTemplate()
		l.m.fixed[name] = file
		if static, isStatic := l.m.staticFile(name); isStatic {
			l.m.reports.add(policy.Finding{ID: "robotstxt-replaced", Severity: policy.Warning, File: static,
				Message: fmt.Sprintf("this file is not published: Hugo renders %s from %s, because enableRobotsTXT is true",
					name, file.from),
				Fix: ". Move what it says into that template, or set enableRobotsTXT = false"})
		}
	}
}

// robotsTemplate is the file of the template that Hugo renders robots.txt from.
func (l *lister) robotsTemplate() string {
	for _, name := range robotsTemplates {
		if info, err := l.site.sites.BaseFs.Layouts.Fs.Stat(filepath.FromSlash(name)); err == nil {
			return l.m.authorOf(info)
		}
	}
	return "Hugo's built-in template"
}
