// Package accesslog reads the access logs of web servers, line by line, in memory that does not grow with them.
//
// Each line is read by what it looks like, so files of different servers may follow each other:
//
//   - Common Log Format and Combined, as Apache and nginx write them
//     (https://httpd.apache.org/docs/2.4/logs.html, https://nginx.org/en/docs/http/ngx_http_log_module.html), with or
//     without a virtual host in front (vhost_combined) and a quoted X-Forwarded-For behind (nginx' "main"). Escapes are
//     \" and \\, \xHH, and C's.
//   - A JSON object: nginx with escape=json under the names of its variables, or Caddy.
//
// Input that is compressed with gzip is known by its first bytes.
package accesslog
