//go:build !released

package state

import (
	"bytes"
	"encoding/gob"
	"io"
	"unique"
)

// An entry is what is remembered of a file.
type entry struct {
	Name         string
	Left, Stands *Left
}

// decodeOld reads the values of a state that begins with [firstOld].
func (s *State) decodeOld(data []byte) error {
	values := gob.NewDecoder(bytes.NewReader(data))
	if values.Decode(&s.finished) != nil {
		return errDamaged
	}
	for {
		var e entry
		switch err := values.Decode(&e); {
		case err == io.EOF:
			return nil
		case err != nil:
			return errDamaged
		}
		for _, l := range []*Left{e.Left, e.Stands} {
			for i := 0; l != nil && i < len(l.Patch.Texts); i++ { // many files share theirs
				l.Patch.Texts[i] = unique.Make(l.Patch.Texts[i]).Value()
			}
		}
		s.files[e.Name] = Versions{e.Left, e.Stands}
	}
}
