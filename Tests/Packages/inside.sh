#!/bin/sh
# SPDX-License-Identifier: MIT
# The part of install-test.sh that runs in the new system: inside.sh VERSION
set -eu
version=$1
cd /tmp/test
. /etc/os-release
failures=0

say() { echo "== $*"; }
fail() {
    echo "install-test: $*" >&2
    failures=$((failures + 1))
}
install() { apt-get install -q -y --no-install-recommends "$@" >apt.log 2>&1 || { tail -n 20 apt.log >&2; exit 1; }; }
# Programs run as a user, whose files are on the temporary file system.
become_user() {
    exec setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME=/tmp/home XDG_RUNTIME_DIR=/tmp/home/run "$@"
}
user() { (become_user "$@"); }
# Ends a program that runs in the background.
end() {
    kill "$1"
    wait "$1" 2>/dev/null || true
}
# All names, except those that apt and dpkg keep about packages in general.
list_files() {
    find / -xdev \( -path /proc -o -path /tmp -o -path /var/lib/apt -o -path /var/cache/apt -o -path /var/log \) \
        -prune -o -print | grep -vE '^/var/lib/dpkg/[^/]*(-old)?$' | LC_ALL=C sort
}
wait_until() { # wait_until COMMAND…
    for _ in $(seq 200); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.05
    done
    echo "install-test: waited 10 s for: $*" >&2
    return 1
}
# The largest sample of 16 bits in a file without header.
peak() { od -An -v -td2 -w2 "$1" | awk '{ v = $1 < 0 ? -$1 : $1; if (v > m) m = v } END { print m + 0 }'; }
expect_audio() { # expect_audio FILE WHAT
    level=$(peak "$1")
    echo "$2: peak $level of 32768"
    [ "$level" -ge 1000 ] || fail "$2: no audio arrived"
}
is_captured() { [ "$(user pactl list short source-outputs | wc -l)" -eq "$1" ]; } # is_captured COUNT
# Plays by a command while another program captures the sink: heard NAME COMMAND…
heard() {
    name=$1
    shift
    wait_until is_captured 0
    become_user parec --device=out.monitor --raw --format=s16le --rate=48000 --channels=2 >"$name.raw" &
    capture=$!
    wait_until is_captured 1
    user "$@" || fail "$name: status $?"
    end $capture
    expect_audio "$name.raw" "$name"
}

say "$PRETTY_NAME without Swift"
if find / -xdev -name '*swift*' -o -xdev -name 'libFoundation*' | grep -v '^/proc' | grep .; then
    fail "the system has parts of Swift"
