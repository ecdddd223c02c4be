// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

/// Enqueueing, and the positions of buffers on the timeline.
extension OutputCore {
    /// - Parameter wantsTime: Whether the caller uses the result.
    /// - Returns: The expected position of the buffer's first audible frame on the timeline; nil if it is unknown.
    @discardableResult
    func enqueue(
        _ buffer: QueueBuffer, explicit: UnsafeBufferPointer<AudioStreamPacketDescription>?,
        trimFramesAtStart: Int, trimFramesAtEnd: Int, events: [QueueParameterEvent] = [],
        startFrames: Double? = nil, wantsTime: Bool = false
    ) throws(QueueError) -> Double? {
        try perform(.enqueue) { (state: inout OutputState) throws(QueueError) -> Double? in
            let record = try state.pool.clientRecord(of: buffer, to: "enqueue")
            guard !state.delivery.isRefusing else { throw QueueError(.enqueueDuringReset) }
            if let startFrames { try state.progress.check(startFrames: startFrames) }
            var item = try unsafe OutputItem(
                number: state.items.nextNumber, record: record, format: format, explicit: explicit,
                trimFramesAtStart: trimFramesAtStart, trimFramesAtEnd: trimFramesAtEnd)
            item.events = events
            item.startFrames = startFrames
            if let startFrames { state.progress.didEnqueue(startFrames: startFrames) }
            let time =
                wantsTime
                ? state.progress.expectedFrame(
                    of: item, behind: state.items.waiting.elementsInOrder, from: state.nextFrame, format)
                : nil
            state.pool.move(buffer, to: .queue)
            state.items.append(item)
            handOn(&state)
            return time
        }
    }

    // MARK: The timeline

    /// Records the difference between the format's time and the device's, because the device's count restarts from 0.
    func keepStretchedTime(_ state: inout OutputState) {
        guard let chain = state.path.chain, state.status.isRunning else { return }
        let position = state.path.stream.position()
        state.timeline.keepStretchedTime(
            at: position, sourceFrames: chain.sourceFrame(atOutput: position.playedFrames))
    }

    // MARK: Handing on without a decoder

    /// Passes waiting buffers to the device, as many as it accepts.
    func handOnBuffers(_ path: OutputPath, _ state: inout OutputState) {
        guard path.cursor == nil, state.machine.isActive, state.resets.isEmpty else { return }
        var isAdded = false
        let bytesPerFrame = path.deviceFormat.bytesPerFrame
        while let item = state.items.first {
            if item.startFrames != nil, !state.progress.hasBegun(item) {
                let frames = state.silence(before: item)
                guard frames == 0 || handOnSilence(frames: frames, path, &state) else { break }
                state.progress.begin(item)
            }
            var segment = unsafe StreamSegment(
                base: item.data.map { unsafe $0 + item.audibleFrames.lowerBound * bytesPerFrame },
                byteCount: item.audibleFrames.count * bytesPerFrame, token: item.number)
            if !item.events.isEmpty { segment.change = item.deviceChange(hasChain: false) }
            guard path.feed.enqueue(segment) else { break }
            state.items.moveFirstToDevice()
            state.timeline.framesOnTheWay += item.audibleFrames.count
            isAdded = true
        }
        if isAdded { path.stream.dataAvailable() }
    }

    /// Passes silence to the device, to play after its audio.
    ///
    /// - Returns: False if the device has no room for the silence.
    func handOnSilence(frames: Int, _ path: OutputPath, _ state: inout OutputState) -> Bool {
        // The remaining room is reserved for decoded chunks, which the feed must always accept.
        let limit = path.cursor == nil ? StreamFeed.segmentCapacity : StreamFeed.segmentCapacity - 206
        guard path.feed.outstandingSegments < limit else { return false }
        // Token 0 is not that of an item or chunk, so the return of this segment is ignored.
        let segment = unsafe StreamSegment(
            base: nil, byteCount: frames * path.deviceFormat.bytesPerFrame, token: 0)
        guard path.feed.enqueue(segment) else { return false }
        state.timeline.framesOnTheWay += frames
        state.rendering.framesInDevice += frames
        path.stream.dataAvailable()
        return true
    }
}
