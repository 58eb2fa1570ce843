package accesslog

import (
	"bytes"
	"strings"
	"testing"
)

// BenchmarkRead tells MB/s, lines/s and allocations for 10,000 lines.
func BenchmarkRead(b *testing.B) {
	for name, line := range map[string]string{
		"combined": `66.249.66.1 - - [10/Oct/2026:13:55:36 -0700] "GET /posts/2026/spring-fair/?utm=1 HTTP/1.1" 200 23264 "-" "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"`,
		"escaped":  `66.249.66.1 - - [10/Oct/2026:13:55:36 -0700] "GET /\x22a\x22 HTTP/1.1" 200 23264 "-" "Mozilla/5.0 \"x\" (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"`,
		"caddy":    `{"level":"info","ts":1791640536.5,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"66.249.66.1","remote_port":"41342","client_ip":"66.249.66.1","proto":"HTTP/2.0","method":"GET","host":"example.org","uri":"/posts/2026/spring-fair/","headers":{"User-Agent":["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"],"Accept":["*/*"],"Accept-Encoding":["gzip, deflate, br"]},"tls":{"resumed":false,"version":772}},"bytes_read":0,"user_id":"","duration":0.0009,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"],"Content-Type":["text/html; charset=utf-8"]}}`,
	} {
		b.Run(name, func(b *testing.B) {
			const lines = 10000
			data := []byte(strings.Repeat(line+"\n", lines))
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				if _, err := Read(bytes.NewReader(data),
					func(e *Entry) error { n++; return nil }); err != nil || n != lines {
					b.Fatal(n, err)
				}
			}
			b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
