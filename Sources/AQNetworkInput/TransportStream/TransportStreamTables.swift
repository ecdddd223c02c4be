// SPDX-License-Identifier: MIT

/// The tables that name the streams of a transport stream: the programs (PAT) and the streams of a program (PMT).
enum TransportStreamTables {
    struct Program: Equatable {
        var number: Int
        /// The identifier of the packets that contain the program's table.
        var tableIdentifier: Int
    }

    struct Stream: Equatable {
        var type: UInt8
        var identifier: Int
        /// Whether the stream is audio in a private type, by its descriptors.
        var isPrivateAudio: Bool
    }

    /// The first program of a PAT; nil if the section is another table, is not valid now, or names no program.
    static func program(in section: ArraySlice<UInt8>) -> Program? {
        guard section.first == 0, var rest = currentBody(of: section) else { return nil }
        while rest.count >= 4 {
            let (number, identifier) = (field(rest, 0), field(rest, 2) & 0x1FFF)
            // Number 0 names the table of the network.
            if number != 0 { return Program(number: number, tableIdentifier: identifier) }
            rest = rest.dropFirst(4)
        }
        return nil
    }

    /// The streams of a PMT; nil if the section is another table, is of another program, or is not valid now.
    static func streams(in section: ArraySlice<UInt8>, program: Int) -> [Stream]? {
        guard section.first == 2, var rest = currentBody(of: section), field(section, 3) == program,
            rest.count >= 4
        else { return nil }
        rest = rest.dropFirst(4 + field(rest, 2) & 0x0FFF)
        var streams: [Stream] = []
        while rest.count >= 5 {
            let descriptorBytes = field(rest, 3) & 0x0FFF
            let (type, identifier) = (rest[rest.startIndex], field(rest, 1) & 0x1FFF)
            rest = rest.dropFirst(5)
            streams.append(
                Stream(
                    type: type, identifier: identifier,
                    isPrivateAudio: type == 6 && describesAudio(rest.prefix(descriptorBytes))))
            rest = rest.dropFirst(descriptorBytes)
        }
        return streams
    }

    /// The bytes after the fields that all tables have; nil if the section applies only later.
    private static func currentBody(of section: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard section.count >= 8, section[section.startIndex + 5] & 1 == 1 else { return nil }
        return section.dropFirst(8)
    }

    /// Returns whether descriptors name AC-3, E-AC-3, DTS, AAC or Opus (ETSI EN 300 468, 6.1).
    private static func describesAudio(_ descriptors: ArraySlice<UInt8>) -> Bool {
        var rest = descriptors
        while rest.count >= 2 {
            let body = rest.dropFirst(2).prefix(Int(rest[rest.startIndex + 1]))
            switch rest[rest.startIndex] {
            case 0x6A, 0x7A, 0x7B, 0x7C: return true
            case 0x05
            where ["AC-3", "EAC3", "Opus", "DTS1", "DTS2", "DTS3"].contains { body.starts(with: $0.utf8) }:
                return true
            default: rest = rest[body.endIndex...]
            }
        }
        return false
    }

    private static func field(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> Int {
        let start = bytes.startIndex + offset
        return Int(bytes[start]) << 8 | Int(bytes[start + 1])
    }
}
