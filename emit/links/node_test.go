//go:build e2e

package links

import (
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"metarobots/emit/head"
	"metarobots/internal/tables"
)

// script answers for each [href, base] with the host and port it leads to, as lead does.
const script = `
const ports = {"http:": "80", "https:": "443"};
let text = "";
process.stdin.on("data", (d) => { text += d; }).on("end", () => {
	console.log(JSON.stringify(JSON.parse(text).map(([href, base]) => {
		try {
			const u = new URL(href, base);
			return ports[u.protocol] ? u.hostname.replace(/\.+$/, "") + ":" + (u.port || ports[u.protocol]) : "-";
		} catch { return "-"; }
	})));
});`

// numeric are hosts that the standard reads as an IPv4 address, whose forms are not normalized
// here, and those whose punycode it checks.
var numeric = regexp.MustCompile(`(?i)^(\[|[0-9.]+:|([^:]*\.)?(0x[0-9a-f]*|[0-9]+)\.?:|.*xn--)`)

// The URL parser of Node is that of a browser.
func TestStandard_SameHostsAsNode(t *testing.T) {
	path, err := exec.LookPath("node")
	if err != nil {
		t.Skip(err)
	}
	pieces := []string{"http", "HTTPS", "https", "ftp", "x", ":", ":", "/", "/", "\\", "//", "out", "own.example", ".",
		"example", "@", "?", "#",
		"8080", ":443", " ", "\t", "\n", "%41", "%2f", "%", "ü", "ß", "。", "\u00AD", "[", "]", "[::1]", "..", "-", "_",
		"a", "<", "^", "~", "'", "\x01", "\x7f"}
	r := rand.New(rand.NewPCG(5, 6))
	var in [][2]string
	bases := []string{own, "http://own.example:8080/"}
	for _, c := range urls(t) {
		for _, b := range bases {
			in = append(in, [2]string{string(head.Decode(nil, []byte(c["href"]))), b})
		}
	}
	for range 200_000 {
		var b strings.Builder
		for range 1 + r.IntN(9) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		in = append(in, [2]string{b.String(), bases[r.IntN(2)]})
	}
	data := tables.Value(json.Marshal(in))(t)
	c := exec.Command(path, "-e", script)
	c.Stdin = strings.NewReader(string(data))
	out := tables.Value(c.Output())(t)
	var want []string
	tables.Must(t, json.Unmarshal(out, &want))
	apart, differ := 0, 0
	for i, c := range in {
		if strings.HasPrefix(want[i], ":") {
			want[i] = "-" // dots alone, the root of all names: there is nothing
		}
		if got := lead(c[1], c[0]); got != want[i] {
			if numeric.MatchString(got) || numeric.MatchString(want[i]) {
				apart++
			} else if differ++; differ < 20 {
				t.Errorf("%q on %q: got %q, Node %q", c[0], c[1], got, want[i])
			}
		}
	}
	t.Logf("%d URLs, %d numeric ones apart", len(in), apart)
}
