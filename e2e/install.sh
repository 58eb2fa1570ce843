#!/usr/bin/env bash
# Installs what the end-to-end tests take from npm, in the versions of package-lock.json.
set -euo pipefail
cd "$(dirname "$0")"
npm ci --silent --no-audit --no-fund
