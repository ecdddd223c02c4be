import AudioDevices
import AudioQueues
import CRealTime
import CoreAudioTypes

// What a queue answers as long as it has no member of its own for a wish: what is true of it as it is, or a documented
// error. Nothing here pretends to have done anything.

extension OutputQueue: OutputQueueWishes {}
extension InputQueue: InputQueueWishes {}

extension QueueWishes {
    func start(atHostTime hostTime: UInt64) throws(QueueError) {
        throw QueueError(.cannotStart, "cannot start at a given time: this queue starts as soon as possible")
    }

    var deviceClock: DeviceClock? { nil }

    func nearestStart(toHostTime hostTime: UInt64) -> UInt64 { max(hostTime, aq_host_time()) }

    func setChannelAssignments(_ assignments: [ChannelAssignment]) throws(QueueError) {
        throw QueueError(.invalidPropertyValue, "cannot send channels to others than the device chooses")
    }

    func setChannelLabels(_ labels: [AudioChannelLabel]) throws(QueueError) {
        guard labels == channelLabels else {
            throw QueueError(.invalidPropertyValue, "cannot change what the channels of a queue are for")
        }
    }

    func installTap(_ tap: any QueueTap) throws(QueueError) -> QueueTapFormat {
        throw QueueError(.tooManyTaps, "cannot put a tap into a queue that takes none")
    }

    func removeTap() throws(QueueError) {
        throw QueueError(.invalidTapContext, "cannot take a tap from a queue that takes none")
    }
}

extension QueueWishes where Self == OutputQueue {
    func awaitStart() throws(QueueError) {
        if let failure { throw failure }
    }

    /// Those that the queue was made with: the published interface has no way to make it with others.
    var channelLabels: [AudioChannelLabel] {
        ChannelLabels.defaults(channels: Int(format.mChannelsPerFrame))
    }
}

extension OutputQueueWishes where Self == OutputQueue {
    func enqueue(
        _ buffer: QueueBuffer, packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
        trimFramesAtStart: Int, trimFramesAtEnd: Int, events: [QueueParameterEvent], startFrames: Double?
    ) throws(QueueError) -> Double? {
        guard events.isEmpty else {
            throw QueueError(.invalidParameter, "cannot enqueue parameters with a buffer")
        }
        guard startFrames == nil else {
            throw QueueError(.invalidArgument, "cannot enqueue a buffer for a given time")
        }
        try unsafe enqueue(
            buffer, packetDescriptions: packetDescriptions, trimFramesAtStart: trimFramesAtStart,
            trimFramesAtEnd: trimFramesAtEnd)
        return nil
    }

    var decodeAheadFrames: Int {
        Int(OutputQueue.Configuration().decodeAheadSeconds * format.mSampleRate)
    }

    func setDecodeAhead(frames: Int) throws(QueueError) {
        guard frames == decodeAheadFrames else {
            throw QueueError(.invalidPropertyValue, "cannot decode \(frames) frames ahead")
        }
    }
}

extension OutputQueueWishes {
    func setDevice(_ device: any OutputDevice) throws(QueueError) {
        throw QueueError(
            .invalidDevice, "cannot play on '\(device.name)': this queue stays with its device")
    }

    var pan: Float { 0 }
    func setPan(_ pan: Float) throws(QueueError) {
        guard pan == 0 else { throw QueueError(.invalidParameter, "cannot pan to \(pan)") }
    }

    var playRate: Float { 1 }
    func setPlayRate(_ rate: Float) throws(QueueError) {
        guard rate == 1 else { throw QueueError(.invalidParameter, "cannot play at rate \(rate)") }
    }

    var pitchCents: Float { 0 }
    func setPitch(cents: Float) throws(QueueError) {
        guard cents == 0 else {
            throw QueueError(.invalidParameter, "cannot shift the pitch by \(cents) cents")
        }
    }

    var isTimePitchEnabled: Bool { false }
    func setTimePitchEnabled(_ isEnabled: Bool) throws(QueueError) {
        guard !isEnabled else {
            throw QueueError(.invalidPropertyValue, "cannot enable changes of rate and pitch")
        }
    }

    var timePitchAlgorithm: TimePitchAlgorithm { .spectral }
    func setTimePitchAlgorithm(_ algorithm: TimePitchAlgorithm) throws(QueueError) {
        throw QueueError(.invalidRunState, "cannot choose how time is stretched unless that is enabled")
    }

    var isTimePitchBypassed: Bool { false }
    func setTimePitchBypassed(_ isBypassed: Bool) throws(QueueError) {
        throw QueueError(.invalidRunState, "cannot bypass changes of rate and pitch unless they are enabled")
    }

    func setOfflineRendering(
        format: AudioStreamBasicDescription?, channelLabels: [AudioChannelLabel]?
    ) throws(QueueError) {
        guard format == nil else {
            throw QueueError(.unsupportedFormat, "cannot render a queue without its device")
        }
    }

    func renderOffline(at sampleTime: Double, into buffer: QueueBuffer, frames: Int) throws(QueueError) {
        throw QueueError(.invalidOfflineMode, "cannot render a queue that plays on its device")
    }
}
