package plan

import (
	"metarobots/internal/state"
	"metarobots/policy"
)

// A File is a file beside the pages that a run may change. It is one of [headerfile.File],
// [RobotsFile], [RedirectsFile], [AIFile] and [SitemapFile].
type File interface {
	// Output is what becomes of its bytes. It is the file's own, not a copy.
	Output() *state.Output
	// Unproven are errors, one for each thing that is decided and that the new bytes do not say.
	// Whoever plans a file reads its new bytes back, as its readers do, to find them (N3, S1i, S7,
	// I7).
	Unproven() []policy.Finding
}

// Files are all files beside the pages, whether they change or not.
func (s *Plan) Files() (all []File) {
	all = appendFiles(all, s.Headers)
	all = appendFiles(all, s.Sitemaps)
	all = appendFiles(all, s.HostFiles.Robots)
	all = appendFiles(all, s.HostFiles.Redirects)
	return appendFiles(all, s.HostFiles.AI)
}

func appendFiles[F File](all []File, more []F) []File {
	for _, f := range more {
		all = append(all, f)
	}
	return all
}

// Unproven are the errors of all files that do not say what is decided.
func Unproven(files []File) (all []policy.Finding) {
	for _, f := range files {
		all = append(all, f.Unproven()...)
	}
	return all
}

func (r *RobotsFile) Output() *state.Output      { return &r.Change }
func (r *RobotsFile) Unproven() []policy.Finding { return r.Missing }

func (a *AIFile) Output() *state.Output      { return &a.Change }
func (a *AIFile) Unproven() []policy.Finding { return a.Missing }

func (s *SitemapFile) Output() *state.Output      { return &s.Change }
func (s *SitemapFile) Unproven() []policy.Finding { return s.Missing }
