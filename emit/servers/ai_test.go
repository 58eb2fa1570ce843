package servers

import (
	"os"
	"slices"
	"strings"
	"testing"

	"metarobots/emit/headers"
	"metarobots/emit/robotstag"
	"metarobots/emit/robotstxt"
	"metarobots/policy"
)

// preferenceOf reads a value of a header with none of the writer's code.
func preferenceOf(header string, values []string, u policy.Use) policy.Preference {
	if len(values) != 1 {
		return policy.Unstated
	}
	label := map[policy.Use]string{policy.UseTraining: "train-ai", policy.UseSearch: "search"}[u]
	for item := range strings.SplitSeq(values[0], ",") {
		switch strings.TrimSpace(item) {
		case label + "=n":
			return policy.Denied
		case label + "=y":
			return policy.Allowed
		}
	}
	switch {
	case header == "tdm-reservation" && u == policy.UseTraining && values[0] == "1":
		return policy.Denied
	case header == "tdm-reservation" && u == policy.UseTraining && values[0] == "0":
		return policy.Allowed
	}
	return policy.Unstated
}

// aiDemands are those for what is stated of a site, and of what lies in closed/, by every carrier
// that is a header.
func aiDemands(site, closed policy.Preferences) (demands []robotstag.Demand, stated map[string]policy.Preferences) {
	ai := robotstxt.Preferences{Carriers: robotstxt.CarrierNames(), License: "https://example.org/license.xml"}
	stated = map[string]policy.Preferences{"index.html": site, "a.pdf": site, "b/c.txt": site,
		"closed/index.html": closed, "closed/d.pdf": closed}
	demands = []robotstag.Demand{{Header: robotstag.XRobotsTag()}, {Header: linkHeader}, {Header: usageHeader},
		{Header: robotstag.Header{Name: "tdm-reservation"}}}
	for i := range demands {
		for _, path := range []string{"a.pdf", "b/c.txt", "closed/d.pdf", "closed/index.html", "index.html"} {
			w := robotstag.Want{Path: path, URL: "/" + path}
			for _, h := range ai.Headers(stated[path]) {
				if h.Name == demands[i].Header.Name {
					w.Values = []string{h.Value}
				}
			}
			demands[i].Wants = append(demands[i].Wants, w)
		}
	}
	return demands, stated
}

// hostSays compiles the file of a target, and returns it with a reader of what its host serves of a
// header for a file: at each of its paths, and by each way in which the host may read the rules.
func hostSays(target string, demands []robotstag.Demand) (res robotstag.Result,
	read func(h robotstag.Header, file string) [][]string, err error) {
	if slices.Contains(targets, target) {
		res, err = compileAll(target, nil, demands, robotstag.Task{})
		return res, func(h robotstag.Header, file string) (all [][]string) {
			m, broken := readHost(target, res.File, h)
			if broken != nil {
				return [][]string{{broken.Error()}}
			}
			certain, _ := pathsOf(target, res.File).paths(file)
			for _, path := range certain {
				for _, r := range m.readings {
					all = append(all, r.answer(path).texts())
				}
			}
			return all
		}, err
	}
	res, err = headers.Compile(nil, demands, robotstag.Task{Target: target})
	return res, func(h robotstag.Header, file string) (all [][]string) {
		dialects, _ := headers.Dialects(target)
		for _, d := range dialects {
			for path := range d.Requests(nil, file, "") {
				all = append(all, []string{robotstag.Join(d.Values(d.Parse(res.File, h.Name), "", path))})
			}
		}
		return all
	}, err
}

// I5a: every combination of preferences, of a site and of a part of it, is read in each host's file
// as it is stated. With PROOFS=all, else each of a site with one of a part.
func TestLaw_HeadersSayOfAIWhatIsStated(t *testing.T) {
	of := func(n int) policy.Preferences {
		return policy.Preferences{policy.Preference(n % 3), policy.Preference(n / 3 % 3), policy.Preference(n / 9 % 3)}
	}
	for _, target := range slices.Concat(targets, []string{headers.TargetNetlify, headers.TargetCloudflare,
		headers.TargetPortable}) {
		for n := range 27 * 27 {
			if (n+n/27)%27 != 0 && os.Getenv("PROOFS") != "all" {
				continue
			}
			demands, stated := aiDemands(of(n%27), policy.Strictest(of(n%27), of(n/27)))
			res, read, err := hostSays(target, demands)
			if err != nil || len(res.Lost) > 0 {
				t.Fatalf("%s: %v, lost %v", target, err, res.Lost)
			}
			for _, d := range demands[1:] {
				for _, w := range d.Wants {
					answers := read(d.Header, w.Path)
					for _, values := range answers {
						checkAI(t, target+" for "+w.Path, d.Header.Name, values, stated[w.Path])
					}
					if len(answers) == 0 {
						t.Errorf("%s: nothing is read for %s", target, w.Path)
					}
				}
			}
			if t.Failed() {
				t.Fatalf("%v\n%s", stated, res.File)
			}
		}
	}
}

// checkAI compares what a header says with what is stated: the same, of the uses that the header
// has words for, and leave to mine content only where no use is denied.
func checkAI(t *testing.T, where, header string, values []string, stated policy.Preferences) {
	t.Helper()
	for _, u := range policy.Uses {
		got, want := preferenceOf(header, values, u), stated[u]
		open := (policy.Preferences{}).AtLeast(stated)
		switch {
		case header == "Link":
			if strings.Join(values, "") != `<https://example.org/license.xml>; rel="license"; type="application/rsl+xml"` {
				t.Errorf("%s: %s", where, values)
			}
			return
		case u == policy.UseInput, header == "tdm-reservation" && (u != policy.UseTraining || want == policy.Allowed && !open):
			want = policy.Unstated
		}
		if got != want {
			t.Errorf("%s: %s of %s: %v, want %v", where, values, u, got, want)
		}
	}
}
