#!/usr/bin/env bash
# Installs the program: from npm, or built from the action's own checkout, for which the modules of go.sum alone come from
# the network. Part of action.yml.
set -euo pipefail

if [ -n "$INPUT_PACKAGE" ]; then
  cd "${PROGRAM%%/node_modules/*}"
  npm install --no-audit --no-fund --ignore-scripts --save-exact "$INPUT_PACKAGE"
  if [ -n "$INPUT_INTEGRITY" ]; then
    package=${PROGRAM#*/node_modules/}
    installed=$(node -p 'require("./package-lock.json").packages["node_modules/" + process.argv[1]].integrity' "${package%/bin/*}")
    if [ "$installed" != "$INPUT_INTEGRITY" ]; then
      rm -rf node_modules
      echo "::error title=metarobots::integrity: ${package%/bin/*} has the checksum $installed, not $INPUT_INTEGRITY"
      exit 2
    fi
  fi
  "$PROGRAM" version
  exit
fi

tags=() stamp=
if [ "$INPUT_LEAN" = true ]; then
  tags=(-tags nohugo)
fi
case $ACTION_REF in # what stood behind the @ of uses
  '' | *[!0-9A-Za-z._/-]*) ;;
  v[0-9]*) stamp="-X metarobots/internal/cli.release=$ACTION_REF" ;;
  *) stamp="-X metarobots/internal/cli.commit=$ACTION_REF" ;;
esac
cd "$GITHUB_ACTION_PATH"
export CGO_ENABLED=0 GOFLAGS=-mod=readonly
go mod download
GOPROXY=off go build -trimpath -buildvcs=false ${tags[@]+"${tags[@]}"} -ldflags "-s -w $stamp" -o "$PROGRAM" .
"$PROGRAM" version
