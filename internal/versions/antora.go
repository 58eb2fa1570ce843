package versions

import (
	"slices"

	"metarobots/policy"
)

// Playbooks are the names of the file that configures a site of Antora.
// https://docs.antora.org/antora/latest/playbook/
var Playbooks = []string{"antora-playbook.yml", "antora-playbook.yaml", "antora-playbook.json", "antora-playbook.toml"}

// OfAntora returns the groups of a site that Antora makes, one for each component: its versions are
// folders of /component/version/, or, of the component ROOT, of /version/. at is the playbook.
// latest is the folder that the newest version has in place of its own, such as "latest"; empty if
// it keeps its name.
// https://docs.antora.org/antora/latest/how-antora-builds-urls/
// https://docs.antora.org/antora/latest/playbook/urls-latest-version-segment/
func OfAntora(at policy.Origin, files []string, latest string) (groups []Group) {
	for _, parts := range [][]string{{"*", placeholder}, {placeholder}} {
		pattern := Pattern{parts: parts, At: at}
		for _, g := range pattern.Groups(files) {
			isLatest := func(v Version) bool { return v.Name == latest }
			if slices.ContainsFunc(g.Versions, isLatest) {
				g = NewGroup(at, g.Versions, latest)
			}
			groups = append(groups, g)
		}
	}
	return groups
}
