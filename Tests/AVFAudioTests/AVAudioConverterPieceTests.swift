// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Synchronization
import AQTestSupport
import Testing

@Suite("Conversion of pieces by AVAudioConverter") struct AVAudioConverterPieceTests {
    private static let qualities = [
        (AVAudioQuality.min, -90.0), (.low, -95), (.medium, -105), (.high, -120), (.max, -130),
    ]

    private func format(_ rate: Double) throws -> AVAudioFormat {
        try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1))
    }

    /// Offers each piece once, as most programs do.
    private func convert(
        _ pieces: TonePieces, with converter: AVAudioConverter
    ) throws -> TonePieces.Result {
        var result = TonePieces.Result()
        let input = try #require(
            AVAudioPCMBuffer(
                pcmFormat: converter.inputFormat, frameCapacity: AVAudioFrameCount(pieces.pieceFrames)))
        let output = try #require(
            AVAudioPCMBuffer(
                pcmFormat: converter.outputFormat, frameCapacity: AVAudioFrameCount(pieces.roomFrames)))
        for index in 0..<pieces.pieces {
            input.frameLength = input.frameCapacity
            for (frame, sample) in pieces.piece(index).enumerated() {
                unsafe input.floatChannelData?[0][frame] = sample
            }
            nonisolated(unsafe) var next: AVAudioPCMBuffer? = input
            let status = unsafe converter.convert(to: output, error: nil) { _, status in
                defer { unsafe next = nil }
                unsafe status.pointee = next == nil ? .noDataNow : .haveData
                return unsafe next
            }
            if unsafe next != nil || status != .inputRanDry { result.refused += 1 }
            unsafe result.samples += unsafe UnsafeBufferPointer(
                start: output.floatChannelData?[0], count: Int(output.frameLength))
            result.totals.append(result.samples.count)
        }
        return result
    }

    @Test("every piece is taken, and its frames are returned after a constant delay")
    func table() throws {
        var faults: [String] = []
        let frames = Environment.isLong ? 6000 : 2000
        for (index, pieces) in TonePieces.table(isWhole: Environment.isLong, frames: frames).enumerated() {
            for quality in Environment.isLong ? Self.qualities : [Self.qualities[index % 5]] {
                let converter = try #require(
                    AVAudioConverter(from: format(pieces.inputRate), to: format(pieces.outputRate)))
                converter.sampleRateConverterQuality = quality.0.rawValue
                let delay = Int(converter.primeInfo.trailingFrames)
                faults += pieces.faults(
                    try convert(pieces, with: converter), delay: delay, noise: quality.1)
            }
        }
        expectEqual(faults, [])
    }

    @Test(
        "an offline tap gets all frames at another rate",
        arguments: TonePieces.rates.filter { $0 != 48_000 })
    func taps(rate: Double) throws {
        let rig = try OfflineRig(channels: 1)
        let player = try rig.player()
        let wanted = try format(rate)
        let pieces = TonePieces(from: 48_000, to: rate, pieceFrames: 480, frames: 24_000)
        let got = Mutex(TonePieces.Result())
        rig.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 480, format: wanted) { buffer, _ in
            got.withLock { got in
                unsafe got.samples += UnsafeBufferPointer(
                    start: buffer.floatChannelData?[0], count: Int(buffer.frameLength))
                got.totals.append(got.samples.count)
            }
        }
        try rig.engine.start()
        let tone = (0..<pieces.pieces).flatMap(pieces.piece)
        let buffer = try OfflineRig.buffer(tone.count, channels: 1) { frame, _ in tone[frame] }
        player.scheduleBuffer(buffer, completionHandler: nil)
        player.play()
        _ = try rig.render(24_000, slice: 480)
        let converter = try #require(AVAudioConverter(from: rig.format, to: wanted))
        var result = got.withLock { $0 }
        // The block is not called without frames, at the beginning.
        result.totals.insert(
            contentsOf: repeatElement(0, count: max(0, pieces.pieces - result.totals.count)), at: 0)
        let faults = pieces.faults(
            result, delay: Int(converter.primeInfo.trailingFrames), noise: -120)
        expectEqual(faults, [])
    }
}
