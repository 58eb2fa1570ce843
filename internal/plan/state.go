package plan

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"metarobots/emit/links"
	"metarobots/internal/disk"
	"metarobots/policy"
)

// A State remembers, for each page of one publish folder, the robots metas that we wrote and those that had been
// found before the first write (M7). Tags that are equal to what we wrote are ours, and what had been found counts;
// other tags mean that the page was made anew. It is safe for concurrent use.
//
// What a run is about to write is kept beside what the run before it wrote, and saved before the first page changes:
// whichever of the two stands in a page after a crash is known to be ours.
type State struct {
	file  string // empty: nothing is remembered
	found bool   // the file was there

	mu    sync.Mutex
	lists lists
	pages map[string]record
	links map[string][2]*linked // what the last run put into a page's links, or is about to, and what the one before did
	dirty bool
}

// linked is what was put into the links of a page, and the sum of the page's bytes then: other bytes mean that the page
// was made anew.
type linked struct {
	Sum string `json:"sum"`
	links.Record
}

// sumOf is a page's checksum.
func sumOf(page []byte) string {
	sum := sha256.Sum256(page)
	return hex.EncodeToString(sum[:8])
}

// record holds indexes of lists.
type record struct {
	wrote   int32 // by the last run, or about to be written by this one
	earlier int32 // by the run before, while a run goes on; else the same as wrote
	found   int32
}

// lists holds each list of tags once: the pages of a site have few different ones.
type lists struct {
	all   [][]FoundTag
	index map[string]int32
}

// A FoundTag is a robots meta as it stood in a page.
type FoundTag struct {
	policy.Tag
	HasContent bool
	Line       int // 0 for a tag that we wrote
}

func (l *lists) of(tags []FoundTag) int32 {
	if i, ok := l.index[listKey(tags)]; ok {
		return i
	}
	return l.add(tags)
}

// add puts a list behind the others.
func (l *lists) add(tags []FoundTag) int32 {
	if l.index == nil {
		l.index = map[string]int32{}
	}
	i := int32(len(l.all))
	l.index[listKey(tags)] = i
	l.all = append(l.all, tags)
	return i
}

func listKey(tags []FoundTag) string {
	var key bytes.Buffer
	for _, t := range tags {
		fmt.Fprintf(&key, "%q %q %v %d\n", t.Name, t.Content, t.HasContent, t.Line)
	}
	return key.String()
}

// ofTags is of for tags of our own.
func (l *lists) ofTags(tags []policy.Tag) int32 {
	written := make([]FoundTag, len(tags))
	for i, t := range tags {
		written[i] = FoundTag{t, true, 0}
	}
	return l.of(written)
}

// same reports whether list i is exactly these tags.
func (l *lists) same(i int32, tags []policy.Tag) bool {
	list := l.all[i]
	if len(list) != len(tags) {
		return false
	}
	for j, t := range tags {
		if list[j].Tag != t {
			return false
		}
	}
	return true
}

// A state on the disk begins with its version and the length and the sum of what follows. The second line holds lists of
// [name, content, hasContent, line], and what was put into links. A line for each page follows: the indexes of what we
// wrote, of what had been found and, after a run that did not end, of what we wrote before it, else "-"; and the page's
// name, quoted where it would not be one line.
type stateLists struct {
	Lists [][][4]any            `json:"lists"`
	Links map[string][2]*linked `json:"links,omitempty"`
}

// stateFirst is the first line, of the version, the length in bytes and the sum (SHA-256).
const (
	stateVersion = 3
	stateFirst   = "metarobots state %d %d %s\n"
	maxFirst     = 128
)

func newState() *State {
	return &State{pages: map[string]record{}, links: map[string][2]*linked{}}
}

// openState reads the state of a publish folder; there may be none. One that cannot be read, or that is damaged, is as good
// as none: the problem says so.
func openState(folder, publish string) (s *State, problem error) {
	s = newState()
	if folder == "" {
		return s, nil
	}
	sum := sha256.Sum256([]byte(publish))
	s.file = filepath.Join(folder, hex.EncodeToString(sum[:8])+".state")
	f, err := disk.NewRoot(folder).Open(s.file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return s, nil
	case disk.Refused(err): // a link, which is replaced, or what cannot be
		s.found, s.dirty = true, true
		return s, err
	case err != nil:
		return s, err
	}
	defer f.Close()
	s.found = true
	if err = checkState(f); err == nil {
		err = s.decode(bufio.NewReader(f))
	}
	if err != nil {
		s.lists, s.pages, s.links, s.dirty = lists{}, map[string]record{}, map[string][2]*linked{}, true
		return s, fmt.Errorf("%s: %w", s.file, err)
	}
	return s, nil
}

