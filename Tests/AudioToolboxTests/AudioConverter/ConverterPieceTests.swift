// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// Pieces that a procedure provides once each, and then a status of its own.
@Suite struct ConverterPieceTests {
    private static let qualities = [
        (kAudioConverterQuality_Min, -90.0), (kAudioConverterQuality_Low, -95),
        (kAudioConverterQuality_Medium, -105), (kAudioConverterQuality_High, -120),
        (kAudioConverterQuality_Max, -130),
    ]

    private func convert(
        _ pieces: TonePieces, with converter: ConverterCalls, status expected: OSStatus = 77
    ) -> TonePieces.Result {
        var result = TonePieces.Result()
        let giver = BlockGiver([], bytesPerPacket: 4)
        giver.statusWithoutBlock = expected
        for index in 0..<pieces.pieces {
            giver.blocks = [bytes(pieces.piece(index))]
            let filled = converter.fill(packets: pieces.roomFrames, from: giver)
            if filled.status != expected || !giver.blocks.isEmpty { result.refused += 1 }
            result.samples += samples(Float.self, filled.bytes)
            result.totals.append(result.samples.count)
        }
        giver.blocks = []
        giver.statusWithoutBlock = noErr
        while true {
            let filled = converter.fill(packets: 4096, from: giver)
            if filled.packets == 0 { break }
            result.samples += samples(Float.self, filled.bytes)
        }
        result.isFinished = true
        return result
    }

    @Test("every piece is taken, and its frames are returned after a constant delay")
    func table() {
        var faults: [String] = []
        let frames = Environment.isLong ? 6000 : 2000
        for (index, pieces) in TonePieces.table(isWhole: Environment.isLong, frames: frames).enumerated() {
            for quality in Environment.isLong ? Self.qualities : [Self.qualities[index % 5]] {
                let converter = ConverterCalls(
                    from: floats(rate: pieces.inputRate), to: floats(rate: pieces.outputRate))
                _ = converter.set(kAudioConverterSampleRateConverterQuality, quality.0)
                let delay = samples(UInt32.self, converter.get(kAudioConverterPrimeInfo).bytes)
                expectEqual(delay.first, 0)
                faults += pieces.faults(
                    convert(pieces, with: converter), delay: Int(delay.last ?? 0), noise: quality.1)
            }
        }
        expectEqual(faults, [])
    }

    @Test("the prime method for live input has no gap at the beginning, and the others no latency")
    func primeMethods() {
        let pieces = TonePieces(from: 48_000, to: 16_000, pieceFrames: 480, frames: 24_000)
        for method in [kConverterPrimeMethod_Pre, kConverterPrimeMethod_Normal, kConverterPrimeMethod_None] {
            let converter = ConverterCalls(from: floats(rate: 48_000), to: floats(rate: 16_000))
            expectEqual(converter.set(kAudioConverterPrimeMethod, method), noErr)
            let info = samples(UInt32.self, converter.get(kAudioConverterPrimeInfo).bytes)
            expectEqual(info, [0, 288])
            let result = convert(pieces, with: converter)
            if method == kConverterPrimeMethod_None {
                #expect(result.totals.first == 160 && result.totals.last == 8000)
                expectEqual(result.samples.count, 8096)
                #expect(result.samples[0..<90].allSatisfy { abs($0) < 0.02 })
            } else {
                expectEqual(pieces.faults(result, delay: 288, noise: -120), [])
            }
        }
    }

    @Test("frames that wait are returned without a status, although there is nothing new")
    func waitingFrames() {
        let converter = ConverterCalls(from: floats(rate: 48_000), to: floats(rate: 16_000))
        let giver = BlockGiver([bytes([Float](repeating: 0.5, count: 4800))], bytesPerPacket: 4)
        giver.statusWithoutBlock = 77
        var frames = 0
        var statuses: [OSStatus] = []
        repeat {
            let filled = converter.fill(packets: 400, from: giver)
            statuses.append(filled.status)
            frames += filled.packets
        } while statuses.last == noErr
        expectEqual(frames, 1600 - 96)
        // A second piece comes while the first one waits: both are taken.
        giver.blocks = [bytes([Float](repeating: 0.5, count: 4800))]
        expectEqual(converter.fill(packets: 100, from: giver).status, noErr)
        giver.blocks = [bytes([Float](repeating: 0.5, count: 4800))]
        expectEqual(converter.fill(packets: 100, from: giver).status, noErr)
        #expect(giver.blocks.isEmpty)
        let rest = converter.fill(packets: 9600, from: giver)
        #expect(rest.status == 77 && rest.packets == 3000)
    }
}
