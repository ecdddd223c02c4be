/* SPDX-License-Identifier: MIT */

/* A run from the command line to the log. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NOTES = 64, EVENTS = 64 };

/* The time for which a peer waits after its stop. */
static const int64_t fade_ns = 150000000;

const char *peer_name = "peer";

static peer_command command;
static char *notes[NOTES];
static int notes_count;
static struct { const char *name; int64_t at_ns; } events[EVENTS];
static int events_count;
static peer_lane lanes[PEER_STREAMS_MAX][2];
static int64_t start_ns;
static size_t log_bytes;
static atomic_long underruns;

int64_t peer_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void peer_fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s: %s\n", peer_name, what, why);
    exit(1);
}

/* Allocates memory and writes to it: a page fault in a callback would count as the library's. */
static void *room(size_t count, size_t bytes) {
    void *made = malloc(count * bytes);
    if (made == NULL) peer_fail("cannot make room for the log", "out of memory");
    memset(made, 0, count * bytes);
    log_bytes += count * bytes;
    return made;
}

static void prepare_lane(peer_lane *lane, int stream, int direction) {
    const peer_options *options = &command.shown;
    *lane = (peer_lane){.stream = stream, .direction = direction};
    if (command.aggregate) return;
    double seconds = options->seconds + 2;
    /* Some libraries call back four times as often as requested, but none does every 100 microseconds. */
    double most = 4.0 * options->rate / options->buffer_frames;
    if (most < 500) most = 500;
    if (most > 10000) most = 10000;
    lane->kept_capacity = (size_t)(seconds * most);
    lane->kept = room(lane->kept_capacity, sizeof *lane->kept);
    if (direction != PEER_INPUT) return;
    lane->samples_capacity = (size_t)(seconds * options->rate);
    lane->samples = room(lane->samples_capacity, sizeof *lane->samples);
}

const peer_options *peer_begin(const char *name, int asks, int modes, int streams, int argc, char *const *argv) {
    static const char *const asked[] = {"", "period", "total", "both"};
    int64_t now = peer_now();
    peer_name = name;
    peer_parse(&command, modes, streams, argc, argv);
    peer_note("asks", asked[asks]);
    events[events_count].name = "main";
    events[events_count++].at_ns = now;
    peer_meter_find();
    peer_signal_prepare(&command);
    for (int stream = 0; stream < command.shown.streams; stream++) {
        if (command.shown.mode & PEER_OUTPUT) prepare_lane(&lanes[stream][0], stream, PEER_OUTPUT);
        if (command.shown.mode & PEER_INPUT) prepare_lane(&lanes[stream][1], stream, PEER_INPUT);
    }
    return &command.shown;
}

const char *peer_sink_of(int stream) {
    return command.sinks_count == 0 ? NULL : command.sinks[stream % command.sinks_count];
}

void peer_note(const char *key, const char *value) {
    if (notes_count == NOTES) return;
    if (asprintf(&notes[notes_count], "%s\t%s", key, value) < 0) peer_fail("cannot take a note", "out of memory");
    notes_count++;
}

void peer_note_number(const char *key, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.15g", value);
    peer_note(key, text);
}

void peer_event(const char *name) {
    if (events_count == EVENTS) return;
    events[events_count].name = name;
    events[events_count++].at_ns = peer_now();
}

void peer_underrun(void) { atomic_fetch_add_explicit(&underruns, 1, memory_order_relaxed); }

peer_lane *peer_lane_of(int stream, int direction) { return &lanes[stream][direction == PEER_INPUT]; }

int64_t peer_lane_frame(const peer_lane *lane) { return lane->next_frame; }

static void remember(peer_lane *lane, int64_t entry_ns, int64_t predicted_ns, size_t frames) {
    peer_meter_callback();
    if (command.fault == FAULT_ALLOC) peer_fault_of_memory();
    int64_t interval = lane->callbacks == 0 ? 0 : entry_ns - lane->last_ns;
    if (lane->callbacks == 0) lane->first_ns = entry_ns;
    if (interval > lane->longest_interval_ns) lane->longest_interval_ns = interval;
    lane->last_ns = entry_ns;
    lane->callbacks++;
    if (lane->kept_count < lane->kept_capacity)
        lane->kept[lane->kept_count++] = (peer_callback){entry_ns, lane->next_frame, predicted_ns, (int64_t)frames};
    else
        lane->callbacks_lost++;
    lane->next_frame += (int64_t)frames;
}

void peer_play(peer_lane *lane, int64_t entry_ns, int64_t predicted_ns, float *out, size_t frames) {
    peer_signal_write(lane->stream, lane->next_frame, out, frames);
    remember(lane, entry_ns, predicted_ns, frames);
}

void peer_record(peer_lane *lane, int64_t entry_ns, int64_t predicted_ns, const float *in, size_t frames) {
    size_t fitting = lane->samples_capacity - lane->samples_count;
    size_t kept = frames < fitting ? frames : fitting;
    size_t channels = (size_t)command.shown.channels;
    float *to = lane->samples + lane->samples_count;
    for (size_t index = 0; index < kept; index++) to[index] = in == NULL ? 0 : in[index * channels];
    lane->samples_count += kept;
    lane->samples_lost += frames - kept;
    remember(lane, entry_ns, predicted_ns, frames);
}

