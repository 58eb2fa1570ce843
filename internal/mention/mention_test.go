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
		// Servers' files without an ending, or under another name.
		{"etc/nginx/sites/shop", "server {\n add_header X-Robots-Tag noindex;\n}", []int{2}},
		{"etc/sites-available/shop.example", "add_header X-Robots-Tag noindex;", []int{1}},
		{"docker/default.template", "add_header X-Robots-Tag noindex;", []int{1}},
		{".htaccess_staging", "Header set X-Robots-Tag noindex", []int{1}},
		{".htaccess-staging", "Header set X-Robots-Tag noindex", []int{1}},
		{"caddy/headers.Caddyfile", "header X-Robots-Tag {env.ROBOTS}", []int{1}},
		{"htaccess.txt", "# Header set X-Robots-Tag noindex\nHeader set X-Robots-Tag none", []int{2}},
		{"Web.config", "<add name=\"X-Robots-Tag\" value=\"noindex\" />", []int{1}},
		{"Web.Staging.config", "<add name=\"X-Robots-Tag\" value=\"noindex\" />", []int{1}},
		{"traefik/dynamic.toml", "X-Robots-Tag = \"noindex\"", []int{1}},
		{"infra/template.json", "{\"Header\": \"X-Robots-Tag\",\n\"Value\": \"noindex\"}", []int{1}},
		// N9j: scripts that write it, and not those that look for it.
		{"stage.sh", "cat > .htaccess <<E\nHeader set X-Robots-Tag noindex\nE", []int{2}},
		{"Makefile", "a:\n\tprintf '/*\\n  X-Robots-Tag: noindex' >> _headers", []int{2}},
		{"stage.sh", "grep -q x-robots-tag a || echo 'add_header X-Robots-Tag none;' >> a", []int{1}},
		{"smoke.sh", "curl -sI $1 | grep -i 'x-robots-tag: noindex'\nexpect_header X-Robots-Tag noindex", nil},
		// N9j: what metarobots.nginx.conf asks for.
		{"a.conf", "add_header X-Robots-Tag $metarobots_1;\nadd_header X-Robots-Tag $metarobots_others always;", nil},
		{"a.conf", "add_header X-Robots-Tag $metarobots_1; add_header X-Robots-Tag noindex;", []int{1}},
		{"a.conf", "add_header X-Robots-Tag \"noindex, $metarobots_1\";", []int{1}},
		{"a.conf", "if ($metarobots_1 = \"\") { add_header X-Robots-Tag noindex; }", []int{1}},
		{"a.conf", "add_header X-Robots-Tag noindex; set $a $metarobots_1;", []int{1}},
		{"htaccess.txt", "Header set X-Robots-Tag \"noindex, $metarobots_1\"", []int{1}},
		{"a.sh", "grep -q X-Robots-Tag a || printf '/*\\n  X-Robots-Tag: noindex' > dist/_headers", []int{1}},
		{"a.sh", "curl -X PUT https://a.example/x -d '{\"X-Robots-Tag\": \"noindex\"}'", []int{1}},
		{"a.sh", "curl -sT public ftp://x && echo 'X-Robots-Tag: noindex' > public/_headers", []int{1}},
		{"a.sh", "curl -sI a | grep 'X-Robots-Tag: noindex' > /dev/null 2>&1", nil},
		{"infra/main.tf", "items { value = \"noindex\", header = \"X-Robots-Tag\" }", []int{1}},
		{"infra/main.tf", "items {\n value = \"noindex\"\n header = \"X-Robots-Tag\"\n}", []int{3}},
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

// N9a, N9g: what is about a server, and in a folder of its name, is not read by it.
func TestHouse_NoServerReadsThese(t *testing.T) {
	for _, file := range []string{"docs/nginx/setup.md", "docs/nginx/setup.mdx", "docs/nginx/setup.rst", "static/caddy/a.mp4",
		"docs/apache/index.html", "LICENSE", "content/htaccess/a.txt", "functions/LICENSE"} {
		if r := Lookup(file); r != nil {
			t.Errorf("%s is read by %s", file, r.By)
		}
	}
}
