package plan

import (
	"metarobots/internal/snapshot"
)

// Snapshot returns what is decided for every URL, and at which hosts.
func (p *Plan) Snapshot() *snapshot.Snapshot {
	summary := p.Summary()
	return snapshot.New(&summary, p.ResultPages())
}
