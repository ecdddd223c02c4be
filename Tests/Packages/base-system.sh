#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes a minimal Debian with debootstrap, as root:
#   base-system.sh RELEASE FOLDER ROOT
# FOLDER keeps it as an archive for the next time, since it takes a minute. DEBIAN_MIRROR=URL takes the packages of
# Debian from there; otherwise they come from where those of this machine come from.
set -eu
release=$1
folder=$2
root=$3
mirror=${DEBIAN_MIRROR-}
if [ -z "$mirror" ] && grep -q '^ID=debian' /etc/os-release; then
    mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\(http[^ ]*\).*/\2/p' \
        /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -v security | head -n 1)
fi
mirror=${mirror:-http://deb.debian.org/debian}

base=$folder/$release-$(dpkg --print-architecture).tar
if [ ! -e "$base" ]; then
    echo "== debootstrap $release from $mirror"
    debootstrap --variant=minbase --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
        --include=ca-certificates "$release" "$root" "$mirror" >"$root.log" 2>&1 || {
        tail -n 20 "$root.log" "$root/debootstrap/debootstrap.log" >&2
        rm -f "$root.log"
        exit 1
    }
    rm -f "$root.log"
    tar -C "$root" --exclude='./var/cache/apt/archives/*.deb' -cf "$base.part" .
    mv "$base.part" "$base"
else
    tar -C "$root" -xf "$base"
fi
chmod 755 "$root"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# How this machine reaches archives: proxies, and the checks of their dates.
apt-config dump | grep -iE '^Acquire::(Check-|Retries|.*proxy)' >"$root/etc/apt/apt.conf.d/90host" || true
# No service is started by its installation.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