static void sleep_until_ns(int64_t until) {
    struct timespec time = {.tv_sec = until / 1000000000, .tv_nsec = until % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

/* Sleeps until a time after the start. */
static void sleep_until(double seconds) { sleep_until_ns(start_ns + (int64_t)(seconds * 1e9)); }

void peer_start(void) {
    start_ns = peer_now();
    sleep_until(command.start_delay_seconds);
    start_ns = peer_now();
    peer_event("start");
}

void peer_stopped(void) {
    peer_event("stopped");
    sleep_until_ns(peer_now() + fade_ns);
}

static void act(const char *before, const char *after, peer_action action, void *context) {
    peer_event(before);
    if (!action(context)) peer_fail(before, "the library refused");
    peer_event(after);
}

void peer_wait(peer_action pause, peer_action resume, void *context) {
    double seconds = command.shown.seconds;
    bool pauses = command.shown.events && pause != NULL && resume != NULL && seconds > 3;
    sleep_until(seconds < 2 ? seconds / 2 : 1);
    peer_usage_take("steady");
    peer_threads_take();
    peer_meter_begin();
    if (pauses) {
        sleep_until(2);
        act("pause", "paused", pause, context);
        sleep_until(3);
        act("resume", "resumed", resume, context);
    }
    sleep_until(seconds);
    peer_meter_end();
    peer_usage_take("last");
}

/* MARK: The log */

static void write_head(FILE *log) {
    const peer_options *options = &command.shown;
    static const char *const modes[] = {"", "output", "input", "duplex"};
    const char *exec = getenv("AQ_BENCH_T0");
    fprintf(log, "log\t1\npeer\t%s\nmode\t%s\nrate\t%d\nchannels\t%d\n", peer_name, modes[options->mode],
            options->rate, options->channels);
    fprintf(log, "buffer_frames\t%d\nbuffers\t%d\nstreams\t%d\nseconds\t%.9g\n", options->buffer_frames,
            options->buffers, options->streams, options->seconds);
    peer_signal_describe(log);
    for (int index = 0; index < notes_count; index++) fprintf(log, "%s\n", notes[index]);
    fprintf(log, "log_bytes\t%zu\nunderruns\t%ld\n", log_bytes, atomic_load(&underruns));
    if (exec != NULL) fprintf(log, "event\texec\t%s\n", exec);
    for (int index = 0; index < events_count; index++)
        fprintf(log, "event\t%s\t%lld\n", events[index].name, (long long)events[index].at_ns);
    if (command.fault == FAULT_ALLOC) fprintf(log, "fault\talloc\n");
    peer_usage_write(log);
    peer_meter_write(log);
}

static void write_callback(FILE *log, const peer_lane *lane, const peer_callback *one) {
    fprintf(log, "%s\t%lld\t%lld\t%lld\t", lane->direction == PEER_INPUT ? "in" : "out", (long long)one->entry_ns,
            (long long)one->first_frame, (long long)one->frames);
    if (one->predicted_ns == PEER_UNKNOWN) fprintf(log, "-\n");
    else fprintf(log, "%lld\n", (long long)one->predicted_ns);
}

static void write_lane(FILE *log, const peer_lane *lane) {
    fprintf(log, "lane\t%d\t%s\t%lld\t%lld\t%lld\t%lld\t%lld\t%zu\t%zu\n", lane->stream,
            lane->direction == PEER_INPUT ? "in" : "out", (long long)lane->callbacks,
            (long long)lane->next_frame, (long long)lane->first_ns, (long long)lane->last_ns,
            (long long)lane->longest_interval_ns, lane->kept == NULL ? 0 : lane->callbacks_lost,
            lane->samples == NULL ? 0 : lane->samples_lost);
    for (size_t index = 0; index < lane->kept_count; index++) write_callback(log, lane, &lane->kept[index]);
}

static FILE *open_log(const char *path) {
    FILE *log = fopen(path, "w");
    if (log == NULL) peer_fail(path, strerror(errno));
    return log;
}

static void close_log(FILE *log, const char *path) {
    bool failed = ferror(log) != 0;
    if (fclose(log) != 0 || failed) peer_fail(path, strerror(errno));
}

static void write_samples(const peer_lane *lane) {
    char *path;
    if (asprintf(&path, "%s.f32", command.log_path) < 0) peer_fail("cannot write the log", "out of memory");
    FILE *log = open_log(path);
    fwrite(lane->samples, sizeof *lane->samples, lane->samples_count, log);
    close_log(log, path);
    free(path);
}

int peer_end(void) {
    peer_usage_take("end");
    FILE *log = open_log(command.log_path);
    write_head(log);
    for (int stream = 0; stream < command.shown.streams; stream++)
        for (int index = 0; index < 2; index++)
            if (lanes[stream][index].direction != 0) write_lane(log, &lanes[stream][index]);
    fprintf(log, "end\n");
    close_log(log, command.log_path);
    if (lanes[0][1].samples != NULL) write_samples(&lanes[0][1]);
    return 0;
}
