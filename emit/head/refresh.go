package head

// refresh takes in a meta that sends the reader on. The first that says
// something readable counts.
func (p *Page) refresh(f *fields) {
	if p.Refresh || f.content == nil || f.equiv == nil || !fold(p.decode(f.equiv), "refresh") {
		return
	}
	if delay, to, ok := Refresh(p.decode(f.content)); ok {
		p.Refresh, p.RefreshDelay, p.RefreshURL = true, delay, to
	}
}

// Refresh reads what a meta refresh says, or an HTTP header of that name: after
// how many seconds the reader is sent on, and to which URL ("" is the page
// itself). As in the standard, a fraction of the delay is read over: "0.5" is at
// once.
//
// https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
func Refresh(v []byte) (delay float64, to string, ok bool) {
	i := skipSpace(v, 0)
	digits := i
	for ; i < len(v) && '0' <= v[i] && v[i] <= '9'; i++ {
		delay = 10*delay + float64(v[i]-'0')
	}
	if i == digits && (i == len(v) || v[i] != '.') {
		return 0, "", false
	}
	for i < len(v) && ('0' <= v[i] && v[i] <= '9' || v[i] == '.') {
		i++
	}
	if i < len(v) && v[i] != ';' && v[i] != ',' && !space(v[i]) {
		return 0, "", false
	}
	i = skipSpace(v, i)
	if i < len(v) && (v[i] == ';' || v[i] == ',') {
		i = skipSpace(v, i+1)
	}
	return delay, string(target(v[i:])), true
}

// target reads the URL of a refresh: with or without "url=", with or without quotes.
func target(v []byte) []byte {
	rest := v
	if len(v) > 0 && toLower(v[0]) == 'u' {
		if len(v) < 3 || !fold(v[:3], "url") {
			return v
		}
		i := skipSpace(v, 3)
		if i == len(v) || v[i] != '=' {
			return v
		}
		rest = v[skipSpace(v, i+1):]
	}
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return rest
	}
	q := rest[0]
	for i, c := range rest[1:] {
		if c == q {
			return rest[1 : 1+i]
		}
	}
	return rest[1:]
}
