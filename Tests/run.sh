#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs built tests, and repeats what failed at the end, after thousands of lines, with what was not run and why.
#   Tests/run.sh [--awake] ARGUMENT…      arguments of `swift test`
# With --awake, no processor of a virtual machine is idle, because its host may wake an idle one some milliseconds late.
# Programs of the policy SCHED_IDLE run only where nothing else does; their time does not count as load.
set -u
swift=${SWIFT:-swift}
work=$(mktemp -d)
idlers=
stop() {
    # shellcheck disable=SC2086
    [ -z "$idlers" ] || kill $idlers 2>/dev/null
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 130' INT TERM HUP

if [ "${1:-}" = --awake ]; then
    shift
    if grep -q '^flags.* hypervisor' /proc/cpuinfo 2>/dev/null; then
        for _ in $(seq "$(nproc)"); do
            # In a session of its own with the least share, since the kernel shares processors among sessions first.
            # shellcheck disable=SC2016
            setsid nice -n 19 chrt --idle 0 sh -c '{ echo 19 >/proc/self/autogroup; } 2>/dev/null
                while kill -0 "$1"; do i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; done' sh $$ 2>/dev/null &
            idlers="$idlers $!"
        done
    fi
fi
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
