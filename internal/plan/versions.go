package plan

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"metarobots/internal/project"
	"metarobots/internal/site"
	"metarobots/internal/source"
	"metarobots/internal/versions"
	"metarobots/policy"
)

// maxVersions is how many bytes of a published list of versions are read.
const maxVersions = 1 << 20

// FindVersions finds the versions of documentations on a site (L10): those that its generator
// tells, those of each versions.json among its files, and those that the owner's patterns find.
// files are the names of its files, sorted: of a site that is not built yet, those that a build is
// to write.
func FindVersions(p *project.Project, files []string) *versions.Set {
	var groups []versions.Group
	var unread []versions.Unread
	if versioner, ok := p.Site.(site.Versioner); ok {
		groups, unread = versioner.Versions()
	}
	listed, unreadLists := listedVersions(p, files)
	groups, unread = slices.Concat(groups, listed), slices.Concat(unread, unreadLists)
	var idle []versions.Pattern
	for _, pattern := range p.Config.Robots.Versions.Match {
		found := pattern.Groups(files)
		if len(found) == 0 {
			idle = append(idle, pattern)
		}
		groups = append(groups, found...)
	}
	ofAntora, err := antoraGroups(p, files)
	if err != nil {
		unread = append(unread, *err)
	}
	groups = append(groups, ofAntora...)
	all := versions.NewSet(files, groups...)
	all.Unread, all.Idle = unread, idle
	return all
}

// listedVersions are the versions in each versions.json among the files of a site, and the lists
// that cannot be read. A file of that name that holds something else is no list.
func listedVersions(p *project.Project, files []string) (groups []versions.Group, unread []versions.Unread) {
	for _, name := range files {
		if path.Base(name) != versions.ListName {
			continue
		}
		folder := strings.TrimSuffix(name, versions.ListName)
		at := policy.Origin{File: p.Published(name)}
		data, err := p.Read(p.Path(name), maxVersions)
		var group *versions.Group
		if data != nil { // else a build has not written the file yet, or err says why it cannot be read
			group, err = versions.ReadList(at, folder, data)
		}
		switch {
		case err != nil:
			unread = append(unread, versions.Unread{At: at, Err: err})
		case group != nil:
			groups = append(groups, *group)
		}
	}
	return groups, unread
}

// antoraGroups are the versions of a site that Antora makes, by the first playbook in the site's
// folders; none without one. The error is about a playbook that cannot be read.
func antoraGroups(p *project.Project, files []string) ([]versions.Group, *versions.Unread) {
	for _, folder := range p.Folders() {
		for _, name := range versions.Playbooks {
			file := filepath.Join(folder, name)
			at := policy.Origin{File: p.Short(file)}
			data, err := p.Read(file, project.MaxConfig)
			if data == nil && err == nil {
				continue
			}
			var playbook any
			if err == nil {
				format := strings.Replace(strings.TrimPrefix(path.Ext(name), "."), "yml", "yaml", 1)
				playbook, _, err = source.Data(format, data)
			}
			if err != nil {
				return nil, &versions.Unread{At: at, Err: err}
			}
			return versions.OfAntora(at, files, latestSegment(playbook)), nil
		}
	}
	return nil, nil
}

// latestSegment is the folder that a playbook gives to the newest version in place of its own; ""
// if it keeps that, as it does by default, and if the folder only redirects to it.
// https://docs.antora.org/antora/latest/playbook/urls-latest-version-segment-strategy/
func latestSegment(playbook any) string {
	root, _ := playbook.(map[string]any)
	urls, _ := root["urls"].(map[string]any)
	segment, _ := urls["latest_version_segment"].(string)
	if urls["latest_version_segment_strategy"] == "redirect:to" {
		return ""
	}
	return segment
}

// A versionedMap is a map of a site that also tells which files belong to old versions. It reads
// pages as the map does that it is made of.
type versionedMap struct {
	of       site.Map
	versions *versions.Set
}

// File is that of [site.Map].
func (m versionedMap) File(name string) site.File {
	f := m.of.File(name)
	m.markOld(&f)
	return f
}

// Expected is that of [site.Map].
func (m versionedMap) Expected() []string { return m.of.Expected() }

// Reads is that of [site.Map].
func (m versionedMap) Reads(file string) bool { return m.of.Reads(file) }

// Findings is that of [site.Map].
func (m versionedMap) Findings() []policy.Finding { return m.of.Findings() }

// ReadPage is that of [site.PageReader].
func (m versionedMap) ReadPage(f *site.File, language string, metadata []site.PageMeta) {
	readPage(m.of, f, language, metadata)
	m.markOld(f)
}

// markOld says of a file of an old version that it is one, for rules and visibility (versions.old).
func (m versionedMap) markOld(f *site.File) {
	if m.versions.IsOld(f.Name) {
		f.Facts.Version = versions.Old
	}
}
