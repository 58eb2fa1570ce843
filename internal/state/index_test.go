package state

import (
	"bytes"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"metarobots/emit/head"
	"metarobots/internal/disk"
)

// fill sets every field of a value, exported or not, so that none can be forgotten.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(string(rune('a' + *n%26)))
	case reflect.Float64:
		v.SetFloat(float64(*n))
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(uint64(*n))
	default:
		v.SetInt(int64(-*n))
	}
}

// Every fact comes back as it was.
func TestHouse_FactsComeBack(t *testing.T) {
	var facts head.Facts
	n := 0
	fill(reflect.ValueOf(&facts).Elem(), &n)
	for _, want := range []head.Facts{facts, {}} {
		e := NewEntry(disk.Stamp{}, 1, nil, &want)
		if got, _, ok := e.Facts(Versions{}); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if _, _, ok := e.Facts(Versions{Left: left("a", "b")}); ok {
			t.Error("they are told of other bytes")
		}
	}
}

// indexOf saves an index of some pages, whose last change lies that long ago.
func indexOf(t *testing.T, dir string, ago time.Duration, names ...string) *Index {
	t.Helper()
	x, problem := OpenIndex(dir, "p", "facts")
	if problem != nil {
		t.Fatal(problem)
	}
	if x.file == "" {
		t.Skip("the system gives files no stamps")
	}
	entries := map[string]*Entry{}
	for i, name := range names {
		changed := time.Now().Add(-ago).Truncate(time.Millisecond * 10).UnixNano()
		entries[name] = NewEntry(disk.Stamp{Inode: uint64(i), Size: -1, Changed: changed + 1}, uint64(i), nil,
			&head.Facts{Title: name})
	}
	if err := x.Save(func(yield func(string, *Entry) bool) {
		for _, name := range slices.Sorted(maps.Keys(entries)) {
			if !yield(name, entries[name]) {
				return
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	return x
}

// What is remembered of a page is found by its name, and by no other one.
func TestHouse_IndexComesBack(t *testing.T) {
	names := []string{"index.html", "a b/c.html", " ", "-", "\"quoted\".html", "line\nbreak.html", "\xff\xfe.html", "a", "b"}
	for n := range len(names) + 1 {
		dir := t.TempDir()
		indexOf(t, dir, time.Hour, names[:n]...)
		x, problem := OpenIndex(dir, "p", "facts")
		if problem != nil || x.Len() != n {
			t.Fatal(problem, x.Len())
		}
		for i, name := range names {
			e, ok := x.Find(name)
			if ok != (i < n) || ok && (e.Inode != uint64(i) || e.Sum != uint64(i)) {
				t.Errorf("%d pages: %q is %+v, %v", n, name, e, ok)
			}
			if facts, _, _ := e.Facts(Versions{}); ok && facts.Title != name {
				t.Errorf("%q has the facts %+v", name, facts)
			}
		}
	}
}

// A file as young as the index may change and keep its stamp: it is not remembered.
func TestHouse_IndexHoldsNothingYoung(t *testing.T) {
	dir := t.TempDir()
	indexOf(t, dir, 0, "a")
	if x, problem := OpenIndex(dir, "p", "facts"); problem != nil || x.Len() > 0 {
		t.Errorf("%v, %d pages", problem, x.Len())
	}
}

// One bit that fell over, a byte that is missing, or other questions than were asked: the index is as good as none, and
// says so.
func TestHouse_DamagedIndexIsNone(t *testing.T) {
	dir := t.TempDir()
	file := indexOf(t, dir, time.Hour, "a").file
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		one := bytes.Clone(whole)
		one[i] ^= 1
		for _, data := range [][]byte{one, whole[:i]} {
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
			if x, problem := OpenIndex(dir, "p", "facts"); problem == nil || x.Len() > 0 {
				t.Fatalf("%q: %v, %d pages", data, problem, x.Len())
			}
		}
	}
	if err := os.WriteFile(file, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if x, problem := OpenIndex(dir, "p", "facts"); problem != nil || x.Len() != 1 {
		t.Errorf("whole: %v, %d pages", problem, x.Len())
	}
	if x, problem := OpenIndex(dir, "p", "other facts"); problem == nil || x.Len() > 0 {
		t.Errorf("other facts: %v, %d pages", problem, x.Len())
	}
}
