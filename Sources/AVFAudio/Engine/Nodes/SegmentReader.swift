// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import CoreAudioTypes
import Foundation

/// Reads frames of a file at the rate and with the channels of a player.
///
/// Used by one thread at a time.
final class SegmentReader: @unchecked Sendable {
    // SAFETY: the file's content reads by one thread at a time.
    private static let blockFrames: UInt32 = 8_192

    private let file: AVAudioFile
    private var framesLeft: Int64
    /// Nil if the file has the player's rate and channels.
    private let converter: AVAudioConverter?
    private let block: AVAudioPCMBuffer
    private let output: AVAudioPCMBuffer?
    /// The frames of the last output that were passed.
    private var used = 0
    private var isAtEnd = false

    init(_ url: URL, _ start: Int64, _ frames: Int64, _ format: GraphFormat) throws {
        file = try AVAudioFile(forReading: url)
        file.framePosition = start
        framesLeft = max(0, min(frames, file.length - start))
        let target = AVAudioFormat.standard(format)
        let source = file.processingFormat
        let isSame = source.sampleRate == target.sampleRate && source.channelCount == target.channelCount
        converter = isSame ? nil : AVAudioConverter(from: source, to: target)
        guard let block = AVAudioPCMBuffer(pcmFormat: source, frameCapacity: Self.blockFrames),
            isSame || converter != nil
        else { throw AVAudioFailure.error(kAudio_ParamError, "cannot convert '\(url.lastPathComponent)'") }
        self.block = block
        output = isSame ? nil : AVAudioPCMBuffer(pcmFormat: target, frameCapacity: Self.blockFrames)
    }

    /// Reads into the beginning of `target`, and returns the number of frames; 0 at the end.
    func read(_ target: PlanarSamples) -> Int {
        guard let converter, let output else {
            used = 0
            guard readBlock(min(UInt32(target.frames), Self.blockFrames)) else { return 0 }
            return copy(block, to: target)
        }
        if used < Int(output.frameLength) { return copy(output, to: target) }
        (output.frameLength, used) = (0, 0)
        let status = unsafe converter.convert(to: output, error: nil) { [self] count, status in
            let isRead = readBlock(min(count, Self.blockFrames))
            unsafe status.pointee = isRead ? .haveData : .endOfStream
            return isRead ? block : nil
        }
        return status == .error ? 0 : copy(output, to: target)
    }

    private func readBlock(_ frames: UInt32) -> Bool {
        let count = UInt32(clamping: min(Int64(max(1, frames)), framesLeft))
        guard count > 0, !isAtEnd else { return false }
        do {
            try file.read(into: block, frameCount: count)
        } catch {
            isAtEnd = true
            if (error as NSError).code != Int(kAudioFileEndOfFileError) {
                MisuseNote.write(
                    "'\(file.url.lastPathComponent)' is played without its end: \(error.localizedDescription)"
                )
            }
            return false
        }
        framesLeft -= Int64(block.frameLength)
        return block.frameLength > 0
    }

    private func copy(_ buffer: AVAudioPCMBuffer, to target: PlanarSamples) -> Int {
        let count = min(Int(buffer.frameLength) - used, target.frames)
        guard
            let reader = unsafe SampleReader(
                buffer.format.asbd, UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList))
        else { return 0 }
        reader.read(from: used, into: target.prefix(count))
        used += count
        return count
    }
}
