#!/usr/bin/env bash
# Unpacks the program where it comes from npm. Its package is held against the checksum on every run: what comes out of a
# cache may be another than what went in. Part of action.yml.
set -euo pipefail

if [ -n "$INPUT_PACKAGE" ]; then
  unpacked=${PROGRAM%/package/*}
  mkdir -p "$unpacked"
  cd "${unpacked%-unpacked}"
  sum=sha512-$(openssl dgst -sha512 -binary program.tgz | openssl base64 -A)
  if [ -n "$INPUT_INTEGRITY" ] && [ "$sum" != "$INPUT_INTEGRITY" ]; then
    rm program.tgz
    echo "::error title=metarobots::integrity: $INPUT_PACKAGE has the checksum $sum, not $INPUT_INTEGRITY"
    exit 2
  fi
  (cd "$unpacked" && tar -xzf -) <program.tgz
  chmod +x "$PROGRAM"
fi
"$PROGRAM" version
