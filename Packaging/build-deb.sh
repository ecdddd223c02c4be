#!/bin/sh
# Builds the packages of Debian from the finished release, as any user:
#   build-deb.sh FOLDER VERSION MAINTAINER [HOMEPAGE]
# Without a page of the project, the field is left out, and faults are reported to the maintainer.
# FOLDER then contains the packages and their .changes file, and no packages of earlier builds.
set -eu
folder=$1
version=$2
maintainer=$3
homepage=${4-}
cd "$(dirname "$0")/.."
case $maintainer in
    *@*) ;;
    *) echo "make: say who builds the packages: make deb MAINTAINER='Name <name@host>'" >&2; exit 1 ;;
esac

address=$(printf '%s' "$maintainer" | sed 's/.*<\(.*\)>.*/\1/')
bugs=${homepage:+$homepage/issues}
# The scheme is one of those that reportbug knows.
bugs=${bugs:-mailto:$address}

mkdir -p "$folder"
rm -f "$folder"/*.deb "$folder"/*.changes "$folder"/*.buildinfo
build=$folder/build
rm -rf "$build"
mkdir "$build"
cp -r Packaging/debian "$build/debian"
date=$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
for template in control changelog; do
    # The replacements contain no character that is special to sed except &, | and \.
    escaped=$(printf '%s' "$maintainer" | sed 's/[&|\\]/\\&/g')
    sed -e "s|@VERSION@|$version|g" -e "s|@DATE@|$date|" -e "s|@MAINTAINER@|$escaped|" \
        -e "s|@HOMEPAGE@|$homepage|; /^Homepage: *$/d" -e "s|@BUGS@|$bugs|" \
        "$build/debian/$template.in" >"$build/debian/$template"
    rm "$build/debian/$template.in"
done
# The list names the release that will have a function first. Until then, it is in this version.
symbols=$build/debian/libaudiotoolbox1.symbols
for release in $(awk '/^ / { print $2 }' "$symbols" | sort -u); do
    if dpkg --compare-versions "$release" gt "$version"; then
        sed -i "s/ $(echo "$release" | sed 's/\./\\./g')\$/ $version/" "$symbols"
    fi
done
project=$PWD
cd "$build"
# -d: the Makefile has checked what is needed, and Swift is not a package of Debian.
PROJECT=$project dpkg-buildpackage --build=binary --no-sign -d -j2
cd "$project"
rm -rf "$build"
ls -l "$folder"/*.deb
