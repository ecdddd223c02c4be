#ifndef C_PULSE_SHIM_H
#define C_PULSE_SHIM_H

#include <pulse/pulseaudio.h>

/* The calls of the audio paths, declared free of locks so that code checked with @_noLocks may make them.
 * libpulse's loop thread is the only one that uses a stream here, so they wait for nobody. */
#define AQ_PULSE_RT_SAFE __attribute__((swift_attr("@_noLocks")))

AQ_PULSE_RT_SAFE static inline size_t aq_pulse_writable_bytes(const pa_stream *_Nonnull stream) {
    size_t bytes = pa_stream_writable_size(stream);
    return bytes == (size_t)-1 ? 0 : bytes;
}

AQ_PULSE_RT_SAFE static inline int aq_pulse_begin_write(
    pa_stream *_Nonnull stream, void *_Nullable *_Nonnull data, size_t *_Nonnull bytes) {
    return pa_stream_begin_write(stream, data, bytes);
}

AQ_PULSE_RT_SAFE static inline int aq_pulse_write(
    pa_stream *_Nonnull stream, const void *_Nonnull data, size_t bytes, int64_t offset, int absolute) {
    return pa_stream_write(stream, data, bytes, NULL, offset, absolute ? PA_SEEK_ABSOLUTE : PA_SEEK_RELATIVE);
}

AQ_PULSE_RT_SAFE static inline void aq_pulse_cancel_write(pa_stream *_Nonnull stream) {
    pa_stream_cancel_write(stream);
}

AQ_PULSE_RT_SAFE static inline size_t aq_pulse_readable_bytes(const pa_stream *_Nonnull stream) {
    size_t bytes = pa_stream_readable_size(stream);
    return bytes == (size_t)-1 ? 0 : bytes;
}

/* The oldest piece that waits to be read: its length, 0 when there is none; *data is null for a hole. */
AQ_PULSE_RT_SAFE static inline size_t aq_pulse_peek(
    pa_stream *_Nonnull stream, const void *_Nullable *_Nonnull data) {
    size_t bytes = 0;
    return pa_stream_peek(stream, data, &bytes) < 0 ? 0 : bytes;
}

/* Drops what aq_pulse_peek() told of. */
AQ_PULSE_RT_SAFE static inline void aq_pulse_drop(pa_stream *_Nonnull stream) { pa_stream_drop(stream); }

#endif