fi
apt-get update -q >apt.log 2>&1 || { cat apt.log >&2; exit 1; }
# First everything that comes from Debian, then the list of files, then only our packages.
dependencies=$(apt-get -s install --no-install-recommends ./*.deb | awk '$1 == "Inst" { print $2 }' |
    grep -vE '^(audioqueue-tools|libaudiotoolbox.*)$')
echo "Installed for the packages:" $dependencies
recommended=$(for package in ./*.deb; do dpkg-deb -f "$package" Recommends; done | tr ',' '\n' |
    sed -e 's/|.*//' -e 's/(.*//' -e 's/ //g' | grep . | sort -u)
echo "Recommended:" $recommended
install $dependencies $recommended pulseaudio-utils gcc clang libc6-dev pkg-config binutils xz-utils
list_files >before
ldconfig -p >cache-before

say "installation"
install ./*.deb
for package in audioqueue-tools libaudiotoolbox1 libaudiotoolbox-dev; do
    [ "$(dpkg-query -W -f '${Version}' $package)" = "$version" ] || fail "$package is not of version $version"
done
dpkg -L audioqueue-tools libaudiotoolbox1 libaudiotoolbox-dev | grep -vx '/\.' | LC_ALL=C sort -u >listed
list_files >installed
LC_ALL=C comm -13 before installed | grep -v '^/var/lib/dpkg/info/' >new
if LC_ALL=C comm -23 new listed | grep .; then fail "the installation made files that dpkg does not list"; fi
ldconfig -p | grep -q 'libAudioToolbox.so.1 ' || fail "the loader does not know libAudioToolbox.so.1"
for file in $(grep -E '/bin/aq|\.so' listed); do
    [ -f "$file" ] || continue
    if ldd "$file" 2>/dev/null | grep 'not found'; then fail "$file: a library is missing"; fi
done

say "sound server"
mkdir -p /tmp/home/run
chown -R nobody:nogroup /tmp/home /tmp/test
become_user pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no \
    -L "module-null-sink sink_name=out norewinds=1" -L module-native-protocol-unix >pulse.log 2>&1 &
export PULSE_SERVER=/tmp/home/run/pulse/native
wait_until user pactl info || { cat pulse.log >&2; exit 1; }

say "tools"
for tool in $(grep -E '^/usr/bin/aq' listed); do
    user "$tool" --version
    user "$tool" --version | grep -qF " $version" || fail "$tool is not of version $version"
done
heard aqplay-wav aqplay --quiet tune.wav
heard aqplay-mp3 aqplay --quiet tune-vbr.mp3
become_user aqplay --quiet --loop=20 tune.wav &
player=$!
user aqrecord --monitor out --seconds 1 recorded.wav || fail "aqrecord: status $?"
user aqrecord --monitor out --seconds 1 --m4a=recorded.m4a || fail "aqrecord, AAC: status $?"
end $player
user aqinfo --brief --check recorded.wav recorded.m4a || fail "aqinfo: status $?"
tail -c +4097 recorded.wav >recorded.raw
expect_audio recorded.raw "aqrecord"
user aqconvert recorded.wav converted.flac || fail "aqconvert: status $?"
user aqinfo --brief converted.flac

compile_and_run() { # compile_and_run SUFFIX
    for compiler in gcc clang; do
        for program in player recorder; do
            "$compiler" -Wall $program.c -o "$program-$compiler-$1" $(pkg-config --cflags --libs audiotoolbox) ||
                fail "$compiler cannot build $program.c"
        done
        readelf -d "player-$compiler-$1" | grep -E 'NEEDED|RUNPATH' | sed 's/.*(\(.*\)) *[^:]*: /  \1 /'
        heard "player-$compiler-$1" "./player-$compiler-$1" tune.wav
    done
    user env PULSE_SOURCE=out.monitor "./recorder-gcc-$1" "memo-$1.wav" 1 || fail "recorder: status $?"
    user aqinfo --brief "memo-$1.wav" || true
}

say "programs in C"
[ "$(pkg-config --modversion audiotoolbox)" = "$version" ] || fail "pkg-config has another version than $version"
echo "pkg-config:" $(pkg-config --cflags --libs audiotoolbox)
compile_and_run package

say "removal"
apt-get purge -q -y audioqueue-tools libaudiotoolbox1 libaudiotoolbox-dev >apt.log 2>&1 || fail "apt-get purge: $?"
while read -r path; do
    if [ -d "$path" ] && [ ! -L "$path" ]; then
        dpkg -S "$path" >/dev/null 2>&1 || fail "the folder $path is left"
    elif [ -e "$path" ] || [ -L "$path" ]; then
        fail "the file $path is left"
    fi
done <listed
list_files >after
diff before after || fail "the removal left or took other files"
ldconfig -p | diff cache-before - || fail "the loader's cache differs"
echo "$(wc -l <listed) paths were installed, and are gone"

say "archive"
tar -xf audioqueue-services-*.tar.xz
cd audioqueue-services-*/
if ldd bin/aq* lib/libAudioToolbox.so | grep 'not found'; then fail "the archive lacks a library"; fi
heard aqplay-archive bin/aqplay --quiet ../tune.wav
PATH=$PWD/bin:$PATH
PKG_CONFIG_PATH=$PWD/lib/pkgconfig
export PATH PKG_CONFIG_PATH
cp ../*.c ../tune.wav . && chown -R nobody .
compile_and_run archive

[ $failures -eq 0 ] || { echo "install-test: $failures failed" >&2; exit 1; }
say "all passed"
