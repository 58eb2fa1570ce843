package pages

import (
	"strconv"
	"strings"

	"metarobots/internal/source"
	"metarobots/policy"
)

// tags say which robots tags a generator prints by itself.
type tags struct {
	Redirects, NoIndex string
	Head               []string
}

// everyPage are the robots tags that the configuration asks for on every page, each at its line. A
// switch that a program computes may be on.
func (s *openedSite) everyPage() (all []policy.Statement) {
	key := s.generator.Tags.NoIndex
	switch value := s.config.params[key]; {
	case key == "":
	case value == true, value == source.Computed:
		all = append(all, s.stated("robots", "noindex, nofollow", key))
	}
	for _, key := range s.generator.Tags.Head {
		all = append(all, s.tagsOf(strings.Split(key, "."))...)
	}
	return all
}

// tagsOf are the robots tags of a list in the configuration under keys. A tag is an object with a
// name and a content, alone, under attributes, or behind the name of its element: ["meta", {name:
// "robots", content: "noindex"}].
func (s *openedSite) tagsOf(keys []string) (all []policy.Statement) {
	var value any = s.config.params
	for _, key := range keys {
		of, _ := value.(map[string]any)
		value = of[key]
	}
	list, _ := value.([]any)
	for i, tag := range list {
		if element, isElement := tag.([]any); isElement && len(element) > 1 {
			tag = element[1]
		}
		attributes, _ := tag.(map[string]any)
		if of, hasElement := attributes["attributes"].(map[string]any); hasElement {
			attributes = of
		}
		name, _ := attributes["name"].(string)
		content, _ := attributes["content"].(string)
		if policy.Everyone(name) || policy.LookupCrawler(name) != nil {
			all = append(all, s.stated(name, content, append(keys[:len(keys):len(keys)], strconv.Itoa(i))...))
		}
	}
	return all
}

// stated is what the configuration states under keys for a crawler, or everyone.
func (s *openedSite) stated(crawler, content string, keys ...string) policy.Statement {
	if policy.Everyone(crawler) {
		crawler = ""
	}
	return policy.Statement{Crawler: strings.ToLower(crawler), Directives: policy.Stating(content),
		Origin: policy.Origin{File: s.short(s.config.file), Line: s.config.line(keys...), Key: strings.Join(keys, ".")}}
}
