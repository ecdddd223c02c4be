// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes

/// The path from a queue to its device: the stream, and the parts between it and the client's buffers.
///
/// Some settings require a stopped queue: the device, the labels, effects, the duration decoded ahead, offline
/// rendering. They change by replacing the path with a new one and closing the old one. Threads that serve a path
/// keep it alive, and end with its stream.
@safe final class OutputPath: @unchecked Sendable {
    // SAFETY: `plan`, `threads` and `decoded` are protected by the queue's lock; `cursor`, `chain` and `offline`
    // belong to the engine's thread, or without a device to the thread that renders; the rest is constant.

    struct Plan {
        var device: any OutputDevice
        /// The label of each channel of the buffers.
        var channelLabels: [AudioChannelLabel]
        /// The device's channel for each channel of the format; if empty, the device chooses.
        var channelAssignments: [ChannelAssignment] = []
        var decodeAheadSeconds: Double
        var latency: LatencyGoal
        var tap: QueueTap?
        var isTimePitchEnabled = false
        var algorithm = TimePitchAlgorithm.spectral
        /// Whether mono becomes stereo, for a pan position between left and right.
        var isPanned = false
        /// The format of offline rendering; nil to use the device.
        var offline: OfflineFormat?

        /// Whether audio passes through effects before the device receives it.
        var needsChain: Bool { tap != nil || isTimePitchEnabled || isPanned }
    }

    /// The format to which a queue without a device is rendered.
    struct OfflineFormat {
        let format: AudioStreamBasicDescription
        let channelLabels: [AudioChannelLabel]
    }

    /// The common parts of all paths of a queue.
    struct Fixture: Sendable {
        let format: AudioStreamBasicDescription
        let configuration: OutputQueue.Configuration
        /// The client's context for callbacks; nil if threads of the queue make them.
        let context: (any CallbackContext)?
        let makeDecoder: OutputCore.DecoderMaker
        /// The maker of stretchers; nil if time and pitch cannot be changed.
        let makeStretcher: TimeStretcherMaker?
    }

    struct Threads {
        /// Whether all necessary threads were started.
        var areStarted = false
        /// Whether threads take the device's events, including the end of the stream.
        var takeEvents = false
        /// Whether the stream is closed, and does not access a buffer again.
        var isClosed = false
    }

    var plan: Plan
    var threads = Threads()
    /// The decoded audio for the device, from the decoder or the effects; nil if there is no decoder.
    var decoded: DecodedAudio?

    let deviceFormat: SampleFormat
    let stream: any OutputStream
    let feed: StreamFeed
    /// The device's thread, if it serves the queue; nil if a thread of the queue does.
    let deviceThread: ServingThread?
    /// The decoder; nil if the device reads the client's memory.
    let cursor: DecodeCursor?
    /// The effects for decoded frames; nil if there are none. Requires a decoder.
    let chain: EffectChain?
    /// The renderer that replaces the device; nil if there is a device. Requires a decoder.
    let offline: OfflineRenderer?
    /// The context of the callbacks; nil if the thread that takes the device's events makes them, or a call that
    /// renders.
    let context: (any CallbackContext)?
    /// Whether the context belongs to this path, and ends with it.
    let ownsContext: Bool
    let latency: LatencyGoal

    /// Makes a path whose stream is stopped.
    ///
    /// - Parameter magicCookie: The decoder's parameters; empty if there are none, or if they are set later.
    /// - Throws: ``QueueError/Code/codecNotFound`` and ``QueueError/Code/invalidPropertyValue`` of the decoder,
    ///   ``QueueError/Code/unsupportedFormat``, and the device's errors for the format.
    init(_ plan: Plan, _ fixture: Fixture, magicCookie: [UInt8]) throws(QueueError) {
        let parts = try Parts(plan, fixture, magicCookie: magicCookie)
        var device = plan.device
        var latency = plan.latency
        if let wanted = plan.offline {
            let manual = ManualDevice()
            device = manual
            // Offline, the latency only determines the number of frames that are rendered at a time.
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
        // The device's thread must not decode, nor wait for a context.
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

    /// Returns the number of frames that are decoded or processed at a time, and passed on together.
    static func chunkFrames(sampleRate: Double) -> Int { max(1, Int(sampleRate * 0.02)) }

    /// Wakes the thread that serves the path. May be called from any thread.
    func wake() {
        if let deviceThread { deviceThread.wake() } else { feed.wake() }
    }

    /// Whether calls render the queue's frames, without a device.
    var isOffline: Bool { offline != nil }
}
