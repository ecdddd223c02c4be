import AudioCodecs
import AudioDevices
import CoreAudioTypes

/// The path from a queue to its device: the stream, and the parts between it and the client's buffers.
///
/// Settings that require a stopped queue (the device, the labels, effects, how much is decoded ahead, offline
/// rendering) change by replacing the path with a new one and closing the old. Threads that serve a path keep it alive,
/// and end with its stream.
@safe final class OutputPath: @unchecked Sendable {
    // SAFETY: `plan`, `threads` and `decoded` are protected by the queue's lock; `cursor`, `chain` and
    // `offline` belong to the engine's thread, or without a device to the thread that renders; the rest is constant.

    /// The settings of a path.
    struct Plan {
        var device: any OutputDevice
        /// The use of each channel of the buffers.
        var channelLabels: [AudioChannelLabel]
        /// The device's channel for each channel of the format; if empty, the device chooses.
        var channelAssignments: [ChannelAssignment] = []
        var decodeAheadSeconds: Double
        var latency: LatencyGoal
        var tap: QueueTap?
        var isTimePitchEnabled = false
        var algorithm = TimePitchAlgorithm.spectral
        /// Whether one channel becomes two, for a position between left and right.
        var isPanned = false
        /// The format of offline rendering, instead of the device.
        var offline: OfflineFormat?

        /// Whether audio passes through effects before the device gets it.
        var needsChain: Bool { tap != nil || isTimePitchEnabled || isPanned }
    }

    /// The format that a queue without a device is rendered to.
    struct OfflineFormat {
        let format: AudioStreamBasicDescription
        let channelLabels: [AudioChannelLabel]
    }

    /// The common parts of all paths of a queue.
    struct Fixture: Sendable {
        let format: AudioStreamBasicDescription
        let configuration: OutputQueue.Configuration
        /// The client's context for callbacks; nil for threads of the queue's own.
        let context: (any CallbackContext)?
        let makeDecoder: OutputCore.DecoderMaker
        /// Nil where time and pitch cannot be changed.
        let makeStretcher: TimeStretcherMaker?
    }

    /// The threads that serve a path.
    struct Threads {
        /// Whether all necessary threads were started.
        var areStarted = false
        /// Whether threads take the device's events, including its end.
        var takeNotices = false
        /// Whether the stream is closed: it does not access a buffer again.
        var isClosed = false
    }

    var plan: Plan
    var threads = Threads()
    /// Decoded audio between the decoder, or the effects, and the device; nil without a decoder.
    var decoded: DecodedAudio?

    /// The format that the device plays.
    let deviceFormat: SampleFormat
    let stream: any OutputStream
    let feed: StreamFeed
    /// The device's thread, if it serves the queue; nil if a thread of the queue's own does.
    let deviceThread: ServingThread?
    /// Nil for a path that gives the client's memory to the device.
    let cursor: DecodeCursor?
    /// The effects for decoded frames; nil if there are none. Only with a decoder.
    let chain: EffectChain?
    /// The renderer that replaces the device; nil with a device. Only with a decoder.
    let offline: OfflineRenderer?
    /// The context of the callbacks; nil if the thread that takes the device's events, or a call that renders, makes
    /// them.
    let context: (any CallbackContext)?
    /// Whether the context belongs to this path, and ends with it.
    let ownsContext: Bool
    /// The latency requested from the stream.
    let latency: LatencyGoal

    /// Makes a path whose stream is stopped.
    ///
    /// - Parameter magicCookie: The decoder's parameters; empty if there are none, or if it is set later.
    /// - Throws: ``QueueError/Code/codecNotFound`` and ``QueueError/Code/invalidPropertyValue`` of the decoder,
    ///   ``QueueError/Code/unsupportedFormat``, and the device's errors for the format.
    init(_ plan: Plan, _ fixture: Fixture, magicCookie: [UInt8]) throws(QueueError) {
        let parts = try Parts(plan, fixture, magicCookie: magicCookie)
        var device = plan.device
        var latency = plan.latency
        if let wanted = plan.offline {
            let manual = ManualDevice()
            device = manual
            // This only determines the number of frames that are rendered at a time.
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
        // The device's thread should not decode, nor wait for a context.
        configuration.servesClient = latency == .buffers && parts.cursor == nil && context == nil
        if plan.offline == nil, !plan.channelAssignments.isEmpty {
            configuration.channelNumbers = plan.channelAssignments.map { Int($0.channelNumber) }
        }
        do throws(DeviceError) {
            stream = try device.makeStream(configuration)
        } catch {
            throw QueueError(error)
        }
        feed = stream.feed
        deviceThread = stream.servingThread
        deviceFormat = parts.deviceFormat
        cursor = parts.cursor
        chain = parts.chain
        decoded = parts.decoded
        self.plan = plan
    }

    deinit { decoded?.freeMemory() }

    /// The number of frames decoded or processed at a time, and passed on together.
    static func chunkFrames(sampleRate: Double) -> Int { max(1, Int(sampleRate * 0.02)) }

    /// Wakes the thread that serves the path. From any thread.
    func wake() {
        if let deviceThread { deviceThread.wake() } else { feed.wake() }
    }

    /// Whether calls render the queue's frames, without a device.
    var isOffline: Bool { offline != nil }
}
