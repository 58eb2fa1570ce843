#!/usr/bin/env bash
# Whole programs over the same pages, in turn: what editing costs beside reading and writing, and beside others.
# Needs Go and Node. WORK is the folder for the pages; put it on a tmpfs to leave the disk out.
#
#   bash e2e/bench/head/compare/compare.sh [changing] [same] [peers] [many]    all of them where none is named
#
# TAGS=nohugo measures the program without Hugo. BEFORE=COMMIT compares it with that commit's.
# Each ratio is followed by its quartiles.
set -euo pipefail
cd "$(dirname "$0")"
work=${WORK:-$(mktemp -d)}
bin=$work/bin
mkdir -p "$bin"
before=
trap 'rm -rf "$work"; [ -z "$before" ] || git worktree remove --force "$before"' EXIT
go build -C ../../../.. -tags "${TAGS:-}" -o "$bin/metarobots" .
go build -C ../../../.. -o "$bin/generate" ./e2e/bench/head/generate
go build -o "$bin/" ./floor ./peers ./rounds
earlier=()
if [ -n "${BEFORE:-}" ]; then
  before=$(mktemp -d)
  git worktree add --quiet --force --detach "$before" "$BEFORE"
  go build -C "$before" -tags "${TAGS:-}" -o "$bin/before" .
  earlier=(-before "$bin/before")
fi
rounds() { "$bin/rounds" "${earlier[@]}" -work "$work/pages" -metarobots "$bin/metarobots" -generate "$bin/generate" -floor "$bin/floor" -peers "$bin/peers" -scripts "$PWD" "$@"; }

[ $# -gt 0 ] || set -- changing same peers many
for part; do
  printf '\n== %s\n' "$part"
  case $part in
    changing) rounds -pages "${PAGES:-5000}" -rounds "${ROUNDS:-7}" changing ;;
    same) rounds -pages "${PAGES:-5000}" -rounds "${ROUNDS:-15}" same ;;
    peers)
      npm ci --silent --no-audit --no-fund
      rounds -pages "${PAGES:-1000}" -rounds "${ROUNDS:-3}" peers
      ;;
    many) # the memory of 50,000 pages
      rounds -pages 50000 -rounds 1 changing
      rounds -pages 50000 -rounds 1 same
      ;;
  esac
done
