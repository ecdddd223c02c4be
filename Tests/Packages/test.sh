#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests the packages of `make deb` and the archive of `make tarball`, as root:
#   test.sh FOLDER VERSION 'RELEASE…' 'RELEASE…'
# The packages are installed on the first releases, the archive is unpacked on the others.
set -eu
folder=$(realpath "$1")
version=$2
tests=$(dirname "$(realpath "$0")")
"$tests/check-packages.sh" "$folder" "$version"
for release in $3; do "$tests/install-test.sh" "$folder" "$version" "$release" packages; done
for release in $4; do "$tests/install-test.sh" "$folder" "$version" "$release" archive; done
echo "test-packages: passed; packages on $3; archive on $4"
