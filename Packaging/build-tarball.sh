#!/bin/sh
# Builds an archive of the finished release for systems without packages of their own:
#   build-tarball.sh FOLDER VERSION TOOLCHAIN
# Two archives of one release are equal byte by byte.
set -eu
mkdir -p "$1"
folder=$(realpath "$1")
version=$2
toolchain=$3
cd "$(dirname "$0")/.."

name=audioqueue-services-$version-linux-$(uname -m)
tree=$folder/$name
rm -rf "$tree"
make --no-print-directory install PREFIX="$tree" LIBDIR="$tree/lib" INCLUDEDIR="$tree/include" DESTDIR= LDCONFIG=:
# The archive may be unpacked anywhere. pkg-config knows the folder of the file.
sed -i -e 's|^prefix=.*|prefix=${pcfiledir}/../..|' -e 's|^libdir=.*|libdir=${prefix}/lib|' \
    -e 's|^includedir=.*|includedir=${prefix}/include|' "$tree/lib/pkgconfig/audiotoolbox.pc"
documents=$tree/share/doc/audioqueue-services
install -D -m 644 -t "$documents" LICENSE README.md CHANGELOG.md Packaging/debian/copyright
install -m 644 "$toolchain/share/swift/LICENSE.txt" "$documents/LICENSE-swift.txt"
install -m 644 Packaging/INSTALL.txt "$tree/INSTALL.txt"

archive=$folder/$name.tar.xz
# One thread: the number of threads changes the output.
XZ_OPT='-6 -T1' tar -C "$folder" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --mode=u+rw,go=rX -cJf "$archive.part" "$name"
mv "$archive.part" "$archive"
rm -rf "$tree"
ls -l "$archive"
