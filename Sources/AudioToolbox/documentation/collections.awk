# SPDX-License-Identifier: MIT

# Adds pages by name to a copy of the catalogue: an article for each service, with its functions, types
# and constants, and the comments of macros, which extractors omit.
#   awk -v catalogue=FOLDER -v headers="FILES" -f collections.awk C-SYMBOLS SWIFT-SYMBOLS
# Both list a symbol a line, as build.sh splits the graphs.
function value(text, key) {
    if (!match(text, "\"" key "\":\"[^\"]*\"")) return ""
    return substr(text, RSTART + length(key) + 4, RLENGTH - length(key) - 5)
}
function fileName(text) {
    text = value(text, "uri")
    sub(/.*\//, "", text)
    return text
}
function service(file) {
    sub(/\+.*/, "", file)
    sub(/\..*/, "", file)
    if (file ~ /^AudioQueue/) return "AudioQueueServices"
    if (file ~ /^AudioFileStream/) return "AudioFileStreamServices"
    if (file ~ /^(AudioFile|CAFFile)/) return "AudioFileServices"
    if (file ~ /^Audio(Converter|Codec)/) return "AudioConverterServices"
    if (file ~ /^AudioFormat$/) return "AudioFormatServices"
    if (file ~ /^ExtendedAudioFile/) return "ExtendedAudioFileServices"
    if (file ~ /^(AUComponent|AudioComponent|AudioOutputUnit|AudioUnit)/) return "AQUnits"
    if (file ~ /^AUGraph/) return "AudioUnitGraphs"
    if (file ~ /^Audio(Services|Session)/) return "SystemSoundServices"
    if (file ~ /^(AudioHardware|HostTime|AudioCoreFoundation)/) return "AudioHardware"
    return "AudioTypes"
}
function group(kind) {
    if (kind == "swift.func") return "Functions"
    if (kind == "swift.var") return "Constants"
    return "Types"
}
# A page for a macro: its comment is on its line, or else before it.
function writeMacros(header,    line, name, comment, before) {
    while ((getline line <header) > 0) {
        comment = ""
        if (match(line, /\/\* .* \*\/$/)) comment = substr(line, RSTART + 3, RLENGTH - 6)
        if (line ~ /^#define [A-Za-z]/ && line !~ /^#define AUDIO_/) {
            split(line, words, /[ (]/)
            name = words[2]
            if (comment == "") comment = before
            if (comment != "") {
                printf "# ``AudioToolbox/%s``\n\n%s\n", name, comment >(catalogue "/" name ".md")
                close(catalogue "/" name ".md")
            }
        }
        before = comment
    }
    close(header)
}
BEGIN {
    count = split("AudioQueueServices AudioFileServices AudioFileStreamServices AudioConverterServices " \
        "AudioFormatServices ExtendedAudioFileServices AQUnits AudioUnitGraphs SystemSoundServices " \
        "AudioHardware AudioTypes", services, " ")
    title["AudioQueueServices"] = "Audio Queue Services"
    about["AudioQueueServices"] = "Plays and records through buffers that a callback returns."
    title["AudioFileServices"] = "Audio File Services"
    about["AudioFileServices"] = "Opens and creates files, reads and writes their packets and properties."
    title["AudioFileStreamServices"] = "Audio File Stream Services"
    about["AudioFileStreamServices"] = "Finds the packets of a file that arrives piece by piece."
    title["AudioConverterServices"] = "Audio Converter Services"
    about["AudioConverterServices"] = "Converts audio between formats, by pulling the input."
    title["AudioFormatServices"] = "Audio Format Services"
    about["AudioFormatServices"] = "Facts about formats, codecs and channel layouts."
    title["ExtendedAudioFileServices"] = "Extended Audio File Services"
    about["ExtendedAudioFileServices"] = "A file and a converter in one, for clients that use PCM."
    title["AQUnits"] = "Audio Units"
    about["AQUnits"] = "Finds units, and plays, records and processes audio through callbacks that render it."
    title["AudioUnitGraphs"] = "Audio Unit Graphs"
    about["AudioUnitGraphs"] = "Units as nodes, connected to one output."
    title["SystemSoundServices"] = "System Sound and Audio Session Services"
    about["SystemSoundServices"] = "Plays short sounds, and keeps the settings of the program's session."
    title["AudioHardware"] = "Audio Hardware and Host Time"
    about["AudioHardware"] = "The devices, their properties, and the clock of host times."
    title["AudioTypes"] = "Core Audio Types"
    about["AudioTypes"] = "The types of formats, buffers, channels and times."
    hashes["AudioObjectPropertyListenerBlock", 1] = "53h7k"
    hashes["AudioObjectPropertyListenerBlock", 2] = "3aabv"
    headerCount = split(headers, headerNames, " ")
    for (i = 1; i <= headerCount; i++) writeMacros(headerNames[i])
}
FILENAME == ARGV[1] {
    identity = value($0, "precise")
    place[identity] = service(fileName($0))
    if (match($0, /"pathComponents":\["[^"]*"\]/)) inC[substr($0, RSTART + 19, RLENGTH - 21)] = identity
    if (match($0, /"kind":\{[^}]*"identifier":"c.(func|macro|typealias)"/)) onlyInC[++onlyInCCount] = identity
    next
}
# Top-level symbols: a path of one component, visible in Swift.
match($0, /"pathComponents":\["[^"]*"\]/) {
    name = substr($0, RSTART + 19, RLENGTH - 21)
    if (match($0, /"kind":\{"identifier":"[^"]*"/)) kind = substr($0, RSTART + 22, RLENGTH - 23)
    identity = value($0, "precise")
    where = identity in place ? place[identity] : service(fileName($0))
    isInSwift[identity]
    if (name in isNamed) next
    isNamed[name]
    section = where " " group(kind)
    # If C has another symbol of this name, a link needs DocC's hash of the symbol's identity.
    if (name in inC && inC[name] != identity) {
        for (language = 1; (name, language) in hashes; language++)
            links[section] = links[section] "- ``AudioToolbox/" name "-" hashes[name, language] "``\n"
        next
    }
    links[section] = links[section] "- ``AudioToolbox/" name "``\n"
}
END {
    # A C function keeps its page if Swift has another of its name. Swift imports only macros that are constants, and
    # not the C names of its own types, such as UInt32.
    for (i = 1; i <= onlyInCCount; i++)
        if (!(onlyInC[i] in isInSwift)) {
            name = onlyInC[i]
            section = place[name] (name ~ /@macro@/ ? " Macros" : name ~ /@T@/ ? " Types" : " Functions")
            isType = name ~ /@T@/
            sub(/.*@/, "", name)
            if (isType && name in isNamed) continue
            links[section] = links[section] "- ``AudioToolbox/" name "``\n"
        }
    topics = ""
    for (i = 1; i <= count; i++) {
        name = services[i]
        page = catalogue "/" name ".md"
        printf "# %s\n\n%s\n\n## Topics\n", title[name], about[name] >page
        kinds = split("Functions Types Constants Macros", sections, " ")
        for (k = 1; k <= kinds; k++)
            if ((name " " sections[k]) in links) printf "\n### %s\n\n%s", sections[k], links[name " " sections[k]] >page
        close(page)
        topics = topics "- <doc:" name ">\n"
    }
    printf "\n### Reference\n\n%s", topics >>(catalogue "/AudioToolbox.md")
}
