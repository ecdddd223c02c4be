// SPDX-License-Identifier: MIT

import AudioToolbox
import CoreAudioTypes

/// The file of a recording, and the number of frames in it. Used by one thread at a time.
struct RecordingFile {
    /// The frames of silence that are written at a time.
    private static let silentFrames = 4096

    /// The format of the frames, which are interleaved.
    let samples: AVAudioFormat
    private let transfer: FileTransfer
    private(set) var frames: Int64 = 0

    init(_ request: FileRequest, _ samples: AVAudioFormat) throws {
        self.samples = samples
        transfer = try FileTransfer(writing: request, from: samples)
    }

    /// The format of the audio in the file, with what the encoder has decided.
    var fileFormat: AVAudioFormat { transfer.fileFormat }

    /// Appends frames from the beginning of a buffer's memory.
    ///
    /// - Throws: The error of the encoder or the file.
    mutating func append(_ memory: UnsafeMutableRawBufferPointer, frames count: Int64) throws {
        guard count > 0 else { return }
        var list = unsafe AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
                mNumberChannels: samples.channelCount,
                mDataByteSize: UInt32(clamping: count * Int64(samples.asbd.mBytesPerFrame)),
                mData: memory.baseAddress))
        try unsafe transfer.write(AVAudioFrameCount(clamping: count), from: &list)
        frames += count
    }

    /// Appends silence instead of frames that were lost, so that the following audio keeps its position.
    ///
    /// - Throws: As ``append(_:frames:)``.
    mutating func appendSilence(frames count: Int64) throws {
        guard count > 0 else { return }
        var zeros = [UInt8](repeating: 0, count: Self.silentFrames * Int(samples.asbd.mBytesPerFrame))
        var left = count
        while left > 0 {
            let part = min(left, Int64(Self.silentFrames))
            try unsafe zeros.withUnsafeMutableBytes { memory in try unsafe append(memory, frames: part) }
            left -= part
        }
    }

    /// Completes and closes the file.
    ///
    /// - Throws: The error of the encoder or the file.
    func close() throws { try AVAudioFailure.check(transfer.close(), "complete the recording") }
}
