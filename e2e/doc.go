// Package e2e holds the proofs that need the built program, other people's parsers or a disk of their own.
//
//	bash e2e/install.sh                     # once: what comes from npm (0.9 GB, the hosts' engines); needs Node 20 or newer
//	bash e2e/install-debian.sh              # Apache, nginx, Caddy and an old Hugo, as root on Debian
//	go test -tags e2e -timeout 30m ./e2e
//
// A test that misses its tool fails and says what to install. One that needs root, Linux or Debian is skipped elsewhere.
package e2e
