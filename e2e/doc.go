// Package e2e holds the proofs that need the built program, other people's parsers or a disk of
// their own.
//
//	bash e2e/install.sh                     # once: what comes from npm (1.8 GB, the hosts' engines and generators of sites); needs Node 20 or newer
//	bash e2e/install-debian.sh              # web servers, an old Hugo, Jekyll, MkDocs and Pelican, as root on Debian
//	go test -tags e2e -timeout 30m ./e2e
//
// A test that misses its tool fails and says what to install. One that needs root, Linux or Debian
// is skipped elsewhere.
package e2e
