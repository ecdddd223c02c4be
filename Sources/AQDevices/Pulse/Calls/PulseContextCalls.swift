// SPDX-License-Identifier: MIT

import CAQPulse
import Glibc

/// The calls of a server connection, to libpulse or to a recorder. Loop thread only.
@safe enum PulseContextCalls {
    // SAFETY: used only by the connection, between making the context and `disconnect()`.
    case libpulse(OpaquePointer)
    case recorder(Unmanaged<PulseRecorder>)

    enum State {
        case connecting
        /// The server was reached, and is asked to accept the client.
        case handshake
        case ready, failed
    }

    /// Begins to connect; `connection` is called back for each change of the state.
    ///
    /// - Parameter server: The server's address; nil for the server that libpulse selects.
    /// - Returns: False if connecting failed at once. The connection may already have been called back with the
    ///   failure.
    func connect(to server: String?, _ connection: Unmanaged<PulseConnection>) -> Bool {
        switch self {
        case .libpulse(let context):
            unsafe pa_context_set_state_callback(
                context,
                { _, target in unsafe PulseContextCalls.connection(target)?.stateChanged() },
                connection.toOpaque())
            return unsafe pa_context_connect(context, server, PA_CONTEXT_NOFLAGS, nil) >= 0
        case .recorder(let recorder):
            return unsafe recorder._withUnsafeGuaranteedRef { $0.connect() }
        }
    }

    var state: State {
        switch self {
        case .libpulse(let context):
            switch unsafe pa_context_get_state(context) {
            case PA_CONTEXT_READY: .ready
            case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: .failed
            case PA_CONTEXT_AUTHORIZING, PA_CONTEXT_SETTING_NAME: .handshake
            default: .connecting
            }
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.state }
        }
    }

    /// PulseAudio's number of the last error.
    var errorNumber: Int32 {
        switch self {
        case .libpulse(let context): unsafe pa_context_errno(context)
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.errorNumber }
        }
    }

    /// Returns whether both refer to the same connection.
    func isSame(as other: PulseContextCalls?) -> Bool {
        switch (self, other) {
        case (.libpulse(let one), .libpulse(let two)): one == two
        case (.recorder, .recorder): true
        default: false
        }
    }

    /// Ends the connection without further callbacks to the ``PulseConnection``.
    func disconnect() {
        switch self {
        case .libpulse(let context):
            unsafe pa_context_set_state_callback(context, nil, nil)
            unsafe pa_context_set_subscribe_callback(context, nil, nil)
            unsafe pa_context_disconnect(context)
            unsafe pa_context_unref(context)
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.disconnect() }
        }
    }

    /// Subscribes `connection` to changes of the server's defaults and devices.
    func subscribe(_ connection: Unmanaged<PulseConnection>) {
        switch self {
        case .libpulse(let context):
            unsafe pa_context_set_subscribe_callback(
                context,
                { _, event, index, target in
                    guard let connection = unsafe PulseContextCalls.connection(target) else { return }
                    let facility = event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue
                    let type = event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
                    switch facility {
                    case PA_SUBSCRIPTION_EVENT_SERVER.rawValue: connection.serverChanged()
                    case PA_SUBSCRIPTION_EVENT_SINK.rawValue, PA_SUBSCRIPTION_EVENT_SOURCE.rawValue:
                        guard type == PA_SUBSCRIPTION_EVENT_REMOVE.rawValue else {
                            return connection.devicesChanged()
                        }
                        let isSink = facility == PA_SUBSCRIPTION_EVENT_SINK.rawValue
                        connection.deviceIsRemoved(isSink: isSink, index: index)
                    default: break
                    }
                }, connection.toOpaque())
            let mask =
                PA_SUBSCRIPTION_MASK_SERVER.rawValue | PA_SUBSCRIPTION_MASK_SINK.rawValue
                | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
            unsafe PulseOperation.release(
                pa_context_subscribe(context, pa_subscription_mask_t(rawValue: mask), nil, nil))
        case .recorder(let recorder):
            unsafe recorder._withUnsafeGuaranteedRef { $0.note(.subscribe) }
        }
    }

    /// Moves a stream to another sink, without waiting for the answer.
    func move(streamAt index: UInt32, toSink name: String) {
        switch self {
        case .libpulse(let context):
            unsafe PulseOperation.release(pa_context_move_sink_input_by_name(context, index, name, nil, nil))
        case .recorder(let recorder):
            unsafe recorder._withUnsafeGuaranteedRef { $0.note(.move(toSink: name)) }
        }
    }

    /// Unloads a module, without waiting for the answer.
    func unload(module index: UInt32) {
        switch self {
        case .libpulse(let context):
            unsafe PulseOperation.release(pa_context_unload_module(context, index, nil, nil))
        case .recorder(let recorder):
            unsafe recorder._withUnsafeGuaranteedRef { $0.note(.unload(module: index)) }
        }
    }

    /// Asks the server, and calls `answer` once unless the question is cancelled.
    ///
    /// - Returns: The question, to be kept until it is answered or cancelled; nil if it could not be sent.
    func ask(_ question: PulseQuestion, _ answer: @escaping (PulseAnswer) -> Void) -> PulseOperation? {
        switch self {
        case .libpulse(let context): return unsafe PulseReply.ask(question, of: context, answer)
        case .recorder(let recorder):
            return unsafe recorder._withUnsafeGuaranteedRef { $0.ask(question, answer) }
        }
    }

    /// Makes a stream in libpulse, before the server has it. Nil if libpulse refuses, for the reason in
    /// ``errorNumber``.
    func makeStream(
        _ format: SampleFormat, _ map: PulseChannelMap, properties: [(key: String, value: String)]
    ) -> PulseStreamCalls? {
        switch self {
        case .libpulse(let context):
            var spec = format.pulseSampleSpec
            var map = map.pulse
            return unsafe PulsePropertyList.with(properties) { list in
                unsafe pa_stream_new_with_proplist(context, nil, &spec, &map, list)
                    .map { unsafe .libpulse($0) }
            }
        case .recorder(let recorder): return unsafe recorder._withUnsafeGuaranteedRef { $0.makeStream() }
        }
    }

    private static func connection(_ target: UnsafeMutableRawPointer?) -> PulseConnection? {
        // SAFETY: connections live as long as the process.
        unsafe target.map { unsafe Unmanaged<PulseConnection>.fromOpaque($0).takeUnretainedValue() }
    }
}
