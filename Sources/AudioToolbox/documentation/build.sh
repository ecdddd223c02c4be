#!/bin/sh
# Builds the documentation of the published API as HTML, for Swift and for C, from the catalogue, the headers and the
# overlay, which was built before. A warning is an error, and so is a symbol of ours without a comment.
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

# What C sees, with the comments of the headers. A comment tells of what stands behind it, or before it on the line.
# The macros that declarations are made with are nobody's concern.
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

# What Swift sees, whose extractor leaves the headers' comments out: the documentation joins both languages by the
# symbols' identities. To the reader it is all one module: which part of it comes from a header is no concern of
# theirs. The C library's symbols, which count as those of the first module that includes them, are not ours; and what
# the overlay declares once more is seen as it is there.
set -- -I "$build/Modules" -module-cache-path "$build/ModuleCache"
for map in "$sources"/*/module.modulemap "$sources"/*/include/module.modulemap "$build"/*.build/module.modulemap; do
    if [ -e "$map" ]; then set -- "$@" -Xcc "-fmodule-map-file=$map"; fi
done
for folder in "$sources"/C*/include; do
    set -- "$@" -Xcc -I -Xcc "$folder"
done
for module in AudioToolbox CoreAudioTypes CAudioToolbox CAudioQueueTypes CCoreAudio CCoreAudioTypes; do
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

# Extractors leave the comments of macros out, too: they are added to the catalogue.
cp -r "$target/AudioToolbox.docc" "$work/AudioToolbox.docc"
awk -v catalogue="$work/AudioToolbox.docc" -v headers="$(echo "$sources"/C*/include/[AC]*/*.h)" \
    -f "$here/collections.awk" "$work/c" "$work/swift.lines"
for identity in $(grep '@macro@' "$work/c" | identities); do
    if [ -e "$work/AudioToolbox.docc/${identity##*@}.md" ]; then echo "$identity" >>"$work/documented"; fi
done

# Of what the importer makes up, such as initialisers of option sets, nobody has anything to say.
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
echo "documentation: $output; to read it: python3 -m http.server -d $output, and"
echo "    http://localhost:8000/documentation/audiotoolbox"
