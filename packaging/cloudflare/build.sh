#!/usr/bin/env bash
# The build command of a Cloudflare Pages or Workers project:
#
#     bash node_modules/metarobots-hugo/cloudflare.sh --minify              # a Hugo site; arguments are metarobots'
#     bash node_modules/metarobots/cloudflare.sh dist -- npm run build      # any other: what publishes into dist
#
# The program is that of the npm package which the site's package.json names, in the version and with the checksum of its
# lock file. METAROBOTS_BINARY names another one. METAROBOTS_FROM_SOURCE=true builds it with Go, from the sources that this script
# lies in (GO_VERSION says which Go Cloudflare installs); METAROBOTS_CACHE is the folder that is kept between builds; the default
# is .cache, which Cloudflare keeps for projects of Eleventy: https://developers.cloudflare.com/pages/configuration/build-caching/.
# METAROBOTS_LEAN, true or false, says whether Hugo is left out; the default is to leave it out where another program builds a
# site that has none of Hugo's configuration.
set -euo pipefail

sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

before=() command=()
while [ $# -gt 0 ]; do
  if [ "$1" = -- ]; then
    shift
    command=("$@")
    break
  fi
  before+=("$1")
  shift
done
lean=${METAROBOTS_LEAN:-}
if [ -z "$lean" ]; then
  lean=true
  for file in hugo.toml hugo.yaml hugo.yml hugo.json config/_default; do
    if [ ${#command[@]} -eq 0 ] || [ -e "$file" ]; then lean=false; fi
  done
  for file in config.toml config.yaml config.yml config.json; do # Hugo's older name, and that of many other things
    if [ -f "$file" ] && grep -qi '^[[:space:]{]*["'\'']\{0,1\}baseURL["'\'']\{0,1\}[[:space:]]*[:=]' "$file"; then lean=false; fi
  done
fi

program=${METAROBOTS_BINARY:-}
if [ -z "$program" ] && [ "${METAROBOTS_FROM_SOURCE:-}" != true ]; then
  program=node_modules/.bin/metarobots
  if [ -x node_modules/.bin/metarobots-hugo ]; then program=node_modules/.bin/metarobots-hugo; fi
  if [ ! -x "$program" ]; then
    echo "error: the site has no metarobots: npm install --save-dev metarobots-hugo (or metarobots, for a site that is not Hugo's), or name a built program in METAROBOTS_BINARY, or say METAROBOTS_FROM_SOURCE=true" >&2
    exit 2
  fi
elif [ -z "$program" ]; then
  cache=${METAROBOTS_CACHE:-$PWD/.cache}/metarobots
  mkdir -p "$cache"
  cache=$(cd "$cache" && pwd)
  program=$cache/program
  export GOCACHE=$cache/go-build GOMODCACHE=$cache/go-mod
  tags=()
  if [ "$lean" = true ]; then tags=(-tags nohugo); fi
  echo "building metarobots with $(go env GOVERSION)"
  (cd "$sources" && CGO_ENABLED=0 GOFLAGS='-mod=readonly -modcacherw' go build -trimpath -buildvcs=false ${tags[@]+"${tags[@]}"} -o "$program" .)
  unset GOCACHE GOMODCACHE # Hugo modules of the site have their own
elif [ ! -x "$program" ]; then
  echo "error: $program, which METAROBOTS_BINARY names, is no program" >&2
  exit 2
fi

# What is said of the run is said as it is said everywhere; here it is also looked at.
said=$(mktemp)
trap 'rm -f "$said"' EXIT
code=0
if [ ${#command[@]} -eq 0 ]; then
  "$program" build ${before[@]+"${before[@]}"} 2>"$said" || code=$?
else
  "${command[@]}"
  "$program" apply ${before[@]+"${before[@]}"} 2>"$said" || code=$?
fi
cat "$said" >&2
branch=${CF_PAGES_BRANCH:-${WORKERS_CI_BRANCH:-}}
if [ -n "$branch" ] && grep -q 'environment production (.*from the default)' "$said"; then
  echo "warning: the branch $branch counts as production, like every other: say [site] productionBranch in the policy file, and the others are previews" >&2
fi
exit "$code"
