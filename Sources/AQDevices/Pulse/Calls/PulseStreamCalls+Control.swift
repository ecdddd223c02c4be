// SPDX-License-Identifier: MIT

import CAQPulse

/// The buffer sizes that a client requests or a server has granted, in bytes; `.max` leaves a size to the server.
struct PulseBufferAttributes: Equatable {
    var longest = UInt32.max
    var target = UInt32.max
    /// The amount of data that the server requires before it plays.
    var prebuffer = UInt32.max
    var request = UInt32.max
    var fragment = UInt32.max
}

/// Options for making a stream.
struct PulseStreamOptions: OptionSet {
    let rawValue: UInt32
    static let startsCorked = PulseStreamOptions(PA_STREAM_START_CORKED)
    static let adjustsLatency = PulseStreamOptions(PA_STREAM_ADJUST_LATENCY)
    static let requestsEarly = PulseStreamOptions(PA_STREAM_EARLY_REQUESTS)
    static let staysAtDevice = PulseStreamOptions(PA_STREAM_DONT_MOVE)
    /// Connects each channel only to the device channel with the same position.
    static let keepsChannelsApart = PulseStreamOptions(PA_STREAM_NO_REMIX_CHANNELS)

    init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ flag: pa_stream_flags_t) { rawValue = UInt32(flag.rawValue) }

    fileprivate var flags: pa_stream_flags_t { pa_stream_flags_t(rawValue: .init(rawValue)) }
}

/// Making, querying and ending a stream: the calls off the audio path.
extension PulseStreamCalls {
    enum State { case creating, ready, failed }

    /// A request to a stream. The answer arrives when the request is done.
    enum Request: Equatable {
        /// Updates ``timing``.
        case timing
        /// Plays everything that was written.
        case drain
        case attributes(PulseBufferAttributes)
    }

    /// Begins to make a playback stream; returns false if that failed at once.
    func connectPlayback(
        sink: String?, _ attributes: PulseBufferAttributes, _ options: PulseStreamOptions
    ) -> Bool {
        switch self {
        case .libpulse(let stream):
            var asked = pa_buffer_attr(attributes)
            return unsafe pa_stream_connect_playback(stream, sink, &asked, options.flags, nil, nil) >= 0
        case .recorder(let recorder):
            return unsafe recorder._withUnsafeGuaranteedRef {
                $0.connect(.connectPlayback(sink: sink, attributes, options))
            }
        }
    }

    /// Begins to make a capture stream; returns false if that failed at once.
    func connectRecording(
        source: String?, _ attributes: PulseBufferAttributes, _ options: PulseStreamOptions
    ) -> Bool {
        switch self {
        case .libpulse(let stream):
            var asked = pa_buffer_attr(attributes)
            return unsafe pa_stream_connect_record(stream, source, &asked, options.flags) >= 0
        case .recorder(let recorder):
            return unsafe recorder._withUnsafeGuaranteedRef {
                $0.connect(.connectRecording(source: source, attributes, options))
            }
        }
    }

