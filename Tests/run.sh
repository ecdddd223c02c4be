#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs built tests, and repeats what failed at the end, after thousands of lines, with what was not run and why.
#   Tests/run.sh [--beside 'ARGUMENTS'] ARGUMENT…      arguments of `swift test`
# With --beside, a second process runs the tests of those arguments at the same time, and prints its output at its end.
# Tests that need the whole machine wait for it: the file named by AQ_TESTS_BESIDE exists until then.
set -u
swift=${SWIFT:-swift}
work=$(mktemp -d)
beside=
stop() {
    [ -z "$beside" ] || kill -- "-$beside" 2>/dev/null
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 130' INT TERM HUP

if [ "${1:-}" = --beside ]; then
    touch "$work/beside"
    export AQ_TESTS_BESIDE="$work/beside"
    # In a session of its own, since its processes end with this one; with the processor time that the other one leaves,
    # since audio waits for nobody. SwiftPM would wait for the first process.
    # shellcheck disable=SC2016,SC2086
    AQ_TESTS_BESIDE='' setsid nice -n 19 sh -c 'log=$1; shift; "$@" >"$log" 2>&1; echo $? >"$log.status"; rm -f "${log%/*}/beside"' \
        sh "$work/log1" "$swift" test --skip-build --ignore-lock $2 &
    beside=$!
    shift 2
fi
{
    "$swift" test --skip-build --ignore-lock "$@" 2>&1
    echo $? >"$work/log2.status"
} | tee "$work/log2"
if [ -n "$beside" ]; then
    wait "$beside"
    beside=
    cat "$work/log1"
fi

result=0
for log in "$work"/log?; do
    [ "$(cat "$log.status" 2>/dev/null)" = 0 ] || result=1
done
if [ $result -ne 0 ]; then
    printf '\nWhat failed:\n'
    for log in "$work"/log?; do
        [ "$(cat "$log.status" 2>/dev/null)" = 0 ] || grep -a '✘' "$log" || tail -n 20 "$log"
    done
fi
cat "$work"/log? | sed -n 's/^➜ Test .* skipped: "\(.*\)"$/\1/p; s/^➜ Test \(".*"\) skipped\.$/\1/p' | sort | uniq -c |
    awk '{ count = $1; sub(/^ *[0-9]+ /, "") }
        { text = text separator ($0 ~ /^"/ ? $0 : count " (" $0 ")"); separator = ", " }
        END { if (text) print "Tests that were not run: " text }'
exit $result
