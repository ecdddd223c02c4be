/* SPDX-License-Identifier: MIT */

/* GStreamer: a pipeline for each direction, from appsrc to pulsesink and from pulsesrc to appsink.
 *
 * latency-time is --buffer-frames, and buffer-time is --buffers times that. For output the callback is appsrc's
 * need-data, which pushes a buffer of --buffer-frames frames; appsrc itself holds one buffer. For input it is appsink's
 * new-sample. The prediction is the time until the buffer's time stamp, by the pipeline's clock, which is that of the
 * sink. */
#include "PeerKit.h"

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <stdatomic.h>
#include <stdio.h>

static const peer_options *options;
static size_t frame_bytes;
static GstElement *output;
static GstElement *input;
/* The clock and the base time of a pipeline are only valid while it plays. */
static atomic_bool is_playing;

/* Returns the time from now until `time` of the pipeline, in nanoseconds; PEER_UNKNOWN if the pipeline does not play.
 */
static int64_t until(GstElement *pipeline, GstClockTime time) {
    if (!GST_CLOCK_TIME_IS_VALID(time) || !atomic_load(&is_playing)) return PEER_UNKNOWN;
    GstClock *clock = gst_element_get_clock(pipeline);
    if (clock == NULL) return PEER_UNKNOWN;
    GstClockTime now = gst_clock_get_time(clock);
    GstClockTime base = gst_element_get_base_time(pipeline);
    gst_object_unref(clock);
    return GST_CLOCK_DIFF(now, base + time);
}

static void on_need(GstAppSrc *source, guint bytes, gpointer userdata) {
    (void)bytes;
    (void)userdata;
    int64_t entry = peer_now();
    peer_lane *lane = peer_lane_of(0, PEER_OUTPUT);
    size_t frames = (size_t)options->buffer_frames;
    GstBuffer *buffer = gst_buffer_new_allocate(NULL, frames * frame_bytes, NULL);
    GstMapInfo map;
    if (buffer == NULL || !gst_buffer_map(buffer, &map, GST_MAP_WRITE)) peer_fail("cannot play", "out of memory");
    GST_BUFFER_PTS(buffer) =
        gst_util_uint64_scale((guint64)peer_lane_frame(lane), GST_SECOND, (guint64)options->rate);
    GST_BUFFER_DURATION(buffer) = gst_util_uint64_scale(frames, GST_SECOND, (guint64)options->rate);
    peer_play(lane, entry, until(output, GST_BUFFER_PTS(buffer)), (float *)(void *)map.data, frames);
    gst_buffer_unmap(buffer, &map);
    gst_app_src_push_buffer(source, buffer);
}

static GstFlowReturn on_sample(GstAppSink *sink, gpointer userdata) {
    (void)userdata;
    int64_t entry = peer_now();
    GstSample *sample = gst_app_sink_pull_sample(sink);
    if (sample == NULL) return GST_FLOW_EOS;
    GstBuffer *buffer = gst_sample_get_buffer(sample);
    GstMapInfo map;
    if (buffer == NULL || !gst_buffer_map(buffer, &map, GST_MAP_READ)) peer_fail("cannot record", "no data");
    int64_t ahead = until(input, GST_BUFFER_PTS(buffer));
    if (GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DISCONT) && peer_lane_frame(peer_lane_of(0, PEER_INPUT)) > 0)
        peer_underrun();
    peer_record(peer_lane_of(0, PEER_INPUT), entry, ahead == PEER_UNKNOWN ? PEER_UNKNOWN : -ahead,
                (const float *)(const void *)map.data, map.size / frame_bytes);
    gst_buffer_unmap(buffer, &map);
    gst_sample_unref(sample);
    return GST_FLOW_OK;
}

static GstElement *make_pipeline(const char *text) {
    GError *error = NULL;
    GstElement *pipeline = gst_parse_launch(text, &error);
    if (error != NULL) peer_fail("cannot make a pipeline", error->message);
    return pipeline;
}

