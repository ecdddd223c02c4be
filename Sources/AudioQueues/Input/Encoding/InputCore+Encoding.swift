import AudioCodecs
import AudioDevices
import CRealTime
import CoreAudioTypes

/// Encoding, where callbacks are made.
extension InputCore {
    /// Makes packets of the work until `number`, as far as there are buffers for them, and returns the buffers
    /// that are full.
    func encode(through number: UInt64, with maker: PacketMaker, for queue: InputQueue) {
        fillBuffers(below: monitor.withLock { $0.encoding.itemLimit }, with: maker, for: queue)
        while let work = monitor.withLock({ takeWork(through: number, &$0) }) {
            switch work {
            case .block(let captured):
                maker.append(captured)
                monitor.withLock { state in
                    state.encoding.blocks.release(captured.block)
                    handOver(&state)
                }
            case .newTimeline: maker.restartTimeline()
            case .boundary(let boundary): pass(boundary, with: maker, for: queue)
            }
            fillBuffers(below: monitor.withLock { $0.encoding.itemLimit }, with: maker, for: queue)
            if let failure = maker.takeFailure() { stop(because: failure) }
        }
    }

    private func takeWork(through number: UInt64, _ state: inout InputState) -> EncodingState.Work? {
        guard !state.machine.isDisposed else { return nil }
        let limit = state.encoding.itemLimit
        let hasItem = state.waiting.first.map { $0.number < limit } ?? false
        return state.encoding.takeWork(through: number, hasItem: hasItem)
    }

    /// Puts the packets that are ready into buffers.
    private func fillBuffers(below limit: UInt64, with maker: PacketMaker, for queue: InputQueue) {
        while let (item, open) = openItem(below: limit) {
            if open.packets > 0, maker.isNextPacketBehindGap {
                returnOpen(item, for: queue)
                continue
            }
            // SAFETY: the buffer is the queue's until it is moved to the client, and cannot be freed.
            let room = unsafe UnsafeMutableRawBufferPointer(
                start: item.room + open.bytes, count: (item.packets - open.packets) * maximumPacketSize)
            guard let made = unsafe maker.nextPackets(into: room) else { return }
            if let descriptions = unsafe item.descriptions {
                unsafe descriptions[open.packets] = AudioStreamPacketDescription(
                    mStartOffset: Int64(open.bytes), mVariableFramesInPacket: 0,
                    mDataByteSize: UInt32(clamping: made.bytes))
            }
            let packets = monitor.withLock { state in
                state.encoding.add(made)
                return state.encoding.open.packets
            }
            if packets >= item.packets { returnOpen(item, for: queue) }
        }
    }

    /// The buffer that packets go into, and how far it is filled.
    private func openItem(below limit: UInt64) -> (InputItem, EncodingState.Open)? {
        monitor.withLock { state in
            guard !state.machine.isDisposed, let item = state.waiting.first, item.number < limit else {
                return nil
            }
            return (item, state.encoding.open)
        }
    }

    /// Returns the buffer at the head of those waiting, with the packets in it.
    private func returnOpen(_ item: InputItem, for queue: InputQueue) {
        let (info, callback) = monitor.withLock { state in
            let open = state.encoding.takeOpen()
            _ = state.waiting.popFirst()
            item.buffer.byteCount = open.bytes
            item.buffer.packetDescriptionCount = unsafe item.descriptions == nil ? 0 : open.packets
            state.pool.move(item.buffer, to: .client)
            endIfFilled(&state)
            return (open.info, state.onBufferFilled)
        }
        callback?.call(queue, item.buffer, info)
    }

    private func pass(
        _ boundary: EncodingState.Boundary, with maker: PacketMaker, for queue: InputQueue
    ) {
        if boundary.kind == .end {
            maker.finish()
            fillBuffers(below: boundary.itemLimit, with: maker, for: queue)
            let remainder = maker.remainderFrames
            monitor.withLock { $0.encoding.remainderFrames = remainder }
        }
        let leastPackets = boundary.kind == .flush ? 1 : 0
        while let (item, open) = openItem(below: boundary.itemLimit), open.packets >= leastPackets {
            returnOpen(item, for: queue)
        }
        guard boundary.kind == .end else { return }
        maker.restart()
        monitor.withLock { $0.encoding.restart() }
    }

    /// Nothing can be encoded any more: the queue stops by itself.
    private func stop(because error: CodecError) {
        let failure = QueueError(.codecNotFound, error.message)
        locked { state in
            state.converterError = failure
            state.add(.changed(.converterError))
            if state.machine.apply(.failed) == .announceFailure { beginEnd(failure: failure, &state) }
        }
    }
}

/// What goes between the device and the encoder, with the queue's lock held.
extension InputCore {
    /// The device is done with blocks.
    func blockDone(_ notice: DeviceNotice, _ state: inout InputState) {
        while let (token, block) = state.encoding.blocks.takeBack(through: notice.token) {
            let bytes = token == notice.token ? min(max(0, notice.byteCount), block.byteCount) : 0
            let frames = bytes / deviceFormat.bytesPerFrame
            guard frames > 0 else {
                state.encoding.blocks.release(block)
                continue
            }
            let captured = CapturedBlock(
                block: block, byteCount: frames * deviceFormat.bytesPerFrame, frame: notice.frame,
                hostTime: notice.hostTime)
            addWork(.block(captured), &state)
        }
    }

    func addWork(_ work: EncodingState.Work, _ state: inout InputState) {
        state.encoding.add(work)
        state.add(.encode(through: state.encoding.latestWork))
    }

    /// Gives the device the blocks that are free.
    func handOverBlocks(_ state: inout InputState) {
        var isAdded = false
        // There are fewer blocks than the feed takes.
        while feed.outstandingSegments < StreamFeed.segmentCapacity,
            let (token, block) = state.encoding.blocks.handOver()
        {
            let segment = unsafe StreamSegment(room: block.base, byteCount: block.byteCount, token: token)
            isAdded = feed.enqueue(segment) || isAdded
        }
        if isAdded { stream.roomAvailable() }
    }

    /// Allocates what a buffer of so many bytes needs before it: a block of the sound that fits into it.
    func reserveBlock(forBytes bytes: Int, buffers: Int, _ state: inout InputState) throws(QueueError) {
        guard isEncoding else { return }
        let most = Int(CaptureBlocks.mostSeconds * format.mSampleRate) / framesPerPacket
        let packets = max(1, min(packetCapacity(ofBytes: bytes), most))
        try state.encoding.blocks.reserve(
            forBuffers: buffers, byteCount: packets * framesPerPacket * deviceFormat.bytesPerFrame)
    }
}
