import CPulse

/// The end of a server's stream, of either direction.
enum PulseStreamEnd {
    /// Detaches all callbacks of a stream, disconnects it, and lets go of it.
    static func drop(_ stream: OpaquePointer) {
        unsafe pa_stream_set_write_callback(stream, nil, nil)
        unsafe pa_stream_set_read_callback(stream, nil, nil)
        unsafe pa_stream_set_underflow_callback(stream, nil, nil)
        unsafe pa_stream_set_started_callback(stream, nil, nil)
        unsafe pa_stream_set_latency_update_callback(stream, nil, nil)
        unsafe pa_stream_set_moved_callback(stream, nil, nil)
        unsafe pa_stream_set_suspended_callback(stream, nil, nil)
        unsafe pa_stream_set_buffer_attr_callback(stream, nil, nil)
        // QUIRK: libpulse cannot disconnect a stream before the server has said that it made it, and forgets
        // one that is let go of meanwhile: the server would keep it as long as the connection.
        if unsafe pa_stream_get_state(stream) == PA_STREAM_CREATING {
            unsafe pa_stream_set_state_callback(
                stream, { stream, _ in unsafe PulseStreamEnd.stateChanged(stream) }, nil)
        } else {
            unsafe finish(stream)
        }
    }

    private static func stateChanged(_ stream: OpaquePointer?) {
        guard let stream = unsafe stream else { return }
        switch unsafe pa_stream_get_state(stream) {
        case PA_STREAM_READY, PA_STREAM_FAILED, PA_STREAM_TERMINATED: unsafe finish(stream)
        default: break
        }
    }

    private static func finish(_ stream: OpaquePointer) {
        unsafe pa_stream_set_state_callback(stream, nil, nil)
        unsafe pa_stream_disconnect(stream)
        unsafe pa_stream_unref(stream)
    }
}
