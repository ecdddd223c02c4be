// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import AQToolSupport

/// Writes a row for each packet as it is read, in a table or in JSON.
struct PacketTableWriter {
    /// The largest number of rows; nil for all.
    let limit: Int?
    let isJSON: Bool
    let write: (String) -> Int32

    private let sampleRate: Double
    private let primingFrames: Int64
    private var pending = ""
    private var rows = 0
    /// The `errno` of a failed write, or 0.
    private(set) var failure: Int32 = 0

    init(file: AudioFile, limit: Int?, isJSON: Bool, write: @escaping (String) -> Int32) {
        (self.limit, self.isJSON, self.write) = (limit, isJSON, write)
        sampleRate = file.format.mSampleRate
        primingFrames = file.primingFrames
    }

    private static let widths = [10, 13, 9, 8, 16]

    mutating func begin() {
        if isJSON {
            pending = "\"packetList\":["
        } else {
            addRow(["packet", "at byte", "bytes", "frames", "time"])
        }
    }

    /// - Returns: Whether the table takes more packets.
    mutating func add(_ packet: FileScan.Packet) -> Bool {
        let seconds =
            sampleRate > 0 ? Double(packet.startFrame - primingFrames) / sampleRate : Double.nan
        if isJSON {
            var json = JSONWriter()
            json.object { json in
                json.field("packet", packet.number)
                json.field("offset", packet.byteOffset)
                json.field("bytes", packet.bytes)
                json.field("frames", packet.frames)
                json.field("seconds", seconds, decimals: 6)
            }
            pending += (rows == 0 ? "" : ",") + json.text
        } else {
            addRow([
                "\(packet.number)", packet.byteOffset.map(String.init) ?? "-", "\(packet.bytes)",
                packet.frames.map(String.init) ?? "-", DurationText.full(seconds),
            ])
        }
        rows += 1
        if pending.utf8.count >= 1 << 16 { flush() }
        return failure == 0 && rows < limit ?? .max
    }

    mutating func end() {
        if isJSON { pending += "]" }
        flush()
    }

    private mutating func addRow(_ cells: [String]) {
        // Counted in bytes, which is fast for millions of rows; all characters are ASCII.
        for (cell, width) in zip(cells, Self.widths) {
            for _ in cell.utf8.count..<max(width, cell.utf8.count) { pending += " " }
            pending += cell
        }
        pending += "\n"
    }

    private mutating func flush() {
        if failure == 0, !pending.isEmpty { failure = write(pending) }
        pending = ""
    }
}
