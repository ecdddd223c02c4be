import AudioCodecs
import AudioDevices
import CoreAudioTypes

/// A queue's way to its device: the stream, and what stands between it and the client's buffers.
///
/// What can only change while the queue is stopped (the device, the labels, effects, how far is decoded ahead,
/// offline rendering) changes by a new path in place of the old one, which is closed. Threads that serve a path hold
/// on to it, and end with its stream.
@safe final class OutputPath: @unchecked Sendable {
    // SAFETY: `plan`, `threads`, `announcement` and `decoded` are behind the queue's lock; `cursor`, `chain` and
    // `offline` belong to the engine's thread, or of a path without a device to the thread that renders; the rest is
    // constant.

    /// What a path is made of, beside what is the same for all of a queue's.
    struct Plan {
        var device: any OutputDevice
        /// What each channel of the buffers is for.
        var channelLabels: [AudioChannelLabel]
        /// The device's channel for each of the format; empty leaves it to the device.
        var channelAssignments: [ChannelAssignment] = []
        var decodeAheadSeconds: Double
        var latency: LatencyGoal
        var tap: QueueTap?
        var isTimePitchEnabled = false
        var algorithm = TimePitchAlgorithm.spectral
        /// Whether one channel becomes two, to lie between left and right.
        var isPanned = false
        /// What is rendered to, in place of the device.
        var offline: OfflineFormat?

        /// Whether audio passes through effects before the device gets it.
        var needsChain: Bool { tap != nil || isTimePitchEnabled || isPanned }
    }

    /// What a queue that has no device is rendered to.
    struct OfflineFormat {
        let format: AudioStreamBasicDescription
        let channelLabels: [AudioChannelLabel]
    }

    /// What all paths of a queue have in common.
    struct Fixture: Sendable {
        let format: AudioStreamBasicDescription
        let configuration: OutputQueue.Configuration
        /// Where the client wants its callbacks; nil for threads of the queue's own.
        let context: (any CallbackContext)?
        let makeDecoder: OutputCore.DecoderMaker
        /// Nil where time and pitch cannot be changed.
        let makeStretcher: TimeStretcherMaker?
    }

    /// The threads that serve a path.
    struct Threads {
        /// Whether every thread that is needed was started.
        var areStarted = false
        /// Whether threads take the device's notices, that of its end among them.
        var takeNotices = false
        /// The device will not touch a buffer again, and the engine's thread is done.
        var isClosed = false
    }

    /// What the path's stream is still to be told: that there is more to play.
    struct HeldAnnouncement {
        /// Whether a thread that serves the path tells it when it is done.
        private var isHeldBack = false
        private var isDue = false

        mutating func holdBack() { isHeldBack = true }

        /// Takes note of more to play.
        ///
        /// - Returns: Whether it is left to the thread that serves the path to tell.
        mutating func leavesReporting() -> Bool {
            isDue = isHeldBack
            return isHeldBack
        }

        /// The thread is done.
        ///
        /// - Returns: Whether it is to tell.
        mutating func release() -> Bool {
            defer { (isHeldBack, isDue) = (false, false) }
            return isDue
        }
    }

    var plan: Plan
    var threads = Threads()
    var announcement = HeldAnnouncement()
    /// Decoded audio between the decoder, or the effects, and the device; nil without a decoder.
    var decoded: DecodedAudio?

    /// What the device plays.
    let deviceFormat: SampleFormat
    let stream: any OutputStream
    let feed: StreamFeed
    /// Nil for a path that hands the client's memory to the device.
    let cursor: DecodeCursor?
    /// What decoded frames pass through; nil if nothing does. Only with a decoder.
    let chain: EffectChain?
    /// What takes frames in place of the device; nil if the device does. Only with a decoder.
    let offline: OfflineRenderer?
    /// What makes the callbacks; nil if the engine's threads do, or those who render.
    let context: (any CallbackContext)?
    /// Whether the context is this path's own, and ends with it.
    let ownsContext: Bool
    /// What the stream was asked for.
    let latency: LatencyGoal

    /// Makes a path whose stream is stopped.
    ///
    /// - Parameter magicCookie: What the decoder needs to know; empty for nothing, or if it comes later.
    /// - Throws: ``QueueError/Code/codecNotFound`` and ``QueueError/Code/invalidPropertyValue`` of the decoder,
    ///   ``QueueError/Code/unsupportedFormat``, and what the device says against the format.
    init(_ plan: Plan, _ fixture: Fixture, magicCookie: [UInt8]) throws(QueueError) {
        let parts = try Parts(plan, fixture, magicCookie: magicCookie)
        var device = plan.device
        var latency = plan.latency
        if let wanted = plan.offline {
            let manual = ManualDevice()
            device = manual
            // All that this does is to say how many frames are rendered at a time.
            latency = .seconds(0.1)
            offline = try OfflineRenderer(
                manual, from: parts.description, parts.deviceFormat.channelLabels, to: wanted)
            context = nil
            ownsContext = false
        } else {
            offline = nil
            ownsContext = fixture.context == nil && parts.cursor != nil
            context = ownsContext ? CallbackThread() : fixture.context
        }
        self.latency = latency
        var configuration = OutputStreamConfiguration(
            format: parts.deviceFormat, latency: latency,
            recoverySeconds: fixture.configuration.recoverySeconds, streamName: fixture.configuration.name,
            role: fixture.configuration.role, iconName: fixture.configuration.iconName)
        if plan.offline == nil, !plan.channelAssignments.isEmpty {
            configuration.channelNumbers = plan.channelAssignments.map { Int($0.channelNumber) }
        }
        do throws(DeviceError) {
            stream = try device.makeStream(configuration)
        } catch {
            throw QueueError(error)
        }
        feed = stream.feed
        deviceFormat = parts.deviceFormat
        cursor = parts.cursor
        chain = parts.chain
        decoded = parts.decoded
        self.plan = plan
    }

    deinit { decoded?.freeMemory() }

    /// How much is decoded or processed at a time, and handed to the device in one piece.
    static func chunkFrames(sampleRate: Double) -> Int { max(1, Int(sampleRate * 0.02)) }

    /// Whether the queue's frames are rendered by calls, and go to no device.
    var isOffline: Bool { offline != nil }
}
