package robotstxt

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"metarobots/policy"
)

// The lines that a snapshot keeps deny what the file denies, at every path.
func TestLaw_KeptLinesDenyWhatTheFileDenies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := ownerText(t) + "\nUser-agent: GPTBot\nUser-agent: Own # ours\n\nContent-Signal: ai-train=no\nContent-Usage: " +
			strings.TrimSuffix(pattern(t), "$") + " train-ai=n # x\n"
		f := Parse([]byte(text))
		said := ReadKept(f.Kept(), "robots.txt")
		for _, path := range paths[:80] {
			if lost, more := f.Lost(path, said, path), said.Lost(path, f, path); lost+more != "" {
				t.Fatalf("%q, %s: %s is lost\nsaid %q: %s", text, path, lost, f.Kept(), more)
			}
		}
	})
}

// https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/05/: the rule with the longest path counts, and rules for the
// same path together.
func TestDraft_SignalsOfAURL(t *testing.T) {
	f := Parse([]byte("License: https://example.org/l.xml\nUser-agent: *\nContent-Usage: train-ai=n\n" +
		"Content-Usage: /a/ train-ai=y\nContent-Usage: /a/ search=n\nContent-Signal: ai-train=no\nAllow: /\n" +
		"User-agent: GPTBot\nContent-Signal: ai-input=no\nDisallow:\nUser-agent: __usage_ai-training\nDisallow: /a/\n" +
		"User-agent: Other\nContent-Signal: search=no\nAllow: /\n"))
	for url, want := range map[string]string{
		"/": "License: https://example.org/l.xml|Content-Usage: train-ai=n|Content-Signal: ai-train=no|Content-Signal: ai-input=no",
		"/a/b": "License: https://example.org/l.xml|Content-Usage: /a/ train-ai=y|Content-Usage: /a/ search=n|" +
			"Content-Signal: ai-train=no|Content-Signal: ai-input=no|Disallow: /a/",
	} {
		var got []string
		for _, l := range f.Signals(url) {
			got = append(got, l.String())
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%s: %s\nwant %s", url, s, want)
		}
	}
	for text, want := range map[string]bool{"User-agent: *\nDisallow: /\n": false, "User-agent: Googlebot\nDisallow: /\n": false,
		"User-agent: gptbot\n": true, "License: https://example.org/\n": true, "User-agent: *\nContent-Usage: search=y\n": true,
		"Sitemap: https://example.org/\n": false, "": false} {
		if got := Parse([]byte(text)).SpeaksOfAI(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// S6a: the words of others, and the day at which they were those.
func TestHouse_VocabulariesAreDated(t *testing.T) {
	for key, want := range map[string]string{contentUsage: "search train-ai", contentSignal: "ai-input ai-train search use"} {
		v := vocabularies[key]
		if got := strings.Join(slices.Sorted(maps.Keys(v.labels)), " "); got != want {
			t.Errorf("%s has %s, want %s", key, got, want)
		}
		day, source, _ := strings.Cut(v.asOf, ", ")
		if _, err := time.Parse(time.DateOnly, day); err != nil || source == "" {
			t.Errorf("%s: %q is no day with a source", key, v.asOf)
		}
	}
	found := Parse([]byte("User-agent: *\nContent-Usage: genai=n\n")).Check(Place{})
	if len(found) != 1 || !strings.Contains(found[0].Text(), vocabularies[contentUsage].asOf) {
		t.Errorf("a word that is none: %v", found)
	}
}

// I8: a line of the owner's that a block of ours repeats, as S5 asks, is still the owner's word on
// a use.
func TestHouse_ARepeatedDenialIsStillTheOwners(t *testing.T) {
	found, line := 0, "User-agent: *\nContent-Signal: ai-train=no\n\n"
	Parse([]byte(line+line)).EachUse("/", func(line int) bool { return line == 2 },
		func(policy.Use, policy.Preference, Line) { found++ })
	if found != 1 {
		t.Errorf("%d signals of line 2, want 1", found)
	}
}

// What a Content-Usage and a Content-Signal of the wrong form lack: only the first takes a path.
// https://contentsignals.org
func TestDraft_FormsOfSignals(t *testing.T) {
	for line, want := range map[string]string{
		"Content-Usage: train-ai=n":        "",
		"Content-Usage: /blog/ train-ai=n": "",
		"Content-Usage: /blog/":            "a path without a preference after it",
		"Content-Usage: ":                  `"" is not of the form label=n`,
		"Content-Signal: ai-train=no":      "",
		"Content-Signal: ":                 `"" is not of the form label=no`,
		"Content-Signal: /x ai-train=no":   `"/x ai-train=no" is not of the form label=no`,
	} {
		key, value, _ := strings.Cut(line, ": ")
		if got, isBroken := CheckSignal(key, value); got != want || isBroken != (want != "") {
			t.Errorf("%s: %q, broken: %v; want %q", line, got, isBroken, want)
		}
	}
}
