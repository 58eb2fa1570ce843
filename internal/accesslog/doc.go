// Package accesslog reads the access logs of web servers and hosts, line by line, in memory that does not grow with
// them.
//
// # Formats
//
// Each line is read by what it looks like, so files of different servers may follow each other:
//
//   - Common Log Format and Combined, as Apache and nginx write them
//     (https://httpd.apache.org/docs/2.4/logs.html, https://nginx.org/en/docs/http/ngx_http_log_module.html), with or
//     without a virtual host in front (vhost_combined) and a quoted X-Forwarded-For behind (nginx' "main"). Escapes are
//     \" and \\, \xHH, and C's.
//   - A JSON object for each line, or an array of objects: nginx with escape=json under the names of its variables,
//     Caddy (https://caddyserver.com/docs/logging), Cloudflare Logpush
//     (https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/), Netlify's log drains
//     (https://docs.netlify.com/manage/monitoring/log-drains/), Vercel's
//     (https://vercel.com/docs/drains/reference/logs).
//
// Compressed input (gzip, bzip2) is known by its first bytes.
package accesslog
