package project

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"metarobots/emit/robotstxt"
	"metarobots/internal/printable"
	"metarobots/policy"
)

// readCrawlerLists reads the owner's lists of crawlers into the policy of robots.txt (S9). The
// error names each list that cannot be read, at the line that names it.
func (p *Project) readCrawlerLists() error {
	var errs []error
	txt := &p.Config.Robots.Txt
	known := map[string]bool{} // names with purposes that an earlier list has
	for _, file := range txt.Lists {
		list, err := p.readCrawlerList(file.Text)
		if err != nil {
			at := file.Source.Origin
			errs = append(errs, &policy.Finding{File: at.File, Line: at.Line,
				Message: fmt.Sprintf("robots.crawlerLists: %s: %s", file.Text, Reason(err))})
			continue
		}
		for _, c := range list.Crawlers {
			if one := strings.ToLower(c.Token) + " " + string(c.Purpose); !known[one] {
				known[one], txt.Policy.Listed = true, append(txt.Policy.Listed, c)
			}
		}
		p.reportCrawlerList(file, list)
	}
	return errors.Join(errs...)
}

// errNoList is the error of a list that is not there.
var errNoList = errors.New("there is no such file in the site's folder")

func (p *Project) readCrawlerList(file string) (list policy.CrawlerList, err error) {
	text, err := p.Read(Absolute(p.Source, file), MaxConfig)
	if err == nil && text == nil {
		err = errNoList
	}
	if err != nil {
		return list, err
	}
	return policy.ReadCrawlerList(text)
}

// maxNamed is how many crawlers of a list one message names.
const maxNamed = 10

// reportCrawlerList reports what of a list does not do what its owner may expect.
func (p *Project) reportCrawlerList(file robotstxt.Value, list policy.CrawlerList) {
	at := file.Source.Origin
	if len(list.Engines) > 0 {
		p.Findings = append(p.Findings, at.Finding("crawler-list", policy.Warning, "%s: these are search engines' crawlers, "+
			"which a list does not block (a group in [robots.txt] does): %s", file.Text,
			printable.JoinFirst(list.Engines, maxNamed)))
	}
	if len(list.Unusable) > 0 {
		p.Findings = append(p.Findings, at.Finding("crawler-list", policy.Warning,
			"%s: no group of robots.txt can have these names: %s", file.Text,
			printable.JoinFirst(quoted(list.Unusable), maxNamed)))
	}
	if len(list.Unclear) > 0 {
		p.Findings = append(p.Findings, at.Finding("crawler-list", policy.Note, "%s: it does not say what these crawlers "+
			"are for, so they count as crawlers for training: %s", file.Text, printable.JoinFirst(list.Unclear, maxNamed)))
	}
	if day, isOutdated := policy.ListOutdated(file.Text, p.now); isOutdated {
		p.Findings = append(p.Findings, at.Finding("crawler-list", policy.Note,
			"%s: the list is of %s: newer crawlers are not in it", file.Text, day))
	}
}

// quoted shows names that may hold anything, or nothing.
func quoted(names []string) (all []string) {
	for _, name := range names {
		all = append(all, strconv.Quote(name))
	}
	return all
}
