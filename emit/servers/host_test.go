package servers

import (
	"slices"
	"strings"

	"metarobots/emit/robotstag"
	"metarobots/policy"
)

var ruleLists = map[string]*ruleList{"vercel": vercel, "firebase": firebase, "amplify": amplify, "azure": azure}

// readHost reads what a target's file says of a header as its host does, ours and the user's.
func readHost(target string, file []byte, header robotstag.Header) (*hostFile, error) {
	return formats[target].read(begun(target, file), header)
}

// verify is [Format.Verify] for X-Robots-Tag, by paths that these tests know by themselves. left
// are the files that go without their values. Paths that two files may take are passed over.
func verify(target string, file []byte, wants []robotstag.Want, o robotstag.Task, left []string) []policy.Finding {
	m, err := readHost(target, file, robotstag.XRobotsTag())
	if err != nil {
		return []policy.Finding{mismatchFinding("", "%v", err)}
	}
	serves := pathsOf(target, file)
	p := &proof{target: target, model: m, header: robotstag.XRobotsTag(), isRobots: true, wants: wants,
		everywhere: o.Everywhere, spared: setOf(left), base: strings.TrimRight(based(target, o).Base, "/")}
	for _, w := range wants {
		if o.Scope == robotstag.ScopeFiles && w.HTML {
			p.spared[w.Path] = true
		}
	}
	p.paths = func(w *robotstag.Want) []string {
		own, maybe := serves.paths(w.Path)
		return slices.Concat(own, maybe)
	}
	p.owners = serves.owners(p.base, wants, func(int, int) bool { return false })
	return slices.Concat(p.faults(nil), p.wrong(), p.wrongHosts(o.Own), p.wrongRedirect(&o))
}
