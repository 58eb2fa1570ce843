package report

import (
	"metarobots/internal/result"
	"metarobots/internal/snapshot"
)

// Data is what a report shows: a run, and what else the caller knows, which is optional.
type Data struct {
	// Site names the site: its title, or its base URL.
	Site string `json:"site,omitempty"`
	result.Result
	// Changes are those since a baseline; nil without one.
	Changes *snapshot.Changes `json:"changes,omitempty"`
}
