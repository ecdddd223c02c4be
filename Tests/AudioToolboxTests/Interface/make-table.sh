#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the article that lists, for every function, property, parameter and result of the headers, the tests and programs
# that use it: from the table of the published interface, the tests, and the programs that the tests run. Fails if a name
# is not used.
#   Tests/AudioToolboxTests/Interface/make-table.sh [--check]     --check writes nothing, but fails if it would
set -eu
export LC_ALL=C
cd "$(dirname "$(realpath "$0")")/../../.."
table=Tests/AudioToolboxTests/Interface/interface.tsv
unreached=Tests/AudioToolboxTests/Interface/unreached.tsv
article=Sources/AudioToolbox/AudioToolbox.docc/Interface.md
made=$(mktemp)
trap 'rm -f "$made"' EXIT

# What checks types alone exercises nothing.
set -- "${1-}" $(find Tests/AudioToolboxTests -name '*.swift' ! -name 'Swift*Tests*' | sort) \
    Tests/AudioToolboxTests/Interface/inline.cpp Tests/AudioToolboxPrograms/*/*.c* \
    Tests/AudioToolboxPrograms/swift/*.swift Sources/AudioToolboxSamples/*
mode=$1
shift

status=0
awk -F '\t' -v table="$table" -v unreached="$unreached" '
    function service(name) {
        if (name ~ /^k?AudioQueue/) return "Audio Queue"
        if (name ~ /^k?AudioFileStream/) return "Audio File Stream"
        if (name ~ /^k?AudioFile/) return "Audio File"
        if (name ~ /^k?ExtAudioFile/) return "Extended Audio File"
        if (name ~ /^k?AudioConverter/) return "Audio Converter"
        if (name ~ /^k?AudioCodec/) return "Audio Codec"
        if (name ~ /^k?AudioFormat/) return "Audio Format"
        if (name ~ /^k?AudioComponent/) return "Audio Component"
        if (name ~ /^(New|Dispose|k)?AUGraph/ || name == "CAShow") return "Audio Unit Graph"
        if (name ~ /^k?(AudioUnit|AudioOutputUnit|AUVoiceIO)/ || name ~ /^k[A-Za-z]*Param_/) return "Audio Unit"
        if (name ~ /^k?Audio(Object|Hardware|Device|Stream)/) return "Hardware"
        if (name ~ /^k?CM/) return "CoreMedia"
        if (name ~ /^k?AudioSession|^kAudioServicesNoHardwareError/) return "Audio Session"
        if (name ~ /^k?AudioServices/) return "System Sound"
        return "Shared"
    }
    function kind(type) {
        if (type ~ /ParameterID$/) return "parameters"
        if (type ~ /Property(ID|Selector)$/) return "properties"
        if (type == "OSStatus") return "results"
        return ""
    }
    # Of several names, the first three.
    function few(names, count, mark,    text, i) {
        for (i = 1; i <= count && i <= 3; i++) text = text (i > 1 ? ", " : "") mark names[i] mark
        return text (count > 3 ? " and more" : "")
    }
    # Who uses the name, those of one rank behind those of another: of a file a test, if it has one that does.
    function users(name, first, last, names,    count, rank, i) {
        for (rank = first; rank <= last; rank++)
            for (i = 1; i <= uses[name, rank]; i++)
                if (rank != helper || !((name, 1, fileOf[name, rank, i]) in seen))
                    names[++count] = user[name, rank, i]
        return count + 0
    }
    function section(theService, theKind,    i, name, shown, tests, programs, as) {
        for (i = 1; i <= listed; i++) {
            name = list[i]
            if (service(name) != theService || kindOf[name] != theKind) continue
            if (!shown++) {
                print "\n## " theService ": " theKind "\n\n| Name | Tests | Programs |\n| --- | --- | --- |"
            }
            total[theKind]++
            split("", testNames); split("", programNames)
            tests = users(name, 1, 3, testNames)
            programs = users(name, 4, 4, programNames)
            # A name for the value that another one has is exercised with that.
            as = ""
            if (!tests && value[name] in spelled && spelled[value[name]] != name)
                as = "as `" spelled[value[name]] "`"
            else if (!tests && name in reason) as = "never: " reason[name]
            else if (name in reason) missing[++missed] = name ", so it is said, but " testNames[1] " names it"
            # That a program knows a result does not mean that there is one.
            if (!tests && as == "" && (theKind == "results" || !programs)) missing[++missed] = name
            print "| `" name "` | " (as != "" ? as : few(testNames, tests, "`")) " | " \
                few(programNames, programs, "`") " |"
        }
    }
    # Ranks: 1, a test; 2, what helps the tests of its file; 3, what helps those of several; 4, a program.
    BEGIN { helper = 2 }
    FILENAME == table {
        if ($1 == "function") theKind = "functions"
        else if ($1 == "constant") theKind = kind($4)
        else theKind = ""
        if (theKind != "" && !($2 in kindOf)) {
            list[++listed] = $2
            kindOf[$2] = theKind
            # The name in Swift, by which tests within the package call it.
            match($2, /^[A-Z]+/)
            capitals = RLENGTH > 1 ? RLENGTH - 1 : 1
            inSwift[tolower(substr($2, 1, capitals)) substr($2, capitals + 1)] = $2
            if ($1 == "constant") value[$2] = service($2) "/" theKind "/" $3
        }
        next
    }
    FILENAME == unreached {
        if (!/^#/) reason[$1] = $2
        next
    }
    FNR == 1 {
        file = FILENAME
        sub(/.*\//, "", file)
        sub(/\.[a-z]+$/, "", file)
        fileRank = FILENAME !~ /^Tests\/AudioToolboxTests/ ? 4 : FILENAME ~ /Tests\.swift$/ ? helper : 3
        test = ""
        isTest = 0
    }
    # The function behind an attribute is a test; what stands outside of tests helps them.
    /^ *@Test/ { isTest = 1 }
    match($0, /(^| )func [A-Za-z0-9_]+/) && fileRank == helper {
        name = substr($0, RSTART, RLENGTH)
        sub(/.* /, "", name)
        if (isTest || !/^            /) test = isTest ? name : ""
        isTest = 0
    }
    {
        rank = test != "" ? 1 : fileRank
        gsub(/"[^"]*"/, "")
        sub(/\/\/.*/, "")
        gsub(/[^A-Za-z0-9_]+/, " ")
        count = split($0, words, " ")
        for (i = 1; i <= count; i++) {
            word = words[i] in inSwift ? inSwift[words[i]] : words[i]
            if (!(word in kindOf) || (word, rank, FILENAME) in seen) continue
            seen[word, rank, FILENAME] = 1
            user[word, rank, ++uses[word, rank]] = file (rank == 1 ? "." test : "")
            fileOf[word, rank, uses[word, rank]] = FILENAME
            if (rank < 4 && word in value && !(value[word] in spelled)) spelled[value[word]] = word
        }
    }
    END {
        print "# Interface"
        print "\nEvery function, property, parameter and result of the headers, with the tests and programs that use it."
        print "\n## Overview"
        print "\nThe tests are in `Tests/AudioToolboxTests`: `QueueStartTests.startTime` is the function `startTime` of"
        print "QueueStartTests.swift, and a name without a function is a helper of tests. The programs, which tests run, are in"
        print "`Tests/AudioToolboxPrograms` and `Sources/AudioToolboxSamples`. This article is made by"
        print "`Tests/AudioToolboxTests/Interface/make-table.sh`, which fails if a name is not used."
        count = split("Audio Queue,Audio File,Audio File Stream,Audio Converter,Audio Codec,Audio Format," \
            "Extended Audio File,Audio Component,Audio Unit,Audio Unit Graph,Hardware,System Sound," \
            "Audio Session,CoreMedia,Shared", services, ",")
        kinds = split("functions,properties,parameters,results", theKinds, ",")
        for (i = 1; i <= count; i++)
            for (k = 1; k <= kinds; k++) section(services[i], theKinds[k])
        print "\n## In numbers\n"
        for (k = 1; k <= kinds; k++)
            printf "%s%d %s", (k == 1 ? "" : k == kinds ? " and " : ", "), total[theKinds[k]], theKinds[k]
        print "."
        for (i = 1; i <= missed; i++) print "interface: nothing exercises " missing[i] >"/dev/stderr"
        exit missed > 0
    }
' "$table" "$unreached" "$@" >"$made" || status=1

if [ "$mode" != --check ]; then
    cp "$made" "$article"
elif ! cmp -s "$made" "$article"; then
    echo "interface: $article is not up to date: run Tests/AudioToolboxTests/Interface/make-table.sh" >&2
    status=1
fi
exit $status
