/// A pending callback of an input queue's client, or work before one.
enum InputEvent: ClientEvent {
    case bufferFilled(FilledBuffer)
    case bufferPacked(PackedBuffer)
    /// Makes packets of the work up to this number.
    case encode(through: UInt64)
    case changed(InputQueue.Property)
    /// The queue has stopped without a waiting call, and every buffer of that stop was returned.
    case ended(ticket: UInt64, failure: QueueError?)
    /// All callbacks of a stop have returned: buffers may be enqueued again.
    case returnEnded(ticket: UInt64)

    var returnsBuffer: Bool {
        switch self {
        case .bufferFilled, .bufferPacked, .encode, .ended: true
        case .changed, .returnEnded: false
        }
    }

    /// Whether no code of the client is called for it.
    var isWork: Bool { if case .encode = self { true } else { false } }
}
