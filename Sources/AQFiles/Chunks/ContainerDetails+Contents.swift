// SPDX-License-Identifier: MIT

import CoreAudioTypes

extension ContainerDetails {
    mutating func read(_ type: String, _ range: Range<Int64>) {
        switch type {
        case "cue ": readCues(range)
        case "labl", "note": readLabel(range, isName: type == "labl")
        case "smpl": readLoops(range)
        case "MARK": readAIFFMarkers(range)
        case "id3 ", "ID3 ": tagged.fill(from: ID3Reader.metadata(in: TagBytes(file, range)))
        default:
            guard let key = InformationKeys.key(of: type, in: InformationKeys.riff + InformationKeys.aiff),
                metadata.information.count < Self.mostEntries,
                let text = contents(range, mostBytes: InformationText.mostBytes)
                    .flatMap({ InformationText.decode($0) })
            else { return }
            metadata.information.append(InformationKeys.information(key, text))
        }
    }

    /// Reads the 'cue ' chunk of WAVE: numbered positions, in records of 24 bytes.
    private mutating func readCues(_ range: Range<Int64>) {
        for record in records(range, headerBytes: 4, countOffset: 0, recordBytes: 24) {
            markers.append(
                AudioFileMarker(
                    framePosition: Double(record.value(at: 20)), identifier: record.uint32(at: 0) ?? 0))
        }
    }

    /// Reads a 'labl' chunk of WAVE: the name of a position, possibly before the positions.
    private mutating func readLabel(_ range: Range<Int64>, isName: Bool) {
        guard isName, names.count < Self.mostEntries,
            let code = fields(at: range.lowerBound, count: 4)?.uint32(at: 0),
            let text = text(range.lowerBound + 4..<max(range.upperBound, range.lowerBound + 4))
        else { return }
        names[code] = text
    }

    /// Reads the 'smpl' chunk of WAVE: loops of a sampler, after 36 bytes of other data.
    private mutating func readLoops(_ range: Range<Int64>) {
        for record in records(range, headerBytes: 36, countOffset: 28, recordBytes: 24) {
            // 0 is forwards, 1 alternating, 2 backwards; the end is the last frame played.
            let direction: UInt32 =
                switch record.value(at: 4) {
                case 1: 6
                case 2: 4
                default: 2
                }
            regions.append(
                AudioFileRegion(
                    identifier: record.uint32(at: 0) ?? 0, flags: 1 | direction,
                    markers: [
                        AudioFileMarker(
                            framePosition: Double(record.value(at: 8)), type: Self.code("rbeg")),
                        AudioFileMarker(
                            framePosition: Double(record.value(at: 12) + 1), type: Self.code("rend")),
                    ]))
        }
    }

    /// Reads the 'MARK' chunk of AIFF: number, position, and a name as a length byte and text, padded to even.
    private mutating func readAIFFMarkers(_ range: Range<Int64>) {
        guard let head = fields(at: range.lowerBound, count: 2) else { return }
        var offset = range.lowerBound + 2
        for _ in 0..<min(head.value(at: 0, byteCount: 2), Int64(Self.mostEntries)) {
            guard range.upperBound - offset >= 7, let record = fields(at: offset, count: 7) else { return }
            let nameBytes = record.value(at: 6, byteCount: 1)
            let nameEnd = min(offset + 7 + nameBytes, range.upperBound)
            markers.append(
                AudioFileMarker(
                    framePosition: Double(record.value(at: 2)), name: text(offset + 7..<nameEnd) ?? "",
                    identifier: UInt32(record.uint16(at: 0) ?? 0)))
            offset += 7 + nameBytes + (nameBytes + 1) & 1
        }
    }

    /// Assigns the names that were found to the positions of a WAVE file.
    mutating func finishMarkers() {
        for index in markers.indices {
            if let name = names[markers[index].identifier] { markers[index].name = name }
        }
        for index in regions.indices {
            if let name = names[regions[index].identifier] { regions[index].name = name }
        }
    }

    /// Reads records of constant size after a count: as many as counted and present.
    private func records(
        _ range: Range<Int64>, headerBytes: Int, countOffset: Int, recordBytes: Int
    ) -> [FieldReader] {
        guard range.count >= headerBytes, let head = fields(at: range.lowerBound, count: headerBytes)
        else { return [] }
        let room = (range.upperBound - range.lowerBound - Int64(headerBytes)) / Int64(recordBytes)
        let count = min(head.value(at: countOffset), room, Int64(Self.mostEntries))
        let begin = range.lowerBound + Int64(headerBytes)
        return (0..<count).compactMap { fields(at: begin + $0 * Int64(recordBytes), count: recordBytes) }
    }

    /// Reads a name for display.
    private func text(_ range: Range<Int64>) -> String? {
        guard let bytes = contents(range, mostBytes: Self.mostNameBytes) else { return nil }
        let words = bytes.prefix { $0 != 0 }
        return unsafe words.withUnsafeBytes { unsafe TagText.clean(TagText.decode($0)) }
    }

    private func contents(_ range: Range<Int64>, mostBytes: Int) -> [UInt8]? {
        bytes(at: range.lowerBound, count: Int(min(Int64(range.count), Int64(mostBytes))))
    }

    private static func code(_ text: String) -> UInt32 { FourCharacterCode(text)?.rawValue ?? 0 }

    private static let mostEntries = 4096
    private static let mostNameBytes = 4096
}
