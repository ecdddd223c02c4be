package import CoreAudioTypes

/// A client's code that processes the audio of a queue.
///
/// The corresponding C type is `AudioQueueProcessingTapRef`.
@safe package final class QueueTap: Sendable {
    /// Processes audio.
    ///
    /// - Parameters:
    ///   - frames: How many the queue wants. If there come fewer, playback is filled up with silence, and capture goes
    ///     on with these.
    ///   - timeStamp: Playback: continuous, of the tap's output, given. Capture: for the tap to fill in.
    ///   - flags: What the tap was made with, and ``QueueTapFlags/startOfStream`` and
    ///     ``QueueTapFlags/endOfStream``; on return the latter two say what holds for the tap's output.
    ///   - audio: The output: without a siphon, buffers of NULL at the call, and of memory that is valid until the next
    ///     call on return.
    ///   - source: Gives the audio to process, for as long as the call lasts; nothing for a siphon.
    /// - Returns: The frames that there are.
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

    /// Whether it comes before pan, time and pitch, or behind them. No tap sees the volume, which comes last.
    var isBeforeEffects: Bool { kind.contains(.preEffects) }
    /// Whether it only sees the audio: that is in `audio` at the call then, and must stay as it is.
    var isSiphon: Bool { kind.contains(.siphon) }
}

/// The source of a tap's audio. No frame is given twice.
package protocol QueueTapSource: AnyObject {
    /// Gives audio to the tap that is being called.
    ///
    /// - Parameters:
    ///   - frames: How many are wanted; there may come fewer.
    ///   - timeStamp: Playback: the time that the tap wants, continuous with its calls before. Capture: what the first
    ///     frame has, on return.
    ///   - audio: Where the memory is NULL, the queue lends its own until the tap's callback returns; else copies
    ///     into it.
    /// - Returns: The frames that there are, and ``QueueTapFlags/startOfStream`` and
    ///   ``QueueTapFlags/endOfStream``.
    /// - Throws: ``QueueError/Code/invalidArgument`` for another number of buffers than the tap's format has, and for
    ///   buffers that do not hold the frames; ``QueueError/Code/invalidTapContext`` outside the tap's call.
    func read(
        frames: Int, timeStamp: inout AudioTimeStamp, into audio: UnsafeMutablePointer<AudioBufferList>
    ) throws(QueueError) -> (frames: Int, flags: QueueTapFlags)

    /// The audio of playback that was read last in this call: its position on the queue's timeline, and how many of the
    /// queue's frames it has, which differ from the tap's when the rate is not 1, and are 0 while the queue is paused.
    ///
    /// - Throws: ``QueueError/Code/invalidTapType`` for capture.
    func queueTime() throws(QueueError) -> (sampleTime: Double, frames: Int)
}

/// The format of a tap's audio.
package struct QueueTapFormat: Sendable {
    package let format: AudioStreamBasicDescription
    package let maximumFrames: Int

    /// The format of a queue's taps: 32-bit floats with a buffer for each channel, and calls of 50 ms at most.
    init(sampleRate: Double, channels: Int) {
        format = .float(isInterleaved: false, channels: channels, sampleRate: sampleRate)
        maximumFrames = Int((sampleRate * 0.05).clamped(to: 64...65536))
    }
}

/// The type of a tap, and the state of its stream; with the published values.
package struct QueueTapFlags: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let preEffects = QueueTapFlags(rawValue: 1 << 0)
    package static let postEffects = QueueTapFlags(rawValue: 1 << 1)
    package static let siphon = QueueTapFlags(rawValue: 1 << 2)
    /// The audio does not follow the audio before.
    package static let startOfStream = QueueTapFlags(rawValue: 1 << 8)
    /// Nothing comes behind this.
    package static let endOfStream = QueueTapFlags(rawValue: 1 << 9)
}
