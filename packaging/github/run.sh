#!/usr/bin/env bash
# Runs the program over a site and tells GitHub what came of it: annotations, the job's summary, outputs, exit code.
# Part of action.yml; what its user says arrives in variables and goes on in arrays, never through a shell. It runs with
# the bash 3.2 of macOS too.
set -euo pipefail

# escape prints a text as a workflow command takes it; with "property", as a property of one does.
# https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
escape() {
  local text=$1
  text=${text//'%'/%25}
  text=${text//$'\r'/%0D}
  text=${text//$'\n'/%0A}
  if [ "${2:-}" = property ]; then
    text=${text//:/%3A}
    text=${text//,/%2C}
  fi
  printf '%s' "$text"
}

# markdown prints a text for the job's summary: names of files and pages are no markup, no mention and no link there.
markdown() {
  printf '%s' "$1" | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/[][\\`*_{}#|~!]/\\&/g' \
    -e 's#://#:<!-- -->//#g' -e 's/[Ww][Ww][Ww]\./&<!-- -->/g' -e 's/@/<!-- -->@<!-- -->/g' | tr '\r\n' '  '
}

usage() {
  printf '::error title=metarobots::%s\n' "$(escape "$1")"
  exit 2
}

# flag reads an input that is true or false.
flag() {
  case $2 in
    true | false) ;;
    *) usage "$1: want true or false, not \"$2\"" ;;
  esac
}

case $INPUT_COMMAND in
  check | apply | build) ;;
  *) usage "command: want check, apply or build, not \"$INPUT_COMMAND\" (for others, the output program is the program)" ;;
esac
case $INPUT_FAIL_ON in
  error | warning | never) ;;
  *) usage "fail-on: want error, warning or never, not \"$INPUT_FAIL_ON\"" ;;
esac
flag annotations "$INPUT_ANNOTATIONS"
flag summary "$INPUT_SUMMARY"
if [ -n "$INPUT_BASELINE" ] && [ "$INPUT_COMMAND" != check ]; then
  usage "baseline: goes with the command check"
fi

work=$(mktemp -d "$RUNNER_TEMP/metarobots.XXXXXX") # of this run alone: outputs of an earlier one in the job stay what they were

# What says which site is the same for every run of the program.
site=(--source="$INPUT_SOURCE") folder=()
if [ -n "$INPUT_POLICY" ]; then site+=(--policy="$INPUT_POLICY"); fi
if [ -n "$INPUT_ENVIRONMENT" ]; then site+=(--environment="$INPUT_ENVIRONMENT"); fi
if [ -n "$INPUT_BASE_URL" ]; then site+=(--baseURL="$INPUT_BASE_URL"); fi
if [ -n "$INPUT_BASELINE" ]; then site+=(--baseline="$INPUT_BASELINE"); fi
if [ -n "$INPUT_DIRECTORY" ]; then folder=(-- "$INPUT_DIRECTORY"); fi

further=()
while IFS= read -r line || [ -n "$line" ]; do
  line=${line%$'\r'}
  if [ -n "$line" ]; then further+=("$line"); fi
done <<<"$INPUT_ARGS"

# The program reads the site for each form of the report. Before apply, because afterwards the pages no longer show what
# was found in them; after build, because before it there are none. Further arguments may say which site (-D, --state):
# they count here too, unless there is one that report does not know, such as --minify.
form() {
  local more arguments
  for more in ${further[@]+with} without; do
    arguments=("${site[@]}")
    if [ "$more" = with ]; then arguments+=("${further[@]}"); fi
    if "$PROGRAM" report --quiet "${arguments[@]}" --format "$1" ${folder[@]+"${folder[@]}"} >"$2" 2>/dev/null; then return; fi
  done
  rm -f "$2"
}
forms() {
  if [ "$INPUT_ANNOTATIONS" = true ]; then form github "$work/annotations"; fi
  if [ "$INPUT_SUMMARY" = true ] && [ -n "$INPUT_REPORT" ]; then form markdown "$work/report.md"; fi
}

arguments=("${site[@]}" --json --report="${INPUT_REPORT:-$work/report.md}" ${further[@]+"${further[@]}"})
if [ "$INPUT_COMMAND" = build ]; then
  case $INPUT_DIRECTORY in # build takes it from the site's folder
    '') ;;
    /* | [A-Za-z]:*) arguments+=(--destination="$INPUT_DIRECTORY") ;;
    *) arguments+=(--destination="$(pwd -W 2>/dev/null || pwd)/$INPUT_DIRECTORY") ;;
  esac
else
  arguments+=(${folder[@]+"${folder[@]}"})
  forms
fi

code=0
"$PROGRAM" "$INPUT_COMMAND" "${arguments[@]}" >"$work/result.json" 2>"$work/stderr" || code=$?
token=$RANDOM$RANDOM$RANDOM$RANDOM # what the program prints is no command, whatever a page is called
printf '::stop-commands::%s\n' "$token"
cat "$work/stderr"
printf '::%s::\n' "$token"
if [ "$INPUT_COMMAND" = build ]; then
  forms
fi

# The counts stand at the end of the result, in the form in which encoding/json indents them.
count() {
  awk -v severity="    \"$1\": " '/^    "findings": \{$/ { inside = 1 } inside && index($0, "  " severity) == 1 { sub(/,$/, ""); n = substr($0, length(severity) + 3) } END { print n + 0 }' "$work/result.json"
}
errors=$(count error) warnings=$(count warning) notes=$(count note)

report=${INPUT_REPORT:-$work/report.md} json=$work/result.json
if [ ! -s "$report" ] || [ "$code" -eq 2 ]; then report=; fi # with 2, what lies there is an earlier run's
if [ ! -s "$json" ]; then json=; fi
{
  echo "exit-code=$code"
  echo "findings=$((errors + warnings + notes))"
  echo "errors=$errors"
  echo "warnings=$warnings"
  echo "report=${report//[$'\r\n']/}"
  echo "json=$json"
} >>"$GITHUB_OUTPUT"

if [ -s "$work/annotations" ]; then
  cat "$work/annotations"
fi
if [ "$code" -eq 1 ]; then # why it failed, in the words of the last line, which begins with the gravest finding
  why=$(sed -n 's/^error: //p' "$work/stderr" | tail -n 1)
  if [ -n "$why" ] && [ "$INPUT_ANNOTATIONS" = true ]; then printf '::error title=metarobots::%s\n' "$(escape "$why")"; fi
  if [ -n "$why" ] && [ "$INPUT_SUMMARY" = true ]; then printf '**The %s failed:** %s\n\n' "$INPUT_COMMAND" "$(markdown "$why")" >>"$GITHUB_STEP_SUMMARY"; fi
fi
if [ "$code" -ge 2 ]; then # the errors name file and line where they can
  pattern='^error: ([^:]+):([0-9]+): (.*)$'
  grep '^error: ' "$work/stderr" | while IFS= read -r line; do
    if [[ $line =~ $pattern ]]; then
      printf '::error file=%s,line=%s,title=metarobots::%s\n' "$(escape "${BASH_REMATCH[1]}" property)" "${BASH_REMATCH[2]}" "$(escape "${BASH_REMATCH[3]}")"
    else
      printf '::error title=metarobots::%s\n' "$(escape "${line#error: }")"
    fi
  done || true
  if [ "$INPUT_SUMMARY" = true ]; then
    # shellcheck disable=SC2016 # the backquotes are Markdown
    printf '# What crawlers may do\n\nNothing was decided: exit code %s.\n\n```text\n%s\n```\n' "$code" "$(sed 's/^ \{0,3\}```/    &/' "$work/stderr")" >>"$GITHUB_STEP_SUMMARY"
  fi
elif [ "$INPUT_SUMMARY" = true ] && [ -s "$work/report.md" ]; then
  cat "$work/report.md" >>"$GITHUB_STEP_SUMMARY"
fi

# Of what ends with 1, these findings mean that the policy, or all of its headers, could not be written.
unwritten() {
  awk '/^ *"id": "header-(overflow|syntax)",$/ { getline; if ($0 ~ /^ *"severity": "error",$/) found = 1 } END { exit !found }' "$work/result.json"
}
if [ "$INPUT_COMMAND" != check ] && unwritten; then
  INPUT_FAIL_ON=error
fi
case $code-$INPUT_FAIL_ON in
  1-never) exit 0 ;;
  0-warning) [ "$((errors + warnings))" -eq 0 ] ;;
  *) exit "$code" ;;
esac
