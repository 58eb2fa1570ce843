#!/usr/bin/env bash
# Gets what is kept between runs: the program's package from npm, or the program, built from the action's own checkout, for
# which the modules of go.sum alone come from the network. Part of action.yml.
set -euo pipefail

if [ -n "$INPUT_PACKAGE" ]; then
  cd "${PROGRAM%-unpacked/*}"
  rm -f ./*.tgz # what an earlier use of the action in the job has left
  npm pack --silent "$INPUT_PACKAGE"
  mv ./*.tgz program.tgz
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
