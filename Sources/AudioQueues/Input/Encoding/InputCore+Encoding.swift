// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CAQRealTime
import CoreAudioTypes

/// Making packets on the thread of callbacks, or on the queue's thread if a context runs callbacks.
extension InputCore {
    /// Makes packets of the work up to `number`, if there are buffers for them.
    ///
    /// - Parameter giveBack: Takes each buffer that is full or has to be returned.
    func encode(through number: UInt64, _ giveBack: (PackedBuffer) -> Void) {
        let path = path
        guard let maker = path.maker else { return }
        fillBuffers(with: maker, giveBack)
        while let next = monitor.withLock({ takeWork(through: number, &$0) }) {
            switch next.work {
            case .block(let captured):
                if let tap = path.tap {
                    tap.pass(captured, isLast: next.isLast, to: maker) {
                        monitor.withLock { !$0.machine.isDisposed }
                    }
                } else {
                    maker.append(captured)
                }
                monitor.withLock { state in
                    state.encoding.blocks.release(captured.block)
                    handOver(&state)
                }
            case .newTimeline:
                maker.restartTimeline()
                path.tap?.restartTimeline()
            case .boundary(let boundary):
                pass(boundary, with: maker, giveBack)
                switch boundary.kind {
                case .flush: break
                case .reset: path.tap?.restart()
                case .end: path.tap?.restartTimeline()
                }
            }
            fillBuffers(with: maker, giveBack)
            if let failure = maker.takeFailure() { stop(because: failure) }
        }
    }

    private func takeWork(
        through number: UInt64, _ state: inout InputState
    ) -> (work: EncodingState.Work, isLast: Bool)? {
        guard !state.machine.isDisposed else { return nil }
        let limit = state.encoding.itemLimit
        let hasItem = state.items.first.map { $0.number < limit } ?? false
        guard let work = state.encoding.takeWork(through: number, hasItem: hasItem) else { return nil }
        return (work: work, isLast: state.encoding.isAtEnd)
    }

    /// Puts available packets into the buffers that the current work may fill.
    private func fillBuffers(with maker: PacketMaker, _ giveBack: (PackedBuffer) -> Void) {
        fillBuffers(below: monitor.withLock { $0.encoding.itemLimit }, with: maker, giveBack)
    }

    private func fillBuffers(
        below limit: UInt64, with maker: PacketMaker, _ giveBack: (PackedBuffer) -> Void
    ) {
        while let (item, open) = openItem(below: limit) {
            if open.packets > 0, maker.isNextPacketBehindGap {
                returnOpen(item, giveBack)
                continue
            }
            // SAFETY: the buffer belongs to the queue, and cannot be freed, until it is moved to the client.
            let room = unsafe UnsafeMutableRawBufferPointer(
                start: item.data + open.bytes,
                count: (item.packets - open.packets) * product.maximumPacketSize)
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
            if packets >= item.packets { returnOpen(item, giveBack) }
        }
    }

    /// Returns the buffer for packets, and its contents so far.
    private func openItem(below limit: UInt64) -> (InputItem, EncodingState.Open)? {
        monitor.withLock { state in
            let item = state.machine.isDisposed ? nil : state.items.first
            guard let item, item.number < limit else {
                state.encoding.wantsBuffer = true
                return nil
            }
            state.encoding.wantsBuffer = false
            return (item, state.encoding.open)
        }
    }

    /// Returns the first waiting buffer, with the packets in it.
    private func returnOpen(_ item: InputItem, _ giveBack: (PackedBuffer) -> Void) {
        let open = monitor.withLock { state in
            let open = state.encoding.takeOpen()
            state.items.dropFirst()
            endIfFilled(&state)
            return open
        }
        giveBack(
            PackedBuffer(
                buffer: item.buffer, byteCount: open.bytes,
                descriptions: unsafe item.descriptions == nil ? 0 : open.packets, info: open.info))
    }

    private func pass(
        _ boundary: EncodingState.Boundary, with maker: PacketMaker, _ giveBack: (PackedBuffer) -> Void
    ) {
        if boundary.kind == .end {
            maker.finish()
            fillBuffers(below: boundary.itemLimit, with: maker, giveBack)
            let remainder = maker.remainderFrames
            monitor.withLock { $0.encoding.remainderFrames = remainder }
        }
        let leastPackets = boundary.kind == .flush ? 1 : 0
        while let (item, open) = openItem(below: boundary.itemLimit), open.packets >= leastPackets {
            returnOpen(item, giveBack)
        }
        guard boundary.kind == .end else { return }
        maker.restart()
        monitor.withLock { $0.encoding.restart() }
    }

    private func stop(because error: CodecError) {
        let failure = QueueError(.codecNotFound, error.message)
        locked { state in
            state.status.converterError = failure
            state.add(.changed(.converterError))
            if state.machine.apply(.failed) == .announceFailure { beginEnd(failure: failure, &state) }
        }
    }
}

/// Passing blocks between the device and the encoder, with the queue's lock held.
extension InputCore {
    /// Takes back blocks from the device.
    func blockDone(_ event: DeviceEvent, _ state: inout InputState) {
        while let (token, block) = state.encoding.blocks.takeBack(through: event.token) {
            let bytes = token == event.token ? min(max(0, event.byteCount), block.byteCount) : 0
            let bytesPerFrame = state.path.deviceFormat.bytesPerFrame
            let frames = bytes / bytesPerFrame
            guard frames > 0 else {
                state.encoding.blocks.release(block)
                continue
            }
            let captured = CapturedBlock(
                block: block, byteCount: frames * bytesPerFrame, frame: event.frame,
                hostTime: event.hostTime)
            state.addWork(.block(captured))
        }
    }

    func handOverBlocks(_ state: inout InputState) {
        let path = state.path
        var isAdded = false
        // The number of blocks is less than the capacity of the feed.
        while path.feed.outstandingSegments < StreamFeed.segmentCapacity,
            let (token, block) = state.encoding.blocks.handOver()
        {
            let segment = unsafe StreamSegment(room: block.base, byteCount: block.byteCount, token: token)
            isAdded = path.feed.enqueue(segment) || isAdded
        }
        if isAdded { path.stream.roomAvailable() }
    }

    /// Allocates a block with the audio for a buffer of `bytes` bytes, if the path makes packets.
    ///
    /// - Parameter buffers: The number of buffers, including this one.
    func reserveBlock(
        forBytes bytes: Int, buffers: Int, of path: InputPath, in blocks: inout CaptureBlocks
    ) throws(QueueError) {
        guard path.maker != nil else { return }
        let most = Int(CaptureBlocks.mostSeconds * format.mSampleRate) / product.framesPerPacket
        let frames = max(1, min(product.packetCapacity(ofBytes: bytes), most)) * product.framesPerPacket
        try blocks.reserve(forBuffers: buffers, byteCount: frames * path.deviceFormat.bytesPerFrame)
    }
}
