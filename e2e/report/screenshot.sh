#!/usr/bin/env bash
# Makes docs/report.png: the top of the report of site-example. METAROBOTS names the program, CHROMIUM the browser.
#
#   e2e/report/screenshot.sh           makes the picture, and notes the sum of the page that it shows
#   e2e/report/screenshot.sh --check   fails if the page has changed since
#
# Pixels differ between versions of Chromium and of fonts. So what is compared is the page, not the picture.
set -euo pipefail
cd "$(dirname "$0")/../.."
picture=$PWD/docs/report.png
sum=$PWD/e2e/report/picture.sha256
program=$(realpath "${METAROBOTS:?names the program, built with Hugo}")
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

cp -r site-example "$made/site"
cp config.toml "$made/config.toml"
cd "$made"
"$program" --quiet -s site --policy config.toml --now 2026-11-01
"$program" report --quiet -s site --policy config.toml --now 2026-11-01 -o report.html
page=$(sha256sum <report.html | cut -d ' ' -f 1)

if [ "${1:-}" = --check ]; then
  [ "$page" = "$(cat "$sum")" ] && exit
  echo 'docs/report.png shows an older report: run e2e/report/screenshot.sh' >&2
  exit 1
fi
"${CHROMIUM:-chromium}" --headless --no-sandbox --hide-scrollbars --window-size=1280,1000 --screenshot=report.png "file://$made/report.html" 2>/dev/null
mv report.png "$picture"
printf '%s\n' "$page" >"$sum"
