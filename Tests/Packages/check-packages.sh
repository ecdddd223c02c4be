#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the packages without installing them: lintian, hardening, versions, run paths.
#   check-packages.sh FOLDER VERSION
set -eu
folder=$1
version=$2
status=0

fail() {
    echo "check-packages: $*" >&2
    status=1
}

echo "== lintian"
lintian --fail-on error --tag-display-limit 0 "$folder"/*.changes || fail "lintian reports errors"

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
for package in "$folder"/*.deb; do
    dpkg-deb -x "$package" "$files"
    built=$(dpkg-deb -f "$package" Version)
    [ "$built" = "$version" ] || fail "$package is of version $built, not of $version"
done

echo "== hardening-check"
# Debian 12 does not build with control-flow protection.
binaries=$(find "$files" -type f \( -path '*/bin/*' -o -name '*.so*' \) ! -path '*/audiotoolbox/*' | sort)
for binary in $binaries; do
    hardening-check --nocfprotection "$binary" || fail "$binary lacks a protection"
done
runtime=$(find "$files" -path '*/audiotoolbox/*.so' | sort)
echo "The runtime's libraries are copied as the toolchain's makers built them. What they lack:"
for library in $runtime; do
    lacks=$(hardening-check --nocfprotection "$library" | sed -n '/(ignored)/d; s/^ \([A-Z][^:]*\): no.*/\1/p' |
        paste -sd, | sed 's/,/, /g')
    echo "  ${library##*/}: ${lacks:-nothing}"
    case $lacks in *Position*|*Read-only*) fail "${library##*/} has writable or fixed code" ;; esac
done

echo "== names, versions and run paths"
library=$(find "$files" -name 'libAudioToolbox.so.*' -type f)
soname=$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
[ "$soname" = "${library##*/}" ] || fail "$library has the soname $soname"
[ -e "$folder/libaudiotoolbox${soname##*.}_${version}_$(dpkg --print-architecture).deb" ] ||
    fail "no package is named after the soname $soname"
functions=$(nm -D --defined-only --with-symbol-versions "$library" | grep ' T ')
! echo "$functions" | grep -v '@@AUDIOTOOLBOX_1' || fail "functions have no version"
pc=$(find "$files" -name audiotoolbox.pc)
grep -qx "Version: $version" "$pc" || fail "the pkg-config file has another version than $version"
! grep -E 'lib/swift|@' "$pc" || fail "the pkg-config file refers to the toolchain"
for binary in $binaries $runtime; do
    path=$(objdump -p "$binary" | awk '$1 == "RUNPATH" || $1 == "RPATH" { print $2 }')
    case $path in
        '' | '$ORIGIN' | '$ORIGIN/audiotoolbox') ;;
        *) fail "$binary has the run path $path" ;;
    esac
done
for tool in $(find "$files/usr/bin" -type f); do
    "$tool" --version | grep -qF " $version" || fail "$("$tool" --version) is not of version $version"
done

echo "== fields"
names() { # names PACKAGE FIELD: the names of packages in the field, one a line, without versions
    dpkg-deb -f "$folder/$1"_*.deb "$2" | tr ',|' '\n\n' | sed -e 's/(.*//' -e 's/:any//' -e 's/ //g' -e 's/t64$//'
}
expect_names() { # expect_names PACKAGE FIELD PATTERN…: a name for each pattern
    package=$1
    field=$2
    shift 2
    for pattern; do
        names "$package" "$field" | grep -qxE "$pattern" || fail "$field of $package lacks $pattern"
    done
}
linked="libc6 libpulse0 libsndfile1 libmpg123-0"
encoders="libflac[0-9]+ libvorbisenc2 libvorbis0a libopus0 libmp3lame0"
expect_names audioqueue-tools Depends $linked $encoders
expect_names libaudiotoolbox1 Depends $linked $encoders
expect_names libaudiotoolbox-dev Depends libaudiotoolbox1
expect_names audioqueue-tools Recommends pulseaudio pipewire-pulse 'libavcodec[0-9]+' 'libavutil[0-9]+' \
    'libcurl[34](-gnutls)?' libebur128-1 libpng16-16 libsoundtouch1
expect_names libaudiotoolbox1 Recommends pulseaudio pipewire-pulse 'libavcodec[0-9]+' 'libavutil[0-9]+' \
    libsoundtouch1 libsoxr0
! names audioqueue-tools Recommends | grep -x libsoxr0 || fail "the tools recommend libsoxr, which they do not use"
for package in "$folder"/*.deb; do
    ! dpkg-deb -f "$package" | grep -F '${' || fail "$package has a variable without value"
    dpkg-deb -f "$package" Maintainer | grep -q '.@.' || fail "$package has no maintainer"
    dpkg-deb -f "$package" Bugs | grep -qE '^(mailto:.+@|https://)' || fail "$package does not say where faults are reported"
    homepage=$(dpkg-deb -f "$package" Homepage)
    case $homepage in
        https://* | '') ;;
        *) fail "$package has the page $homepage" ;;
    esac
done
# Programs depend on the newest version of a function that they use.
dpkg-deb --ctrl-tarfile "$folder"/libaudiotoolbox1_*.deb | tar -xO ./symbols | awk '/^ / { print $2 }' | sort -u |
    while read -r release; do dpkg --compare-versions "$release" le "$version" || echo "$release"; done >"$files/newer"
[ ! -s "$files/newer" ] || fail "functions are listed as newer than the package: $(cat "$files/newer")"

echo "== sizes"
for package in "$folder"/*.deb; do
    installed=$(dpkg-deb -f "$package" Installed-Size)
    echo "$(basename "$package"): $(stat -c %s "$package") bytes, $installed KiB installed"
    for field in Depends Recommends; do
        echo "  $field: $(dpkg-deb -f "$package" "$field")"
    done
done
exit $status