// checkState reads the first line of a state, holds the rest against it, and leaves the file where the rest begins.
func checkState(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	first, err := bufio.NewReader(io.LimitReader(f, maxFirst)).ReadString('\n')
	if err != nil {
		return errors.New("it does not begin as a state does")
	}
	var version int
	var length int64
	var sum string
	if _, err := fmt.Sscanf(first, stateFirst, &version, &length, &sum); err != nil {
		return errors.New("it does not begin as a state of this version does")
	}
	begin := int64(len(first))
	switch {
	case version != stateVersion:
		return fmt.Errorf("version %d is not known", version)
	case info.Size() != begin+length:
		return fmt.Errorf("it is damaged: %d bytes of %d are there", info.Size()-begin, length)
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(f, begin, length)); err != nil {
		return err
	}
	if hex.EncodeToString(hash.Sum(nil)) != sum {
		return errors.New("it is damaged: its bytes are not those that were written")
	}
	_, err = f.Seek(begin, io.SeekStart)
	return err
}

func (s *State) decode(r *bufio.Reader) error {
	first, err := r.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return err
	}
	var file stateLists
	if err := json.Unmarshal(first, &file); err != nil {
		return err
	}
	for _, list := range file.Lists {
		tags := make([]FoundTag, len(list))
		for i, t := range list {
			name, ok1 := t[0].(string)
			content, ok2 := t[1].(string)
			has, ok3 := t[2].(bool)
			line, ok4 := t[3].(float64)
			if !ok1 || !ok2 || !ok3 || !ok4 {
				return fmt.Errorf("%v is no tag", t)
			}
			tags[i] = FoundTag{policy.Tag{Name: name, Content: content}, has, int(line)}
		}
		s.lists.add(tags) // whether or not it is equal to another: pages name lists by their places
	}
	if file.Links != nil {
		s.links = file.Links
	}
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF && line == "" {
			return nil
		} else if err != nil {
			return fmt.Errorf("it ends within a line: %w", err)
		}
		name, page, err := parseRecord(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return err
		}
		if n := len(s.lists.all); int(page.wrote) >= n || int(page.found) >= n || int(page.earlier) >= n {
			return fmt.Errorf("page %q: a list is not there", name)
		}
		s.pages[name] = page
	}
}

// parseRecord reads the line of a page.
func parseRecord(line string) (name string, r record, err error) {
	words := strings.SplitN(line, " ", 4)
	if len(words) != 4 {
		return "", r, fmt.Errorf("%q is no line of a page", line)
	}
	if words[2] == "-" {
		words[2] = words[0]
	}
	for i, to := range []*int32{&r.wrote, &r.found, &r.earlier} {
		n, err := strconv.ParseUint(words[i], 10, 31)
		if err != nil {
			return "", r, fmt.Errorf("%q: %w", line, err)
		}
		*to = int32(n)
	}
	name = words[3]
	if strings.HasPrefix(name, `"`) {
		if name, err = strconv.Unquote(name); err != nil {
			return "", r, fmt.Errorf("%q: %w", line, err)
		}
	}
	return strings.Clone(name), r, nil // not the whole line
}

// writeRecord writes the line of a page.
func writeRecord(w *bufio.Writer, name string, r record) {
	earlier := "-"
	if r.earlier != r.wrote {
		earlier = strconv.Itoa(int(r.earlier))
	}
	if strings.HasPrefix(name, `"`) || strings.ContainsAny(name, "\r\n") {
		name = strconv.Quote(name)
	}
	fmt.Fprintf(w, "%d %d %s %s\n", r.wrote, r.found, earlier, name)
}

// original returns what the generator had written where the tags of a page are ours.
func (s *State) original(name string, tags []policy.Tag) ([]FoundTag, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.pages[name]
	if !ok || !s.lists.same(r.wrote, tags) && !s.lists.same(r.earlier, tags) {
		return nil, false
	}
	return s.lists.all[r.found], true
}

// edited reports whether something of ours is remembered of a page whose tags are neither ours nor those that had been
// found before: not one that its generator made anew.
func (s *State) edited(name string, tags []policy.Tag) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.pages[name]
	return ok && !s.lists.same(r.wrote, tags) && !s.lists.same(r.earlier, tags) && !slices.EqualFunc(tags, s.lists.all[r.found], func(t policy.Tag, f FoundTag) bool {
		return t == f.Tag || !f.HasContent && t.Name == f.Name && t.Content == ""
	})
}

