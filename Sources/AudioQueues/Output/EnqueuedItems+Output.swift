// SPDX-License-Identifier: MIT

/// Calculations for the items of an output queue, which include the end marks of sequences.
extension EnqueuedItems<OutputItem> {
    /// The number of frames that wait or are in the device, as far as the packets' lengths are known.
    var audibleFrames: Int { all.reduce(0) { $0 + $1.audibleFrames.count } }

    /// The duration of the waiting buffers in frames, with the silence before buffers that have a start time.
    ///
    /// Nil for fewer than two buffers, because a single one leaves nothing to play while it is filled again.
    var waitingFrames: Double? {
        var buffers = 0
        var frames = 0.0
        for item in waiting.elementsInOrder where !item.audibleFrames.isEmpty {
            buffers += 1
            frames = max(frames, item.startFrames ?? 0) + Double(item.audibleFrames.count)
        }
        return buffers > 1 ? frames : nil
    }

    /// Whether a waiting buffer pans the audio away from the middle.
    var isPanned: Bool {
        waiting.elementsInOrder.contains { item in
            item.events.contains { event in
                if case .pan(let pan) = event { EffectChain.validPan(pan) != 0 } else { false }
            }
        }
    }

    mutating func appendEndMark() { append(.endMark(number: nextNumber)) }

    /// Removes the mark of a sequence's end, if it is the first item, and returns whether it was.
    mutating func takeEndMark() -> Bool {
        guard let item = first, item.buffer == nil else { return false }
        dropFirst()
        return true
    }
}
