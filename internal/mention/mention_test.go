package mention

import (
	"slices"
	"testing"
)

// N9g: a file that deploys sites among other things sets a header where a directive that restricts
// is near its name; in other files the name is enough.
func TestHouse_AFileOfManyPurposesSetsAHeader(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       []int
	}{
		{"k8s/ingress.yaml", "a:\n  snippet: |\n    more_set_headers \"X-Robots-Tag: noindex\";\n", []int{3}},
		{"app.yml.tpl.yml", "- name: x-robots-tag\n  value: NoIndex, follow\n", []int{1}},
		{"a.yaml", "- name: X-Robots-Tag\n\n\n  value: noindex\n", nil},
		{"a.yaml", "noindex: true\nheader: X-Robots-Tag\n", nil},
		{"a.yaml", "title: What is X-Robots-Tag?\nbody: all of it, and index\n", nil},
		{"a.yaml", "a: b # X-Robots-Tag: noindex\n", nil},
		{"a.yaml", "tdm-reservation: \"1\"\n", []int{1}},
		{"infra/main.tf", "items {\n header = \"X-Robots-Tag\"\n value = \"none\"\n}\n", []int{2}},
		{"Dockerfile", "RUN echo 'add_header X-Robots-Tag max-snippet:20;'", []int{1}},
		{"docker/Dockerfile.prod", "RUN echo 'add_header X-Robots-Tag noai;'", []int{1}},
		{"nuxt.config.ts", "routeRules: { '/a': { headers: { 'X-Robots-Tag': 'nosnippet' } } }", []int{1}},
		{"server.mjs", "res.setHeader(\n'X-Robots-Tag',\n'unavailable_after: 2030-01-01')", []int{2}},
		{"a.conf", "add_header X-Robots-Tag $robots;", []int{1}},
		{"a.php", "header('X-Robots-Tag: ' . $robots);", []int{1}},
	} {
		r := Lookup(c.file)
		if r == nil {
			t.Errorf("%s: no reader", c.file)
			continue
		}
		var got []int
		for _, l := range r.LinesOf([]byte(c.text), Headers...) {
			got = append(got, l.Number)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s, %q: lines %v, want %v", c.file, c.text, got, c.want)
		}
	}
}
