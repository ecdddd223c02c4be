#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the fuzz targets; `make fuzz` builds them and then calls this.
#   Tests/Fuzzing/run.sh PROGRAM [SECONDS [RUNS [TARGET]...]]
# SECONDS are divided among the targets, of which as many run at once as there are cores; RUNS is for each. What
# comes first ends a target; 0 is no limit. Inputs that reach something new are kept in .build-fuzz/corpus/TARGET
# and come first the next time. Those that fail are left in .build-fuzz/failures; one is tried again with
#   PROGRAM TARGET FILE
# An input may use a second of the processor, which the targets themselves see to, and 256 MB.
set -eu
program=$1 seconds=${2:-0} runs=${3:-0}
[ $# -le 3 ] && shift $# || shift 3
here=$(cd "$(dirname "$0")" && pwd)
out=$here/../../.build-fuzz
targets=${*:-caf aiff wav mp3 adts mp4 flac cookie stream http icy playlist hls ts}
cores=$(getconf _NPROCESSORS_ONLN)
mkdir -p "$out/failures" "$out/log"

# Time is given as turns, in each of which every core runs one target.
turns=$((($(echo "$targets" | wc -w) + cores - 1) / cores))
share=$(((seconds + turns - 1) / turns))

# Without the quarantine, memory is what the target uses; that each allocation notes its caller takes a fifth of the
# time. Swift's own report of a crash would stand in the way.
ASAN_OPTIONS="quarantine_size_mb=1:thread_local_quarantine_size_kb=16:malloc_context_size=1:${ASAN_OPTIONS:-}"
export ASAN_OPTIONS
export SWIFT_BACKTRACE=enable=no

printf '%-8s %12s %9s %8s %10s  %s\n' target inputs inputs/s peak slowest result
export program share runs here out
# What xargs returns is not zero if any of its commands did.
echo "$targets" | tr ' ' '\n' | xargs -P "$cores" -I '{}' sh -eu -c '
    target={} log=$out/log/{}.txt dictionary=$here/Dictionaries/{}.dict result=clean
    mkdir -p "$out/corpus/$target"
    # 0 is no limit to libFuzzer either.
    limits="-max_total_time=$share"
    [ "$runs" = 0 ] || limits="$limits -runs=$runs"
    "$program" "$target" $limits -timeout=20 -rss_limit_mb=256 -max_len=4096 -dict="$dictionary" \
        -artifact_prefix="$out/failures/$target-" -print_final_stats=1 \
        "$out/corpus/$target" "$here/Seeds/$target" >"$log" 2>&1 || result=FAILED
    value() { sed -n "s/^stat::$1: *//p" "$log" | tail -n 1; }
    printf "%-8s %12s %9s %5s MB %8s s  %s\n" "$target" "$(value number_of_executed_units)" \
        "$(value average_exec_per_sec)" "$(value peak_rss_mb)" "$(value slowest_unit_time_sec)" "$result"
    [ "$result" = clean ] || {
        grep -a -m 1 -E "Fatal error|ERROR: AddressSanitizer|ERROR: libFuzzer" "$log" || :
        grep -a -o "Test unit written to .*" "$log" || :
        exit 1
    }
'
