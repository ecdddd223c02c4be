// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CAQAudioToolbox
import CoreAudioTypes
import Glibc

/// The object of an `AudioQueueProcessingTapRef`: code of a client that processes a queue's audio.
@safe final class ProcessingTapObject: @unchecked Sendable {
    // SAFETY: by its contract the client's code and data may be used on the queue's thread, one call at a
    // time; the rest is constant, or in the monitors.

    /// The published callback, except that the client data may be NULL, as in `AudioQueueProcessingTapNew`.
    typealias Callback =
        @convention(c) (
            UnsafeMutableRawPointer?, AudioQueueProcessingTapRef, UInt32,
            UnsafeMutablePointer<AudioTimeStamp>,
            UnsafeMutablePointer<AudioQueueProcessingTapFlags>, UnsafeMutablePointer<UInt32>,
            UnsafeMutablePointer<AudioBufferList>
        ) -> Void

    /// A running call of the client's code.
    private struct Call {
        let source: any QueueTapSource
        let thread: pthread_t
        var hasRead = false
    }

    static let table = HandleTable<ProcessingTapObject>()

    private let callback: Callback
    private let clientData: UnsafeMutableRawPointer?
    private let flags: QueueTapFlags
    /// The bits of the queue's handle.
    let queue: UInt
    let isCapture: Bool
    private let handle = Monitor<UInt>(0)
    private let call = Monitor<Call?>(nil)

    init(
        _ callback: @escaping Callback, _ clientData: UnsafeMutableRawPointer?, _ flags: QueueTapFlags,
        of queue: UInt, isCapture: Bool
    ) {
        unsafe self.callback = callback
        unsafe self.clientData = clientData
        self.flags = flags
        self.queue = queue
        self.isCapture = isCapture
    }

    /// Sets the client's handle of the tap, before the queue receives the tap.
    func setHandle(_ handle: UInt) { self.handle.withLock { $0 = handle } }

    var isSiphon: Bool { flags.contains(.siphon) }

    /// The tap for the engine's queue.
    var engineTap: QueueTap { unsafe QueueTap(flags, process) }

    @Sendable private func process(
        _ frames: Int, _ timeStamp: inout AudioTimeStamp, _ flags: inout QueueTapFlags,
        _ audio: UnsafeMutablePointer<AudioBufferList>, _ source: any QueueTapSource
    ) -> Int {
        guard let tap = unsafe OpaquePointer(bitPattern: handle.withLock { $0 }) else { return 0 }
        call.withLock { $0 = Call(source: source, thread: pthread_self()) }
        defer { call.withLock { $0 = nil } }
        var made: UInt32 = 0
        var published = AudioQueueProcessingTapFlags(rawValue: self.flags.union(flags).rawValue)
        unsafe callback(
            clientData, tap, UInt32(clamping: frames), &timeStamp, &published, &made, audio)
        flags = QueueTapFlags(rawValue: published.rawValue)
        return min(Int(made), frames)
    }

    /// The source of the running call's audio.
    ///
    /// - Throws: ``QueueError/Code/invalidTapContext`` unless the calling thread makes that call.
    func source() throws(QueueError) -> any QueueTapSource {
        guard let call = call.withLock({ $0 }), pthread_equal(call.thread, pthread_self()) != 0 else {
            throw QueueError(.invalidTapContext)
        }
        return call.source
    }

    /// Records that the running call has received audio.
    func noteRead() { call.withLock { $0?.hasRead = true } }
    var hasRead: Bool { call.withLock { $0?.hasRead ?? false } }
}
