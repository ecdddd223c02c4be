#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the packages on a Debian without Swift that debootstrap makes, plays, records and compiles there, and removes
# them again, as root:
#   install-test.sh FOLDER VERSION RELEASE
# Mounts and processes are in namespaces of their own, and end with this script, whatever ends it.
set -eu
folder=$(realpath "$1")
version=$2
release=$3
tests=$(dirname "$(realpath "$0")")
project=$(realpath "$tests/../..")

if [ -z "${AQ_INSTALL_TEST_ROOT-}" ]; then
    if [ "$(id -u)" -ne 0 ]; then
        echo "install-test: run as root, since debootstrap and chroot need it" >&2
        exit 1
    fi
    AQ_INSTALL_TEST_ROOT=$(mktemp -d "${TMPDIR:-/tmp}/install-test-XXXXXX")
    export AQ_INSTALL_TEST_ROOT
    # The child's mounts are in its namespace, so that only files of the folder are removed.
    trap 'rm -rf --one-file-system "$AQ_INSTALL_TEST_ROOT"' EXIT
    unshare --mount --pid --fork --kill-child --propagation private "$0" "$folder" "$version" "$release" &
    child=$!
    trap 'kill -KILL $child; exit 1' HUP INT TERM
    status=0
    wait $child || status=$?
    exit $status
fi

root=$AQ_INSTALL_TEST_ROOT
"$tests/base-system.sh" "$release" "$folder" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mkdir -p "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mkdir "$root/tmp/test"
cp "$folder"/*_"$version"_*.deb "$folder/audioqueue-services-$version-linux-$(uname -m).tar.xz" "$root/tmp/test/"
cp "$project/Fixtures/tune.wav" "$project/Fixtures/tune-vbr.mp3" "$project/Fixtures/tune-float48.wav" "$project/Sources/AudioToolboxSamples/player.c" \
    "$project/Sources/AudioToolboxSamples/recorder.c" "$root/tmp/test/"
cp "$tests/inside.sh" "$root/tmp/test/inside.sh"
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    chroot "$root" /bin/sh /tmp/test/inside.sh "$version"
