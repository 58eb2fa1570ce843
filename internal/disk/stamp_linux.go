package disk

import "syscall"

// StampOf returns the stamp of a regular file.
func StampOf(name string) (s Stamp, ok bool) {
	var st syscall.Stat_t
	if err := syscall.Lstat(name, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return s, false
	}
	return Stamp{uint64(st.Dev), st.Ino, uint64(st.Nlink), st.Size, st.Mtim.Nano(), st.Ctim.Nano()}, true
}
