#!/usr/bin/env bash
# Installs the web servers that the end-to-end tests ask, from Debian. Their services are not needed.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
for name in apache2 nginx caddy; do
  command -v "$name" >/dev/null || missing=1
done
[ -n "${missing:-}" ] || exit 0
if [ ! -x /usr/bin/apt-get ] || [ "$(id -u)" != 0 ]; then
  echo "apache2, nginx or caddy is missing, and without apt-get and root they cannot be installed: their tests are skipped" >&2
  exit 0
fi
apt-get update -qq
apt-get install -y -qq --no-install-recommends apache2 nginx caddy >/dev/null
