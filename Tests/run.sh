#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs built tests, and repeats what failed at the end, after thousands of lines, with what was not run and why.
#   Tests/run.sh [--awake] ARGUMENT…      arguments of `swift test`
# With --awake, the idle processors of a virtual machine poll, because its host may wake a halted one some milliseconds
# late. The kernel's interface for it needs root, and a driver for idle processors that can poll. Programs of the least
# priority would do the same everywhere, but beside other programs they delayed the kernel's own threads by seconds.
set -u
swift=${SWIFT:-swift}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

if [ "${1:-}" = --awake ]; then
    shift
    # The request, in microseconds as a 32-bit number, holds while the file is open. A container may not open it, although
    # it is root; `command` keeps the shell from ending then.
    if grep -q '^flags.* hypervisor' /proc/cpuinfo 2>/dev/null &&
        { command exec 3>/dev/cpu_dma_latency; } 2>/dev/null; then
        printf '\0\0\0\0' >&3
    fi
fi
{
    "$swift" test --skip-build --ignore-lock "$@" 2>&1 3>&-
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