/* Sets the requested sizes and the device of pulsesink or pulsesrc. */
static void ask(GstElement *pipeline, const char *device) {
    GstElement *pulse = gst_bin_get_by_name(GST_BIN(pipeline), "pulse");
    gint64 period = (gint64)options->buffer_frames * 1000000 / options->rate;
    g_object_set(pulse, "latency-time", period, "buffer-time", period * options->buffers, "client-name",
                 "peer-gstreamer", NULL);
    if (device != NULL) g_object_set(pulse, "device", device, NULL);
    gst_object_unref(pulse);
}

static void make_output(const char *caps) {
    static GstAppSrcCallbacks callbacks = {.need_data = on_need};
    char text[512];
    snprintf(text, sizeof text, "appsrc name=app format=time caps=%s max-bytes=%zu ! pulsesink name=pulse", caps,
             (size_t)options->buffer_frames * frame_bytes);
    output = make_pipeline(text);
    ask(output, options->sink);
    GstElement *app = gst_bin_get_by_name(GST_BIN(output), "app");
    gst_app_src_set_callbacks(GST_APP_SRC(app), &callbacks, NULL, NULL);
    gst_object_unref(app);
}

static void make_input(const char *caps) {
    static GstAppSinkCallbacks callbacks = {.new_sample = on_sample};
    char text[512];
    snprintf(text, sizeof text, "pulsesrc name=pulse ! %s ! appsink name=app sync=false", caps);
    input = make_pipeline(text);
    ask(input, options->source);
    GstElement *app = gst_bin_get_by_name(GST_BIN(input), "app");
    gst_app_sink_set_callbacks(GST_APP_SINK(app), &callbacks, NULL, NULL);
    gst_object_unref(app);
}

static bool set_state(GstState state) {
    GstElement *const pipelines[] = {output, input};
    for (int index = 0; index < 2; index++)
        if (pipelines[index] != NULL && gst_element_set_state(pipelines[index], state) == GST_STATE_CHANGE_FAILURE)
            return false;
    atomic_store(&is_playing, state == GST_STATE_PLAYING);
    return true;
}

/* Waits until the pipelines are paused. The output pipeline then has its first buffer. */
static void wait_until_paused(void) {
    if (!set_state(GST_STATE_PAUSED)) peer_fail("cannot connect", "the pipeline refused");
    GstElement *const pipelines[] = {output, input};
    for (int index = 0; index < 2; index++)
        if (pipelines[index] != NULL
            && gst_element_get_state(pipelines[index], NULL, NULL, 5 * GST_SECOND) == GST_STATE_CHANGE_FAILURE)
            peer_fail("cannot connect", "the pipeline failed");
}

/* Ends the process if the pipeline had an error. Errors stay in the bus of a pipeline until they are popped. */
static void check_pipeline(GstElement *pipeline) {
    if (pipeline == NULL) return;
    GstBus *bus = gst_element_get_bus(pipeline);
    GstMessage *message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR);
    gst_object_unref(bus);
    if (message == NULL) return;
    GError *error = NULL;
    gst_message_parse_error(message, &error, NULL);
    peer_fail("cannot go on", error->message);
}

static bool pause_all(void *unused) { (void)unused; return set_state(GST_STATE_PAUSED); }
static bool resume_all(void *unused) { (void)unused; return set_state(GST_STATE_PLAYING); }

int main(int argc, char **argv) {
    options = peer_begin("peer-gstreamer", PEER_ASKS_BOTH, PEER_DUPLEX, 1, argc, argv);
    frame_bytes = (size_t)options->channels * sizeof(float);
    char caps[128];
    snprintf(caps, sizeof caps, "audio/x-raw,format=F32LE,layout=interleaved,rate=%d,channels=%d", options->rate,
             options->channels);
    peer_note("prediction", "buffer time at the pipeline's clock");
    peer_event("create");
    gst_init(NULL, NULL);
    if (options->mode & PEER_OUTPUT) make_output(caps);
    if (options->mode & PEER_INPUT) make_input(caps);
    wait_until_paused();
    peer_event("created");
    gchar *version = gst_version_string();
    peer_note("version", version);
    g_free(version);
    peer_start();
    if (!set_state(GST_STATE_PLAYING)) peer_fail("cannot start", "the pipeline refused");
    peer_event("started");
    peer_wait(pause_all, resume_all, NULL);
    check_pipeline(output);
    check_pipeline(input);
    peer_event("stop");
    set_state(GST_STATE_NULL);
    peer_stopped();
    return peer_end();
}
