/// A callback that is due to an input queue's client, or work that leads to some.
enum InputEvent: ClientEvent {
    case bufferFilled(FilledBuffer)
    case bufferPacked(PackedBuffer)
    /// Packets are to be made, of the work up to this number.
    case encode(through: UInt64)
    case changed(InputQueue.Property)
    /// The queue has stopped with no call that waits, and every buffer of that stop was returned.
    case ended(ticket: UInt64, failure: QueueError?)
    /// Every callback of a stop was made: buffers may be enqueued again.
    case returnEnded(ticket: UInt64)

    var returnsBuffer: Bool {
        switch self {
        case .bufferFilled, .bufferPacked, .encode, .ended: true
        case .changed, .returnEnded: false
        }
    }

    /// Whether nothing of the client's is called for it.
    var isWork: Bool { if case .encode = self { true } else { false } }
}
