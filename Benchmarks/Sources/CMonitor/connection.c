/* SPDX-License-Identifier: MIT */

#include "connection.h"

static void context_changed(pa_context *context, void *loop) {
    (void)context;
    pa_threaded_mainloop_signal(loop, 0);
}

static void stream_changed(pa_stream *stream, void *loop) {
    (void)stream;
    pa_threaded_mainloop_signal(loop, 0);
}

int connection_open(struct connection *c, const char *server, const char *name) {
    c->loop = pa_threaded_mainloop_new();
    if (!c->loop) return -PA_ERR_INTERNAL;
    c->context = pa_context_new(pa_threaded_mainloop_get_api(c->loop), name);
    if (!c->context || pa_threaded_mainloop_start(c->loop) < 0) return -PA_ERR_INTERNAL;
    pa_threaded_mainloop_lock(c->loop);
    c->is_locked = 1;
    pa_context_set_state_callback(c->context, context_changed, c->loop);
    if (pa_context_connect(c->context, server, PA_CONTEXT_NOAUTOSPAWN, NULL) < 0)
        return -pa_context_errno(c->context);
    for (;;) {
        pa_context_state_t state = pa_context_get_state(c->context);
        if (state == PA_CONTEXT_READY) return 0;
        if (!PA_CONTEXT_IS_GOOD(state)) return -pa_context_errno(c->context);
        pa_threaded_mainloop_wait(c->loop);
    }
}

void connection_opened(struct connection *c) {
    if (c->is_locked) pa_threaded_mainloop_unlock(c->loop);
    c->is_locked = 0;
}

int connection_wait_for_stream(struct connection *c) {
    pa_stream_set_state_callback(c->stream, stream_changed, c->loop);
    for (;;) {
        pa_stream_state_t state = pa_stream_get_state(c->stream);
        if (state == PA_STREAM_READY) return 0;
        if (!PA_STREAM_IS_GOOD(state) || !PA_CONTEXT_IS_GOOD(pa_context_get_state(c->context)))
            return -pa_context_errno(c->context);
        pa_threaded_mainloop_wait(c->loop);
    }
}

int connection_is_good(const struct connection *c) {
    return pa_stream_get_state(c->stream) == PA_STREAM_READY
        && pa_context_get_state(c->context) == PA_CONTEXT_READY;
}

void connection_close(struct connection *c) {
    if (!c->loop) return;
    pa_threaded_mainloop_stop(c->loop);
    if (c->stream) {
        pa_stream_set_read_callback(c->stream, NULL, NULL);
        pa_stream_set_write_callback(c->stream, NULL, NULL);
        pa_stream_set_state_callback(c->stream, NULL, NULL);
        pa_stream_disconnect(c->stream);
        pa_stream_unref(c->stream);
    }
    if (c->context) {
        pa_context_set_state_callback(c->context, NULL, NULL);
        pa_context_disconnect(c->context);
        pa_context_unref(c->context);
    }
    pa_threaded_mainloop_free(c->loop);
    c->loop = NULL;
}