// undo takes out of a page what an earlier run put into its links, and returns that too; nil where it put nothing there.
func (s *State) undo(name string, page []byte) (src []byte, was *linked) {
	s.mu.Lock()
	known := s.links[name]
	s.mu.Unlock()
	for _, l := range known {
		if l == nil || l.Sum != sumOf(page) {
			continue
		}
		if src, ok := l.Undo(page); ok {
			return src, l
		}
	}
	return page, nil
}

// intendLinks keeps what is about to be put into a page's links beside what stands there of ours; nil for nothing.
func (s *State) intendLinks(name string, write, stands *linked) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.links[name]
	if write != nil && stands != nil && write.Sum == stands.Sum {
		stands = nil // the page is what it is to be
	}
	if !ok && write == nil || ok && write != nil && stands == nil && known[1] == nil && known[0] != nil && known[0].Sum == write.Sum {
		return
	}
	s.links[name] = [2]*linked{write, stands}
	s.dirty = true
}

// indexable reports whether the last run left a page without noindex, as far as it is remembered.
func (s *State) indexable(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.pages[name]
	return ok && !slices.ContainsFunc(s.lists.all[r.wrote], func(t FoundTag) bool {
		reading, _ := policy.Parse(t.Content, policy.Found)
		return t.Name == "robots" && reading.Directives.NoIndex()
	})
}

// intend keeps what is about to be written to a page beside stands, what is ours there already; nil for nothing.
func (s *State) intend(name string, write, stands []policy.Tag, found []FoundTag) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := record{wrote: s.lists.ofTags(write), found: s.lists.of(found)}
	r.earlier = r.wrote
	if stands != nil {
		r.earlier = s.lists.ofTags(stands)
	}
	if r != s.pages[name] {
		s.pages[name] = r
		s.dirty = true
	}
}

// forget drops a page that carries nothing of ours.
func (s *State) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.pages[name]; ok {
		delete(s.pages, name)
		s.dirty = true
	}
}

// prune drops pages that are not published any more.
func (s *State) prune(published func(name string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.pages {
		if !published(name) {
			delete(s.pages, name)
			s.dirty = true
		}
	}
	for name := range s.links {
		if !published(name) {
			delete(s.links, name)
			s.dirty = true
		}
	}
}

// done says that everything intended was written.
func (s *State) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, r := range s.pages {
		if s.lists.same(r.wrote, originals(s.lists.all[r.found])) {
			delete(s.pages, name) // the generator's own tags stand there
			s.dirty = true
		} else if r.earlier != r.wrote {
			r.earlier = r.wrote
			s.pages[name] = r
			s.dirty = true
		}
	}
	for name, l := range s.links {
		switch {
		case l[0] == nil:
			delete(s.links, name)
			s.dirty = true
		case l[1] != nil:
			s.links[name] = [2]*linked{l[0]}
			s.dirty = true
		}
	}
}

// save writes the state, if anything changed, atomically. A state that says nothing is not written anew.
func (s *State) save(sync bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == "" || !s.dirty || len(s.pages)+len(s.links) == 0 && !s.found {
		return nil
	}
	header := stateLists{Links: s.links}
	for _, list := range s.lists.all {
		tags := make([][4]any, len(list))
		for i, t := range list {
			tags[i] = [4]any{t.Name, t.Content, t.HasContent, t.Line}
		}
		header.Lists = append(header.Lists, tags)
	}
	first, err := json.Marshal(header)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.file), 0o755); err != nil {
		return err
	}
	disk.Sweep(s.file)
	// The pages of a large site are many: they are gone through twice and never held as text.
	rest := func(w io.Writer) error {
		b := bufio.NewWriter(w)
		b.Write(first)
		b.WriteByte('\n')
		for _, name := range slices.Sorted(maps.Keys(s.pages)) {
			writeRecord(b, name, s.pages[name])
		}
		return b.Flush()
	}
	hash, length := sha256.New(), new(counter)
	if err := rest(io.MultiWriter(hash, length)); err != nil {
		return err
	}
	err = disk.WriteFrom(s.file, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, stateFirst, stateVersion, *length, hex.EncodeToString(hash.Sum(nil))); err != nil {
			return err
		}
		return rest(w)
	}, sync)
	if err != nil {
		return err
	}
	s.dirty, s.found = false, true
	return nil
}

// A counter counts what is written to it, in bytes.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
