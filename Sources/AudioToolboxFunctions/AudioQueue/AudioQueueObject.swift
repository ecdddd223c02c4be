import AudioDevices
import AudioQueues
import CAudioToolbox
import CoreAudioTypes

/// What is behind an `AudioQueueRef`: a queue that plays or one that records, and what the published interface keeps
/// of it besides.
///
/// The table holds on to it until `AudioQueueDispose`.
final class AudioQueueObject: Sendable {
    enum Direction: Sendable {
        case output(OutputQueue)
        case input(InputQueue)
    }

    /// What the engine's queues do not keep.
    struct Settings {
        /// The time that changes of volume take, in seconds.
        var volumeRampSeconds: Float = 0
        /// The device that was asked for; nil follows the server's default.
        var deviceName: String?
        var hardwareCodecPolicy: UInt32 = kAudioQueueHardwareCodecPolicy_Default
        var listeners = QueueListeners()
        var timelines = QueueTimelines()
        /// The handle of the processing tap, in bits; 0 for none.
        var tap: UInt = 0
    }

    /// The queues of this process.
    static let table = HandleTable<AudioQueueObject>()

    let direction: Direction
    let settings = Monitor(Settings())

    init(_ direction: Direction) { self.direction = direction }

    /// The queue, for what both kinds do.
    var engine: any EngineQueue {
        switch direction {
        case .output(let queue): queue
        case .input(let queue): queue
        }
    }

    var format: AudioStreamBasicDescription { engine.format }

    /// The queue, for what only playback knows.
    ///
    /// - Throws: ``QueueError/Code/invalidQueueType``.
    func output() throws(QueueError) -> OutputQueue {
        guard case .output(let queue) = direction else {
            throw QueueError(
                .invalidQueueType, "cannot ask a queue that records for what only playback knows")
        }
        return queue
    }

    /// The queue, for what only recording knows.
    ///
    /// - Throws: ``QueueError/Code/invalidQueueType``.
    func input() throws(QueueError) -> InputQueue {
        guard case .input(let queue) = direction else {
            throw QueueError(
                .invalidQueueType, "cannot ask a queue that plays for what only recording knows")
        }
        return queue
    }

    /// Ends the handles that end with the queue's, if that has ended.
    ///
    /// For calls that have made one: `AudioQueueDispose` on another thread may have come too early to see it.
    func endHandlesIfDisposed(_ handle: AudioQueueRef?) {
        if unsafe AudioQueueObject.table[handle] == nil { endHandles() }
    }

    /// Ends the handles that end with the queue's.
    func endHandles() {
        let (timelines, tap) = settings.withLock { settings in
            defer { settings.tap = 0 }
            return (settings.timelines.removeAll(), settings.tap)
        }
        for handle in timelines {
            unsafe AudioQueueTimelineObject.table.remove(OpaquePointer(bitPattern: handle))
        }
        unsafe ProcessingTapObject.table.remove(OpaquePointer(bitPattern: tap))
    }
}

/// Makes a call on the queue of a handle, and gives its error as the published result.
///
/// COMPAT: `kAudio_ParamError` for NULL, as the original has it, and for what is no queue's handle. One that was
/// disposed of answers like one that is being disposed of, `kAudioQueueErr_DisposalPending`: threads that race with
/// the call that disposes of it see the same whoever wins.
func callQueue(
    _ handle: AudioQueueRef?, _ body: (AudioQueueObject) throws(QueueError) -> Void
) -> OSStatus {
    // Before the table's lock, which another thread may have held as the process was forked.
    if ForkedChild.isCurrent { return kAudioQueueErr_QueueInvalidated }
    guard let queue = unsafe AudioQueueObject.table[handle] else { return unsafe statusOfNoQueue(handle) }
    do throws(QueueError) {
        try body(queue)
        return noErr
    } catch {
        return error.code.status
    }
}

/// Why there is no queue for a handle.
func statusOfNoQueue(_ handle: AudioQueueRef?) -> OSStatus {
    unsafe AudioQueueObject.table.isStale(handle) ? kAudioQueueErr_DisposalPending : kAudio_ParamError
}

extension AudioTimeStamp {
    /// A point in time on two clocks; nil leaves one out.
    init(sampleTime: Double?, hostTime: UInt64?) {
        self.init()
        if let sampleTime {
            mSampleTime = sampleTime
            mFlags.insert(.sampleTimeValid)
        }
        if let hostTime {
            mHostTime = hostTime
            mFlags.insert(.hostTimeValid)
        }
    }

    /// The sample time, if it says something.
    var validSampleTime: Double? {
        mFlags.contains(.sampleTimeValid) && mSampleTime.isFinite ? mSampleTime : nil
    }

    /// The host time, if it says something.
    var validHostTime: UInt64? { mFlags.contains(.hostTimeValid) ? mHostTime : nil }
}
