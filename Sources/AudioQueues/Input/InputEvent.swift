// SPDX-License-Identifier: MIT

/// A pending callback of an input queue's client, or work before one.
enum InputEvent: ClientEvent {
    case bufferFilled(FilledBuffer)
    case bufferPacked(PackedBuffer)
    /// Making packets of the work up to this number.
    case encode(through: UInt64)
    case changed(InputQueue.Property)
    /// A stop without a waiting call, which has returned all buffers.
    case ended(ticket: UInt64, failure: QueueError?)
    /// The end of a stop, whose callbacks have all returned: buffers may be enqueued again.
    case returnEnded(ticket: UInt64)

    var returnsBuffer: Bool {
        switch self {
        case .bufferFilled, .bufferPacked, .encode, .ended: true
        case .changed, .returnEnded: false
        }
    }

    /// Whether the event is work of the queue, for which no client's code is called.
    var isWork: Bool { if case .encode = self { true } else { false } }
}
