import Synchronization
import ToolSupport

/// What the callback thread has to tell the main thread, which waits for it in `poll`.
///
/// The callback thread writes to no terminal itself: a reader that does not read would stop the recording.
final class Outbox: Sendable {
    enum Message: Equatable {
        case warning(String)
        case fileEnded(FileReport)
        /// The device runs for the first time.
        case deviceStarted
        /// The device was lost, came back, or is another one.
        case deviceChanged
        /// The recording is over, and its files are closed.
        case ended(RecordingEnd)
    }

    private let pipe: EventPipe
    private let messages = Mutex<[Message]>([])

    /// - Throws: ``SystemError`` when the process has no descriptor left.
    init() throws(SystemError) { pipe = try EventPipe() }

    /// Readable while messages wait.
    var readDescriptor: Int32 { pipe.readDescriptor }

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        pipe.post(1)
    }

    /// All messages that wait, in their order.
    func take() -> [Message] {
        while pipe.next() != nil {}
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// How a recording ended.
struct RecordingEnd: Equatable {
    var ending: FileReport.Ending
    /// Why it could not go on; nil unless that was an error of writing.
    var error: String?
    /// Frames in all files.
    var totalFrames: Int64
    /// Frames that were lost. But for those at the very end, silence is in their place.
    var lostFrames: Int64
}
