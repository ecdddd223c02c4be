// SPDX-License-Identifier: MIT

/// A pending callback of an output queue's client.
enum OutputEvent: ClientEvent {
    case bufferDone(QueueBuffer)
    case changed(OutputQueue.Property)
    /// The end of a stop, whose callbacks have all returned: buffers may be enqueued again.
    case returnEnded(ticket: UInt64)

    /// Whether the event returns a buffer, or allows buffers to be enqueued again.
    var returnsBuffer: Bool { if case .changed = self { false } else { true } }
}
