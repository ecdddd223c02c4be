// SPDX-License-Identifier: MIT

import CAQPulse
import Glibc

/// The events of a stream, and its end.
extension PulseStreamCalls {
    /// Reports the events of a playback stream to `target`.
    func listenToPlayback(_ target: Unmanaged<PulseServerStream>) {
        guard case .libpulse(let stream) = self else { return }
        let context = unsafe target.toOpaque()
        unsafe pa_stream_set_write_callback(
            stream, { _, _, target in unsafe PulseServerStream.report(.transfer, to: target) }, context)
        unsafe pa_stream_set_underflow_callback(
            stream, { _, target in unsafe PulseServerStream.report(.underrun, to: target) }, context)
        unsafe pa_stream_set_started_callback(
            stream, { _, target in unsafe PulseServerStream.report(.sound, to: target) }, context)
        unsafe pa_stream_set_event_callback(
            stream,
            { _, name, _, target in
                guard let name = unsafe name, let stream = unsafe PulseServerStream.from(target) else {
                    return
                }
                if unsafe strcmp(name, PA_STREAM_EVENT_REQUEST_CORK) == 0 {
                    stream.setHeldByServer(true)
                } else if unsafe strcmp(name, PA_STREAM_EVENT_REQUEST_UNCORK) == 0 {
                    stream.setHeldByServer(false)
                }
            }, context)
        unsafe listen(stream, context)
    }

    /// Reports the events of a capture stream to `target`.
    func listenToCapture(_ target: Unmanaged<PulseServerStream>) {
        guard case .libpulse(let stream) = self else { return }
        let context = unsafe target.toOpaque()
        unsafe pa_stream_set_read_callback(
            stream, { _, _, target in unsafe PulseServerStream.report(.transfer, to: target) }, context)
        unsafe listen(stream, context)
    }

    private func listen(_ stream: OpaquePointer, _ context: UnsafeMutableRawPointer) {
        unsafe pa_stream_set_latency_update_callback(
            stream, { _, target in unsafe PulseServerStream.report(.timing, to: target) }, context)
        unsafe pa_stream_set_state_callback(
            stream, { _, target in unsafe PulseServerStream.from(target)?.stateChanged() }, context)
        unsafe pa_stream_set_moved_callback(
            stream, { _, target in unsafe PulseServerStream.from(target)?.moved() }, context)
        unsafe pa_stream_set_suspended_callback(
            stream, { _, target in unsafe PulseServerStream.from(target)?.suspensionChanged() }, context)
        unsafe pa_stream_set_buffer_attr_callback(
            stream, { _, target in unsafe PulseServerStream.from(target)?.attributesChanged() }, context)
    }

    /// Ends the events, disconnects the stream, and releases it.
    func end() {
        let stream: OpaquePointer
        switch self {
        case .libpulse(let ended): unsafe stream = unsafe ended
        case .recorder(let recorder): return unsafe recorder._withUnsafeGuaranteedRef { $0.end() }
        }
        unsafe pa_stream_set_write_callback(stream, nil, nil)
        unsafe pa_stream_set_read_callback(stream, nil, nil)
        unsafe pa_stream_set_underflow_callback(stream, nil, nil)
        unsafe pa_stream_set_started_callback(stream, nil, nil)
        unsafe pa_stream_set_event_callback(stream, nil, nil)
        unsafe pa_stream_set_latency_update_callback(stream, nil, nil)
        unsafe pa_stream_set_moved_callback(stream, nil, nil)
        unsafe pa_stream_set_suspended_callback(stream, nil, nil)
        unsafe pa_stream_set_buffer_attr_callback(stream, nil, nil)
        // QUIRK: libpulse cannot disconnect a stream that the server has not confirmed. If the stream were released in
        // that state, the server would keep it as long as the connection.
        if unsafe pa_stream_get_state(stream) == PA_STREAM_CREATING {
            unsafe pa_stream_set_state_callback(
                stream,
                { stream, _ in
                    guard let stream = unsafe stream else { return }
                    switch unsafe pa_stream_get_state(stream) {
                    case PA_STREAM_READY, PA_STREAM_FAILED, PA_STREAM_TERMINATED:
                        unsafe PulseStreamCalls.finish(stream)
                    default: break
                    }
                }, nil)
        } else {
            unsafe PulseStreamCalls.finish(stream)
        }
    }

    private static func finish(_ stream: OpaquePointer) {
        unsafe pa_stream_set_state_callback(stream, nil, nil)
        unsafe pa_stream_disconnect(stream)
        unsafe pa_stream_unref(stream)
    }
}
