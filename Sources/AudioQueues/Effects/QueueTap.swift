package import CoreAudioTypes

/// Code of a client that processes a queue's audio.
///
/// The corresponding C type is `AudioQueueProcessingTapRef`.
@safe package final class QueueTap: Sendable {
    /// Processes audio.
    ///
    /// - Parameters:
    ///   - frames: The requested number. If the tap returns fewer, playback is filled up with silence, and
    ///     capture continues with these.
    ///   - timeStamp: Playback: the continuous time of the tap's output. Capture: set by the tap.
    ///   - flags: The flags of the tap, and ``QueueTapFlags/startOfStream`` and
    ///     ``QueueTapFlags/endOfStream``; on return the latter two describe the tap's output.
    ///   - audio: The output: without a siphon, buffers of NULL at the call, and of memory that is valid
    ///     until the next call on return.
    ///   - source: Returns the audio to process, during the call; nothing for a siphon.
    /// - Returns: The number of frames.
    package typealias Process =
        @Sendable (
            _ frames: Int, _ timeStamp: inout AudioTimeStamp, _ flags: inout QueueTapFlags,
            _ audio: UnsafeMutablePointer<AudioBufferList>, _ source: any QueueTapSource
        ) -> Int

    let kind: QueueTapFlags
    let process: Process

    /// - Parameter kind: ``QueueTapFlags/preEffects`` or ``QueueTapFlags/postEffects``, and
    ///   ``QueueTapFlags/siphon`` if it is one.
    package init(_ kind: QueueTapFlags, _ process: @escaping Process) {
        self.kind = kind
        unsafe self.process = process
    }

    /// Whether it comes before pan, time and pitch, or after them. No tap receives the volume, which comes
    /// last.
    var isBeforeEffects: Bool { kind.contains(.preEffects) }
    /// Whether it only receives the audio, which is in `audio` at the call and must not be changed.
    var isSiphon: Bool { kind.contains(.siphon) }
}

/// The source of a tap's audio. No frame is returned twice.
package protocol QueueTapSource: AnyObject {
    /// Returns audio to the tap that is being called.
    ///
    /// - Parameters:
    ///   - frames: The requested number; fewer may be returned.
    ///   - timeStamp: Playback: the requested time, continuous with earlier calls. Capture: set to the time
    ///     of the first frame.
    ///   - audio: If its memory is NULL, the queue provides its own until the tap's callback returns;
    ///     otherwise the audio is copied into it.
    /// - Returns: The number of frames, and ``QueueTapFlags/startOfStream`` and
    ///   ``QueueTapFlags/endOfStream``.
    /// - Throws: ``QueueError/Code/invalidArgument`` for another number of buffers than that of the tap's
    ///   format, and for buffers that are too small for the frames; ``QueueError/Code/invalidTapContext``
    ///   outside the tap's call.
    func read(
        frames: Int, timeStamp: inout AudioTimeStamp, into audio: UnsafeMutablePointer<AudioBufferList>
    ) throws(QueueError) -> (frames: Int, flags: QueueTapFlags)

    /// For playback, the position of the last read on the queue's timeline, and the number of the queue's
    /// frames in it. That number differs from the tap's if the rate is not 1, and is 0 while the queue is
    /// paused.
    ///
    /// - Throws: ``QueueError/Code/invalidTapType`` for capture.
    func queueTime() throws(QueueError) -> (sampleTime: Double, frames: Int)
}

/// The format of a tap's audio.
package struct QueueTapFormat: Sendable {
    package let format: AudioStreamBasicDescription
    package let maximumFrames: Int

    /// The format of taps of a queue: 32-bit floats with a buffer for each channel, and calls of at most 50
    /// ms.
    init(sampleRate: Double, channels: Int) {
        format = .float(isInterleaved: false, channels: channels, sampleRate: sampleRate)
        maximumFrames = Int((sampleRate * 0.05).clamped(to: 64...65536))
    }
}

/// The type of a tap, and the state of its stream, with the published values.
package struct QueueTapFlags: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let preEffects = QueueTapFlags(rawValue: 1 << 0)
    package static let postEffects = QueueTapFlags(rawValue: 1 << 1)
    package static let siphon = QueueTapFlags(rawValue: 1 << 2)
    /// The audio does not follow the earlier one.
    package static let startOfStream = QueueTapFlags(rawValue: 1 << 8)
    /// No audio follows.
    package static let endOfStream = QueueTapFlags(rawValue: 1 << 9)
}
