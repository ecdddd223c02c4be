// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes

/// The receiver of a queue's frames instead of a device, which converts them to the client's format.
///
/// Belongs to the call that renders. There is one such call at a time.
@safe final class OfflineRenderer {
    // SAFETY: `input` holds `blockFrames` frames of the device, and is freed by deinit, after the converter's last use.

    let device: ManualDevice
    let format: AudioStreamBasicDescription
    var bytesPerFrame: Int { Int(format.mBytesPerFrame) }

    private let converter: AudioConverter
    /// The number of the stream whose frames the converter holds: see ``OfflineRendering/stream``.
    private var stream: UInt64 = 0
    /// Frames of the device, which are the converter's input until it requests further ones.
    private let input: UnsafeMutableRawBufferPointer
    private let inputBytesPerFrame: Int
    /// A frame that was converted to find out whether the stream has another; empty for none.
    private var spare: [UInt8] = []
    private static let blockFrames = 4096

    /// - Parameters:
    ///   - description: The device's format, native-endian.
    ///   - labels: The labels of the device's channels.
    /// - Throws: ``QueueError/Code/unsupportedFormat`` if the formats cannot be converted.
    init(
        _ device: ManualDevice, from description: AudioStreamBasicDescription, _ labels: [AudioChannelLabel],
        to wanted: OutputPath.OfflineFormat
    ) throws(QueueError) {
        self.device = device
        format = wanted.format
        inputBytesPerFrame = max(1, Int(description.mBytesPerFrame))
        do throws(CodecError) {
            converter = try AudioConverter(
                from: description, to: wanted.format, inputLabels: labels,
                outputLabels: wanted.channelLabels)
        } catch {
            throw QueueError(.unsupportedFormat, "cannot render offline: \(error.message)")
        }
        unsafe input = .allocate(
            byteCount: OfflineRenderer.blockFrames * inputBytesPerFrame, alignment: 16)
    }

    deinit { unsafe input.deallocate() }

    /// The result of ``fill(_:frames:stream:take:)``.
    struct Filled {
        var frames = 0
        /// Whether the stream has ended and was converted completely.
        var isEnd = false
    }

    /// The answer of the device to a request for frames.
    enum Taken {
        /// Frames, in the device's format.
        case frames([UInt8])
        /// No frames for now.
        case nothing
        case end
    }

    /// Converts the available frames, up to the requested number.
    ///
    /// - Parameters:
    ///   - stream: The number of the stream to render. Frames of another stream are dropped.
    ///   - take: Takes frames from the device, up to the given number.
    /// - Throws: ``QueueError/Code/codecNotFound`` if the conversion fails.
    func fill(
        _ output: UnsafeMutableRawBufferPointer, frames: Int, stream: UInt64, take: (_ frames: Int) -> Taken
    ) throws(QueueError) -> Filled {
        try begin(stream)
        var filled = Filled()
        guard frames > 0, output.count >= frames * bytesPerFrame else { return filled }
        if !spare.isEmpty {
            unsafe output.copyBytes(from: spare)
            spare = []
            filled.frames = 1
        }
        guard filled.frames < frames else { return filled }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: output[(filled.frames * bytesPerFrame)...])
        let converted = try unsafe convert(into: room, frames: frames - filled.frames, take)
        filled.frames += converted.packets
        filled.isEnd = converted.isEnd
        return filled
    }

    /// Returns whether there is another converted frame of a stream that has ended in the device.
    func hasMore(stream: UInt64, take: (_ frames: Int) -> Taken) throws(QueueError) -> Bool {
        try begin(stream)
        guard spare.isEmpty else { return true }
        var frame = [UInt8](repeating: 0, count: bytesPerFrame)
        let converted = try unsafe frame.withUnsafeMutableBufferPointer {
            (room: inout UnsafeMutableBufferPointer<UInt8>) throws(QueueError) -> AudioConverter.Filled in
            try unsafe convert(into: UnsafeMutableRawBufferPointer(room), frames: 1, take)
        }
        guard converted.packets > 0 else { return false }
        spare = frame
        return true
    }

    /// Drops the previous stream if another begins.
    private func begin(_ stream: UInt64) throws(QueueError) {
        guard stream != self.stream else { return }
        self.stream = stream
        spare = []
        do throws(CodecError) {
            try converter.reset()
        } catch {
            throw QueueError(codec: error)
        }
    }

    private func convert(
        into room: UnsafeMutableRawBufferPointer, frames: Int, _ take: (_ frames: Int) -> Taken
    ) throws(QueueError) -> AudioConverter.Filled {
        do {
            return try unsafe converter.fill(room, maximumPackets: frames) { wanted in
                switch take(min(wanted, OfflineRenderer.blockFrames)) {
                case .nothing: return unsafe .noDataNow
                case .end: return unsafe .endOfStream
                case .frames(let bytes):
                    // `take` returns at most as many frames as requested.
                    unsafe input.copyBytes(from: bytes)
                    return unsafe .packets(
                        UnsafeRawBufferPointer(rebasing: input[..<bytes.count]), descriptions: nil,
                        packetCount: bytes.count / inputBytesPerFrame)
                }
            }
        } catch {
            let reason = (error as? CodecError)?.message ?? "\(error)"
            throw QueueError(.codecNotFound, "cannot render offline: \(reason)")
        }
    }
}
