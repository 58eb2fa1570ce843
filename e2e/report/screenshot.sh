#!/usr/bin/env bash
# Makes docs/report.html, the report of site-example, and docs/report.png, its top. METAROBOTS names the program, CHROMIUM
# the browser.
#
#   e2e/report/screenshot.sh           makes the page and the picture
#   e2e/report/screenshot.sh --check   fails if the page would be another one
#
# Pixels differ between versions of Chromium and of fonts. So what is compared is the page, not the picture.
set -euo pipefail
cd "$(dirname "$0")/../.."
docs=$PWD/docs
program=$(realpath "${METAROBOTS:?names the program, built with Hugo}")
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

cp -r site-example "$made/site"
cp config.toml "$made/config.toml"
cd "$made"
"$program" --quiet -s site --policy config.toml --now 2026-11-01
"$program" report --quiet -s site --policy config.toml --now 2026-11-01 -o report.html

if [ "${1:-}" = --check ]; then
  cmp report.html "$docs/report.html" && exit
  echo 'docs/report.html and docs/report.png show an older report: run e2e/report/screenshot.sh' >&2
  exit 1
fi
"${CHROMIUM:-chromium}" --headless --no-sandbox --hide-scrollbars --window-size=1280,1000 --screenshot=report.png "file://$made/report.html" 2>/dev/null
mv report.html report.png "$docs/"
