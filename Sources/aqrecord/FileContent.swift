// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import AQFiles
import CoreAudioTypes
import Synchronization

/// The samples of a file as the audio of the virtual source, followed by silence.
final class FileContent: CaptureContent, @unchecked Sendable {
    // SAFETY: `file` and `buffer` are used only with `lock` held; the rest is constant.

    let sampleRate: Double
    let channels: Int
    private let lock = Mutex(())
    private let file: AudioFile
    private let converter: LinearPCMConverter
    private var buffer: [UInt8]

    private let end = Atomic<Int64>(-1)

    /// The frame at which the file ended; nil before that.
    var endFrame: Int64? {
        let frame = end.load(ordering: .acquiring)
        return frame < 0 ? nil : frame
    }

    private static let framesPerRead = 4096

    /// - Throws: ``AudioFileError`` if the file cannot be opened, or is not read as linear PCM.
    init(path: FilePath) throws(AudioFileError) {
        file = try AudioFile.open(path: path)
        (sampleRate, channels) = (file.format.mSampleRate, Int(file.format.mChannelsPerFrame))
        do throws(CodecError) {
            converter = try LinearPCMConverter(
                from: file.format,
                to: .signedInteger(bits: 32, channels: channels, sampleRate: sampleRate))
        } catch {
            throw AudioFileError(.unsupported, "cannot record '\(path)': \(error.message)")
        }
        buffer = Array(repeating: 0, count: FileContent.framesPerRead * Int(file.format.mBytesPerFrame))
    }

    func write(
        _ samples: UnsafeMutableBufferPointer<Int32>, fromFrame: Int64, sampleRate: Double, channels: Int
    ) -> Int {
        lock.withLock { _ in
            let frames = samples.count / max(1, channels)
            var written = 0
            while written < frames {
                let room = unsafe UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: samples[(written * channels)...]))
                let count = unsafe read(fromFrame: fromFrame + Int64(written), into: room)
                guard count > 0 else {
                    let frame = fromFrame + Int64(written)
                    _ = end.compareExchange(expected: -1, desired: frame, ordering: .releasing)
                    break
                }
                written += count
            }
            return written
        }
    }

    /// - Returns: The number of frames read; 0 at the end, or if the file can no longer be read.
    private func read(fromFrame frame: Int64, into room: UnsafeMutableRawBufferPointer) -> Int {
        let wanted = min(room.count / (4 * channels), FileContent.framesPerRead)
        let bytesPerFrame = Int(file.format.mBytesPerFrame)
        do {
            return try unsafe buffer.withUnsafeMutableBytes { buffer in
                let read = try unsafe file.readPackets(
                    from: frame,
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<(wanted * bytesPerFrame)]),
                    descriptions: UnsafeMutableBufferPointer(start: nil, count: 0))
                return try unsafe converter.convert(
                    UnsafeRawBufferPointer(rebasing: buffer[..<read.bytes]), into: room)
            }
        } catch {
            return 0
        }
    }
}
