//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"metarobots/emit/robotstag"
	"metarobots/internal/hosts"
	"metarobots/internal/tables"
)

// server is a web server from Debian (e2e/install-debian.sh).
type server struct {
	target, program string
	// config writes a configuration for a site, with what we made for it, and
	// returns the arguments. clean are its lines for URLs without .html, or none.
	config func(t *testing.T, dir, root, folder, address, clean string, made []byte) []string
	// clean are the lines; Apache's stand in the user's own .htaccess.
	clean string
	// most is how many lines it sends; what is left is joined in the last. 0 is any number.
	most int
	// joined is a name of the host under which all lines are joined in one; "" for none.
	joined string
	// turns are the owner's lines that lead from one file to another inside of the server.
	turns string
}

var webServers = []server{
	{"apache", "apache2", func(t *testing.T, dir, root, folder, address, clean string, made []byte) []string {
		write(t, filepath.Join(folder, ".htaccess"), string(made))
		return apacheConfig(t, dir, root, address, "ServerName 127.0.0.1\n")
	}, "RewriteEngine On\nRewriteCond %{REQUEST_FILENAME}.html -f\nRewriteRule ^(.*)$ $1.html [L]\n", 0, "",
		"ErrorDocument 404 /missing.html\nErrorDocument 403 /missing.html\nRewriteEngine On\nRewriteRule ^moved$ " +
			"/a.pdf [L]\nRewriteRule ^twice$ /moved [L]\nRewriteRule ^forbidden$ - [F]\n" +
			"Header set X-Robots-Tag noai\nHeader append X-Robots-Tag nosnippet\nHeader add X-Robots-Tag noarchive\n"},
	{"nginx", "nginx", func(t *testing.T, dir, root, folder, address, clean string, made []byte) []string {
		write(t, filepath.Join(dir, "metarobots.nginx.conf"), string(made))
		joined := fmt.Sprintf("  server {\n    listen %s;\n    server_name joined.test;\n    root %s;\n"+
			"    add_header X-Robots-Tag $metarobots;\n%s  }\n", address, root, clean)
		return nginxConfig(t, dir, root, address, "  access_log off;\n  include metarobots.nginx.conf;\n",
			nginxOthers(made)+nginxHeaders+clean, joined)
	}, "location / { try_files $uri $uri.html $uri/ =404; }\n", 4, "joined.test",
		"error_page 404 403 /missing.html;\nlocation = /moved { rewrite ^ /a.pdf last; }\nlocation = /twice { " +
			"rewrite ^ /moved last; }\nlocation = /forbidden { return 403; }\n" +
			"location /own/ { add_header A b;\nadd_header Link $metarobots_link;\n" + nginxHeaders +
			"}\nlocation /found/ { error_page 404 =200 /missing.html; }\n"},
	{"caddy", "caddy", func(t *testing.T, dir, root, folder, address, clean string, made []byte) []string {
		write(t, filepath.Join(dir, "metarobots.caddy"), string(made))
		return caddyConfig(t, dir, root, address, clean+"\timport metarobots.caddy\n")
	}, "\ttry_files {path} {path}.html\n", 0, "",
		"\theader /own/* X-Robots-Tag noarchive\n\theader /own/* +X-Robots-Tag noai\n\trewrite /moved " +
			"/a.pdf\n\thandle_errors {\n\t\trewrite * /missing.html\n\t\tfile_server\n\t}\n"},
}

// apacheConfig writes a configuration, with more lines, and returns the arguments.
func apacheConfig(t *testing.T, dir, root, address, more string) []string {
	t.Helper()
	var modules strings.Builder
	for _, name := range []string{"mpm_event", "authz_core", "dir", "headers", "mime", "rewrite", "alias"} {
		fmt.Fprintf(&modules, "LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so\n", name, name)
	}
	conf := filepath.Join(dir, "apache.conf")
	write(t, conf, fmt.Sprintf(`ServerRoot "%[1]s"
Listen %[2]s
PidFile "%[1]s/apache.pid"
ErrorLog "%[1]s/apache.log"
%[3]sUser www-data
Group www-data
TypesConfig /dev/null
DocumentRoot "%[4]s"
DirectoryIndex index.html
<Directory "%[4]s">
  AllowOverride FileInfo
  Require all granted
</Directory>
%[5]s`, dir, address, modules.String(), root, more))
	return []string{"-f", conf, "-D", "FOREGROUND"}
}

