// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CAQAudioToolbox
import CoreAudioTypes

/// The object of an `AudioQueueRef`: a playback or a recording queue, and the state that only the published
/// interface needs.
///
/// The table retains the object until `AudioQueueDispose`.
final class AudioQueueObject: Sendable {
    enum Direction: Sendable {
        case output(OutputQueue)
        case input(InputQueue)
    }

    /// The settings that the engine's queues do not keep.
    struct Settings {
        /// The duration of volume changes, in seconds.
        var volumeRampSeconds: Float = 0
        /// The requested device; nil follows the server's default.
        var deviceName: String?
        var hardwareCodecPolicy: UInt32 = kAudioQueueHardwareCodecPolicy_Default
        var listeners = QueueListeners()
        var timelines = QueueTimelines()
        /// The handle of the processing tap, in bits; 0 for none.
        var tap: UInt = 0
    }

    static let table = HandleTable<AudioQueueObject>()

    let direction: Direction
    let devices = QueueDevices.current
    let settings = Monitor(Settings())

    init(_ direction: Direction) { self.direction = direction }

    /// The queue, with the common interface of both types.
    var engine: any EngineQueue {
        switch direction {
        case .output(let queue): queue
        case .input(let queue): queue
        }
    }

    var format: AudioStreamBasicDescription { engine.format }

    /// The queue, with the interface of playback.
    ///
    /// - Throws: ``QueueError/Code/invalidQueueType``.
    func output() throws(QueueError) -> OutputQueue {
        guard case .output(let queue) = direction else { throw QueueError(.invalidQueueType) }
        return queue
    }

    /// The queue, with the interface of recording.
    ///
    /// - Throws: ``QueueError/Code/invalidQueueType``.
    func input() throws(QueueError) -> InputQueue {
        guard case .input(let queue) = direction else { throw QueueError(.invalidQueueType) }
        return queue
    }

    /// Ends the handles of the queue's timelines and tap, if the queue's handle has ended.
    ///
    /// For calls that have made such a handle: `AudioQueueDispose` on another thread may have run before the new
    /// handle was registered.
    func endHandlesIfDisposed(_ handle: AudioQueueRef?) {
        if unsafe AudioQueueObject.table[handle] == nil { endHandles() }
    }

    /// Ends the handles of the queue's timelines and tap.
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

/// Calls `body` with the queue of a handle, and returns its error as the published result.
///
/// COMPAT: `kAudio_ParamError` for NULL, as in the original, and for a reference that is not a queue's
/// handle. `kAudioQueueErr_DisposalPending` for a queue that is being disposed of, and for one that was
/// disposed of, so that racing threads get the same result in either order.
func callQueue(
    _ handle: AudioQueueRef?, _ body: (AudioQueueObject) throws(QueueError) -> Void
) -> OSStatus {
    // Before the table's lock, which another thread may have held when the process was forked.
    if ForkedChild.isCurrent { return kAudioQueueErr_QueueInvalidated }
    guard let queue = unsafe AudioQueueObject.table[handle] else { return unsafe statusOfNoQueue(handle) }
    return QueueError.status { () throws(QueueError) in try body(queue) }
}

extension QueueError {
    /// Calls `body`, and returns its error as the published result.
    static func status(of body: () throws(QueueError) -> Void) -> OSStatus {
        do throws(QueueError) {
            try body()
            return noErr
        } catch { return error.code.status }
    }
}

/// The result for a handle without a queue.
func statusOfNoQueue(_ handle: AudioQueueRef?) -> OSStatus {
    unsafe AudioQueueObject.table.isStale(handle) ? kAudioQueueErr_DisposalPending : kAudio_ParamError
}

extension AudioTimeStamp {
    /// Makes a time stamp from a sample time and a host time. A time that is nil is not valid.
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

    var validSampleTime: Double? {
        mFlags.contains(.sampleTimeValid) && mSampleTime.isFinite ? mSampleTime : nil
    }

    var validHostTime: UInt64? { mFlags.contains(.hostTimeValid) ? mHostTime : nil }
}
