// SPDX-License-Identifier: MIT

import AQNetworkInput

/// Writes an MPEG transport stream with any faults.
struct TransportStreamBytes {
    private(set) var bytes: [UInt8] = []
    private var counters: [Int: UInt8] = [:]

    static let tableIdentifier = 0x1000
    static let audioIdentifier = 0x101

    /// Appends the tables of a program with streams of `types`, the first of which is at ``audioIdentifier``.
    mutating func appendTables(
        types: [UInt8], descriptors: [UInt8] = [], program: Int = 1, first: Int = audioIdentifier
    ) {
        let table = Self.tableIdentifier
        appendSection([0, 0, 0] + Self.big16(program) + Self.big16(0xE000 | table), table: 0, identifier: 0)
        let streams = types.enumerated().flatMap { index, type in
            [type] + Self.big16(0xE000 | (first + index)) + Self.big16(0xF000 | descriptors.count)
                + descriptors
        }
        appendSection(
            [0, 0] + [0xE1, 0x01, 0xF0, 0x00] + streams, table: 2, identifier: table, number: program)
    }

    /// Appends a section, whose contents follow the number of the program or stream and the version.
    mutating func appendSection(
        _ contents: [UInt8], table: UInt8, identifier: Int, number: Int = 1, isCurrent: Bool = true,
        isDamaged: Bool = false
    ) {
        let contents = contents.dropFirst(table == 0 ? 3 : 2)
        let rest =
            Self.big16(number) + [0xC0 | (isCurrent ? 1 : 0), 0, 0] + contents
        var section = [table] + Self.big16(0xB000 | (rest.count + 4)) + rest
        let sum = TransportStreamChecksum.value(of: section) ^ (isDamaged ? 1 : 0)
        section += Self.big16(Int(sum >> 16)) + Self.big16(Int(sum & 0xFFFF))
        var left = ([0] + section)[...]
        var isFirst = true
        while !left.isEmpty {
            let part = left.prefix(184)
            left = left.dropFirst(184)
            let filled = Array(part) + [UInt8](repeating: 0xFF, count: 184 - part.count)
            appendPacket(filled, identifier: identifier, beginsUnit: isFirst)
            isFirst = false
        }
    }

    /// Appends a PES packet with optional fields in its header.
    mutating func appendPES(
        _ contents: [UInt8], statesLength: Bool = true, headerBytes: Int = 5,
        identifier: Int = audioIdentifier
    ) {
        let length = statesLength ? 3 + headerBytes + contents.count : 0
        let header =
            [0, 0, 1, 0xC0] + Self.big16(length) + [0x80, 0x80, UInt8(headerBytes)]
            + [UInt8](repeating: 0x21, count: headerBytes)
        appendUnit(header + contents, identifier: identifier)
    }

    /// Appends the packets of a unit; an adaptation field fills the last one.
    mutating func appendUnit(_ unit: [UInt8], identifier: Int = audioIdentifier) {
        var rest = unit[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(184))
            appendPacket(part, identifier: identifier, beginsUnit: rest.count == unit.count)
            rest = rest.dropFirst(184)
        }
    }

    mutating func appendPacket(
        _ payload: [UInt8], identifier: Int = audioIdentifier, beginsUnit: Bool = false, flags: UInt8 = 0,
        isDiscontinuous: Bool = false
    ) {
        let counter = counters[identifier, default: 0]
        if !payload.isEmpty { counters[identifier] = (counter + 1) & 0xF }
        let fill = 184 - payload.count
        var field: [UInt8] = []
        if fill == 1 && !isDiscontinuous { field = [0] }
        if fill > 1 || isDiscontinuous {
            field = [UInt8(fill - 1), isDiscontinuous ? 0x80 : 0] + [UInt8](repeating: 0xFF, count: fill - 2)
        }
        let control: UInt8 = (field.isEmpty ? 0 : 0x20) | (payload.isEmpty ? 0 : 0x10)
        bytes += [0x47] + Self.big16((beginsUnit ? 0x4000 : 0) | identifier) + [flags | control | counter]
        bytes += field + payload
    }

    /// Counts a packet that is not there.
    mutating func loseCount(of identifier: Int = audioIdentifier) {
        counters[identifier] = (counters[identifier, default: 0] + 1) & 0xF
    }

    mutating func append(_ others: [UInt8]) { bytes += others }

    static func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
}
