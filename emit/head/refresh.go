package head

// refresh takes in a meta that sends the reader on. The first that says
// something readable counts.
func (s *Scanner) refresh(f *fields) {
	if s.facts.Refresh != nil || !f.content.Given() || !Fold(s.value(&f.equiv), "refresh") {
		return
	}
	if r, ok := ParseRefresh(s.value(&f.content)); ok {
		s.facts.Refresh = &r
	}
}

// A Refresh sends the reader on.
type Refresh struct {
	Delay float64 // in seconds
	URL   string  // "" is the page itself
}

// ParseRefresh reads what a meta refresh says, or an HTTP header of that name. As
// in the standard, a fraction of the delay is read over: "0.5" is at once.
//
// https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
func ParseRefresh(v []byte) (r Refresh, ok bool) {
	i := skipSpace(v, 0)
	digits := i
	for ; i < len(v) && '0' <= v[i] && v[i] <= '9'; i++ {
		r.Delay = 10*r.Delay + float64(v[i]-'0')
	}
	if i == digits && (i == len(v) || v[i] != '.') {
		return Refresh{}, false
	}
	for i < len(v) && ('0' <= v[i] && v[i] <= '9' || v[i] == '.') {
		i++
	}
	if i < len(v) && v[i] != ';' && v[i] != ',' && !space(v[i]) {
		return Refresh{}, false
	}
	i = skipSpace(v, i)
	if i < len(v) && (v[i] == ';' || v[i] == ',') {
		i = skipSpace(v, i+1)
	}
	r.URL = string(target(v[i:]))
	return r, true
}

// target reads the URL of a refresh: with or without "url=", with or without quotes.
func target(v []byte) []byte {
	rest := v
	if len(v) > 0 && toLower(v[0]) == 'u' {
		if len(v) < 3 || !Fold(v[:3], "url") {
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
