package initpolicy

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"metarobots/internal/disk"
)

// maxIgnore is how much is read of a .gitignore, in bytes.
const maxIgnore = 1 << 20

// Ignore has Git ignore the folder with the record of earlier runs, if that is in the site's folder and the site in a
// checkout. It returns the line that it has added to .gitignore; empty for none.
func Ignore(source, record string) (line string, err error) {
	rel, err := filepath.Rel(source, record)
	if err != nil || !filepath.IsLocal(rel) || disk.Repository(source) == "" {
		return "", nil
	}
	line = filepath.Base(rel) + "/"
	file := filepath.Join(source, ".gitignore")
	text, err := disk.ReadFile(file, maxIgnore)
	if err != nil && !os.IsNotExist(err) {
		return "", err
	}
	for old := range strings.Lines(string(text)) {
		if strings.Trim(strings.TrimSpace(old), "/") == filepath.Base(rel) {
			return "", nil
		}
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	return line, disk.Write(file, append(text, line+"\n"...), false)
}
