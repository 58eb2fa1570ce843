#!/usr/bin/env bash
# Says where the program is to stand, by which key it is kept between runs, and where it comes from: a package of npm, or
# the sources and which Go. Part of action.yml; it runs with the bash 3.2 of macOS too.
set -euo pipefail

case $INPUT_LEAN in
  true) kind=lean ;;
  false) kind=full ;;
  *)
    echo "::error title=metarobots::lean: want true or false"
    exit 2
    ;;
esac

ending=
if [ "$RUNNER_OS" = Windows ]; then ending=.exe; fi

case $INPUT_FROM_SOURCE in
  true) ;;
  false)
    version=$INPUT_VERSION
    if [ -z "$version" ]; then
      case $ACTION_REF in v[0-9]*) version=${ACTION_REF#v} ;; esac # v1 is the newest 1.x
    fi
    case $version in
      '' | *[!0-9A-Za-z.+-]*)
        echo "::error title=metarobots::version: want one of the npm package, such as 1.2.3, or from-source: true (the action is used as @$ACTION_REF)"
        exit 2
        ;;
    esac
    case $INPUT_INTEGRITY in
      '' | sha512-*) sum=${INPUT_INTEGRITY#sha512-} ;;
      *) sum=- ;;
    esac
    case $sum in
      *[!0-9A-Za-z+/=]*)
        echo "::error title=metarobots::integrity: want the checksum of the npm package with the program, sha512-…"
        exit 2
        ;;
    esac
    . "$GITHUB_ACTION_PATH/packaging/names"
    package=$NPM
    if [ "$kind" = full ]; then package=$NPM_HUGO; fi
    case $RUNNER_OS in Linux) os=linux ;; macOS) os=darwin ;; *) os=win32 ;; esac
    case $RUNNER_ARCH in ARM64) cpu=arm64 ;; *) cpu=x64 ;; esac
    folder=$RUNNER_TEMP/metarobots-$kind-$version # of this program alone: a job may use the action with others
    mkdir -p "$folder"
    {
      echo "folder=$folder"
      echo "program=$folder-unpacked/package/bin/metarobots$ending"
      echo "package=$package-$os-$cpu@$version"
      echo "key=metarobots-tgz-$package-$version-$os-$cpu-$sum"
    } >>"$GITHUB_OUTPUT"
    exit
    ;;
  *)
    echo "::error title=metarobots::from-source: want true or false"
    exit 2
    ;;
esac

go=$INPUT_GO_VERSION
if [ -z "$go" ]; then # 1.26 of "go 1.26.0": the newest of that line
  go=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' "$GITHUB_ACTION_PATH/go.mod")
fi
case $go in
  '' | *[!0-9A-Za-z.^~\<\>=-]*)
    echo "::error title=metarobots::go-version: want a version such as 1.26 or 1.26.3"
    exit 2
    ;;
esac

# Everything that may be compiled in counts, by name, length and content, so that a program of other sources is never
# taken.
sources() {
  find . \( -name .git -o -name node_modules -o -name testdata -o -path ./e2e -o -path ./bench -o -path ./docs -o -path ./site-example \) -prune \
    -o -type f ! -name '*_test.go' ! -name '*.md' -print | LC_ALL=C sort | tr '\n' '\0'
}
sum=$(cd "$GITHUB_ACTION_PATH" && { sources | xargs -0 wc -c && sources | xargs -0 cat; } |
  if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi)

folder=$RUNNER_TEMP/metarobots-$kind-${sum%% *}
{
  echo "folder=$folder"
  echo "program=$folder/metarobots$ending"
  echo "go=$go"
  echo "key=metarobots-$kind-$RUNNER_OS-$RUNNER_ARCH-go$go-${sum%% *}"
} >>"$GITHUB_OUTPUT"
