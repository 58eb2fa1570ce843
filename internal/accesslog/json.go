package accesslog

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

var (
	errJSON       = errors.New("JSON that cannot be read")
	errNoFields   = errors.New("a JSON object without the fields of a request")
	errNoJSONTime = errors.New("a JSON object whose time is missing or cannot be read")
)

// The names of fields, dots between those of nested objects, as servers and hosts document them (see the package); the
// first that says something counts. Caddy's are those below request, where client_ip is what its trusted_proxies say,
// Vercel's those below proxy, Cloudflare's begin with a capital. nginx' are its variables, Netlify's look like them.
var (
	addressFields = []string{"request.client_ip", "ClientIP", "proxy.clientIp", "request.remote_ip", "remote_addr",
		"request.remote_addr", "client_ip", "remote_ip"}
	agentFields = []string{"request.headers.User-Agent", "ClientRequestUserAgent", "proxy.userAgent", "http_user_agent",
		"user_agent"}
	forwardedFields = []string{"request.headers.X-Forwarded-For", "http_x_forwarded_for", "x_forwarded_for"}
	hostFields      = []string{"request.host", "ClientRequestHost", "proxy.host", "http_host", "host", "server_name",
		"vhost"}
	methodFields  = []string{"request.method", "ClientRequestMethod", "proxy.method", "request_method", "method"}
	requestFields = []string{"request"} // the whole request line
	statusFields  = []string{"EdgeResponseStatus", "proxy.statusCode", "status", "status_code"}
	targetFields  = []string{"request.uri", "ClientRequestURI", "proxy.path", "request_uri", "url", "uri", "path",
		"ClientRequestPath"}
	timeFields = []string{"ts", "EdgeStartTimestamp", "proxy.timestamp", "time_iso8601", "time_local", "msec", "time",
		"@timestamp", "timestamp"}
)

// readJSON reads a line that is an object, or an array of objects, and calls each for every one.
func readJSON(line, addressField string, each func(*Entry, error) error) error {
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	array := line[0] == '['
	if array {
		d.Token() // the bracket
	}
	for d.More() {
		var object map[string]any
		if err := d.Decode(&object); err != nil || !array && d.More() {
			return each(nil, errJSON)
		}
		if err := each(entryOf(object, addressField)); err != nil || !array {
			return err
		}
	}
	if _, err := d.Token(); err != nil || d.More() {
		return each(nil, errJSON)
	}
	return nil
}

// entryOf is what an object says.
func entryOf(object map[string]any, addressField string) (*Entry, error) {
	v := values{}
	v.add("", object)
	e := Entry{
		Address:   v.first(append([]string{addressField}, addressFields...)),
		Host:      v.first(hostFields),
		UserAgent: v.first(agentFields),
	}
	for _, name := range forwardedFields {
		// A header that came in several lines is one list (RFC 9110, section 5.3). The last is the nearest proxy's.
		e.Forwarded = cmp.Or(e.Forwarded, strings.Join(v[name], ", "))
	}
	e.setRequest(v.first(requestFields))
	e.Method, e.Target = cmp.Or(v.first(methodFields), e.Method), cmp.Or(v.first(targetFields), e.Target)
	ok := v.use(statusFields, func(text string) (ok bool) {
		e.Status, ok = parseStatus(text)
		return ok
	})
	there := func(name string) bool { return v[name] != nil }
	if !ok || !slices.ContainsFunc(slices.Concat(targetFields, requestFields), there) { // what spoke no HTTP has none
		return nil, errNoFields
	}
	ok = v.use(timeFields, func(text string) (ok bool) {
		if e.Time, ok = parseTime(text); !ok {
			e.Time, ok = parseEpoch(text)
		}
		return ok
	})
	if !ok || e.Time.Equal(time.Time{}) {
		return nil, errNoJSONTime
	}
	return &e, nil
}

// values are the texts and numbers of an object by the names of the fields that lead to them, joined with dots; of an
// array all of them.
type values map[string][]string

func (v values) add(path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, below := range value {
			if path != "" {
				key = path + "." + key
			}
			v.add(key, below)
		}
	case []any:
		for _, element := range value {
			v.add(path, element)
		}
	case string:
		v[path] = append(v[path], value)
	case json.Number:
		v[path] = append(v[path], value.String())
	}
}

// use tries the values of fields in their order until one is taken. An empty one and a dash say nothing.
func (v values) use(names []string, take func(string) bool) bool {
	for _, name := range names {
		for _, text := range v[name] {
			if text != "" && text != "-" && take(text) {
				return true
			}
		}
	}
	return false
}

// first is the first value of fields.
func (v values) first(names []string) (text string) {
	v.use(names, func(value string) bool {
		text = value
		return true
	})
	return text
}
