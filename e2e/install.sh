#!/usr/bin/env bash
# Installs what the end-to-end tests take from npm, in the versions of the package-lock.json files: a parser, the
# engines of real hosts (765 MB, about two minutes), what drives a browser and judges a page (20 MB), other readers of
# pages and headers with Lighthouse (180 MB), a validator of actions, two editors' checkers (52 MB), two themes with
# what compiles their styles (110 MB), Firebase's engine (30 MB), and seven generators of sites (930 MB, about a minute and
# a half). What is there already, as npm notes when it is done, stays.
set -euo pipefail
cd "$(dirname "$0")"
for folder in . editors generators hosts packages readers report superstatic themes; do
  [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ] ||
    (cd "$folder" && npm ci --silent --no-audit --no-fund)
done
# npm skips an optional package that it cannot fetch at once, without a word.
if [ "$(uname -sm)" = "Linux x86_64" ] && [ ! -d themes/node_modules/sass-embedded-linux-x64 ]; then
  (cd themes && npm ci --silent --no-audit --no-fund)
fi
