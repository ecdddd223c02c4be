#!/bin/sh
# SPDX-License-Identifier: MIT
# Uses the packages or the archive on a Debian without Swift that debootstrap makes, as root:
#   install-test.sh FOLDER VERSION RELEASE packages    installs, plays, records, compiles, removes
#   install-test.sh FOLDER VERSION RELEASE archive     unpacks, plays, records, compiles
# Mounts and processes are in namespaces of their own, and end with this script, whatever ends it.
set -eu
folder=$(realpath "$1")
version=$2
release=$3
part=$4
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
    unshare --mount --pid --fork --kill-child --propagation private "$0" "$folder" "$version" "$release" "$part" &
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
case $part in
    packages) cp "$folder"/*_"$version"_*.deb "$root/tmp/test/" ;;
    archive) cp "$folder/audioqueue-services-$version-linux-$(uname -m).tar.xz" "$root/tmp/test/" ;;
esac
cp "$project/Fixtures/tune.wav" "$project/Fixtures/tune-vbr.mp3" "$project/Fixtures/tune-float48.wav" \
    "$project/Sources/AudioToolboxSamples/player.c" "$project/Sources/AudioToolboxSamples/recorder.c" \
    "$tests/varispeed.c" "$tests/common.sh" "$tests/$part.sh" "$tests/features.txt" "$tests/serve.py" "$root/tmp/test/"
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    chroot "$root" /bin/sh "/tmp/test/$part.sh" "$version"
