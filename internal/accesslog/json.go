package accesslog

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
)

var (
	errJSON     = errors.New("JSON that cannot be read")
	errNoFields = errors.New("a JSON object without the fields of a request, as nginx and Caddy name them")
	errJSONTime = errors.New("a JSON object whose time is missing or cannot be read")
)

// readJSON reads a line that is an object of nginx or Caddy. Caddy's request is an object of its own.
func readJSON(line string) (*Entry, error) {
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber() // a time in seconds keeps its fraction
	var object fields
	if err := d.Decode(&object); err != nil || d.More() {
		return nil, errJSON
	}
	var e Entry
	var when string
	if request, ok := object["request"].(map[string]any); ok {
		when = e.readCaddy(request, object)
	} else {
		when = e.readNginx(object)
	}
	var ok bool
	if e.Status, ok = parseStatus(object.first("status")); !ok || e.Target == "" && object["request"] == nil {
		return nil, errNoFields
	}
	if e.Time, ok = parseTime(when); !ok {
		e.Time, ok = parseSeconds(when)
	}
	if !ok {
		return nil, errJSONTime
	}
	return &e, nil
}

// readCaddy reads the request of an access log of Caddy and returns the text of its time. client_ip is what its
// trusted_proxies make of the address. https://caddyserver.com/docs/caddyfile/directives/log
func (e *Entry) readCaddy(request, object fields) (when string) {
	headers, _ := request["headers"].(map[string]any)
	e.Host, e.Address = request.first("host"), request.first("client_ip", "remote_ip")
	e.Method, e.Target = request.first("method"), request.first("uri")
	e.UserAgent = fields(headers).first("User-Agent")
	e.Forwarded = fields(headers).first("X-Forwarded-For")
	return object.first("ts")
}

// readNginx reads an object whose fields have the names of nginx' variables (log_format … escape=json), and returns the
// text of its time. https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format
func (e *Entry) readNginx(object fields) (when string) {
	e.Host = object.first("http_host", "host", "server_name")
	e.Address = object.first("remote_addr")
	e.UserAgent = object.first("http_user_agent")
	e.Forwarded = object.first("http_x_forwarded_for")
	e.setRequest(object.first("request"))
	e.Method = cmp.Or(object.first("request_method"), e.Method)
	e.Target = cmp.Or(object.first("request_uri"), e.Target)
	return object.first("time_iso8601", "time_local", "msec", "time")
}

// fields are those of a JSON object.
type fields map[string]any

// first is the first of these fields that says something: a text or a number; of a list, such as the lines of one
// header, its elements as one list (RFC 9110, section 5.3). An empty text and a dash say nothing.
func (f fields) first(names ...string) string {
	for _, name := range names {
		var text string
		switch value := f[name].(type) {
		case string:
			text = value
		case json.Number:
			text = value.String()
		case []any:
			var lines []string
			for _, line := range value {
				if line, ok := line.(string); ok {
					lines = append(lines, line)
				}
			}
			text = strings.Join(lines, ", ")
		}
		if text != "" && text != "-" {
			return text
		}
	}
	return ""
}

// parseSeconds reads the seconds since 1970, with or without a fraction.
func parseSeconds(text string) (time.Time, bool) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds >= 0 && seconds < 1e11) {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(seconds * 1000)).UTC(), true
}
