//go:build released

package state

import "errors"

// decodeOld reads no state that begins with [firstOld]. To read gob would make the program for npm a
// hundredth larger.
func (s *State) decodeOld([]byte) error {
	return errors.New("a program from before the first release wrote it")
}
