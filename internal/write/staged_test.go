package write_test

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"metarobots/internal/disk"
	"metarobots/internal/plan"
	"metarobots/internal/project"
	"metarobots/internal/site/pages"
	"metarobots/internal/state"
	"metarobots/internal/tables"
	"metarobots/internal/write"
	"metarobots/policy"
)

// settledSite is a site whose pages are old enough to be staged. Tests of it are parallel, to wait
// for that at the same time.
func settledSite(t *testing.T) folder {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no page is staged here")
	}
	f := folder{t, tables.Folder(t, site())}
	time.Sleep(2100 * time.Millisecond)
	return f
}

// planToWrite plans as apply does.
func (f folder) planToWrite(ctx context.Context, o project.Options) (*plan.Plan, *disk.Stage, error) {
	f.Helper()
	o.WorkDir, o.Getenv = f.dir, func(string) string { return "" }
	p := tables.Value(project.Open(ctx, o, pages.HTML()))(f)
	f.Cleanup(func() { p.Close() })
	stage := &disk.Stage{}
	s, err := plan.NewToWrite(ctx, p, stage)
	return s, stage, err
}

// staged are the temporary files that wait, sorted.
func (f folder) staged() (names []string) {
	f.Helper()
	for name := range tables.Tree(f, f.dir) {
		if strings.HasSuffix(name, ".metarobots.tmp") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// M6s: what waits beside a page is what the page becomes, and until then the page is as it was.
func TestLaw_WhatIsStagedIsWritten(t *testing.T) {
	t.Parallel()
	f := settledSite(t)
	s, stage, err := f.planToWrite(t.Context(), project.Options{})
	tables.Must(t, err)
	waiting := f.staged() // beside a.html and index.html
	if len(waiting) != 2 || f.read("out/a.html") != page {
		t.Fatalf("%q wait, and the page is %q", waiting, f.read("out/a.html"))
	}
	_, after, err := s.NewBytes(s.Page("a.html"))
	if waits := f.read(waiting[0]); err != nil || waits != string(after) {
		t.Errorf("%q waits, want %q (%v)", waits, after, err)
	}
	tables.Must(t, write.Apply(t.Context(), s, stage))
	if got := f.read("out/a.html"); got != string(after) || len(f.staged()) > 0 {
		t.Errorf("%q, beside it %q", got, f.staged())
	}
	if pages, others := f.plan().Differing(); len(pages)+len(others) > 0 {
		t.Errorf("a second run changes %v %v", pages, others)
	}
}

// M6s: a run that ends without writing, for whatever reason, leaves the folder as it was.
func TestLaw_NothingStaysOfAPlanThatIsNotWritten(t *testing.T) {
	t.Parallel()
	f := settledSite(t)
	before := tables.Tree(t, f.dir)
	isAsBefore := func(when string) {
		t.Helper()
		if after := tables.Tree(t, f.dir); !maps.Equal(before, after) {
			t.Errorf("%s, before:\n%v\nafter:\n%v", when, before, after)
		}
	}
	ctx, interrupt := context.WithCancel(t.Context())
	if _, _, err := f.planToWrite(ctx, project.Options{Progress: func(int) { interrupt() }}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("an interrupt: %v", err)
	}
	isAsBefore("after an interrupt")

	s, stage, err := f.planToWrite(t.Context(), project.Options{})
	tables.Must(t, err)
	s.HostFiles.Robots[0].Missing = []policy.Finding{{ID: "ai-mismatch", Severity: policy.Error}}
	if len(f.staged()) == 0 {
		t.Fatal("nothing waits")
	}
	tables.Must(t, write.Apply(t.Context(), s, stage))
	isAsBefore("after a failed proof")
}

// M6c, M6s: a page that somebody writes while its new bytes wait stays as he wrote it. One whose
// time alone changes is written.
func TestLaw_APageThatChangesWhileItWaitsIsNotWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"the same bytes": {page, nil},
		"the same size":  {strings.Replace(page, "nosnippet", "noarchive", 1), state.ErrChanged},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := settledSite(t)
			s, stage, err := f.planToWrite(t.Context(), project.Options{})
			tables.Must(t, err)
			f.put("out/a.html", c.text)
			if err := write.Apply(t.Context(), s, stage); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if got := f.read("out/a.html"); (got == c.text) != (c.want != nil) || len(f.staged()) > 0 {
				t.Errorf("%q, beside it %q", got, f.staged())
			}
		})
	}
}
