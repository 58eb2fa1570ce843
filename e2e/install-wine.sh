#!/usr/bin/env bash
# Installs from Debian what runs Windows programs, and a compiler for the library that Wine 8 lacks (600 MB; .ci/full).
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
[ ! -x /usr/lib/wine/wine64 ] || ! command -v x86_64-w64-mingw32-gcc >/dev/null || exit 0
apt-get update -qq
apt-get install -y -qq --no-install-recommends wine64 gcc-mingw-w64-x86-64-win32 >/dev/null
