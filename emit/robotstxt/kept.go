package robotstxt

import (
	"encoding/json"
	"strconv"
	"strings"

	"metarobots/policy"
)

// A snapshot keeps what robots.txt means, and not its bytes: the lines that crawlers read, without
// comments and sitemaps. Behind each line is a comment with the number of the line in the file, and
// whose line it is:
//
//	Disallow: /docs/ # 4 from themes/x/layouts/robots.txt
//	Disallow: /      # 9 by metarobots.toml:8

// PerHost are the robots.txt of a site's hosts, by the folder of the publish root that each host
// serves: "/", or "/de/" of one host among several. The file of a host without one is nil. If a
// host is not there, nobody knows its robots.txt.
type PerHost map[string]*File

// The words between the number of a kept line and a file's name.
const (
	keptFrom = "from" // the site's generator made the line from that file
	keptBy   = "by"   // the policy in that file states the line, at a line of that

	statedKey = "robots.txt" // of the policy, for a line whose own key is not kept
)

// Kept are the lines of the file as a snapshot keeps them, by [Line.String]; none of no file.
// [ReadKept] makes a file of them that answers each question as this one does, without the block
// that a host puts before it: of that the snapshot keeps the host's name, for [File.Behind].
func (f *File) Kept() []string {
	lines := []string{}
	if f == nil {
		return lines
	}
	for i := range f.Lines {
		l := &f.Lines[i]
		if l.Kind == Blank || l.Kind == Unread || l.Kind == Sitemap || l.isManaged() {
			continue
		}
		text := l.String()
		if l.Number > 0 {
			text += " # " + strconv.Itoa(l.Number)
			switch at := l.Source; {
			case at.From != "":
				text += " " + keptFrom + " " + at.From
			case at.Origin.Key != "":
				text += " " + keptBy + " " + at.Origin.Place()
			}
		}
		lines = append(lines, text)
	}
	return lines
}

// ReadKept reads what [File.Kept] printed of the robots.txt of that name. Lines
// that earlier programs kept have no number: they get one, and no place.
func ReadKept(kept []string, file string) *File {
	lines := make([]Line, 0, len(kept))
	for i, text := range kept {
		text, comment, _ := strings.Cut(text, " # ")
		number, more, _ := strings.Cut(comment, " ")
		l := readLine(i+1, text)
		l.Source.Origin.File = file
		if n, err := strconv.Atoi(number); err == nil && n > 0 {
			l.Number, l.Source.Origin.Line = n, n
		}
		switch word, name, _ := strings.Cut(more, " "); word {
		case keptFrom:
			l.Source.From = name
		case keptBy:
			l.Source.Origin = policy.Origin{Key: statedKey}
			l.Source.Origin.File, l.Source.Origin.Line = readPlace(name)
		}
		lines = append(lines, l)
	}
	return fileOf(lines)
}

// readPlace reads "metarobots.toml:8". Earlier programs kept no line.
func readPlace(place string) (file string, line int) {
	if at := strings.LastIndexByte(place, ':'); at >= 0 {
		if n, err := strconv.Atoi(place[at+1:]); err == nil && n > 0 {
			return place[:at], n
		}
	}
	return place, 0
}

// MarshalJSON writes the kept lines of each host, none of a host without robots.txt.
func (p PerHost) MarshalJSON() ([]byte, error) {
	kept := map[string][]string{}
	for folder, file := range p {
		kept[folder] = file.Kept()
	}
	return json.Marshal(kept)
}

// UnmarshalJSON reads the kept lines of each host.
func (p *PerHost) UnmarshalJSON(data []byte) error {
	var kept map[string][]string
	if err := json.Unmarshal(data, &kept); err != nil {
		return err
	}
	*p = PerHost{}
	for folder, lines := range kept {
		if (*p)[folder] = nil; len(lines) > 0 {
			(*p)[folder] = ReadKept(lines, strings.TrimPrefix(folder, "/")+"robots.txt")
		}
	}
	return nil
}
