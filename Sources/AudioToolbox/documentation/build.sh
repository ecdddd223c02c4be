#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the documentation of the published API as HTML, for Swift and for C, from the catalogue, the headers and the
# overlay, which was built before, and the articles of AudioQueues. A warning is an error, and so is a symbol of ours
# without a comment.
#   build.sh TOOLCHAIN-BIN BUILD-FOLDER OUTPUT
set -eu
toolchain=$1
build=$2
output=$3
here=$(dirname "$(realpath "$0")")
target=$(dirname "$here")
sources=$(dirname "$target")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/swift" "$work/graphs"

# Writes a graph of symbols with a line for each, and makes it one line again.
split() {
    sed 's/{"kind":{"identifier":"swift/\n&/g; s/{"accessLevel":/\n&/g; s/\],"relationships":/\n&/; s/\]}$/\n&/' "$1"
}
join() { tr -d '\n' | sed 's/,\],"relationships":/],"relationships":/; s/,\]}$/]}/'; }
paths() { sed -n 's|.*"pathComponents":\(\[[^]]*\]\).*|\1|p'; }
identities() { sed -n 's|.*"precise":"\([^"]*\)".*|\1|p' "$@"; }

# The symbols of C, with the comments of the headers. A comment documents the declaration after it, or before it on the
# line. Macros that only shape declarations are left out.
set --
for folder in "$sources"/C*/include; do
    set -- "$@" -I "$folder"
    for header in "$folder"/AudioToolbox/*.h "$folder"/CoreAudioTypes/*.h "$folder"/CoreAudio/*.h; do
        if [ -e "$header" ]; then set -- "$@" "$header"; fi
    done
done
"${toolchain}clang" -extract-api --product-name=AudioToolbox -x c-header -fblocks -fparse-all-comments \
    -I "${toolchain}../lib/swift" -o "$work/c.json" "$@"
split "$work/c.json" | grep -v '@macro@AUDIO_' >"$work/c"
join <"$work/c" >"$work/graphs/C.symbols.json"
identities "$work/c" >"$work/ours"
grep '"docComment":' "$work/c" | identities >"$work/documented"

# The symbols of Swift. Its extractor omits the headers' comments; DocC joins both languages by the symbols' identities.
# All modules are shown as one. The C library's symbols, which the extractor assigns to the first module that includes
# them, are removed, and so are declarations that the overlay replaces.
set -- -I "$build/Modules" -module-cache-path "$build/ModuleCache"
# Headers that a system library has in a folder of its own.
for flag in $(pkg-config --cflags-only-I opus); do set -- "$@" -Xcc "$flag"; done
for map in "$sources"/*/module.modulemap "$sources"/*/include/module.modulemap; do
    if [ -e "$map" ]; then set -- "$@" -Xcc "-fmodule-map-file=$map"; fi
done
for folder in "$sources"/C*/include; do
    set -- "$@" -Xcc -I -Xcc "$folder"
done
for module in AudioToolbox CoreAudioTypes CAQAudioToolbox CAQAudioQueueTypes CAQCoreAudio CAQCoreAudioTypes; do
    "${toolchain}swift-symbolgraph-extract" -module-name "$module" "$@" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$work/swift"
done
split "$work/swift/AudioToolbox.symbols.json" | grep '"precise":"s:' | paths >"$work/overlay"
for graph in "$work"/swift/*.symbols.json; do
    sed -i 's/"module":{"name":"[A-Za-z]*"/"module":{"name":"AudioToolbox"/' "$graph"
    split "$graph" | awk -v ours="$work/ours" -v overlay="$work/overlay" '
        BEGIN {
            while ((getline identity <ours) > 0) isOurs[identity]
            while ((getline path <overlay) > 0) isOverlaid[path]
        }
        match($0, /"precise":"c:[^"]*"/) {
            if (!(substr($0, RSTART + 11, RLENGTH - 12) in isOurs)) next
            if (match($0, /"pathComponents":\[[^]]*\]/) && (substr($0, RSTART + 17, RLENGTH - 17) in isOverlaid)) next
        }
        { print }' | tee -a "$work/swift.lines" | join >"$work/graphs/$(basename "$graph")"
done

# Extractors omit the comments of macros, too: they are added to the catalogue.
cp -r "$target/AudioToolbox.docc" "$work/AudioToolbox.docc"
awk -v catalogue="$work/AudioToolbox.docc" -v headers="$(echo "$sources"/C*/include/AudioToolbox/*.h "$sources"/C*/include/CoreAudio*/*.h)" \
    -f "$here/collections.awk" "$work/c" "$work/swift.lines"
for identity in $(grep '@macro@' "$work/c" | identities); do
    if [ -e "$work/AudioToolbox.docc/${identity##*@}.md" ]; then echo "$identity" >>"$work/documented"; fi
done

# Symbols that the importer synthesizes, such as initialisers of option sets, need no comment.
undocumented=$(grep -h -v '"docComment":' "$work/swift.lines" "$work/c" | identities |
    grep -v -e '^s:So' -e '::SYNTHESIZED' | sort -u | grep -v -x -F -f "$work/documented" || true)
if [ -n "$undocumented" ]; then
    printf 'documentation: there is no comment on\n%s\n' "$undocumented" >&2
    exit 1
fi
rm -rf "$output"
mkdir -p "$(dirname "$output")"
"${toolchain}docc" convert "$work/AudioToolbox.docc" --additional-symbol-graph-dir "$work/graphs" \
    --fallback-display-name AudioToolbox --fallback-bundle-identifier AudioToolbox \
    --warnings-as-errors --output-path "$output"

# AudioQueues has articles only. Its root page documents the module, so DocC needs a graph with that module.
mkdir "$work/engine"
cat >"$work/engine/AudioQueues.symbols.json" <<'END'
{
    "metadata": {"formatVersion": {"major": 0, "minor": 6, "patch": 0}, "generator": "build.sh"},
    "module": {"name": "AudioQueues", "platform": {}}, "symbols": [], "relationships": []
}
END
"${toolchain}docc" convert "$sources/AudioQueues/AudioQueues.docc" --additional-symbol-graph-dir "$work/engine" \
    --fallback-display-name AudioQueues --fallback-bundle-identifier AudioQueues --hosting-base-path AudioQueues \
    --warnings-as-errors --output-path "$output/AudioQueues"
# DocC's page for the top of the site only says that there is none.
cat >"$output/index.html" <<'END'
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Audio Queue Services for Linux</title>
<style>body { font: 1.1em/1.5 sans-serif; margin: 3em auto; max-width: 40em; padding: 0 1em }</style>
<h1>Audio Queue Services for Linux</h1>
<ul>
<li><a href="documentation/audiotoolbox/">AudioToolbox</a>: the published functions, types and constants, in C and Swift
<li><a href="AudioQueues/documentation/audioqueues/">AudioQueues</a>: the engine, the tools, formats and design decisions
</ul>
</html>
END
echo "documentation: $output; to read it: python3 -m http.server -d $output, and http://localhost:8000"
