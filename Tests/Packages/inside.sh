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

# A command of every feature of the README that needs a library, and the package of Debian that has the library.
cat >features <<'END'
libflac|aqconvert tune.wav out.flac && aqinfo --check out.flac && aqconvert - out.wav <out.flac
libmp3lame0|aqconvert tune.wav out.mp3
libmpg123-0|aqplay -q -d virtual --start 1 --end 2 tune-vbr.mp3
libvorbisenc2|aqconvert tune.wav out.ogg && aqinfo --check out.ogg
libopus0|aqconvert tune-float48.wav out.opus && aqinfo --check out.opus
libavcodec|aqconvert -d alac tune.wav out.m4a && aqinfo --check out.m4a
libavcodec|aqconvert -d aac tune.wav out.m4a && aqplay -q -d virtual --end 1 out.m4a
libsoxr0|aqconvert -d @22050 tune.wav out.wav
libsoundtouch1|aqplay -q -d virtual --speed=2 --end 1 tune.wav
libebur128-1|aqinfo --loudness tune.wav
libpng16-16|aqinfo --waveform=out.png tune.wav
libcurl4|aqplay -q -d virtual --end 1 http://127.0.0.1:8017/tune.wav
libcurl4|aqinfo http://127.0.0.1:8017/tune-vbr.mp3
END

is_package_installed() { # is_package_installed BEGINNING-OF-NAME
    dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | grep -qE "^installed $1[0-9]*(t64)?\$"
}
# Uses every feature: it works if its library is installed, and otherwise says what to install. The packages that were
# named are listed in the file named.
use_features() {
    : >named
    python3 -m http.server --bind 127.0.0.1 8017 >/dev/null 2>&1 &
    web_server=$!
    wait_until python3 -c \
        'import socket; socket.create_connection(("127.0.0.1", 8017))'
    while IFS='|' read -r package command; do
        rm -f out.*
        status=0
        user sh -c "$command" >feature.log 2>&1 </dev/null || status=$?
        if is_package_installed "$package"; then
            echo "with $package: $command"
            [ $status -eq 0 ] || { cat feature.log >&2; fail "$command: status $status"; }
        else
            echo "without $package: $(tail -n 1 feature.log)"
            [ $status -eq 1 ] || fail "$command: status $status without $package"
            sed -n 's/.*type: apt install \([^ ]*\).*/\1/p' feature.log | grep "^$package" >>named ||
                fail "$command: the package $package is not named"
        fi
    done <features
    rm -f out.*
    end $web_server
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
# Those that another release has are left out, and named.
available=$(for package in $recommended; do
    apt-get -s install --no-install-recommends "$package" >/dev/null 2>&1 && echo "$package"
done) || true
for package in $recommended; do
    echo "$available" | grep -qx "$package" || echo "Not in this release: $package"
done

say "without the recommended packages"
install python3-minimal python3 ./*.deb
mkdir -p /tmp/home/run
chown -R nobody:nogroup /tmp/home /tmp/test
use_features
sort -u named | while read -r package; do
    if apt-get -s install "$package" >/dev/null 2>&1; then continue; fi
    case $package in
        libavcodec*) echo "Not in this release: $package" ;;
        *) fail "apt does not know $package" ;;
    esac
done
apt-get purge -q -y audioqueue-tools libaudiotoolbox1 libaudiotoolbox-dev >apt.log 2>&1 || fail "apt-get purge: $?"

say "packages"
install $dependencies $available pulseaudio-utils gcc clang libc6-dev pkg-config binutils xz-utils
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
use_features
user aqlatency --help >/dev/null || fail "aqlatency: status $?"
become_user aqplay --quiet --loop=20 tune.wav &
player=$!
user aqrecord --monitor out --seconds 1 recorded.wav || fail "aqrecord: status $?"
user aqrecord --monitor out --seconds 1 recorded.flac || fail "aqrecord, FLAC: status $?"
end $player
user aqinfo --brief --check recorded.wav recorded.flac || fail "aqinfo: status $?"
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
for library in $(readelf -d bin/aq* lib/libAudioToolbox.so.1 | sed -n 's/.*(NEEDED).*\[\(lib[a-z0-9]*\).*/\1/p' | sort -u); do
    case $library in
        libc | libm | libdl | libpthread | libgcc | libswift* | libFoundation | libBlocksRuntime | libdispatch) ;;
        *) grep -qi "$library" INSTALL.txt || fail "INSTALL.txt does not name $library" ;;
    esac
done
for package in $(cut -d '|' -f 1 ../features | sort -u); do
    grep -q "$package" INSTALL.txt || fail "INSTALL.txt does not name the package $package"
done
heard aqplay-archive bin/aqplay --quiet ../tune.wav
PATH=$PWD/bin:$PATH
(cd .. && use_features)
PKG_CONFIG_PATH=$PWD/lib/pkgconfig
export PATH PKG_CONFIG_PATH
cp ../*.c ../tune.wav . && chown -R nobody .
compile_and_run archive

[ $failures -eq 0 ] || { echo "install-test: $failures failed" >&2; exit 1; }
say "all passed"
