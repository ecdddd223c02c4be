#!/bin/sh
# SPDX-License-Identifier: MIT
# The part of install-test.sh for the archive, which runs in the new system: archive.sh VERSION
. /tmp/test/common.sh

say "$PRETTY_NAME: the archive, with only the libraries that must be installed"
apt-get update -q >apt.log 2>&1 || { cat apt.log >&2; exit 1; }
install xz-utils python3
tar -xf audioqueue-services-"$1"-*.tar.xz
archive=$(echo /tmp/test/audioqueue-services-"$1"-*/)
# The first table of INSTALL.txt.
required=$(sed '/^Other libraries/,$d' "$archive/INSTALL.txt" | sed -n 's/^    lib[^ ]*\.so[^ ]*  *\(lib[^ ]*\)$/\1/p')
echo "Required:" $required
install $required
PATH=${archive}bin:$PATH
export PATH
chmod -R go+rX .
prepare_user
use_features

say "$PRETTY_NAME: after the commands that the messages name"
for package in $(cat named); do
    apt-get install -q -y --no-install-recommends "$package" >apt.log 2>&1 ||
        { tail -n 3 apt.log >&2; fail "apt-get install $package"; }
done
before=$(cat missing)
use_features
# The codecs are of the release of the build, as their message says.
[ -z "$(grep -vx libavcodec missing)" ] || fail "still missing: $(cat missing)"
if grep -qx libavcodec missing; then
    user aqconvert -d aac tune.wav out.m4a >feature.log 2>&1 && fail "AAC without libavcodec"
    grep -q 'this was built for libavcodec' feature.log || fail "the version of libavcodec is not named"
fi
echo "Missing before:" $before
echo "Missing after:" $(cat missing)

say "$PRETTY_NAME: a sound server, and programs in C"
install pulseaudio pulseaudio-utils gcc libc6-dev pkg-config binutils
start_server
use_features server
cd "$archive"
PKG_CONFIG_PATH=${archive}lib/pkgconfig
export PKG_CONFIG_PATH
if ldd bin/aq* lib/libAudioToolbox.so | grep 'not found'; then fail "the archive lacks a library"; fi
for library in $(readelf -d bin/aq* lib/libAudioToolbox.so.1 | sed -n 's/.*(NEEDED).*\[\(lib[a-z0-9]*\).*/\1/p' | sort -u); do
    case $library in
        libc | libm | libdl | libpthread | libgcc | libswift* | libFoundation | libBlocksRuntime | libdispatch) ;;
        *) grep -qi "$library" INSTALL.txt || fail "INSTALL.txt does not name $library" ;;
    esac
done
cp ../*.c ../tune.wav . && chown -R nobody .
compile_and_run archive gcc
finish
