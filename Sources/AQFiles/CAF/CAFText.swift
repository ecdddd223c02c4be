// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The contents of an 'info' chunk: pairs of strings that each end with a 0 byte.
enum CAFInformation {
    /// Reads the available pairs, and whether their number is the declared one.
    static func pairs(_ bytes: some Sequence<UInt8>) -> (pairs: [AudioFileInformation], isWhole: Bool) {
        var cursor = FieldCursor(bytes)
        guard let promised = cursor.read(UInt32.self) else { return ([], false) }
        var pairs: [AudioFileInformation] = []
        while pairs.count < promised, let key = cursor.readText(), let value = cursor.readText() {
            pairs.append(AudioFileInformation(key, value))
        }
        return (pairs, pairs.count == promised)
    }

    /// Makes the contents of the chunk. A 0 byte inside a string would end the string, and is removed.
    static func bytes(of pairs: [AudioFileInformation]) -> [UInt8] {
        var contents = HeaderBytes()
        contents.append(big: UInt32(clamping: pairs.count))
        for pair in pairs {
            for text in [pair.key, pair.value] { contents.append(raw: text.utf8.filter { $0 != 0 } + [0]) }
        }
        return contents.bytes
    }
}

/// The contents of a 'strg' chunk: strings by number, used as names of markers and regions.
struct CAFStrings {
    private var strings: [UInt32: String] = [:]

    init() {}

    init(_ bytes: some Sequence<UInt8>) {
        var cursor = FieldCursor(bytes)
        guard let promised = cursor.read(UInt32.self) else { return }
        let count = min(Int(promised), cursor.rest.count / 12)
        var entries: [(identifier: UInt32, offset: Int64)] = []
        for _ in 0..<count {
            guard let identifier = cursor.read(UInt32.self), let offset = cursor.read(Int64.self) else {
                break
            }
            entries.append((identifier, offset))
        }
        let area = cursor.rest
        // All entries may refer to one long string, whose copies could fill memory.
        var budgetBytes = 4 * area.count
        for entry in entries where 0..<Int64(area.count) ~= entry.offset && budgetBytes > 0 {
            var text = FieldCursor(area.dropFirst(Int(entry.offset)).prefix(Self.longestBytes) + [0])
            let string = text.readText() ?? ""
            strings[entry.identifier] = string
            budgetBytes -= string.utf8.count
        }
    }

    /// The string with a number; empty if there is no such string.
    subscript(identifier: UInt32) -> String { strings[identifier] ?? "" }

    private static let longestBytes = 1024
}
