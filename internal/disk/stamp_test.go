package disk

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A change within the tick of a clock leaves no trace in a file's times, and some file systems count in seconds.
func TestHouse_YoungFilesAreNotSettled(t *testing.T) {
	now := time.Unix(1_800_000_000, 123_456_789)
	for ago, want := range map[time.Duration]bool{time.Second + 1: true, 21 * time.Millisecond: true,
		19 * time.Millisecond: false, 0: false, -time.Hour: false} {
		if got := (Stamp{Changed: now.Add(-ago).UnixNano()}).Settled(now); got != want {
			t.Errorf("%v ago: %v", ago, got)
		}
	}
	if (Stamp{Changed: now.Add(-time.Hour).Truncate(time.Second).UnixNano()}).Settled(now) {
		t.Error("a whole second is trusted")
	}
	if (Stamp{}).Settled(now) {
		t.Error("nothing is trusted")
	}
}

// The stamp of a file that was written is that of the file that stands there.
func TestHouse_RewriteReturnsTheStamp(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	if _, ok := StampOf(os.Args[0]); !ok {
		t.Skip("the system gives files no stamps")
	}
	for _, text := range []string{"new", "replaced"} {
		got, err := Rewrite(name, []byte(text), false)
		want, ok := StampOf(name)
		if err != nil || !ok || got != want || got.Size != int64(len(text)) {
			t.Errorf("got %+v, want %+v, %v", got, want, err)
		}
	}
	if _, ok := StampOf(filepath.Dir(name)); ok {
		t.Error("a folder has a stamp")
	}
}
