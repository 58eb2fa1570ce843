#!/usr/bin/env bash
# Installs what the end-to-end tests take from Debian: the web servers that they ask, whose services are not needed, an
# old Hugo (0.111 in Debian 12), Chromium, which looks at reports and pages, readers of robots.txt and of HTML, and three
# generators of sites with Ruby and Python (90 MB).
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
for name in apache2 nginx caddy hugo chromium jekyll mkdocs pelican; do
  command -v "$name" >/dev/null || missing=1
done
/usr/bin/python3 -c 'import html5lib, protego' 2>/dev/null || missing=1
[ -n "${missing:-}" ] || exit 0
if [ ! -x /usr/bin/apt-get ] || [ "$(id -u)" != 0 ]; then
  echo "apache2, nginx, caddy, hugo, chromium, python3-html5lib, python3-protego, jekyll, mkdocs or pelican is missing, and without apt-get and root they cannot be installed: their tests are skipped" >&2
  exit 0
fi
apt-get update -qq
apt-get install -y -qq --no-install-recommends apache2 nginx caddy hugo chromium python3-html5lib python3-protego jekyll mkdocs pelican >/dev/null
