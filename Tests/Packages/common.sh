# SPDX-License-Identifier: MIT
# Functions of the scripts that run in a new system, in /tmp/test; included by them. A script ends with `finish`.
set -eu
cd /tmp/test
. /etc/os-release
failures=0

say() { echo "== $*"; }
fail() {
    echo "install-test: $*" >&2
    failures=$((failures + 1))
}
finish() {
    [ $failures -eq 0 ] || { echo "install-test: $PRETTY_NAME: $failures failed" >&2; exit 1; }
    say "$PRETTY_NAME: all passed"
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

start_server() {
    become_user pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no \
        -L "module-null-sink sink_name=out norewinds=1" -L module-native-protocol-unix >pulse.log 2>&1 &
    export PULSE_SERVER=/tmp/home/run/pulse/native
    wait_until user pactl info || { cat pulse.log >&2; exit 1; }
}

# The files of a user, and a web server with them, also with a certificate that the system trusts.
prepare_user() {
    mkdir -p /tmp/home/run
    printf 'tune.wav\ntune-vbr.mp3\n' >list.m3u
    printf '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:60\n#EXTINF:30,\ntune-vbr.mp3\n#EXT-X-ENDLIST\n' >live.m3u8
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
        -keyout tls.key -out tls.crt >tls.log 2>&1 || { cat tls.log >&2; exit 1; }
    cat tls.crt tls.key >tls.pem
    cat tls.crt >>/etc/ssl/certs/ca-certificates.crt
    chown -R nobody:nogroup /tmp/home /tmp/test
    become_user python3 serve.py >serve.log 2>&1 &
    wait_until [ -e ports ] || { fail "the web server does not start"; finish; }
    . ./ports
    export HTTP HTTPS
}

# The file names of a library that the tools load, with the numbers of their interfaces.
files_of() { # files_of LIBRARY
    for tool in aqplay aqinfo aqconvert; do grep -aohE "$1\.so\.[0-9]+" "$(command -v $tool)" || true; done | sort -u
}
is_available() { # is_available LIBRARY
    case $1 in
        -) return 0 ;;
        server) [ -n "${PULSE_SERVER-}" ] ;;
        *)
            for file in $(files_of "$1"); do
                if ldconfig -p | grep -qF "	$file "; then return 0; fi
            done
            return 1
            ;;
    esac
}
# Uses every feature: it works if its library is installed, and otherwise says what to install. The packages that were
# named are listed in the file named, and the libraries that were missing in the file missing.
use_features() { # use_features [BEGINNING-OF-LINES]
    : >named
    : >missing
    grep -v '^#' features.txt | grep "^${1-}" >features
    [ -n "$(files_of libavcodec)" ] || fail "the tools name no file of libavcodec"
    while IFS='|' read -r library package command; do
        rm -f out.*
        status=0
        user sh -c "$command" >feature.log 2>&1 </dev/null || status=$?
        if is_available "$library"; then
            echo "with $library: $command"
            [ $status -eq 0 ] || { cat feature.log >&2; fail "$command: status $status"; }
        elif [ "$library" = server ]; then
            echo "without a server: $(tail -n 1 feature.log)"
            [ $status -ne 0 ] && grep -q 'sound server' feature.log || fail "$command: status $status without a server"
        else
            echo "without $library: $(tail -n 1 feature.log)"
            echo "$library" >>missing
            case $status in
                1 | 74) ;; # 74: a result cannot be written.
                *) fail "$command: status $status without $library" ;;
            esac
            grep -oE "type: apt install [^ ]+" feature.log | sed 's/.* //' | grep -Fx "$package" >>named ||
                fail "$command: the package $package is not named"
        fi
    done <features
    sort -u -o named named
    sort -u -o missing missing
    rm -f out.*
}

compile_and_run() { # compile_and_run SUFFIX COMPILER…
    suffix=$1
    shift
    for compiler; do
        for program in player recorder varispeed; do
            "$compiler" -Wall $program.c -o "$program-$compiler-$suffix" $(pkg-config --cflags --libs audiotoolbox) ||
                fail "$compiler cannot build $program.c"
        done
        readelf -d "player-$compiler-$suffix" | grep -E 'NEEDED|RUNPATH' | sed 's/.*(\(.*\)) *[^:]*: /  \1 /'
        heard "player-$compiler-$suffix" "./player-$compiler-$suffix" tune.wav
        user "./varispeed-$compiler-$suffix" || fail "varispeed: status $?"
    done
    user env PULSE_SOURCE=out.monitor "./recorder-gcc-$suffix" "memo-$suffix.wav" 1 || fail "recorder: status $?"
    user aqinfo --brief "memo-$suffix.wav" || true
}
