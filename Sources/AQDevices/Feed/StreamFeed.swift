// SPDX-License-Identifier: MIT

import CAQRealTime
import Glibc
import Synchronization

/// The two lock-free queues between a client and a device's thread: one for segments, one for events.
///
/// Calls that add segments must not overlap; protect them with a lock. Only one thread at a time may take events, and
/// it must take all of them before it waits. Neither queue blocks the device's thread.
@safe public final class StreamFeed: @unchecked Sendable {
    // SAFETY: slots change hands through the acquire/release pairs of `RingIndices`. Both types are trivial and written
    // before they are read, so the memory is not initialised: most queues never use most of it.

    /// The maximum number of segments enqueued and not returned.
    public static let segmentCapacity = 256
    /// The capacity for events. One slot is reserved for each outstanding segment. The other slots hold the events of
    /// control calls and of the device until the client takes them.
    private static let eventCapacity = 4 * segmentCapacity

    private let segmentIndices = RingIndices(capacity: StreamFeed.segmentCapacity)
    private let segments: UnsafeMutablePointer<StreamSegment>
    private let eventIndices = RingIndices(capacity: StreamFeed.eventCapacity)
    private let events: UnsafeMutablePointer<DeviceEvent>
    private let semaphore: UnsafeMutablePointer<sem_t>
    /// Whether a thread waits for events. If not, the device's own thread checks for them (``ServingThread``).
    private let isAwaited: Bool
    private let outstanding = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    private let failureBox = Monitor<DeviceError?>(nil)

    public convenience init() { self.init(isAwaited: true) }

    init(isAwaited: Bool) {
        self.isAwaited = isAwaited
        unsafe segments = .allocate(capacity: StreamFeed.segmentCapacity)
        unsafe events = .allocate(capacity: StreamFeed.eventCapacity)
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe segments.deallocate()
        unsafe events.deallocate()
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    // MARK: Client

    /// Adds a segment to play, or to fill, after the segments enqueued before it.
    ///
    /// Then call ``OutputStream/dataAvailable()`` or ``InputStream/roomAvailable()``, once for any number of segments.
    ///
    /// - Returns: False if ``segmentCapacity`` segments are outstanding; the segment is not added.
    public func enqueue(_ segment: StreamSegment) -> Bool {
        guard outstanding.load(ordering: .acquiring) < StreamFeed.segmentCapacity else { return false }
        let slot = segmentIndices.slotToWrite()
        guard slot >= 0 else { return false }
        unsafe (segments + slot).initialize(to: segment)
        outstanding.add(1, ordering: .relaxed)
        segmentIndices.didWrite()
        return true
    }

    /// The number of enqueued segments whose event has not been taken.
    public var outstandingSegments: Int { outstanding.load(ordering: .acquiring) }

    /// Takes the next event, in order; nil if there is none.
    ///
    /// Before each ``waitForEvent(until:)``, events must be taken until this method returns nil: an event that is
    /// posted after others that are still to be taken does not end the wait.
    public func nextEvent() -> DeviceEvent? {
        let slot = eventIndices.slotToRead()
        guard slot >= 0 else { return nil }
        let event = unsafe events[slot]
        eventIndices.didRead()
        if event.kind == .segmentDone { outstanding.subtract(1, ordering: .releasing) }
        return event
    }

    /// Waits until an event is posted, ``wake()`` is called, or `deadline` passes. It may return although there is no
    /// event. If the stream has a ``OutputStream/servingThread``, events do not end the wait.
    ///
    /// - Parameter deadline: Host time (CLOCK_MONOTONIC) in nanoseconds; `.max` waits without limit.
    public func waitForEvent(until deadline: UInt64 = .max) {
        if deadline == .max {
            while unsafe sem_wait(semaphore) != 0 && errno == EINTR {}
        } else {
            while unsafe aq_semaphore_wait_until(semaphore, deadline) != 0 && errno == EINTR {}
        }
    }

    /// Ends a ``waitForEvent(until:)``. From any thread. REAL-TIME.
    @_noLocks public func wake() { unsafe aq_semaphore_post(semaphore) }

    /// Whether an event waits to be taken. REAL-TIME.
    var hasEvent: Bool { @_noLocks get { !eventIndices.isEmpty } }

    /// The reason why the stream failed, set before `.failed`; nil if it has not failed, or was started again since.
    public var failure: DeviceError? { failureBox.withLock { $0 } }

    /// The number of events dropped because the client did not take events in time. Normally 0. The events of segments
    /// are never dropped.
    public var droppedEvents: Int { dropped.load(ordering: .relaxed) }

    // MARK: Device

    /// Records the stream's error and posts `.failed`. Not for the audio path.
    func fail(_ error: DeviceError) {
        failureBox.withLock { if $0 == nil { $0 = error } }
        post(.failed)
    }

    /// Clears a failure, because the stream is started again.
    func clearFailure() { failureBox.withLock { $0 = nil } }

    /// Whether a segment is waiting.
    var hasSegment: Bool { @_noLocks get { !segmentIndices.isEmpty } }

    /// The number of waiting segments, and their bytes.
    var waiting: (segments: Int, bytes: Int) {
        var waiting = (segments: 0, bytes: 0)
        while true {
            let slot = segmentIndices.slotToRead(ahead: waiting.segments)
            guard slot >= 0 else { return waiting }
            waiting.segments += 1
            unsafe waiting.bytes += segments[slot].byteCount
        }
    }

    /// Moves the next segment into `segment`; returns false if there is none. REAL-TIME.
    @_noLocks func takeSegment(_ segment: inout StreamSegment) -> Bool {
        let slot = segmentIndices.slotToRead()
        if slot < 0 { return false }
        unsafe segment = segments[slot]
        segmentIndices.didRead()
        return true
    }

    /// Appends an event and wakes the client's thread. REAL-TIME.
    @_noLocks func post(_ kind: DeviceEvent.Kind, token: UInt64 = 0) {
        post(DeviceEvent(kind, token: token))
    }

    /// Appends an event with further fields. REAL-TIME.
    @_noLocks func post(_ event: DeviceEvent) {
        let slot = eventIndices.slotToWrite(leaving: event.kind.reservedSlots)
        if slot < 0 {
            dropped.add(1, ordering: .relaxed)
            return
        }
        unsafe (events + slot).initialize(to: event)
        // Several events in one turn of the device's thread cause one wake-up.
        if eventIndices.didWrite(), isAwaited { wake() }
    }
}

extension DeviceEvent.Kind {
    /// The number of slots that an event must leave free for the events of segments.
    fileprivate var reservedSlots: Int {
        @_noLocks get { if case .segmentDone = self { 0 } else { StreamFeed.segmentCapacity } }
    }
}
