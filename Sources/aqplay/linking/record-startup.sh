#!/bin/sh
# Prints the functions that a player runs from its start on, a line each: what startup.order holds. The linker puts these
# together, so that a start touches thirty pages less. Names that are gone are passed over, and new functions lie where
# they would without: the list needs no care, but for `make startup-order` after large changes.
#   record-startup.sh AQPLAY FILE...
# AQPLAY has symbols, and no debug information, which valgrind cannot read; it plays each file on a server of its own.
set -eu
aqplay=$1
shift
dir=$(mktemp -d)
server=
finish() { [ -z "$server" ] || kill "$server" 2>/dev/null || :; rm -rf "$dir"; }
trap finish EXIT
trap 'exit 130' INT TERM
export XDG_RUNTIME_DIR="$dir" XDG_CONFIG_HOME="$dir" XDG_STATE_HOME="$dir" PULSE_SERVER="unix:$dir/native"
pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no --log-target=null -L module-null-sink \
	-L "module-native-protocol-unix socket=$dir/native auth-anonymous=1" >/dev/null 2>&1 &
server=$!
tries=0
until [ -S "$dir/native" ]; do
	tries=$((tries + 1))
	[ $tries -lt 100 ] || { echo "record-startup: the sound server did not start" >&2; exit 1; }
	sleep 0.05
done
for file; do
	valgrind -q --tool=callgrind --demangle=no --compress-strings=no --compress-pos=no \
		--callgrind-out-file="$dir/calls" "$aqplay" "$file" >&2
	# The object comes before the functions in it; a function that calls itself is numbered.
	awk -v object="/$(basename "$aqplay")" '
		/^ob=/ { isOurs = substr($0, length($0) - length(object) + 1) == object }
		/^fn=/ && isOurs { sub(/^fn=/, ""); sub(/\x27[0-9]+$/, ""); print }
	' "$dir/calls" >>"$dir/functions"
done
grep -E '^[A-Za-z_$][A-Za-z0-9_.$]*$' "$dir/functions" | LC_ALL=C sort -u
