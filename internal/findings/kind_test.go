package findings

import (
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"metarobots/internal/tables"
	"metarobots/policy"
)

// bySeverity are the severities, gravest first.
var bySeverity = []policy.Severity{policy.Error, policy.Warning, policy.Note}

var (
	idForm   = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	ruleForm = regexp.MustCompile(`\b[DPALUEFMSICXNH]\d{1,2}[a-z]?\b|\bsection [DPALUEFMSICXNH]\b`)
	codeSpan = regexp.MustCompile("`[^`]+`")
)

func TestHouse_KindsAreWhole(t *testing.T) {
	all := Kinds()
	semantics := tables.Value(os.ReadFile("../../docs/semantics.md"))(t)
	if !slices.IsSortedFunc(all, func(a, b Kind) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("not sorted by id")
	}
	for i, k := range all {
		if i > 0 && all[i-1].ID == k.ID {
			t.Errorf("%s: twice", k.ID)
		}
		if !idForm.MatchString(k.ID) {
			t.Errorf("%q is no id: lower case words with hyphens", k.ID)
		}
		if n := utf8.RuneCountInString(k.Title); n == 0 || n > 60 || strings.ContainsAny(k.Title, "`") ||
			strings.HasSuffix(k.Title, ".") || strings.EqualFold(k.Title, strings.ReplaceAll(k.ID, "-", " ")) &&
			strings.Contains(k.ID, "-") && k.ID != "newly-noindex" {
			t.Errorf("%s: %q is no heading of up to 60 characters", k.ID, k.Title)
		}
		// The gravest first, each once.
		last := -1
		for _, s := range append([]policy.Severity{k.Severity}, k.Also...) {
			at := slices.Index(bySeverity, s)
			if at <= last {
				t.Errorf("%s: severities %s, %v", k.ID, k.Severity, k.Also)
			}
			last = at
		}
		for _, rule := range k.Rules {
			if !strings.Contains(string(semantics), "**"+rule) && !strings.Contains(string(semantics), "## "+rule) {
				t.Errorf("%s: docs/semantics.md has no rule %s", k.ID, rule)
			}
		}
		for name, text := range map[string]string{"What": k.What, "Why": k.Why, "Fix": k.Fix} {
			plain := codeSpan.ReplaceAllString(text, "")
			switch {
			case !strings.HasSuffix(text, ".") || strings.HasSuffix(text, ".."):
				t.Errorf("%s: %s is no sentence: %q", k.ID, name, text)
			case ruleForm.MatchString(plain):
				t.Errorf("%s: %s names a rule by its number, which users do not know: %q", k.ID, name, text)
			case strings.Join(strings.Fields(text), " ") != text:
				t.Errorf("%s: %s has odd white space: %q", k.ID, name, text)
			case strings.ContainsAny(plain, "`*_<>[]|#\\"):
				t.Errorf("%s: %s has a sign of Markdown outside of backquotes: %q", k.ID, name, text)
			}
		}
		if !k.Setup && Outside(k.Fix) == "" {
			t.Errorf("%s: nothing to ask the site's developer for: %q", k.ID, k.Fix)
		}
		if k.Source == "" {
			if len(k.Rules) == 0 {
				t.Errorf("%s: neither a source nor a rule of docs/semantics.md", k.ID)
			}
			continue
		}
		if u, err := url.Parse(k.Source); err != nil || u.Scheme != "https" || !strings.Contains(u.Host, ".") ||
			strings.ContainsAny(k.Source, "() ") {
			t.Errorf("%s: source %q", k.ID, k.Source)
		}
	}
}

func TestHouse_KindsAreFound(t *testing.T) {
	all := Kinds()
	for i := range all {
		id := all[i].ID
		if k, ok := Of(id); !ok || k.ID != id || k.What != all[i].What {
			t.Errorf("Of(%q) = %q, %v", id, k.ID, ok)
		}
		for _, other := range []string{strings.ToUpper(id), id + "-", id[1:]} {
			if k, ok := Of(other); ok || k.ID != "" {
				t.Errorf("Of(%q) = %q", other, k.ID)
			}
		}
	}
	if _, ok := Of(""); ok {
		t.Error("there is a kind without an id")
	}
	all[0].ID = "changed"
	if Kinds()[0].ID == "changed" {
		t.Error("the list of a caller is that of the registry")
	}
}

// What was not done cannot be hidden; what is only worth a look can.
func TestHouse_WhatWasNotDoneIsNotSuppressed(t *testing.T) {
	for _, c := range []struct {
		id       string
		severity policy.Severity
		want     bool
	}{
		{"header-overflow", policy.Error, false},
		{"header-mismatch", policy.Error, false},
		{"netlify-toml", policy.Error, false},
		{"robotstxt-outweighed", policy.Error, false},
		{"header-syntax", policy.Error, false},
		{"header-syntax", policy.Warning, true},
		{"header-syntax", policy.Note, true},
		{"header-budget", policy.Warning, true},
		{"unknown-directive", policy.Warning, true},
		{"suppress", policy.Warning, false},
		{"guard", policy.Error, true}, // the site was written as decided
		{"robotstxt-hides-noindex", policy.Error, true},
		{"two-files", policy.Warning, true},
	} {
		k, ok := Of(c.id)
		if got := k.MaySuppress(c.severity); !ok || got != c.want {
			t.Errorf("%s as %s: may be suppressed is %v, want %v", c.id, c.severity, got, c.want)
		}
	}
	for _, k := range Kinds() {
		for _, s := range k.Also {
			if !k.MaySuppress(s) {
				t.Errorf("%s as %s cannot be suppressed", k.ID, s)
			}
		}
	}
}

// X13j: the advice that a client reads says what to do. Without this, a sentence that names a key
// of the configuration takes the whole advice with it, and what is left has lost what it refers to.
func TestHouse_AClientsTextsKeepTheirFirstSentence(t *testing.T) {
	first := func(text string) string {
		sentence, _, _ := strings.Cut(text, ". ")
		return strings.TrimSuffix(sentence, ".")
	}
	for _, k := range Kinds() {
		if k.Setup {
			continue
		}
		for name, text := range map[string]string{"What": k.What, "Why": k.Why, "Fix": k.Fix} {
			if whole, left := first(text), first(Outside(text)); whole != left {
				t.Errorf("%s: %s begins for a client with %q, not with %q: keep keys of the configuration in sentences "+
					"of their own, after the first", k.ID, name, left, whole)
			}
		}
		if advice := strings.Fields(Outside(k.Fix))[0]; !slices.Contains(orders, advice) {
			t.Errorf("%s: the advice begins with %q, which is no order: %q", k.ID, advice, k.Fix)
		}
	}
}

// orders are the words with which advice begins: what to do, or on what condition.
var orders = strings.Fields("Add Ask Change Choose Combine Correct Decide Do Exclude Fix If In Keep Leave Let List Look Make Move Name Narrow Point " +
	"Protect Publish Put Remove Repeat Save Say Separate Serve Set Shorten State Use Write To")
