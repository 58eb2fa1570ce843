package verify

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"metarobots/internal/seen"
)

// M6m, M6n, M6o: what a flood of sitemaps lists takes memory up to limits, which are asked before
// anything is kept.
func TestHouse_AFloodOfSitemapsIsNotKept(t *testing.T) {
	o, _ := options(t, host{})
	r := newRun(o, nil)
	c := newCollector(r, root{base: o.Base, folder: "/"})
	const more = 1000
	for i := range maxListed + more {
		c.addURL(fmt.Sprintf("%s/%d", origin, i))
		c.addSitemap(fmt.Sprintf("%s/%d.xml", origin, i), "")
	}
	if len(c.targets) != maxListed || len(c.knownURLs) != maxListed || c.excess.urls != more {
		t.Errorf("%d URLs, %d known, %d above the limit", len(c.targets), len(c.knownURLs), c.excess.urls)
	}
	if len(c.queue) != maxSitemaps || len(c.knownSitemaps) != maxSitemaps || c.excess.sitemaps != maxListed+more-maxSitemaps {
		t.Errorf("%d sitemaps, %d known, %d above the limit", len(c.queue), len(c.knownSitemaps), c.excess.sitemaps)
	}
	c = newCollector(r, c.root)
	long := strings.Repeat("x", maxURL-100)
	for i := range maxText/len(long) + more {
		c.addURL(fmt.Sprintf("%s/%d/%s", origin, i, long))
		c.addSitemap("https://other.example/"+fmt.Sprint(i), "")
	}
	if c.textSize > maxText+maxURL || c.excess.urls == 0 || len(c.elsewhere.sitemaps) != maxFaults || c.elsewhere.moreSitemaps == 0 {
		t.Errorf("%d bytes of URLs, %d above the limit, %d sitemaps elsewhere", c.textSize, c.excess.urls, len(c.elsewhere.sitemaps))
	}
	c.addURL(origin + "/" + strings.Repeat("x", maxURL))
	if c.addSitemap(origin+"/"+strings.Repeat("x", maxURL), ""); c.excess.tooLong != 2 || len(c.queue) > 0 {
		t.Errorf("%d long ones", c.excess.tooLong)
	}
}

// M6n: URLs of another site that a sitemap lists before those of this one take nothing from their
// limit.
func TestHouse_ForeignURLsTakeNoRoomFromOwnOnes(t *testing.T) {
	o, _ := options(t, host{})
	c := newCollector(newRun(o, nil), root{base: o.Base, folder: "/"})
	long := strings.Repeat("x", maxURL-100)
	for i := range maxText/len(long) + 10 {
		c.addURL(fmt.Sprintf("https://other.example/%d/%s", i, long))
	}
	if c.elsewhere.textSize > maxText+maxURL || len(c.elsewhere.urls) > maxText/len(long)+1 {
		t.Errorf("%d bytes of %d foreign URLs", c.elsewhere.textSize, len(c.elsewhere.urls))
	}
	c.addURL(origin + "/a")
	if len(c.targets) != 1 || c.excess.urls > 0 {
		t.Errorf("%d targets, %d above the limit", len(c.targets), c.excess.urls)
	}
	c.addURL("https://other.example/b")
	if c.elsewhere.textSize > 0 || c.elsewhere.urls != nil {
		t.Errorf("%d bytes of %d foreign URLs are still kept", c.elsewhere.textSize, len(c.elsewhere.urls))
	}
}

// M6: what is kept of the longest sitemaps comes to no more than half of the memory that the
// program may take, and the collector keeps to that while they are read.
func TestHouse_TheLongestSitemapsTakeHalfOfTheMemory(t *testing.T) {
	o, _ := options(t, host{})
	restore := limitMemory()
	if limit := debug.SetMemoryLimit(-1); limit > maxMemory {
		t.Errorf("a limit of %d MB", limit>>20)
	}
	restore()
	for _, fill := range []string{"x", "%C3%BC"} {
		var was, is runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&was)
		c := newCollector(newRun(o, nil), root{base: o.Base, folder: "/"})
		for i := range maxListed {
			c.addURL(fmt.Sprintf("%s/%d/%s", origin, i, strings.Repeat(fill, maxText/maxListed/len(fill))))
		}
		runtime.GC()
		runtime.ReadMemStats(&is)
		if kept := int64(is.HeapAlloc-was.HeapAlloc) >> 20; kept > maxMemory>>21 || len(c.targets) < maxListed/2 {
			t.Errorf("%s: %d MB for %d URLs", fill, kept, len(c.targets))
		}
		runtime.KeepAlive(c)
	}
}

// M6n: of answers that say too much, verdicts are kept, and what they say up to a limit.
func TestHouse_LongAnswersAreNotKept(t *testing.T) {
	o, _ := options(t, host{})
	r := newRun(o, nil)
	line := "noindex, " + strings.Repeat("x", 1<<20)
	var lists [][]seen.Answer
	for i := range 2 * maxKept >> 20 {
		list := []seen.Answer{{URL: fmt.Sprint(i), Verdict: seen.Stricter, Got: line, Header: []string{line}}}
		r.keepWithinLimit(list)
		lists = append(lists, list)
	}
	whole := slices.IndexFunc(lists, func(list []seen.Answer) bool { return list[0].Got == "noindex" })
	if whole != maxKept>>21 && whole != maxKept>>21-1 || r.cutURLs != len(lists)-whole || r.keptBytes > maxKept {
		t.Errorf("%d are kept, %d cut, %d bytes", whole, r.cutURLs, r.keptBytes)
	}
	if last := lists[len(lists)-1][0]; last.Verdict != seen.Stricter || last.Got != "noindex" || last.Header == nil || len(last.Header) > 0 {
		t.Errorf("%+v", last)
	}
	small := []seen.Answer{{Verdict: seen.Match, Got: "index", Header: []string{"index"}}}
	if r.keepWithinLimit(small); len(small[0].Header) != 1 {
		t.Error("a short answer is cut")
	}
}

// M6n: a page of many robots tags is read up to a limit, with a note.
func TestHouse_ManyTagsAreReadUpToALimit(t *testing.T) {
	body := "<!DOCTYPE html><title>x</title>" + strings.Repeat(`<meta name="robots" content="nosnippet">`, 3*maxMetas)
	o, _ := options(t, host{"/": {header: []string{htmlType}, body: body}})
	r := against(t, snapshotOf(map[string]string{"/": "nosnippet"}), o)
	if c := r.Results[0]; c.Verdict != seen.Match || len(c.Meta) != maxMetas ||
		!slices.Contains(c.Notes, "only the first 1000 robots tags are read") {
		t.Errorf("%s, %d tags, %q", c.Verdict, len(c.Meta), c.Notes)
	}
}
