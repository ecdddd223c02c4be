/* SPDX-License-Identifier: MIT */

#ifndef C_PULSE_SHIM_H
#define C_PULSE_SHIM_H

#include <pulse/pulseaudio.h>
#include <stdbool.h>

/* The calls of the audio paths, declared free of locks so that code checked with @_noLocks may make
 * them. Only libpulse's loop thread uses a stream here, so they never wait. */
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

/* Returns the size of the oldest unread piece in bytes, 0 if there is none; *data is null for a hole. */
AQ_PULSE_RT_SAFE static inline size_t aq_pulse_peek(
    pa_stream *_Nonnull stream, const void *_Nullable *_Nonnull data) {
    size_t bytes = 0;
    return pa_stream_peek(stream, data, &bytes) < 0 ? 0 : bytes;
}

/* Drops the piece that aq_pulse_peek() returned. */
AQ_PULSE_RT_SAFE static inline void aq_pulse_drop(pa_stream *_Nonnull stream) { pa_stream_drop(stream); }

/* Returns the server's last timing information; null before the first. */
AQ_PULSE_RT_SAFE static inline const pa_timing_info *_Nullable aq_pulse_timing(pa_stream *_Nonnull stream) {
    return pa_stream_get_timing_info(stream);
}

/* Requests timing information, in addition to libpulse's own requests. */
AQ_PULSE_RT_SAFE static inline void aq_pulse_ask_for_timing(pa_stream *_Nonnull stream) {
    pa_operation *operation = pa_stream_update_timing_info(stream, NULL, NULL);
    if (operation) pa_operation_unref(operation);
}

AQ_PULSE_RT_SAFE static inline int aq_pulse_is_corked(const pa_stream *_Nonnull stream) {
    return pa_stream_is_corked(stream);
}

/* Returns the server's read position at its last underrun, in bytes; -1 if unknown. */
AQ_PULSE_RT_SAFE static inline int64_t aq_pulse_underflow_index(const pa_stream *_Nonnull stream) {
    return pa_stream_get_underflow_index(stream);
}

/* The three steps of one iteration of the loop. The audio thread waits only in aq_pulse_poll(), until
   there is work. */
AQ_PULSE_RT_SAFE static inline int aq_pulse_prepare(pa_mainloop *_Nonnull loop, int timeout_microseconds) {
    return pa_mainloop_prepare(loop, timeout_microseconds);
}

/* Defined in CAQRealTime: with poll.h in this header, `pollfd` would belong to this module. */
int aq_poll_handshake(
    struct pollfd *_Nonnull descriptors, unsigned long count, int timeout_milliseconds, void *_Nonnull ended);

/* Sets *ended if a connection has ended during a handshake, and does not tell libpulse. In a handshake, waits are rounded
 * up to milliseconds.
 *
 * QUIRK: if the server ends after it has offered a ring buffer, and before libpulse has answered, libpulse (16, 17) never
 * returns: pa_pstream_unlink() waits for the change to no ring buffer, which pa_pstream_set_srbchannel() takes for done.
 * libpulse reads everything that a server has sent before its end, the offer too. */
AQ_PULSE_RT_SAFE static inline int aq_pulse_poll(
    pa_mainloop *_Nonnull loop, bool is_handshake, bool *_Nonnull ended) {
    pa_mainloop_set_poll_func(loop, is_handshake ? aq_poll_handshake : NULL, ended);
    return pa_mainloop_poll(loop);
}

AQ_PULSE_RT_SAFE static inline int aq_pulse_dispatch(pa_mainloop *_Nonnull loop) {
    return pa_mainloop_dispatch(loop);
}

AQ_PULSE_RT_SAFE static inline void aq_pulse_wake_up(pa_mainloop *_Nonnull loop) { pa_mainloop_wakeup(loop); }

#endif
