package robotstxt

import (
	"slices"
	"strings"
)

// Purpose says what a crawler of an AI vendor fetches pages for.
type Purpose string

// The purposes, as they stand in a configuration's block list.
const (
	// AITraining fetches, or stands for the use of what is fetched, to train models.
	AITraining Purpose = "ai-training"
	// AISearch fetches for an index from which answers cite.
	AISearch Purpose = "ai-search"
	// AIUser fetches at the moment somebody asks.
	AIUser Purpose = "ai-user"
)

// Purposes are all of them.
var Purposes = []Purpose{AITraining, AISearch, AIUser}

// AICrawler is a name that a vendor of AI reads in robots.txt.
type AICrawler struct {
	// Token is the product token in the vendor's spelling.
	Token string
	// Operator is the vendor.
	Operator string
	// Purpose is what the vendor says it is for.
	Purpose Purpose
	// MayIgnore: the source says that robots.txt may not be obeyed.
	MayIgnore bool
	// Source is the vendor's page, or, with ThirdParty, another's list.
	Source string
	// ThirdParty: the vendor itself documents nothing.
	ThirdParty bool
}

// AICrawlersAsOf is the day on which the list was last compared with its sources.
const AICrawlersAsOf = "2026-11-20"

const (
	openAI     = "https://developers.openai.com/api/docs/bots"
	anthropic  = "https://support.claude.com/en/articles/8896518"
	mistral    = "https://docs.mistral.ai/en/robots"
	amazon     = "https://developer.amazon.com/amazonbot"
	meta       = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers/"
	perplexity = "https://docs.perplexity.ai/docs/resources/perplexity-crawlers"
	diffbot    = "https://docs.diffbot.com/docs/does-crawl-respect-robotstxt"
	thirdParty = "https://github.com/ai-robots-txt/ai.robots.txt/blob/main/table-of-bot-metrics.md"
)

// aiCrawlers is the closed list, by token. Not in it: names that are no product tokens (AI2Bot: crawlers read them up
// to the digit), and crawlers of search engines that feed answers too (Googlebot, Bingbot, Applebot): to block those
// is to leave the search.
var aiCrawlers = []AICrawler{
	{Token: "Amazonbot", Operator: "Amazon", Purpose: AITraining, Source: amazon},
	{Token: "Amzn-SearchBot", Operator: "Amazon", Purpose: AISearch, Source: amazon},
	{Token: "Amzn-User", Operator: "Amazon", Purpose: AIUser, Source: amazon},
	{Token: "Applebot-Extended", Operator: "Apple", Purpose: AITraining, Source: "https://support.apple.com/119829"},
	{Token: "Bytespider", Operator: "ByteDance", Purpose: AITraining, MayIgnore: true, Source: thirdParty, ThirdParty: true},
	{Token: "CCBot", Operator: "Common Crawl", Purpose: AITraining, Source: "https://commoncrawl.org/ccbot"},
	{Token: "ChatGPT-User", Operator: "OpenAI", Purpose: AIUser, MayIgnore: true, Source: openAI},
	{Token: "Claude-SearchBot", Operator: "Anthropic", Purpose: AISearch, Source: anthropic},
	{Token: "Claude-User", Operator: "Anthropic", Purpose: AIUser, Source: anthropic},
	{Token: "ClaudeBot", Operator: "Anthropic", Purpose: AITraining, Source: anthropic},
	{Token: "cohere-training-data-crawler", Operator: "Cohere", Purpose: AITraining, Source: thirdParty, ThirdParty: true},
	{Token: "DeepSeekBot", Operator: "DeepSeek", Purpose: AITraining, MayIgnore: true, Source: thirdParty, ThirdParty: true},
	{Token: "Diffbot", Operator: "Diffbot", Purpose: AISearch, Source: diffbot},
	{Token: "Diffbot-User", Operator: "Diffbot", Purpose: AIUser, Source: diffbot},
	{Token: "DuckAssistBot", Operator: "DuckDuckGo", Purpose: AIUser, Source: "https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot"},
	{Token: "Google-Extended", Operator: "Google", Purpose: AITraining, Source: googleCommon + "#google-extended"},
	{Token: "GPTBot", Operator: "OpenAI", Purpose: AITraining, Source: openAI},
	{Token: "meta-externalagent", Operator: "Meta", Purpose: AITraining, Source: meta},
	{Token: "meta-externalfetcher", Operator: "Meta", Purpose: AIUser, MayIgnore: true, Source: meta},
	{Token: "meta-webindexer", Operator: "Meta", Purpose: AISearch, Source: meta},
	{Token: "MistralAI-Index", Operator: "Mistral AI", Purpose: AISearch, Source: mistral},
	{Token: "MistralAI-Training", Operator: "Mistral AI", Purpose: AITraining, Source: mistral},
	{Token: "MistralAI-User", Operator: "Mistral AI", Purpose: AIUser, Source: mistral},
	{Token: "OAI-SearchBot", Operator: "OpenAI", Purpose: AISearch, Source: openAI},
	{Token: "Perplexity-User", Operator: "Perplexity", Purpose: AIUser, MayIgnore: true, Source: perplexity},
	{Token: "PerplexityBot", Operator: "Perplexity", Purpose: AISearch, Source: perplexity},
}

// AICrawlers returns the crawlers with one of the purposes, by token; with none given, all.
func AICrawlers(purposes ...Purpose) []AICrawler {
	var list []AICrawler
	for _, c := range aiCrawlers {
		if len(purposes) == 0 || slices.Contains(purposes, c.Purpose) {
			list = append(list, c)
		}
	}
	return list
}

// LookupAICrawler returns the crawler with that token, compared without regard to case.
func LookupAICrawler(token string) (AICrawler, bool) {
	i := slices.IndexFunc(aiCrawlers, func(c AICrawler) bool { return strings.EqualFold(c.Token, token) })
	if i < 0 {
		return AICrawler{}, false
	}
	return aiCrawlers[i], true
}
