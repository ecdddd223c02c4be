#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests the packages of `make deb` and the archive of `make tarball`, as root:
#   test.sh FOLDER VERSION RELEASE…
set -eu
folder=$(realpath "$1")
version=$2
shift 2
tests=$(dirname "$(realpath "$0")")
"$tests/check-packages.sh" "$folder" "$version"
for release; do "$tests/install-test.sh" "$folder" "$version" "$release"; done
