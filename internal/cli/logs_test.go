package cli

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"metarobots/internal/tables"
)

// Reading ends soon after an interrupt, and nothing is told of the half that was read.
func TestLogs_Interrupted(t *testing.T) {
	const line = "66.249.66.1 - - [20/Nov/2026:09:00:00 +0000] \"GET /a/ HTTP/1.1\" 200 5 \"-\" \"Googlebot/2.1\"\n"
	dir := tables.Folder(t, map[string]string{"access.log": strings.Repeat(line, 5000),
		"lock.json": `{"version":1,"environment":"production","decisions":{"n":{"robots":"noindex"}},"pages":{"/a/":"n"}}`})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out, errs, code := runWith(ctx, "", "logs", filepath.Join(dir, "access.log"), "--against", filepath.Join(dir, "lock.json"))
	if code != exitBroken || out != "" || !strings.Contains(errs, "interrupted") {
		t.Errorf("%d, %q, %q", code, out, errs)
	}
}
