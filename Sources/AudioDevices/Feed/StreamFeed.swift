import CRealTime
import Glibc
import Synchronization

/// The two lock-free queues between a client and a device's thread: segments in, notices out.
///
/// Calls that add segments must not overlap each other (hold a lock of your own); the calls that take
/// notices belong to one thread at a time, which takes all that there are before it waits. The device's thread is
/// never blocked by either.
@safe public final class StreamFeed: @unchecked Sendable {
    // SAFETY: slots change hands through the acquire/release pairs of `RingIndices`. They need no initialising,
    // which would touch memory that most queues never use: both kinds are trivial, and written before they are read.

    /// How many segments may be enqueued and not yet returned.
    public static let segmentCapacity = 256
    /// Every outstanding segment has one notice to come, for which there is always room. The rest is for what
    /// control calls and the device itself have to tell, in the time that the client's thread takes to wake.
    private static let noticeCapacity = 4 * segmentCapacity

    private let segmentIndices = RingIndices(capacity: StreamFeed.segmentCapacity)
    private let segments: UnsafeMutablePointer<StreamSegment>
    private let noticeIndices = RingIndices(capacity: StreamFeed.noticeCapacity)
    private let notices: UnsafeMutablePointer<DeviceNotice>
    private let semaphore: UnsafeMutablePointer<sem_t>
    /// Whose service takes the notices; nil if that is who waits for them. Set once.
    private var member: ReadyMember?
    // REAL-TIME: a reference would be retained for each notice.
    private let announced = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    private let outstanding = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    private let failureBox = Monitor<DeviceError?>(nil)

    /// Where the device's thread stays for those that take the notices; nil if it never does.
    package let commonProcessor: CommonProcessor?

    public convenience init() { self.init(commonProcessor: nil) }

    package init(commonProcessor: CommonProcessor?) {
        self.commonProcessor = commonProcessor
        unsafe segments = .allocate(capacity: StreamFeed.segmentCapacity)
        unsafe notices = .allocate(capacity: StreamFeed.noticeCapacity)
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe segments.deallocate()
        unsafe notices.deallocate()
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    // MARK: The client's side

    /// Adds a segment to be played, or filled, after those enqueued before it.
    ///
    /// Follow it with ``OutputStream/dataAvailable()`` or ``InputStream/roomAvailable()``, once for any number of segments.
    ///
    /// - Returns: False when ``segmentCapacity`` segments are outstanding; nothing was added then.
    public func enqueue(_ segment: StreamSegment) -> Bool {
        guard outstanding.load(ordering: .acquiring) < StreamFeed.segmentCapacity else { return false }
        let slot = segmentIndices.slotToWrite()
        guard slot >= 0 else { return false }
        unsafe (segments + slot).initialize(to: segment)
        outstanding.add(1, ordering: .relaxed)
        segmentIndices.didWrite()
        return true
    }

    /// Segments enqueued whose notice was not yet taken.
    public var outstandingSegments: Int { outstanding.load(ordering: .acquiring) }

    /// Takes the next notice, in order, or nil when there is none.
    ///
    /// Only a notice that follows after a nil ends a ``waitForNotice(until:)``.
    public func nextNotice() -> DeviceNotice? {
        let slot = noticeIndices.slotToRead()
        guard slot >= 0 else { return nil }
        let notice = unsafe notices[slot]
        noticeIndices.didRead()
        if notice.kind == .segmentDone { outstanding.subtract(1, ordering: .releasing) }
        return notice
    }

    /// Waits until there may be a notice, until ``wake()``, or until `deadline`.
    ///
    /// - Parameter deadline: Host time (CLOCK_MONOTONIC) in nanoseconds; `.max` waits without limit.
    public func waitForNotice(until deadline: UInt64 = .max) {
        if deadline == .max {
            while unsafe sem_wait(semaphore) != 0 && errno == EINTR {}
        } else {
            while unsafe aq_semaphore_wait_until(semaphore, deadline) != 0 && errno == EINTR {}
        }
    }

    /// Ends a ``waitForNotice(until:)``, from any thread.
    public func wake() { wakeClient() }

    /// Has a member served whenever there may be a notice, in place of a ``waitForNotice(until:)``. Once for a feed.
    package func announce(to member: ReadyMember) {
        self.member = member
        unsafe announced.store(Unmanaged.passUnretained(member).toOpaque(), ordering: .sequentiallyConsistent)
        // What there was before has woken nobody.
        member.announce()
    }

    /// Wakes whoever takes the notices. REAL-TIME.
    @_noLocks private func wakeClient() {
        if let member = unsafe announced.load(ordering: .acquiring) {
            unsafe Unmanaged<ReadyMember>.fromOpaque(member)._withUnsafeGuaranteedRef { $0.announce() }
        } else {
            unsafe aq_semaphore_post(semaphore)
        }
    }

    /// Why the stream failed, once `.failed` was noticed.
    public var failure: DeviceError? { failureBox.withLock { $0 } }

    /// Notices lost since the client took none for hundreds of them; 0 in any sane program. Segments are not lost.
    public var droppedNotices: Int { dropped.load(ordering: .relaxed) }

    // MARK: The device's side

    /// Records why the stream fails; `.failed` follows. Not for the audio path.
    func fail(_ error: DeviceError) {
        failureBox.withLock { if $0 == nil { $0 = error } }
        post(.failed)
    }

    /// Forgets a failure, since the stream is started anew.
    func clearFailure() { failureBox.withLock { $0 = nil } }

    /// Whether a segment waits to be taken.
    var hasSegment: Bool { @_noLocks get { !segmentIndices.isEmpty } }

    /// The segments that wait to be taken, and the bytes in them.
    var waiting: (segments: Int, bytes: Int) {
        var waiting = (segments: 0, bytes: 0)
        while true {
            let slot = segmentIndices.slotToRead(ahead: waiting.segments)
            guard slot >= 0 else { return waiting }
            waiting.segments += 1
            unsafe waiting.bytes += segments[slot].byteCount
        }
    }

    /// Moves the next segment into `segment`; false when there is none. REAL-TIME.
    @_noLocks func takeSegment(_ segment: inout StreamSegment) -> Bool {
        let slot = segmentIndices.slotToRead()
        if slot < 0 { return false }
        unsafe segment = segments[slot]
        segmentIndices.didRead()
        return true
    }

    /// Appends a notice and wakes the client's thread. REAL-TIME.
    @_noLocks func post(_ kind: DeviceNotice.Kind, token: UInt64 = 0) {
        post(DeviceNotice(kind, token: token))
    }

    /// The same, for a notice that tells more. REAL-TIME.
    @_noLocks func post(_ notice: DeviceNotice) {
        let slot = noticeIndices.slotToWrite(leaving: notice.kind.reservedSlots)
        if slot < 0 {
            dropped.add(1, ordering: .relaxed)
            return
        }
        unsafe (notices + slot).initialize(to: notice)
        // Several notices of one turn wake one thread once.
        if noticeIndices.didWrite() { wakeClient() }
    }
}

extension DeviceNotice.Kind {
    /// The slots that a notice must leave free: those for segments.
    fileprivate var reservedSlots: Int {
        @_noLocks get {
            switch self {
            case .segmentDone: 0
            case .started, .paused, .stopped, .flushed, .drained, .reset, .closed, .underran, .overran,
                .interrupted, .resumed, .moved, .failed:
                256
            }
        }
    }
}
