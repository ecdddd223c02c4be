// SPDX-License-Identifier: MIT

import Synchronization
import AQToolSupport

/// Messages from the callback thread to the main thread, which waits for them in `poll`.
///
/// The callback thread does not write to a terminal itself, because a blocked terminal would stop the recording.
final class Outbox: Sendable {
    enum Message: Equatable {
        case warning(String)
        case fileEnded(FileReport)
        /// The device runs for the first time.
        case deviceStarted
        /// The device was lost, has returned, or has been replaced by another one.
        case deviceChanged
        /// The recording has ended, and its files are closed.
        case ended(RecordingEnd)
    }

    private let pipe: EventPipe
    private let messages = Mutex<[Message]>([])

    /// - Throws: ``SystemError`` if the process has no descriptor left.
    init() throws(SystemError) { pipe = try EventPipe() }

    /// The descriptor that is readable while messages wait.
    var readDescriptor: Int32 { pipe.readDescriptor }

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        pipe.post(1)
    }

    /// All waiting messages, in order.
    func take() -> [Message] {
        while pipe.next() != nil {}
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// The end of a recording.
struct RecordingEnd: Equatable {
    var ending: FileReport.Ending
    /// The error that ended the recording; nil for other reasons.
    var error: String?
    /// The number of frames in all files.
    var totalFrames: Int64
    /// The number of lost frames. Silence replaces them, except at the very end.
    var lostFrames: Int64
    /// The number of frames of silence for the time that the server or the device was away.
    var interruptedFrames: Int64 = 0
}
