#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs what the README promises on fresh systems, as root:
#   test-debian.sh FOLDER RELEASE… [-- COMMAND…]
# For each release, a minimal Debian is made below TMPDIR, with this machine's toolchain (read-only) and the checkout:
# the files that git tracks, as they are, and new ones. Then `make demo`, `make` and `make test` run there, or COMMAND.
# FOLDER keeps the minimal systems, and the output of each command in debian-RELEASE.log. Mounts and processes are in
# namespaces of their own, and end with this script, whatever ends it; then the system is removed. With KEEP=1 the system
# is FOLDER/debian-RELEASE, and stays: the next time only files of the checkout that changed are copied to it, so that a
# build continues.
set -eu
folder=$1
shift
tests=$(dirname "$(realpath "$0")")
project=$(realpath "$tests/../..")

say() { echo "test-debian: $*"; }
fail() {
    say "$*" >&2
    exit 1
}

# The packages that Swift's toolchain needs, by the first name that a release has, and what everybody has who clones.
toolchain_packages='git make binutils pkg-config tzdata ca-certificates python3 zlib1g-dev libc6-dev
    libstdc++-14-dev,libstdc++-15-dev,libstdc++-13-dev,libstdc++-12-dev libncurses6 libedit2 libsqlite3-0
    libxml2,libxml2-16 libcurl4t64,libcurl4'

install_first() { # install_first NAME,…
    for name in $(echo "$1" | tr ',' ' '); do
        if inside apt-get install -q -y --no-install-recommends "$name" >>"$log" 2>&1; then return 0; fi
    done
    fail "$release has none of $1; see $log"
}

inside() {
    env -i PATH=/opt/toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        USER=root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive XDG_RUNTIME_DIR=/run/user/0 \
        TERM="${TERM:-dumb}" ${CI:+CI=$CI} chroot "$root" "$@"
}

# Copies what differs, with the present time, which is how builds recognize a changed file.
copy_checkout() {
    copy=$root/root/project
    list=$root/root/project.files
    (cd "$project" && git ls-files -z --cached --others --exclude-standard |
        xargs -0 sh -c 'for file; do if [ -e "$file" ]; then printf "%s\n" "$file"; fi; done' sh | sort) >"$list.new"
    if [ -e "$list" ]; then
        comm -23 "$list" "$list.new" | tr '\n' '\0' | (cd "$copy" && xargs -0 -r rm -f)
    fi
    mv "$list.new" "$list"
    tr '\n' '\0' <"$list" | (cd "$project" && xargs -0 sh -c \
        'for file; do cmp -s "$file" "$0/$file" || printf "%s\0" "$file"; done' "$copy" |
        tar --null -T - -cf -) | tar -C "$copy" -xmf -
}

run() { # run COMMAND
    say "$release: $*"
    start=$(date +%s)
    status=0
    { inside /bin/sh -c 'cd /root/project && eval "$0"' "$*" 2>&1; echo $? >"$root/status"; } |
        tee -a "$log" | grep -aE --line-buffered '^(What failed|.*✘|aqdemo|.*Test run with|.*skipped: .* installed|make: |.*error: )' || true
    status=$(cat "$root/status")
    say "$release: $* ended with status $status after $(($(date +%s) - start)) s"
    [ "$status" -eq 0 ] || fail "$release: $* failed; see $log"
}

# The part in the namespaces: one release.
if [ -n "${AQ_DEBIAN_ROOT-}" ]; then
    root=$AQ_DEBIAN_ROOT
    release=$1
    shift
    log=$folder/debian-$release.log
    : >"$log"
    ready=$root/var/lib/test-debian
    [ -e "$ready" ] || "$tests/base-system.sh" "$release" "$folder" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind -o ro /sys "$root/sys"
    # A test makes a file system report an error.
    mount --bind /sys/fs "$root/sys/fs"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    mkdir -p "$root/opt/toolchain" "$root/root/project" "$root/run/user/0"
    mount --bind "$AQ_DEBIAN_TOOLCHAIN" "$root/opt/toolchain"
    mount -o remount,ro,bind "$root/opt/toolchain"
    copy_checkout
    if [ ! -e "$ready" ]; then
        say "$release: packages of the toolchain"
        inside apt-get update -q >>"$log" 2>&1 || fail "apt-get update failed; see $log"
        for names in $toolchain_packages; do install_first "$names"; done
        touch "$ready"
    fi
    inside sh -c '. /etc/os-release; echo "$PRETTY_NAME, $(ldd --version | head -n 1)"; swift --version 2>&1 | head -n 1'
    if [ $# -gt 0 ]; then
        run "$*"
    else
        run make demo
        run make
        run make test
    fi
    exit 0
fi

[ "$(id -u)" -eq 0 ] || fail "run as root, since debootstrap, mount and chroot need it"
for program in debootstrap unshare swift git; do
    command -v "$program" >/dev/null || fail "$program is not installed"
done
toolchain=$(swift -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/usr/lib/swift".*|\1|p')
[ -d "$toolchain/usr/bin" ] || fail "the toolchain is not found"
mkdir -p "$folder"
folder=$(realpath "$folder")
releases=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    releases="$releases $1"
    shift
done
[ $# -eq 0 ] || shift
[ -n "$releases" ] || fail "say which releases: trixie, sid, bookworm"

root= child=
trap '[ -n "${KEEP-}" ] || [ -z "$root" ] || rm -rf --one-file-system "$root"' EXIT
trap '[ -z "$child" ] || kill -KILL "$child" 2>/dev/null; exit 130' HUP INT TERM
for release in $releases; do
    if [ -n "${KEEP-}" ]; then
        root=$folder/debian-$release
        mkdir -p "$root"
    else
        root=$(mktemp -d "${TMPDIR:-/tmp}/debian-$release-XXXXXX")
    fi
    AQ_DEBIAN_ROOT=$root AQ_DEBIAN_TOOLCHAIN=$toolchain \
        unshare --mount --pid --fork --kill-child --propagation private "$0" "$folder" "$release" "$@" &
    child=$!
    status=0
    wait $child || status=$?
    child=
    [ -n "${KEEP-}" ] || rm -rf --one-file-system "$root"
    [ $status -eq 0 ] || exit $status
done
say "passed on$releases"
