package servers

import (
	"slices"
	"strings"

	"metarobots/emit/marks"
	"metarobots/emit/robotstag"
	"metarobots/internal/address"
)

// variable is the variable of our map for the header, made of the one for X-Robots-Tag.
func (c *compiler) variable(of string) string {
	if c.another() {
		of += "_" + strings.ReplaceAll(strings.ToLower(c.header.Name), "-", "_")
	}
	return of
}

// printMap prints the block of a server that has a map with an entry for each URL. What the user's configuration refers
// to stays when nothing is wanted any more.
func (d *draft) printMap(lines []string) (file []byte, rules int, err error) {
	robots := d.headers[0]
	if robots.everywhere != "" {
		rules++
	}
	if d.writesOthers() {
		rules++
	}
	for _, c := range d.headers {
		rules += c.count()
	}
	if rules == 0 && robots.user.text.Last == 0 {
		lines = nil
	}
	return robots.user.text.With(lines, nil), rules, nil
}

// about reports whether a line is about the header, and no comment. Other names than X-Robots-Tag may be words like any
// other, and are read where a directive has a header's name.
func (u *User) about(l marks.Line) bool {
	text, name := strings.ToLower(l.Trim()), strings.ToLower(u.header)
	if strings.HasPrefix(text, "#") || !strings.Contains(text, name) {
		return false
	}
	is := func(word string) bool { return strings.Trim(word, "+-?>:;\"'`") == name }
	words := strings.Fields(text)
	return u.header == robotstag.Name || is(words[0]) ||
		strings.Contains(words[0], "header") && slices.ContainsFunc(words[1:], is)
}

// readIncluded reads the file that the configuration of nginx or Caddy includes: of the lines about the header the
// directives for all that the host serves, outside of any block. Caddy carries out a header directive without a matcher
// after those with one, as ours are. An add_header of nginx's http block is not inherited by a server that has others,
// as ours are: it is never relied on.
// https://caddyserver.com/docs/caddyfile/directives#sorting-algorithm
// https://nginx.org/en/docs/http/ngx_http_headers_module.html#add_header
func readIncluded(handlings ...*address.Handling) func(file []byte, header string) (*User, error) {
	return func(file []byte, header string) (*User, error) {
		u := &User{header: header, serves: unconfigured(handlings...), text: marks.Read(file)}
		nginx, quotes, open, directive := handlings[0] == address.Nginx, `"'`, 0, "add_header"
		if !nginx {
			// https://caddyserver.com/docs/caddyfile/concepts#tokens-and-quotes
			directive, quotes = "header", "\"`"
		}
		v := view{}
		for _, l := range u.text.Lines {
			text := l.Trim()
			if strings.HasPrefix(text, "}") {
				open--
			}
			if u.about(l) {
				args, ok := words(strings.TrimSuffix(text, ";"), quotes)
				args = slices.DeleteFunc(args, func(arg string) bool { return arg == "*" || nginx && arg == "always" })
				r := userRule{sends: u.value(l.Number, ""), before: text, beside: nginx}
				if !ok || open > 0 || len(args) != 3 || args[0] != directive ||
					!strings.EqualFold(strings.TrimSuffix(args[1], ":"), header) || strings.ContainsAny(args[2], "${}") {
					r.unread, r.beside = true, false
					u.leaveUnread(l.Number, "line", "")
				} else {
					r.sends.Text = args[2]
				}
				v.rules, v.unread = append(v.rules, r), nginx
			}
			if strings.HasSuffix(text, "{") && !strings.HasPrefix(text, "#") {
				open++
			}
		}
		u.views = []view{v}
		return u, nil
	}
}

// words takes a line apart at blanks. What stands in quotes may hold some; a backslash stands there for the quote
// behind it, and everywhere for a backslash; before any other character it is one.
func words(line, quotes string) (all []string, ok bool) {
	for line = strings.TrimLeft(line, " \t"); line != ""; line = strings.TrimLeft(line, " \t") {
		end, i := " \t", 0
		if strings.Contains(quotes, line[:1]) {
			end, line = line[:1], line[1:]
		}
		var b strings.Builder
		for ; i < len(line) && strings.IndexByte(end, line[i]) < 0; i++ {
			if rest := line[i+1:]; line[i] == '\\' && rest == "" {
				return nil, false // the line goes on
			} else if line[i] == '\\' && (rest[0] == '\\' || rest[:1] == end) {
				i++
			}
			b.WriteByte(line[i])
		}
		if i == len(line) && end != " \t" {
			return nil, false // no end of the quoted text
		}
		all, line = append(all, b.String()), line[min(i+1, len(line)):]
	}
	return all, true
}
