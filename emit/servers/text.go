package servers

import (
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
)

// variable is the name of our map's variable for the header, made of robots, the one for
// X-Robots-Tag: "$metarobots_link".
func (c *compiler) variable(robots string) string {
	if !c.isOther() {
		return robots
	}
	return robots + "_" + strings.ReplaceAll(strings.ToLower(c.header.Name), "-", "_")
}

// printBlock returns the file of a web server with these lines as our block, and how many rules
// they are: an entry for each request path, and the lines for everything and for other hosts. The
// block stays when nothing is wanted any more, because the owner's configuration refers to it.
func (d *draft) printBlock(lines []string) (file []byte, rules int, err error) {
	robots := d.headers[0]
	if robots.everywhere != "" {
		rules++
	}
	if d.writesOthers() {
		rules++
	}
	for _, c := range d.headers {
		rules += c.countPaths()
	}
	hadBlock := robots.user.text.Last > 0
	if rules == 0 && !hadBlock {
		lines = nil
	}
	return robots.user.text.With(lines, nil), rules, nil
}

// mentionsHeader reports whether a line is about the header, and no comment. Other names than
// X-Robots-Tag may be words like any other, and are read where a directive has a header's name.
func (u *User) mentionsHeader(l marks.Line) bool {
	text, name := strings.ToLower(l.Trim()), strings.ToLower(u.header)
	if strings.HasPrefix(text, "#") || !strings.Contains(text, name) {
		return false
	}
	is := func(word string) bool { return strings.Trim(word, "+-?>:;\"'`") == name }
	words := strings.Fields(text)
	return u.header == robotstag.Name || is(words[0]) ||
		strings.Contains(words[0], "header") && slices.ContainsFunc(words[1:], is)
}

// setterSyntax is how the directive of a web server that sets a header is written.
type setterSyntax struct {
	directive string          // "add_header"
	quotes    string          // the characters that may be around an argument
	ignored   map[string]bool // arguments that change nothing for a file: "always"
	effect    effect
}

var (
	nginxSetter = setterSyntax{directive: "add_header", quotes: `"'`, effect: adds,
		ignored: map[string]bool{"*": true, "always": true}}
	// https://caddyserver.com/docs/caddyfile/concepts#tokens-and-quotes
	caddySetter = setterSyntax{directive: "header", quotes: "\"`", effect: replaces,
		ignored: map[string]bool{"*": true}}
)

// readIncluded returns the function that reads a file which the configuration of nginx or Caddy
// includes. Of the owner's lines about the header, those count that are directives for all that the
// host serves, outside of any block. Caddy carries out a header directive without a matcher after
// those with one, as ours are. An add_header of nginx's http block is not inherited by a server
// that has others, as ours are: what such a line says is found, and never relied on.
// https://caddyserver.com/docs/caddyfile/directives#sorting-algorithm
// https://nginx.org/en/docs/http/ngx_http_headers_module.html#add_header
func readIncluded(handlings ...*address.Handling) func(file []byte, header string) (*User, error) {
	isNginx := handlings[0] == address.Nginx
	syntax := caddySetter
	if isNginx {
		syntax = nginxSetter
	}
	return func(file []byte, header string) (*User, error) {
		u := &User{header: header, serves: unconfigured(handlings...), text: marks.Read(file)}
		v, openBlocks := view{}, 0
		for _, l := range u.text.Lines {
			text := l.Trim()
			if strings.HasPrefix(text, "}") {
				openBlocks--
			}
			if u.mentionsHeader(l) {
				v.rules = append(v.rules, u.includedRule(l, syntax, openBlocks > 0))
				v.isDoubtful = isNginx
			}
			if strings.HasSuffix(text, "{") && !strings.HasPrefix(text, "#") {
				openBlocks++
			}
		}
		u.views = []view{v}
		return u, nil
	}
}

// includedRule reads a line about the header in a file of nginx's or Caddy's, and reports one that
// cannot be read: in a block it may be for some files alone.
func (u *User) includedRule(l marks.Line, syntax setterSyntax, isInBlock bool) userRule {
	args, isWhole := splitWords(strings.TrimSuffix(l.Trim(), ";"), syntax.quotes)
	args = slices.DeleteFunc(args, func(arg string) bool { return syntax.ignored[arg] })
	rule := userRule{sends: u.valueAt(l.Number, ""), nameIfOverriding: l.Trim()}
	isRead := isWhole && !isInBlock && len(args) == 3 && args[0] == syntax.directive &&
		strings.EqualFold(strings.TrimSuffix(args[1], ":"), u.header) && !strings.ContainsAny(args[2], "${}")
	if !isRead {
		rule.isUnread = true
		u.reportUnread(l.Number, "line", "")
		return rule
	}
	rule.sends.Text, rule.effect = args[2], syntax.effect
	return rule
}

// splitWords takes a line apart at blanks, as servers do. A word may be between quotes, one of
// these characters, and then hold blanks. A backslash escapes a backslash, and in quotes the quote;
// before any other character it means itself. isWhole is false if a quoted word or the line itself
// has no end.
func splitWords(line, quotes string) (all []string, isWhole bool) {
	const blanks = " \t"
	for line = strings.TrimLeft(line, blanks); line != ""; line = strings.TrimLeft(line, blanks) {
		end := blanks
		if strings.Contains(quotes, line[:1]) {
			end, line = line[:1], line[1:]
		}
		word, length, isWhole := wordUpTo(line, end)
		hasEnd := length < len(line)
		if isQuoted := end != blanks; !isWhole || isQuoted && !hasEnd {
			return nil, false
		}
		all, line = append(all, word), line[min(length+1, len(line)):]
	}
	return all, true
}

// wordUpTo returns the word that a line begins with, its escapes replaced, and how many bytes of
// the line it is. One of the characters of end follows it, or the end of the line. isWhole is false
// if the line ends with a backslash: it goes on in the next one.
func wordUpTo(line, end string) (word string, length int, isWhole bool) {
	var b strings.Builder
	i := 0
	for ; i < len(line) && strings.IndexByte(end, line[i]) < 0; i++ {
		if line[i] == '\\' {
			next := line[i+1:]
			if next == "" {
				return "", 0, false
			}
			if next[0] == '\\' || next[:1] == end {
				i++
			}
		}
		b.WriteByte(line[i])
	}
	return b.String(), i, true
}
