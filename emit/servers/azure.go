package servers

import "metarobots/internal/address"

// azure stops at the first route that matches, and a route can forbid: so ours are after the
// user's, and one of theirs in the way is an error. A * is at the end of a route, alone or before
// endings: .png or .{png,jpg}. A route's headers go before the global ones; an empty text removes a
// header. Whether the path is decoded and whether its case counts are left open.
// https://learn.microsoft.com/azure/static-web-apps/configuration#routes
// https://github.com/Azure/static-web-apps-cli src/msha/routes-engine/route-processor.ts
var azure = &ruleList{
	host: "azure", handling: whateverSettings(address.Azure),
	file: listFile{format: "json", path: []string{"routes"}},
	marks: []string{`{ "route": "` + patternBegin + `", "statusCode": 404 }`,
		`{ "route": "` + patternEnd + `", "statusCode": 404 }`},
	keys: []string{"route"},
	text: ruleText{rule: `{ "route": %s, "headers": { %s } }`, header: `"%s": %s`},
	ours: ourPatterns{special: "*", everything: "/*"}, firstCounts: true,
	owners: ownersRules{forms: forms(
		`([^*]*)`, "$1",
		`([^*]*)\*((?:\.[^*(){}[\]/]*|\.\{[^*(){}[\]/]*\})?)`, "$1.*$2")},
	comparisons: []comparison{{takesIndexForFolder: true}, {spell: encoded, takesIndexForFolder: true},
		{ignoresCase: true, takesIndexForFolder: true},
		{spell: encoded, ignoresCase: true, takesIndexForFolder: true}},
	obstacle: "Azure goes no further than the route ROUTE (give it the header)",
	// https://learn.microsoft.com/azure/static-web-apps/configuration#restrictions
	limit: limit{20 * 1024, "Azure", "bytes", func(file []byte, _ int) int { return len(file) }},
}
