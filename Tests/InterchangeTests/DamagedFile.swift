// SPDX-License-Identifier: MIT

import Foundation
import AQTestSupport
import AQSoundHarness

/// A file that a seed has damaged.
struct DamagedFile {
    let file: IntactFile
    let seed: UInt64
    private(set) var bytes: [UInt8]
    /// A description with offsets.
    private(set) var damage = ""

    init(_ files: [IntactFile], seed: UInt64) {
        self.seed = seed
        var random = SplitMix(seed)
        file = files[Int.random(in: 0..<files.count, using: &random)]
        bytes = file.bytes
        let kind = file.damages[Int.random(in: 0..<file.damages.count, using: &random)]
        switch kind {
        case .cut: cut(&random)
        case .removed: remove(&random)
        case .zeroedPackets: zeroPackets(&random)
        case .chunkHeader: flip(in: file.chunkHeaders, &random)
        case .packetHeader: flip(in: packetHeaders, &random)
        case .anyBytes: change(&random)
        }
    }

    private mutating func cut(_ random: inout SplitMix) {
        var length = Int.random(in: 1..<bytes.count, using: &random)
        // A stream that ends with a packet may be complete.
        if file.isStream, file.packets.contains(where: { $0.lowerBound == length }) { length += 1 }
        damage = "cut to \(length) of \(bytes.count) bytes"
        bytes.removeLast(bytes.count - length)
    }

    private mutating func remove(_ random: inout SplitMix) {
        let start = Int.random(in: file.audio.dropLast(1), using: &random)
        var count = Int.random(in: 1...min(5000, file.audio.upperBound - start), using: &random)
        let hole = start..<start + count
        let isWhole = { [file] (place: Int) in file.packets.contains { $0.lowerBound == place } }
        if file.isStream, isWhole(hole.lowerBound), isWhole(hole.upperBound) { count -= 1 }
        damage = "without bytes \(start)..<\(start + count)"
        bytes.removeSubrange(start..<start + count)
    }

    private mutating func zeroPackets(_ random: inout SplitMix) {
        let first = Int.random(in: file.packets.indices, using: &random)
        let last = min(first + Int.random(in: 0..<5, using: &random), file.packets.count - 1)
        damage = "zeros in packets \(first)...\(last), from byte \(file.packets[first].lowerBound)"
        for packet in file.packets[first...last] {
            for place in packet { bytes[place] = 0 }
        }
    }

    private mutating func flip(in places: [Range<Int>], _ random: inout SplitMix) {
        let place =
            places[Int.random(in: 0..<places.count, using: &random)].randomElement(using: &random) ?? 0
        let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        bytes[place] ^= bit
        damage = "bit \(bit) flipped in byte \(place)"
    }

    private mutating func change(_ random: inout SplitMix) {
        var places: [String] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] ^= UInt8.random(in: 1...255, using: &random)
            places.append("\(place)")
        }
        damage = "bytes \(places.joined(separator: ", ")) changed"
    }

    /// The marks at the start of packets, and in ADTS their lengths.
    private var packetHeaders: [Range<Int>] {
        file.packets.flatMap { packet in
            file.pathExtension == "aac"
                ? [packet.lowerBound..<packet.lowerBound + 1, packet.lowerBound + 4..<packet.lowerBound + 5]
                : [packet.lowerBound..<packet.lowerBound + 1]
        }
    }

    /// The result of the conversion.
    enum Outcome: Hashable {
        case warned, failed, identical, silentlyDifferent
        /// Neither converted nor refused: a signal, a hang, or an unexpected status.
        case broken
    }

    /// Converts it.
    func convert(in folder: ScratchFolder) throws -> (outcome: Outcome, message: String) {
        let path = folder.file("damaged.\(file.pathExtension)")
        let wave = folder.file("converted.wav")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try? FileManager.default.removeItem(atPath: wave)
        let result = try Tools.run("aqconvert", ["--no-metadata", path, wave])
        let message = result.errorLine
        if result.isTimedOut || result.signal != 0 { return (.broken, "signal \(result.signal), \(message)") }
        guard result.exitStatus == 0 else {
            return (result.exitStatus == 1 && !message.isEmpty ? .failed : .broken, message)
        }
        guard message.isEmpty else { return (.warned, message) }
        let converted = try Data(contentsOf: URL(fileURLWithPath: wave))
        return (converted == file.converted ? .identical : .silentlyDifferent, "")
    }
}
