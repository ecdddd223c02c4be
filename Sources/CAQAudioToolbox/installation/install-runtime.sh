#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the parts of a Swift toolchain that libAudioToolbox.so and the programs that link it need:
#   install-runtime.sh LIBRARY TOOLCHAIN FOLDER
# FOLDER then contains the toolchain's libraries that LIBRARY links directly or indirectly, without their symbols for
# debuggers, and in include/ the headers of CoreFoundation, and of libdispatch and blocks, which they include.
# Everything that was in FOLDER is removed first: it belongs to another toolchain.
set -eu
library=$1
toolchain=$2/lib/swift
folder=$3

needed() { # needed FILE
    LC_ALL=C readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'
}

libraries=
pending=$(needed "$library")
while [ -n "$pending" ]; do
    next=
    for name in $pending; do
        case " $libraries " in *" $name "*) continue ;; esac
        [ -e "$toolchain/linux/$name" ] || continue
        libraries="$libraries $name"
        next="$next $(needed "$toolchain/linux/$name")"
    done
    pending=$next
done

rm -rf "$folder"
for name in $libraries; do
    install -D -m 755 -s "$toolchain/linux/$name" "$folder/$name"
done
for header in "$toolchain"/CoreFoundation/*.h "$toolchain"/dispatch/*.h "$toolchain"/Block/*.h "$toolchain"/os/*.h; do
    [ ! -e "$header" ] || install -D -m 644 "$header" "$folder/include/${header#"$toolchain"/}"
done
