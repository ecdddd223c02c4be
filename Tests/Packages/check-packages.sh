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
for package in "$folder"/*.deb; do
    installed=$(dpkg-deb -f "$package" Installed-Size)
    echo "$(basename "$package"): $(stat -c %s "$package") bytes, $installed KiB installed"
    for field in Depends Recommends; do
        echo "  $field: $(dpkg-deb -f "$package" "$field")"
    done
done
exit $status