// nginxConfig does the same, with lines for all servers, for one, and others behind it.
func nginxConfig(t *testing.T, dir, root, address, http, server, others string) []string {
	t.Helper()
	conf := filepath.Join(dir, "nginx.conf")
	write(t, conf, fmt.Sprintf(`daemon off;
master_process off;
pid %[1]s/nginx.pid;
error_log %[1]s/nginx.log;
events {}
http {
  client_body_temp_path %[1]s/1; proxy_temp_path %[1]s/2; fastcgi_temp_path %[1]s/3; uwsgi_temp_path %[1]s/4;
  scgi_temp_path %[1]s/5;
%[2]s  server {
    listen %[3]s;
    root %[4]s;
%[5]s  }
%[6]s}
`, dir, http, address, root, server, others))
	return []string{"-p", dir, "-c", conf}
}

// caddyConfig does the same, with lines for its site.
func caddyConfig(t *testing.T, dir, root, address, lines string) []string {
	t.Helper()
	conf := filepath.Join(dir, "Caddyfile")
	write(t, conf, fmt.Sprintf("{\n\tadmin off\n\tauto_https off\n}\nhttp://%s {\n\troot * %s\n%s\tfile_server\n}\n",
		address, root, lines))
	return []string{"run", "--adapter", "caddyfile", "--config", conf}
}

// nginxHeaders are what README asks an owner to write.
const nginxHeaders = `add_header X-Robots-Tag $metarobots_1;
add_header X-Robots-Tag $metarobots_2;
add_header X-Robots-Tag $metarobots_3;
add_header X-Robots-Tag $metarobots_4;
`

// nginxOthers are the lines for other headers and other hosts, as the comment in the file asks for
// them.
func nginxOthers(made []byte) (lines string) {
	for line := range strings.Lines(string(made)) {
		if text, ok := strings.CutPrefix(line, "#   "); ok && !strings.Contains(nginxHeaders, strings.TrimSpace(text)) {
			lines += text
		}
	}
	return lines
}

// lines are those in which a server sends what is wanted.
func (s server) lines(values []string) []string {
	if s.most > 0 && len(values) > s.most {
		return append(slices.Clone(values[:s.most-1]), strings.Join(values[s.most-1:], ", "))
	}
	return values
}

// escaped is the request path of a file, without the first slash.
func escaped(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l := tables.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().String()
}

// need skips the test where the server is missing.
func (s server) need(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath(s.program); err != nil {
		t.Skipf("%s is missing: run e2e/install-debian.sh as root on Debian", s.program)
	}
}

// serve starts the server, with the arguments of config. It returns a request to it: a host of ""
// is the server's address, and no redirect is followed.
func (s server) serve(t *testing.T, dir, root, folder, lines string, made []byte) (ask func(method, host,
	path string) (*http.Response, []byte)) {
	t.Helper()
	address := freeAddress(t)
	start(t, s, dir, address, s.config(t, dir, root, folder, address, lines, made))
	return func(method, host, path string) (*http.Response, []byte) {
		t.Helper()
		req := tables.Value(http.NewRequest(method, "http://"+address+path, nil))(t)
		req.Host = host
		res := tables.Value(http.DefaultTransport.RoundTrip(req))(t)
		defer res.Body.Close()
		body := tables.Value(io.ReadAll(res.Body))(t)
		return res, body
	}
}

// start runs a server until the test ends, and waits until it answers.
func start(t *testing.T, s server, dir, address string, args []string) {
	t.Helper()
	c := exec.Command(s.program, args...)
	c.Dir = dir
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	must(t, c.Start())
	done := make(chan struct{})
	go func() { c.Wait(); close(done) }()
	t.Cleanup(func() {
		c.Process.Signal(syscall.SIGTERM)
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			c.Process.Kill()
			<-done
		}
		if strings.Contains(output.String(), "map_hash") { // its settings are ours
			t.Errorf("%s: %s", s.program, output.String())
		}
	})
	for range 200 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return
		}
		select {
		case <-done:
			t.Fatalf("%s stopped: %s", s.program, output.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not answer on %s", s.program, address)
}

// compileHosts is [hosts.Compile] for X-Robots-Tag alone.
func compileHosts(user []byte, wants []robotstag.Want, o robotstag.Task) (robotstag.Result, error) {
	return hosts.Compile(user, []robotstag.Demand{{Header: robotstag.XRobotsTag(), Wants: wants}}, o)
}
