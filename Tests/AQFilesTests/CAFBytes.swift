// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQTestSupport

@testable import AQFiles

/// CAF files made chunk by chunk, with any false field.
enum CAFBytes {
    static let start = Array("caff".utf8) + [0, 1, 0, 0] as [UInt8]

    static func chunk(_ code: String, _ contents: [UInt8], bytes: Int64? = nil) -> [UInt8] {
        Array(code.utf8) + big(bytes ?? Int64(contents.count)) + contents
    }

    static func description(_ format: AudioStreamBasicDescription) -> [UInt8] {
        chunk("desc", CAFDescription(format).bytes)
    }

    static func data(_ bytes: [UInt8], promised: Int64? = nil) -> [UInt8] {
        chunk("data", [0, 0, 0, 0] + bytes, bytes: promised)
    }

    /// A packet table of numbers in the order of its columns.
    static func table(
        _ numbers: [Int], packets: Int64? = nil, priming: Int32 = 0, valid: Int64 = 0, remainder: Int32 = 0
    ) -> [UInt8] {
        var entries: [UInt8] = []
        for number in numbers { CAFVariableLength.append(Int64(number), to: &entries) }
        let header =
            big(packets ?? Int64(numbers.count)) + big(valid) + big(priming)
            + big(remainder)
        return chunk("pakt", header + entries)
    }

    static let aac = AudioStreamBasicDescription.encoded(
        kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)

    /// Packet sizes typical of encoders, the same at each call.
    static func sizes(_ count: Int, seed: UInt32 = 7) -> [Int] {
        noise(count: count, seed: seed).map { 1 + Int($0) * 3 / 2 }
    }
}

/// Pseudo-random numbers, the same in every run.
struct TestGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(max(limit, 1)))
    }
}
