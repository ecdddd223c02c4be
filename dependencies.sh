#!/bin/sh
# SPDX-License-Identifier: MIT
# The packages of Debian and Ubuntu that a target of the Makefile needs.
#   ./dependencies.sh require GROUP…    lists what is missing and the command that installs it, and fails if anything is
#   ./dependencies.sh install GROUP…    installs what is missing
# A group is `build`, `sound`, `pipewire`, `disks`, `interchange`, `radio`, `tests`, `deb`, `debian` or `packages`; any other
# word is the name of a package.
set -eu

has() {
    for program; do command -v "$program" >/dev/null || return 1; done
}

is_installed() { # is_installed PACKAGE
    case $1 in
        pkg-config) has pkg-config ;;
        libpulse-dev) pkg-config --exists libpulse ;;
        libsndfile1-dev) pkg-config --exists sndfile ;;
        libflac-dev) pkg-config --exists flac ;;
        libvorbis-dev) pkg-config --exists vorbisenc ;;
        libopus-dev) pkg-config --exists opus ;;
        # Not every distribution has a file for pkg-config.
        libmp3lame-dev) [ -e /usr/include/lame/lame.h ] || pkg-config --exists lame ;;
        libmpg123-dev) pkg-config --exists libmpg123 ;;
        libpng-dev) pkg-config --exists libpng ;;
        # Built with either of two libraries for encryption.
        libcurl4-openssl-dev) pkg-config --exists libcurl ;;
        libavcodec-dev) pkg-config --exists libavcodec ;;
        libsoxr-dev) pkg-config --exists soxr ;;
        libebur128-dev) pkg-config --exists libebur128 ;;
        libsoundtouch-dev) pkg-config --exists soundtouch ;;
        pulseaudio-utils) has pactl parec paplay ;;
        dbus) has dbus-run-session dbus-daemon dbus-send dbus-monitor ;;
        btrfs-progs) [ "$(id -u)" -ne 0 ] || has mkfs.btrfs btrfs ;;
        e2fsprogs) [ "$(id -u)" -ne 0 ] || has mkfs.ext4 ;;
        groff-base) has groff ;;
        ffmpeg) has ffmpeg ffprobe ;;
        sndfile-programs) has sndfile-info ;;
        libsox-fmt-mp3) sox --help-format mp3 | grep -q 'Reads: yes' ;;
        pulseaudio | pipewire | pipewire-pulse | wireplumber | lame | sox | mpg123 | icecast2 | zsh | fish | mandoc | \
            playerctl | gcc | g++ | cmake | openssl) has "$1" ;;
        *) dpkg -s "$1" >/dev/null 2>&1 ;;
    esac 2>/dev/null
}

# A second sound server is never proposed: its package may remove the one that the desktop plays on.
server_packages() {
    if has pulseaudio; then :
    elif has pipewire-pulse; then echo pipewire wireplumber dbus
    elif has pipewire; then echo server-for-pipewire
    else echo pulseaudio
    fi
}

packages_of() { # packages_of GROUP
    case $1 in
        build)
            echo pkg-config libpulse-dev libsndfile1-dev libflac-dev libvorbis-dev libopus-dev libmp3lame-dev \
                libmpg123-dev libpng-dev libavcodec-dev libsoxr-dev libsoundtouch-dev libcurl4-openssl-dev \
                libebur128-dev
            ;;
        sound) echo pulseaudio-utils "$(server_packages)" ;;
        # Programs that tests run besides a server. Without one, its tests are skipped, and `make test` lists them.
        tests)
            echo dbus gcc g++ cmake openssl ffmpeg sox libsox-fmt-mp3 sndfile-programs playerctl zsh fish groff-base \
                mandoc
            ;;
        pipewire)
            if has pulseaudio && ! has pipewire-pulse; then echo pipewire-for-pulseaudio
            else echo pipewire pipewire-pulse wireplumber dbus
            fi
            ;;
        # File systems that become full or read-only, which only root can mount.
        disks) echo btrfs-progs e2fsprogs ;;
        interchange) echo ffmpeg lame sox libsox-fmt-mp3 sndfile-programs mpg123 ;;
        radio) echo icecast2 ffmpeg ;;
        deb) echo debhelper dpkg-dev gcc ;;
        debian) echo debootstrap debian-archive-keyring ;;
        packages) echo debootstrap debian-archive-keyring devscripts lintian ;;
        *) echo "$1" ;;
    esac
}

action=$1
shift
missing=
for group; do
    for package in $(packages_of "$group"); do
        case $package in
            server-for-pipewire)
                echo "make: PipeWire is installed without its PulseAudio server: install pipewire-pulse" >&2
                exit 1
                ;;
            pipewire-for-pulseaudio)
                echo "make: PulseAudio is the sound server here: install pipewire-pulse yourself to test with it" >&2
                exit 1
                ;;
        esac
        is_installed "$package" || missing="$missing $package"
    done
done
[ -n "$missing" ] || exit 0

# No package is removed for another, whatever a distribution's packages conflict with.
install="apt-get install --no-install-recommends --no-remove$missing"
if ! has apt-get; then
    echo "make: missing, under the names of Debian:$missing" >&2
    exit 1
elif [ "$action" = require ]; then
    [ "$(id -u)" -eq 0 ] || install="sudo $install"
    printf 'make: missing:%s\nmake: install with: %s\n' "$missing" "$install" >&2
    exit 1
elif [ "$(id -u)" -eq 0 ]; then
    as_root=
elif has sudo; then
    as_root=sudo
else
    printf 'make: missing:%s\nmake: install as root with: %s\n' "$missing" "$install" >&2
    exit 1
fi
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends --no-remove $missing
