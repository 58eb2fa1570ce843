#!/usr/bin/env bash
# Installs what the end-to-end tests take from npm, in the versions of the package-lock.json files: a parser, the engines
# of real hosts (765 MB, about two minutes), what drives a browser and judges a page (20 MB), and two themes with what
# compiles their styles (110 MB).
set -euo pipefail
cd "$(dirname "$0")"
for folder in . hosts report themes; do
  (cd "$folder" && npm ci --silent --no-audit --no-fund)
done
