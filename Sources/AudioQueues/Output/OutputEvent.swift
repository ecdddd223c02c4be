/// A callback that is due to an output queue's client.
enum OutputEvent: ClientEvent {
    case bufferDone(QueueBuffer)
    case changed(OutputQueue.Property)
    /// Every callback of a stop was made: buffers may be enqueued again.
    case returnEnded(ticket: UInt64)

    /// A caller that waits for buffers expects that others may be enqueued.
    var returnsBuffer: Bool { if case .changed = self { false } else { true } }
}
