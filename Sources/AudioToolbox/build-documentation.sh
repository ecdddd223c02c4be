#!/bin/sh
# Builds the documentation of the published API as HTML from the catalogue, the headers and the overlay, which were
# built before. A warning is an error, and so is a symbol of ours without a comment.
#   build-documentation.sh TOOLCHAIN-BIN BUILD-FOLDER OUTPUT
set -eu
toolchain=$1
build=$2
output=$3
here=$(dirname "$(realpath "$0")")
sources=$(dirname "$here")
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT

set -- -I "$build/Modules" -module-cache-path "$build/ModuleCache"
for map in "$sources"/*/module.modulemap "$sources"/*/include/module.modulemap "$build"/*.build/module.modulemap; do
    if [ -e "$map" ]; then set -- "$@" -Xcc "-fmodule-map-file=$map"; fi
done
for folder in "$sources"/C*/include; do
    set -- "$@" -Xcc -I -Xcc "$folder"
done

# A comment in a header of C tells of what stands behind it, or before it on the line. To the reader it is all one
# module: which part of it comes from a header is no concern of theirs.
for module in AudioToolbox CoreAudioTypes CAudioToolbox CAudioQueueTypes CCoreAudio CCoreAudioTypes; do
    "${toolchain}swift-symbolgraph-extract" -module-name "$module" "$@" -Xcc -fparse-all-comments \
        -minimum-access-level public -skip-synthesized-members -output-dir "$graphs"
done
sed -i 's/"module":{"name":"[A-Za-z]*"/"module":{"name":"AudioToolbox"/' "$graphs"/*.symbols.json

# Of what the importer makes up, such as initialisers of option sets, nobody has anything to say; macros have no
# comments to the importer; and lists of channels, layouts and frame rates say by their names all there is.
undocumented=$(cat "$graphs"/*.symbols.json | awk '
    BEGIN { RS = "[{]\"kind\":[{]" }
    /"precise":"[^"]*@(macro@|kAudioChannel(Label|Bit|LayoutTag)_|kSMPTETimeType|kCAF_SMPTE_)/ { next }
    !/"docComment":/ && match($0, /"precise":"(c:|s:12AudioToolbox|s:14CoreAudioTypes)[^"]*"/) {
        print "    " substr($0, RSTART + 11, RLENGTH - 12)
    }' | sort -u)
if [ -n "$undocumented" ]; then
    printf 'documentation: there is no comment on\n%s\n' "$undocumented" >&2
    exit 1
fi

rm -rf "$output"
mkdir -p "$(dirname "$output")"
"${toolchain}docc" convert "$here/AudioToolbox.docc" --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name AudioToolbox --fallback-bundle-identifier AudioToolbox \
    --warnings-as-errors --output-path "$output"
echo "documentation: $output; to read it: python3 -m http.server -d $output, and"
echo "    http://localhost:8000/documentation/audiotoolbox"
