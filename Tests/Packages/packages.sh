#!/bin/sh
# SPDX-License-Identifier: MIT
# The part of install-test.sh for the packages, which runs in the new system: packages.sh VERSION
. /tmp/test/common.sh
version=$1

# All names, except those that apt and dpkg keep about packages in general.
list_files() {
    find / -xdev \( -path /proc -o -path /tmp -o -path /var/lib/apt -o -path /var/cache/apt -o -path /var/log \) \
        -prune -o -print | grep -vE '^/var/lib/dpkg/[^/]*(-old)?$' | LC_ALL=C sort
}

say "$PRETTY_NAME without Swift"
if find / -xdev -name '*swift*' -o -xdev -name 'libFoundation*' | grep -v '^/proc' | grep .; then
    fail "the system has parts of Swift"
fi
apt-get update -q >apt.log 2>&1 || { cat apt.log >&2; exit 1; }
# First everything that comes from Debian, then the list of files, then only our packages.
dependencies=$(apt-get -s install --no-install-recommends ./*.deb | awk '$1 == "Inst" { print $2 }' |
    grep -vE '^(audioqueue-tools|libaudiotoolbox.*)$')
echo "Installed for the packages:" $dependencies
recommended=$(for package in ./*.deb; do dpkg-deb -f "$package" Recommends; done | tr ',' '\n' |
    sed -e 's/|.*//' -e 's/(.*//' -e 's/ //g' | grep . | sort -u)
echo "Recommended:" $recommended
# Those that another release has are left out, and named.
available=$(for package in $recommended; do
    apt-get -s install --no-install-recommends "$package" >/dev/null 2>&1 && echo "$package"
done) || true
for package in $recommended; do
    echo "$available" | grep -qx "$package" || echo "Not in this release: $package"
done

say "without the recommended packages"
install python3-minimal python3 ./*.deb
prepare_user
use_features
echo "Missing:" $(cat missing)
for package in $(cat named); do
    apt-get -s install "$package" >/dev/null 2>&1 || fail "apt does not know $package"
done
apt-get purge -q -y audioqueue-tools libaudiotoolbox1 libaudiotoolbox-dev >apt.log 2>&1 || fail "apt-get purge: $?"

say "packages"
install $dependencies $available pulseaudio-utils gcc clang libc6-dev pkg-config binutils xz-utils
list_files >before
ldconfig -p >cache-before

say "installation"
install ./*.deb
for package in audioqueue-tools libaudiotoolbox1 libaudiotoolbox-dev; do
    [ "$(dpkg-query -W -f '${Version}' $package)" = "$version" ] || fail "$package is not of version $version"
done
dpkg -L audioqueue-tools libaudiotoolbox1 libaudiotoolbox-dev | grep -vx '/\.' | LC_ALL=C sort -u >listed
list_files >installed
LC_ALL=C comm -13 before installed | grep -v '^/var/lib/dpkg/info/' >new
if LC_ALL=C comm -23 new listed | grep .; then fail "the installation made files that dpkg does not list"; fi
ldconfig -p | grep -q 'libAudioToolbox.so.1 ' || fail "the loader does not know libAudioToolbox.so.1"
for file in $(grep -E '/bin/aq|\.so' listed); do
    [ -f "$file" ] || continue
    if ldd "$file" 2>/dev/null | grep 'not found'; then fail "$file: a library is missing"; fi
done

say "sound server"
start_server

say "tools"
for tool in $(grep -E '^/usr/bin/aq' listed); do
    user "$tool" --version
    user "$tool" --version | grep -qF " $version" || fail "$tool is not of version $version"
done
heard aqplay-wav aqplay --quiet tune.wav
heard aqplay-mp3 aqplay --quiet tune-vbr.mp3
use_features
become_user aqplay --quiet --loop=20 tune.wav &
player=$!
user aqrecord --monitor out --seconds 1 recorded.wav || fail "aqrecord: status $?"
user aqrecord --monitor out --seconds 1 recorded.flac || fail "aqrecord, FLAC: status $?"
end $player
user aqinfo --brief --check recorded.wav recorded.flac || fail "aqinfo: status $?"
tail -c +4097 recorded.wav >recorded.raw
expect_audio recorded.raw "aqrecord"
user aqconvert recorded.wav converted.flac || fail "aqconvert: status $?"
user aqinfo --brief converted.flac

say "programs in C"
[ "$(pkg-config --modversion audiotoolbox)" = "$version" ] || fail "pkg-config has another version than $version"
echo "pkg-config:" $(pkg-config --cflags --libs audiotoolbox)
compile_and_run package gcc clang

say "removal"
apt-get purge -q -y audioqueue-tools libaudiotoolbox1 libaudiotoolbox-dev >apt.log 2>&1 || fail "apt-get purge: $?"
while read -r path; do
    if [ -d "$path" ] && [ ! -L "$path" ]; then
        dpkg -S "$path" >/dev/null 2>&1 || fail "the folder $path is left"
    elif [ -e "$path" ] || [ -L "$path" ]; then
        fail "the file $path is left"
    fi
done <listed
list_files >after
diff before after || fail "the removal left or took other files"
ldconfig -p | diff cache-before - || fail "the loader's cache differs"
echo "$(wc -l <listed) paths were installed, and are gone"
finish
