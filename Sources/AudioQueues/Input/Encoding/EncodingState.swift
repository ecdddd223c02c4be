// SPDX-License-Identifier: MIT

import CAQRealTime

/// The part of an input queue's state that only a queue that encodes or has a tap needs. The queue's lock protects
/// it.
///
/// **Why captured audio has its own memory.** An encoder holds frames back: its first packets come late, its last ones
/// after the end. Therefore the packets in a buffer are not those of the frames captured for the buffer. If the device
/// filled memory of each client's buffer, the first buffers would be returned empty, and the last packets would not
/// fit. Therefore blocks circulate between the device and the encoder, and the encoder fills the available buffers.
///
/// **Why it encodes on the thread of callbacks.** A separate thread could encode while a callback blocks. But encoding
/// a block takes a hundredth of its duration and can wait as long as packets can, so the thread would only add a
/// wake-up for each buffer. While a callback blocks, one block for each buffer is filled, so that no more audio is lost
/// than without an encoder. If a context such as a run loop makes the callbacks, the queue's thread encodes. Taps
/// require this.
struct EncodingState {
    /// The encoder's work, in order.
    enum Work {
        case block(CapturedBlock)
        case boundary(Boundary)
        /// A new timeline of the device, which counts from 0 again.
        case newTimeline
    }

    /// An event between two captured frames.
    struct Boundary {
        enum Kind {
            /// A flush, which returns the current buffer with the packets in it.
            case flush
            /// A reset, which returns every buffer, with the available packets.
            case reset
            /// The end of the packets: the encoder returns its last ones, and then every buffer is returned.
            case end
        }

        let kind: Kind
        /// The number of the first item that is not affected.
        let itemLimit: UInt64
    }

    /// The contents of the first waiting buffer, which is open for packets.
    struct Open {
        var bytes = 0
        var packets = 0
        var info: InputBufferInfo
    }

    var blocks = CaptureBlocks()
    private var work = FIFO<(number: UInt64, work: Work)>()
    private(set) var latestWork: UInt64 = 0
    private var boundaries = FIFO<(number: UInt64, boundary: Boundary)>()
    private(set) var open: Open
    /// The position of the encoder's first packet.
    private let firstSampleTime: Double
    /// The position after the latest packet.
    private var endSampleTime: Double
    /// The number of remainder frames of the last recording.
    var remainderFrames = 0
    /// Whether packets may wait for a buffer.
    var wantsBuffer = false

    init(primingFrames: Int) {
        firstSampleTime = -Double(primingFrames)
        endSampleTime = firstSampleTime
        open = EncodingState.open(at: firstSampleTime)
    }

    var hasWork: Bool { !work.isEmpty }

    /// Whether the packets are known to end after the work taken last.
    var isAtEnd: Bool {
        guard let next = work.first, case .boundary(let boundary) = next.work else { return false }
        return boundary.kind == .end
    }

    mutating func add(_ new: Work) {
        latestWork += 1
        work.append((latestWork, new))
        if case .boundary(let boundary) = new { boundaries.append((latestWork, boundary)) }
    }

    /// The number below which the current work may fill items: the limit of the next boundary.
    var itemLimit: UInt64 { boundaries.first?.boundary.itemLimit ?? .max }

    /// Removes and returns the next work, up to `number`.
    ///
    /// - Parameter hasItem: Whether there is a buffer for packets. If there is none, blocks wait, and a boundary
    ///   overtakes them, because it has no buffers to return. Blocks before the end of the packets can then never be
    ///   delivered, and are released.
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

    // MARK: The open buffer

    mutating func add(_ made: PacketMaker.Made) {
        if open.packets == 0 {
            open.info = InputBufferInfo(
                sampleTime: Double(made.position.frame), hostTime: made.position.hostTime, packetCount: 0,
                lostFramesBefore: made.position.lostFrames ?? 0)
        }
        open.bytes += made.bytes
        open.packets += made.packets
        open.info.packetCount = open.packets
        endSampleTime = Double(made.position.frame) + Double(made.frames)
    }

    /// Closes the open buffer and returns its contents. The next buffer becomes the open one.
    mutating func takeOpen() -> Open {
        if open.packets == 0 { open.info.hostTime = aq_host_time() }
        defer { open = EncodingState.open(at: endSampleTime) }
        return open
    }

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

    /// Frees the memory that the device and the encoder have used. Allowed only if neither can access it.
    mutating func release() {
        work.removeAll()
        boundaries.removeAll()
        blocks.freeMemory()
    }
}
