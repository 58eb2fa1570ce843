package headerfile_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/headerfile"
	"metarobots/internal/tables"
	"metarobots/policy"
)

// documented is the last line of a header in a _headers file that is for a path by Netlify's
// documentation: a star stands for anything, behind a slash for what is in the folder, and any
// other character for itself.
// https://docs.netlify.com/manage/routing/headers/
func documented(file, header, path string) (value string) {
	isFor := false
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		name, text, _ := strings.Cut(line, ": ")
		switch {
		case strings.HasPrefix(line, "/"):
			pattern := strings.ReplaceAll(regexp.QuoteMeta(line), `\*`, ".*")
			if folder, ok := strings.CutSuffix(pattern, "/.*"); ok {
				pattern = folder + "(/.*)?"
			}
			isFor = regexp.MustCompile("(?i)^" + pattern + "/?$").MatchString(path)
		case isFor && strings.EqualFold(name, header):
			value = text
		}
	}
	return value
}

// N4, N5: a rule of the owner's that reaches a file only by the reading of Netlify's emulator
// counts, and so does what it hides by that. What is decided is served in both readings.
func TestNetlify_OwnersRulesByBothReadings(t *testing.T) {
	const noindex, deny = "X-Robots-Tag: noindex", "Content-Usage: train-ai=n"
	for _, c := range []struct{ about, owner, name, header, want string }{
		{"what is in the folder", "/v2.1/*|  " + noindex + "|", "v2.1/a.pdf", "", ""},
		{"beside the folder", "/v2.1/*|  " + noindex + "|", "v2.10/a.pdf", "", noindex + ", follow"},
		{"a dot", "/*.js|  " + noindex + "|", "a.js", "", ""},
		{"any character", "/*.js|  " + noindex + "|", "a.mjs", "", noindex + ", follow"},
		{"a looser rule before it", "/*|  " + noindex + "|/v2.1/*|  X-Robots-Tag: nosnippet|", "v2.10/a.pdf", "",
			noindex + ", follow"},
		{"another header in the folder", "/v2.1/*|  " + deny + "|", "v2.1/a.pdf", deny, ""},
		{"another header", "/v2.1/*|  " + deny + "|", "v2.10/a.pdf", deny, deny},
	} {
		w := tables.Value(open(t, "netlify", "out/_headers: "+c.owner))(t)
		d := headerfile.Decided{Name: c.name}
		if name, value, ok := strings.Cut(c.header, ": "); ok {
			d.Others = []headerfile.Line{line(name, value)}
		}
		findings, err := w.compile([]headerfile.Decided{d})
		ours := strings.TrimPrefix(string(w.files.All[0].Change.New), strings.ReplaceAll(c.owner, "|", "\n"))
		added := ""
		for l := range strings.Lines(ours) {
			if strings.Contains(l, ": ") && l[0] != '#' {
				added += strings.TrimSpace(l)
			}
		}
		if err != nil || added != c.want || len(findings) > 0 {
			t.Errorf("%s: %v, %q, findings %q, want %q", c.about, err, added, findings, c.want)
		}
	}
}

// N4i, N5e, N8: whatever rules the owner's _headers and netlify.toml hold, no decision is served by
// an undocumented reading alone: if Netlify read each rule as it documents, every file would be
// served with all that is decided, unless an error names the file.
func TestLaw_NothingRestsOnAnUndocumentedReading(t *testing.T) {
	patterns := []string{"/v2.1/*", "/*.js", "/v2.1/*.js", "/v2.1*", "/*", "/v2.10/*"}
	rules := func(r *rand.Rand, header string) (text, toml string) {
		values := []string{"noindex", "nofollow", "nosnippet", "noindex, nofollow"}
		if header != "X-Robots-Tag" {
			values = []string{"train-ai=n"}
		}
		for range r.IntN(4) {
			pattern, value := pick(r, patterns...), pick(r, values...)
			text += fmt.Sprintf("%s\n  %s: %s\n", pattern, header, value)
			toml += fmt.Sprintf("[[headers]]|for = %q|values.%s = %q|", pattern, header, value)
		}
		return text, toml
	}
	for seed := range 400 {
		r := rand.New(rand.NewPCG(uint64(seed), 39))
		header := pick(r, "X-Robots-Tag", "X-Robots-Tag", "Content-Usage")
		own, _ := rules(r, header)
		asText, toml := "", ""
		if r.IntN(2) == 0 {
			asText, toml = rules(r, header)
		}
		w := tables.Value(open(t, "netlify", "out/_headers: "+strings.ReplaceAll(own, "\n", "|"), "netlify.toml: "+toml))(t)
		var decided []headerfile.Decided
		for _, name := range []string{"v2.1/a.pdf", "v2.1/b.js", "v2.10/a.pdf", "v2.10/b.mjs", "c.js", "d.mjs", "v2.1"} {
			d := headerfile.Decided{Name: name}
			if header != "X-Robots-Tag" {
				d.Others = []headerfile.Line{line(header, "train-ai=n")}
			}
			decided = append(decided, d)
		}
		w.compile(decided)
		file := string(w.files.All[0].Change.New)
		for i := range decided {
			d := &decided[i]
			got := documented(asText, header, "/"+d.Name)
			if got == "" {
				got = documented(file, header, "/"+d.Name)
			}
			isNamed := slices.ContainsFunc(w.found, func(f policy.Finding) bool {
				return f.Severity == policy.Error && f.URL == d.URL
			})
			told := read(w.project.Policy, []string{got})
			said := header == "X-Robots-Tag" && told.Covers(d.Decision) || got == "train-ai=n"
			if !said && !isNamed {
				t.Fatalf("seed %d: %s would be served with %q, where %q is decided\n%s%s", seed, d.Name, got, d.Header,
					asText, file)
			}
		}
	}
}
