package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

const noindexLock = `{"version":1,"environment":"production","policy":"","decisions":{"noindex-1":{"robots":"noindex"}},"pages":{"/a/":"noindex-1"}}`

// logsRun runs logs in a folder with a snapshot and a log of n lines.
func logsRun(t *testing.T, ctx context.Context, n int, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	lock, log := filepath.Join(dir, "lock.json"), filepath.Join(dir, "access.log")
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "66.249.66.1 - - [20/Nov/2026:09:%02d:%02d +0000] \"GET /a/ HTTP/1.1\" 200 5 \"-\" "+
			"\"Googlebot/2.1\"\n", i/60%60, i%60)
	}
	writeFile(t, lock, noindexLock)
	writeFile(t, log, b.String())
	stdout, stderr, code = runWith(ctx, "", append([]string{"logs", log, "--against", lock}, args...)...)
	return code, stdout, stderr
}

// The names in the JSON are an interface.
func TestLogs_JSON(t *testing.T) {
	code, out, _ := logsRun(t, context.Background(), 2, "--json", "--crawler", "GoogleBot")
	var result map[string]any
	if err := json.Unmarshal([]byte(out), &result); err != nil || code != exitDone {
		t.Fatal(code, err)
	}
	row := result["results"].([]any)[0].(map[string]any)
	for name, want := range map[string]any{"url": "/a/", "decision": "noindex", "noindex": true, "crawler": "googlebot",
		"fetches": 2.0, "status": 200.0, "read": true, "verdict": "read",
		"last": "2026-11-20T09:00:01Z", "readAt": "2026-11-20T09:00:01Z"} {
		if row[name] != want {
			t.Errorf("%s: %v, want %v", name, row[name], want)
		}
	}
	for _, name := range []string{"crawlers", "summary", "decisions", "robots", "files"} {
		if _, ok := result[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
}

// Of one kind, such as what has not been read, ten rows are printed; all with --verbose.
func TestLogs_FitOnAScreen(t *testing.T) {
	pages := ""
	for i := range 15 {
		pages += fmt.Sprintf(`,"/b%d/":"noindex-1"`, i)
	}
	lock := filepath.Join(t.TempDir(), "lock.json")
	writeFile(t, lock, strings.Replace(noindexLock, `"/a/":"noindex-1"`, `"/a/":"noindex-1"`+pages, 1))
	args := []string{"--crawler", "googlebot", "--against", lock}
	_, out, _ := logsRun(t, context.Background(), 1, args...)
	if strings.Count(out, "not yet") != most || !strings.Contains(out, "\n… and 5 more (-v)\n") {
		t.Errorf("%s", out)
	}
	if _, out, _ := logsRun(t, context.Background(), 1, append(args, "-v")...); strings.Count(out, "not yet") != 15 {
		t.Errorf("%s", out)
	}
}

// Reading ends soon after an interrupt, and nothing is told of the half that was read.
func TestLogs_Interrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code, out, errs := logsRun(t, ctx, 5000)
	if code != exitBroken || out != "" || !strings.Contains(errs, "interrupted") {
		t.Errorf("%d, %q, %q", code, out, errs)
	}
}
