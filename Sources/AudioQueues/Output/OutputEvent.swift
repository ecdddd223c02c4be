/// A pending callback of an output queue's client.
enum OutputEvent: ClientEvent {
    case bufferDone(QueueBuffer)
    case changed(OutputQueue.Property)
    /// All callbacks of a stop have returned: buffers may be enqueued again.
    case returnEnded(ticket: UInt64)

    /// A caller that waits for buffers expects that others may be enqueued.
    var returnsBuffer: Bool { if case .changed = self { false } else { true } }
}
