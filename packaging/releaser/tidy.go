package main

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Parts of the names that packaging/release gives to what it makes.
const (
	platform = `(?:[-_](?:linux|darwin|win32|windows|js))?(?:[-_](?:x64|arm64|amd64|wasm))?`
	number   = `(\d+\.\d+\.\d+(?:[-+~][-+~.0-9A-Za-z]*?)?)`
)

var platformAtEnd, platformAtBegin = regexp.MustCompile(platform + "$"),
	regexp.MustCompile("^" + platform)

// tidy removes from a release's folder what an earlier run made there for another version, on
// whatever platform: whoever installs npm/*.tgz gets all that is there, and npm mixes versions. The
// folder may hold more. So a file is known by its name, and only if this run made a file of the
// same package: see isOtherVersion. version is the one that is made now. madeFile is a file that
// lists what this run made, by its path in the folder, with white space between. Removed files are
// printed to w.
func tidy(w io.Writer, folder, version, madeFile string) error {
	text, err := os.ReadFile(madeFile)
	if err != nil {
		return err
	}
	madeNow := strings.Fields(string(text))
	for _, dir := range []string{"", "npm"} { // nothing is made in other folders of it
		old, err := oldFiles(folder, dir, version, madeNow)
		if err != nil {
			return err
		}
		for _, name := range old {
			if err := os.Remove(filepath.Join(folder, name)); err != nil {
				return err
			}
			fmt.Fprintf(w, "removed %s, which is of another version\n", name)
		}
	}
	return nil
}

// oldFiles are the files of dir, a folder in a release's folder, that are of other versions than
// those that are made now, by their paths in the release's folder. There are none if dir is not
// there.
func oldFiles(folder, dir, version string, madeNow []string) (old []string, err error) {
	entries, err := os.ReadDir(filepath.Join(folder, dir))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		isMadeNow := slices.Contains(madeNow, name)
		isOfOther := func(made string) bool { return isOtherVersion(name, made, version) }
		if entry.Type().IsRegular() && !isMadeNow && slices.ContainsFunc(madeNow, isOfOther) {
			old = append(old, name)
		}
	}
	return old, nil
}

// isOtherVersion reports whether a name is that of a made file in another version, for the same
// platform or another: x-linux-x64-1.2.2.tgz is, of x-1.2.3.tgz. version is the one that is made
// now; a Debian package has a tilde in it.
func isOtherVersion(name, made, version string) bool {
	debian := strings.Replace(version, "-", "~", 1)
	for _, v := range []string{version, debian} {
		before, after, hasVersion := strings.Cut(made, v)
		if !hasVersion {
			continue
		}
		before = strings.TrimRight(before, "-_")
		before, after = platformAtEnd.ReplaceAllString(before, ""),
			platformAtBegin.ReplaceAllString(after, "")
		pattern := "^" + regexp.QuoteMeta(before) + platform + "[-_]" + number + platform +
			regexp.QuoteMeta(after) + "$"
		m := regexp.MustCompile(pattern).FindStringSubmatch(name)
		return m != nil && m[1] != version && m[1] != debian
	}
	return false
}
