// SPDX-License-Identifier: MIT

package import CoreAudioTypes

/// A client's code that processes a queue's audio.
///
/// The corresponding C type is `AudioQueueProcessingTapRef`.
@safe package final class QueueTap: Sendable {
    /// Processes audio.
    ///
    /// - Parameters:
    ///   - frames: The requested number. If the tap returns fewer frames, playback adds silence, and capture
    ///     continues with these.
    ///   - timeStamp: Playback: the continuous time of the tap's output. Capture: set by the tap.
    ///   - flags: ``QueueTapFlags/startOfStream`` if the audio does not continue the previous audio; in capture also
    ///     ``QueueTapFlags/endOfStream`` and the kind of the tap. On return the two describe the tap's output.
    ///   - audio: The output. Unless for a siphon, buffers are NULL at the call; the tap sets memory that is valid
    ///     until its next call.
    ///   - source: The source of the audio to process, for use during the call. Not for a siphon.
    /// - Returns: The number of frames.
    package typealias Process =
        @Sendable (
            _ frames: Int, _ timeStamp: inout AudioTimeStamp, _ flags: inout QueueTapFlags,
            _ audio: UnsafeMutablePointer<AudioBufferList>, _ source: any QueueTapSource
        ) -> Int

    let kind: QueueTapFlags
    let process: Process

    /// - Parameter kind: ``QueueTapFlags/preEffects`` or ``QueueTapFlags/postEffects``, and ``QueueTapFlags/siphon``
    ///   for a tap that only receives audio.
    package init(_ kind: QueueTapFlags, _ process: @escaping Process) {
        self.kind = kind
        unsafe self.process = process
    }

    /// Whether the tap is before pan, time and pitch, or after them. The volume is applied after every tap.
    var isBeforeEffects: Bool { kind.contains(.preEffects) }
    /// Whether the tap only receives audio. This is in `audio` at the call and must not be changed.
    var isSiphon: Bool { kind.contains(.siphon) }
}

/// The source of a tap's audio. No frame is returned twice.
package protocol QueueTapSource: AnyObject {
    /// Returns audio to the tap that is being called.
    ///
    /// - Parameters:
    ///   - frames: The requested number of frames; fewer may be returned.
    ///   - timeStamp: Playback: the requested time, continuous with previous calls. Capture: set to the time of the
    ///     first frame.
    ///   - audio: Buffers without memory receive memory of the queue, valid until the tap's callback returns. Other
    ///     buffers receive a copy of the audio.
    /// - Returns: The number of frames, and ``QueueTapFlags/startOfStream`` and
    ///   ``QueueTapFlags/endOfStream``.
    /// - Throws: ``QueueError/Code/invalidArgument`` if the number of buffers differs from the tap's format, or a
    ///   buffer is too small for the frames; ``QueueError/Code/invalidTapContext`` outside the tap's call.
    func read(
        frames: Int, timeStamp: inout AudioTimeStamp, into audio: UnsafeMutablePointer<AudioBufferList>
    ) throws(QueueError) -> (frames: Int, flags: QueueTapFlags)

    /// The position of the last read on the queue's timeline, and the number of the queue's frames in that read.
    ///
    /// The number differs from that of the tap's frames if the rate is not 1, and is 0 while the queue is paused.
    ///
    /// - Throws: ``QueueError/Code/invalidTapType`` for capture.
    func queueTime() throws(QueueError) -> (sampleTime: Double, frames: Int)
}

/// The format of a tap's audio.
package struct QueueTapFormat: Sendable {
    package let format: AudioStreamBasicDescription
    package let maximumFrames: Int

    /// Makes the format of a queue's taps: 32-bit floats with a buffer for each channel, and calls of at most 50 ms.
    init(sampleRate: Double, channels: Int) {
        format = .float(isInterleaved: false, channels: channels, sampleRate: sampleRate)
        maximumFrames = Int((sampleRate * 0.05).clamped(to: 64...65536))
    }
}

/// The type of a tap and the state of its stream, with the published values.
package struct QueueTapFlags: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let preEffects = QueueTapFlags(rawValue: 1 << 0)
    package static let postEffects = QueueTapFlags(rawValue: 1 << 1)
    package static let siphon = QueueTapFlags(rawValue: 1 << 2)
    /// The flag of audio that does not continue the previous audio.
    package static let startOfStream = QueueTapFlags(rawValue: 1 << 8)
    /// The flag of the last audio.
    package static let endOfStream = QueueTapFlags(rawValue: 1 << 9)
}
