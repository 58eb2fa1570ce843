package headerfile

import (
	"slices"

	"metarobots/emit/robotstag"
)

// Name is the file's as hosts look for it: ".htaccess".
func (h *File) Name() string { return h.kind.File }

// Carries reports whether the host of the file sends a published file with what is decided on it,
// so far as headers have to say it. [Files.Compile] comes first.
func (h *File) Carries(file string) bool {
	name, ok := h.Host.Serves(file)
	_, isGivenUp := slices.BinarySearch(h.Result.GivenUp, name)
	_, isMissed := slices.BinarySearch(h.Result.Missed, name)
	return ok && h.Reach.IsPlanned && !isGivenUp && !isMissed
}

// Restricts reports whether the line may keep anybody from something.
func (l Line) Restricts() bool { return !robotstag.Header{Name: l.Name}.Allows(l.Value) }
