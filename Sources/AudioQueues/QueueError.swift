// SPDX-License-Identifier: MIT

/// The reason why a call failed, or why a queue stopped on its own.
///
/// The corresponding C results are the `kAudioQueueErr_…` constants; see ``QueueError/Code/status``.
public struct QueueError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The type of failure, by which a program decides how to react.
    public var code: Code
    /// The attempted action, its object and the cause, or only the ``Code/explanation`` of the code; in lower case
    /// without full stop.
    public var message: String
    public var description: String { message }

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Makes an error whose message is the explanation of its code.
    package init(_ code: Code) { self.init(code, code.explanation) }
}

extension QueueError {
    /// The published result codes of Audio Queue Services, and three of Core Audio that queues return. ``explanation``
    /// describes each code.
    public enum Code: Int32, Sendable, CaseIterable {
        case invalidBuffer = -66687
        case bufferEmpty = -66686
        case disposalPending = -66685
        case invalidProperty = -66684
        case invalidPropertySize = -66683
        case invalidParameter = -66682
        case cannotStart = -66681
        case invalidDevice = -66680
        case bufferInQueue = -66679
        case invalidRunState = -66678
        case invalidQueueType = -66677
        case permissions = -66676
        case invalidPropertyValue = -66675
        case primeTimedOut = -66674
        case codecNotFound = -66673
        case invalidCodecAccess = -66672
        case queueInvalidated = -66671
        case tooManyTaps = -66670
        case invalidTapContext = -66669
        case recordUnderrun = -66668
        case invalidTapType = -66667
        case bufferEnqueuedTwice = -66666
        case cannotStartYet = -66665
        case enqueueDuringReset = -66632
        case invalidOfflineMode = -66626

        /// An argument that is out of range or contradicts another: `kAudio_ParamError`.
        case invalidArgument = -50
        /// Insufficient memory, or a thread that cannot be created: `kAudio_MemFullError`.
        case outOfMemory = -108
        /// A stream description that cannot be played or recorded: `'fmt?'`.
        case unsupportedFormat = 0x666D_743F

        /// The code as an `OSStatus` of the C interface.
        public var status: Int32 { rawValue }

        /// Makes the code of a C result; nil for `noErr` and for results that no queue returns.
        public init?(status: Int32) { self.init(rawValue: status) }

        /// The meaning of the code in one line: lower case, without full stop.
        public var explanation: String {
            switch self {
            case .invalidBuffer: "the buffer was not allocated by this queue"
            case .bufferEmpty: "the buffer holds no data to play"
            case .disposalPending: "the queue was disposed of"
            case .invalidProperty: "a queue has no such property"
            case .invalidPropertySize: "the property's value has another size"
            case .invalidParameter: "a queue has no such parameter"
            case .cannotStart: "the device cannot start"
            case .invalidDevice: "there is no such device, or it cannot be used"
            case .bufferInQueue: "the buffer is enqueued"
            case .invalidRunState: "the queue would have to be running, or stopped, for this"
            case .invalidQueueType: "the call is not for queues of this direction"
            case .permissions: "permission for this is missing"
            case .invalidPropertyValue: "the property cannot have this value"
            case .primeTimedOut: "decoding ahead took too long"
            case .codecNotFound: "there is no codec for this format"
            case .invalidCodecAccess: "the decoder may not be used now"
            case .queueInvalidated:
                "the sound server died and did not return, or the process was forked after it used queues"
            case .tooManyTaps: "a queue has one processing tap at most"
            case .invalidTapContext: "the call is only for a processing tap's callback"
            case .recordUnderrun: "recorded audio was lost because no buffer was enqueued"
            case .invalidTapType: "the call is not for a processing tap of this kind"
            case .bufferEnqueuedTwice: "the buffer is enqueued already"
            case .cannotStartYet: "the queue is still stopping: try again shortly"
            case .enqueueDuringReset: "buffers cannot be enqueued while the queue is reset or stops"
            case .invalidOfflineMode: "offline rendering would have to be on, or off, for this"
            case .invalidArgument: "an argument is out of range"
            case .outOfMemory: "there is not enough memory, or no thread can be created"
            case .unsupportedFormat: "the format cannot be played"
            }
        }
    }
}
