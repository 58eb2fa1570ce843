package disk

import "time"

// A Stamp tells a file from every other, and from itself once it has changed: what git's index keeps of a file. The
// time of the last change of its inode counts too, which no program can set back; where the system has none, nothing
// has a stamp.
type Stamp struct {
	Device, Inode     uint64
	Links             uint64 // how many names it has
	Size              int64
	Modified, Changed int64 // in nanoseconds
}

// A file's time is that of the last tick of a clock, every ten milliseconds on the slowest systems.
const tick = 10 * time.Millisecond

// Settled reports whether any change after a time gives the file another stamp. One that had just changed may change
// again within the tick. A time of whole ticks is taken for one of a file system that counts in seconds, or that keeps
// no time of its own for changes: FAT, exFAT, SFTP.
func (s Stamp) Settled(at time.Time) bool {
	return s.Changed%int64(tick) != 0 && s.Changed < at.Add(-2*tick).UnixNano()
}

// same reports whether both are of one file with the same bytes, whatever became of its name.
func (s Stamp) same(other Stamp) bool {
	other.Changed = s.Changed
	return s == other
}