    var state: State {
        switch self {
        case .libpulse(let stream):
            switch unsafe pa_stream_get_state(stream) {
            case PA_STREAM_READY: .ready
            case PA_STREAM_FAILED, PA_STREAM_TERMINATED: .failed
            default: .creating
            }
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.state }
        }
    }

    var isSuspended: Bool {
        switch self {
        case .libpulse(let stream): unsafe pa_stream_is_suspended(stream) == 1
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.isSuspended }
        }
    }

    /// The sizes that the server has granted; nil before the stream is ready.
    var attributes: PulseBufferAttributes? {
        switch self {
        case .libpulse(let stream):
            unsafe pa_stream_get_buffer_attr(stream).map { unsafe PulseBufferAttributes($0.pointee) }
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.attributes }
        }
    }

    var deviceName: String? {
        switch self {
        case .libpulse(let stream):
            unsafe pa_stream_get_device_name(stream).map { unsafe String(cString: $0) }
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.deviceName }
        }
    }

    var deviceIndex: UInt32 {
        switch self {
        case .libpulse(let stream): unsafe pa_stream_get_device_index(stream)
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.deviceIndex }
        }
    }

    /// The stream's index on the server.
    var index: UInt32 {
        switch self {
        case .libpulse(let stream): unsafe pa_stream_get_index(stream)
        case .recorder: 0
        }
    }

    /// Corks or uncorks the stream, without waiting for the answer.
    func setCorked(_ isCorked: Bool) {
        switch self {
        case .libpulse(let stream):
            unsafe PulseOperation.release(pa_stream_cork(stream, isCorked ? 1 : 0, nil, nil))
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.setCorked(isCorked) }
        }
    }

    /// Empties the server's buffer, without waiting for the answer.
    func flush() {
        switch self {
        case .libpulse(let stream): unsafe PulseOperation.release(pa_stream_flush(stream, nil, nil))
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.note(.flush) }
        }
    }

    /// Changes the buffer sizes, without waiting for the answer.
    func setAttributes(_ attributes: PulseBufferAttributes) {
        switch self {
        case .libpulse(let stream):
            var asked = pa_buffer_attr(attributes)
            unsafe PulseOperation.release(pa_stream_set_buffer_attr(stream, &asked, nil, nil))
        case .recorder(let recorder):
            unsafe recorder._withUnsafeGuaranteedRef { $0.note(.setAttributes(attributes)) }
        }
    }

    /// Changes the name that the server shows, without waiting for the answer.
    func setName(_ name: String) {
        switch self {
        case .libpulse(let stream): unsafe PulseOperation.release(pa_stream_set_name(stream, name, nil, nil))
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.note(.setName(name)) }
        }
    }

    /// Makes a request, and calls `answer` when it is done or has failed.
    ///
    /// - Returns: The request, to be kept until it is answered or cancelled; nil if it could not be sent.
    func ask(_ request: Request, _ answer: @escaping () -> Void) -> PulseOperation? {
        switch self {
        case .libpulse(let stream):
            let reply = PulseStreamReply(answer)
            let target = unsafe Unmanaged.passUnretained(reply).toOpaque()
            let onDone: pa_stream_success_cb_t = { _, _, target in unsafe PulseStreamReply.finish(target) }
            let operation: OpaquePointer?
            switch request {
            case .timing: unsafe operation = unsafe pa_stream_update_timing_info(stream, onDone, target)
            case .drain: unsafe operation = unsafe pa_stream_drain(stream, onDone, target)
            case .attributes(let attributes):
                var asked = pa_buffer_attr(attributes)
                unsafe operation = unsafe pa_stream_set_buffer_attr(stream, &asked, onDone, target)
            }
            return unsafe operation.map { unsafe PulseOperation(.libpulse($0), keeping: reply) }
        case .recorder(let recorder):
            return unsafe recorder._withUnsafeGuaranteedRef { $0.recorder.ask(request, answer) }
        }
    }
}

/// The callback for a stream's request, as libpulse's user data. Kept by its ``PulseOperation``.
private final class PulseStreamReply {
    private var answer: (() -> Void)?

    init(_ answer: @escaping () -> Void) { self.answer = answer }

    static func finish(_ target: UnsafeMutableRawPointer?) {
        // SAFETY: the operation keeps the reply until the answer has arrived, or is cancelled.
        guard let target = unsafe target else { return }
        let reply = unsafe Unmanaged<PulseStreamReply>.fromOpaque(target).takeUnretainedValue()
        // Releases the closure and its captures after the call.
        let answer = reply.answer
        reply.answer = nil
        answer?()
    }
}

extension pa_buffer_attr {
    fileprivate init(_ attributes: PulseBufferAttributes) {
        self.init(
            maxlength: attributes.longest, tlength: attributes.target, prebuf: attributes.prebuffer,
            minreq: attributes.request, fragsize: attributes.fragment)
    }
}

extension PulseBufferAttributes {
    fileprivate init(_ attributes: pa_buffer_attr) {
        self.init(
            longest: attributes.maxlength, target: attributes.tlength, prebuffer: attributes.prebuf,
            request: attributes.minreq, fragment: attributes.fragsize)
    }
}
