#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs built tests, and repeats what failed at the end, after thousands of lines, with what was not run and why.
#   Tests/run.sh ARGUMENT…      arguments of `swift test`
set -u
swift=${SWIFT:-swift}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

{
    "$swift" test --skip-build --ignore-lock "$@" 2>&1
    echo $? >"$work/status"
} | tee "$work/log"
result=$(cat "$work/status" 2>/dev/null || echo 1)
if [ "$result" != 0 ]; then
    printf '\nWhat failed:\n'
    grep -a '✘' "$work/log" || tail -n 20 "$work/log"
fi
sed -n 's/^➜ Test .* skipped: "\(.*\)"$/\1/p; s/^➜ Test \(".*"\) skipped\.$/\1/p' "$work/log" | sort | uniq -c |
    awk '{ count = $1; sub(/^ *[0-9]+ /, "") }
        { text = text separator ($0 ~ /^"/ ? $0 : count " (" $0 ")"); separator = ", " }
        END { if (text) print "Tests that were not run: " text }'
exit "$result"
