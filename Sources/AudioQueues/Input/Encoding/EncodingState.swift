import CRealTime

/// What changes of a queue that encodes, or has a tap, behind its lock, beside what every input queue has.
///
/// **Why captured sound has memory of its own.** The other design gave each client's buffer some memory for the
/// PCM that its packets are made of, which the device filled, as it does for linear PCM that is converted. But
/// an encoder keeps frames back: its first packets come late, its last ones after the end, so a buffer's packets
/// are not those of its frames, and would come back empty at the beginning and not fit at the end. Here blocks
/// go round between the device and the encoder, and the encoder fills buffers, whichever are there.
///
/// **Why it encodes where callbacks are made.** A thread for the encoder alone would encode on while a callback
/// blocks. But a block's worth takes a hundredth of its time to encode and can wait as well as packets can, so
/// the thread would be a wake-up more for each buffer and nothing else. While a callback blocks, blocks are
/// filled, one for each buffer; what is lost and when is as without an encoder. Where others make the callbacks, a run
/// loop say, the queue's thread has time to encode, and taps ask for a thread of theirs.
struct EncodingState {
    /// What the encoder has to do, in order.
    enum Work {
        case block(CapturedBlock)
        case boundary(Boundary)
        /// The device counts from 0 again.
        case newTimeline
    }

    /// Something that happens between two captured frames.
    struct Boundary {
        enum Kind {
            /// The buffer under way is returned with the packets in it.
            case flush
            /// Every buffer is returned, with the packets that are there.
            case reset
            /// The packets end: the encoder's last ones come out, and every buffer is returned.
            case end
        }

        let kind: Kind
        /// Items from this number on are for later.
        let itemLimit: UInt64
    }

    /// What is in the buffer at the head of those waiting.
    struct Open {
        var bytes = 0
        var packets = 0
        var info: InputBufferInfo
    }

    var blocks = CaptureBlocks()
    private var work = FIFO<(number: UInt64, work: Work)>()
    /// The number of the latest work.
    private(set) var latestWork: UInt64 = 0
    /// Boundaries that are still to be reached, and their numbers.
    private var boundaries = FIFO<(number: UInt64, boundary: Boundary)>()
    private(set) var open: Open
    /// Where the encoder's first packet is.
    private let firstSampleTime: Double
    /// Where the latest packet ends.
    private var endSampleTime: Double
    /// Of the recording that ended last.
    private(set) var remainderFrames = 0
    /// Whether there may be packets that found no buffer, and fit into the next one.
    private(set) var wantsBuffer = false

    init(primingFrames: Int) {
        firstSampleTime = -Double(primingFrames)
        endSampleTime = firstSampleTime
        open = EncodingState.open(at: firstSampleTime)
    }

    var hasWork: Bool { !work.isEmpty }

    /// Whether the packets end behind what was taken last, as far as is known.
    var isAtEnd: Bool {
        guard let next = work.first, case .boundary(let boundary) = next.work else { return false }
        return boundary.kind == .end
    }

    mutating func add(_ new: Work) {
        latestWork += 1
        work.append((latestWork, new))
        if case .boundary(let boundary) = new { boundaries.append((latestWork, boundary)) }
    }

    /// Which items the work at hand may fill: those below the next boundary's.
    var itemLimit: UInt64 { boundaries.first?.boundary.itemLimit ?? .max }

    /// The next thing to do, of what was there when `number` was the latest work.
    ///
    /// - Parameter hasItem: Whether there is a buffer for packets. Without one blocks wait, and what returns
    ///   buffers overtakes them, for there is none to return. But what waits when the packets end can never be
    ///   delivered.
    mutating func takeWork(through number: UInt64, hasItem: Bool) -> Work? {
        while let next = work.first, next.number <= number {
            switch next.work {
            case .block(let captured) where !hasItem:
                guard let ahead = boundaries.first else { return nil }
                if ahead.boundary.kind == .end {
                    blocks.release(captured.block)
                    _ = work.popFirst()
                } else if ahead.number <= number {
                    _ = boundaries.popFirst()
                    return .boundary(ahead.boundary)
                } else {
                    return nil
                }
            case .boundary:
                _ = work.popFirst()
                guard next.number == boundaries.first?.number else { continue }
                _ = boundaries.popFirst()
                return next.work
            case .block, .newTimeline:
                _ = work.popFirst()
                return next.work
            }
        }
        return nil
    }

    mutating func setRemainder(frames: Int) { remainderFrames = frames }

    // MARK: The open buffer

    mutating func setWantsBuffer(_ wantsBuffer: Bool) { self.wantsBuffer = wantsBuffer }

    /// Enters packets that were put into the open buffer.
    mutating func add(_ made: PacketMaker.Made) {
        if open.packets == 0 {
            open.info = InputBufferInfo(
                sampleTime: Double(made.place.frame), hostTime: made.place.hostTime, packetCount: 0,
                lostFramesBefore: made.place.lostFrames ?? 0)
        }
        open.bytes += made.bytes
        open.packets += made.packets
        open.info.packetCount = open.packets
        endSampleTime = Double(made.place.frame) + Double(made.frames)
    }

    /// The open buffer's facts; the next buffer is the open one then.
    mutating func takeOpen() -> Open {
        if open.packets == 0 { open.info.hostTime = aq_host_time() }
        defer { open = EncodingState.open(at: endSampleTime) }
        return open
    }

    /// Begins another recording.
    mutating func restart() {
        endSampleTime = firstSampleTime
        open = EncodingState.open(at: firstSampleTime)
        wantsBuffer = false
    }

    private static func open(at sampleTime: Double) -> Open {
        Open(
            info: InputBufferInfo(
                sampleTime: sampleTime, hostTime: 0, packetCount: 0, lostFramesBefore: 0))
    }

    /// Frees what the device and the encoder used, when neither does any more.
    mutating func release() {
        work.removeAll()
        boundaries.removeAll()
        blocks.freeMemory()
    }
}
