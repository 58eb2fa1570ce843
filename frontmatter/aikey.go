package frontmatter

import (
	"slices"
	"strings"

	"metarobots/policy"
)

// Which keys seem to deny content to AI, beside the key ai (F3e).
//
// An author writes noai: true or ai_training: false, which says nothing to anybody. A key counts if
// each of its words is about AI, about what AI does with content, or denies or permits that, and no
// other key does: an assistant on the page, or a note that a model wrote the text, has names of AI
// too.
//
//	denies                                 does not                    why
//	noai: true, no-ai: yes, noAI: on       ai_generated: true          another word
//	block_ai_crawlers: true                no_ai_content: true         who wrote it, perhaps
//	ai_training: false, aiTraining: deny   disable_ai: true            an assistant
//	allow_ai: false                        enable_ai: false            an assistant
//	exclude_from_llm_training: true        ai_training: true           it allows

// The words that such a key consists of.
var (
	models   = []string{"ai", "genai", "llm", "llms"}
	learning = []string{"training", "train", "trained", "mining", "dataset", "datasets"}
	fetching = []string{"crawling", "crawl", "crawler", "crawlers", "bot", "bots", "scraping", "scrape", "scraper",
		"scrapers"}
	joining = []string{"for", "from", "by", "in", "to", "on", "out", "of", "use", "usage"}
	// plainDenials and plainPermits are those of denials and permits that a key without a use may
	// have.
	plainDenials = []string{"no", "not", "dont", "block", "disallow", "deny", "forbid", "exclude", "prevent", "opt",
		"stop", "ban"}
	plainPermits = []string{"allow", "allowed", "permit"}
)

// deniesAI returns what a key with its value is most likely meant to deny to AI: should is how the
// author should write it, denied is how it counts. Both are empty if it denies nothing. written is
// the key as it is spelled.
func deniesAI(written string, value any) (should string, denied policy.Preferences) {
	saysYes, isAnswer := permission(value) // true, "allow"; or false, "deny" and their like
	words := wordsAboutAI(written)
	if !isAnswer || words == nil || !denyWords(words, saysYes) {
		return "", denied
	}
	if haveOneOf(words, learning) {
		denied[policy.UseTraining] = policy.Denied
		return "ai: {training: deny}", denied
	}
	for _, u := range policy.Uses {
		denied[u] = policy.Denied
	}
	return "ai: false", denied
}

// wordsAboutAI are the words of a key that is about AI and nothing else: no, ai, training for
// no-ai-training. It is nil for any other key.
func wordsAboutAI(written string) (words []string) {
	for _, word := range splitKey(written) {
		parts, isKnown := wordsWithin(word)
		if !isKnown {
			return nil
		}
		words = append(words, parts...)
	}
	if !haveOneOf(words, models) {
		return nil
	}
	return words
}

// denyWords reports whether the words of a key about AI deny something with a value that says yes
// or no. A key that names AI alone (llm: false) does not: it may switch off an assistant.
func denyWords(words []string, saysYes bool) bool {
	isOfUse := haveOneOf(words, learning) || haveOneOf(words, fetching)
	isOptIn := slices.Contains(words, "opt") && slices.Contains(words, "in") && !slices.Contains(words, "out")
	switch {
	case isOptIn: // ai_opt_in: false
		return !saysYes
	case haveOneOf(words, plainDenials), isOfUse && haveOneOf(words, denials): // noai: true
		return saysYes
	case haveOneOf(words, plainPermits), isOfUse: // allow_ai: false, ai_training: deny
		return !saysYes
	}
	return false
}

// wordsWithin parts a word, in lower case, into those above: aitraining into ai and training. known
// is false if it is another one.
func wordsWithin(word string) (parts []string, known bool) {
	for _, list := range [][]string{models, learning, fetching, joining, denials, permits} {
		if slices.Contains(list, word) {
			return []string{word}, true
		}
	}
	for _, list := range [][]string{models, learning, plainDenials, plainPermits} {
		for _, first := range list {
			rest, ok := strings.CutPrefix(word, first)
			if !ok || rest == "" {
				continue
			}
			if parts, known := wordsWithin(rest); known {
				return append([]string{first}, parts...), true
			}
		}
	}
	return nil, false
}

// permission reads a truth value, or a word that denies or allows. ok is false for any other value.
func permission(value any) (isAllowed, ok bool) {
	if isTrue, ok := Truth(value); ok {
		return isTrue, true
	}
	text, _ := value.(string)
	text = strings.ToLower(strings.TrimSpace(text))
	return text == "allow", text == "allow" || text == "none" || isDenial(text)
}

// isDenial reports whether a word, in lower case, can only deny: "deny", or what is written in its
// place.
func isDenial(word string) bool {
	return slices.Contains([]string{"deny", "denied", "disallow", "disallowed", "block", "blocked", "forbid", "forbidden",
		"never", "prohibited", "noai", "opt-out", "optout"}, word)
}
