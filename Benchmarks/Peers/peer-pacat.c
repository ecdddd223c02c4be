/* SPDX-License-Identifier: MIT */

/* pacat, a command of PulseAudio, which plays from a pipe and records into a pipe.
 *
 * --latency is --buffers times --buffer-frames for output, and --buffer-frames for input; --process-time is
 * --buffer-frames. The "callback" is the moment at which the pipe accepts or returns data. A pipe has the smallest size
 * that the system permits, one page, which is 512 frames of stereo and adds to the latency. The resources of the
 * command are counted as those of children. */
#define _GNU_SOURCE
#include "PeerKit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PLAYER, RECORDER };

static const peer_options *options;
static size_t frame_bytes;
static pid_t commands[2];
static int pipes[2] = {-1, -1};
static pthread_t threads[2];

_Noreturn static void fail(const char *what) { peer_fail(what, strerror(errno)); }

static float *make_room(size_t bytes) {
    float *made = calloc(1, bytes);
    if (made == NULL) peer_fail("cannot make room", "out of memory");
    return made;
}

static void wait_for(int file, short events) {
    struct pollfd polled = {.fd = file, .events = events};
    while (poll(&polled, 1, -1) < 0 && errno == EINTR) {}
}

/* Writes until the command is killed at the end of the run. */
static void *feed(void *unused) {
    size_t bytes = (size_t)options->buffer_frames * frame_bytes;
    float *samples = make_room(bytes);
    for (;;) {
        wait_for(pipes[PLAYER], POLLOUT);
        peer_play(peer_lane_of(0, PEER_OUTPUT), peer_now(), PEER_UNKNOWN, samples, (size_t)options->buffer_frames);
        for (size_t done = 0; done < bytes;) {
            ssize_t written = write(pipes[PLAYER], (const char *)samples + done, bytes - done);
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return unused;
            done += (size_t)written;
        }
    }
}

static void *drain(void *unused) {
    size_t capacity = 65536 / frame_bytes * frame_bytes;
    float *samples = make_room(capacity);
    size_t held = 0;
    for (;;) {
        ssize_t got = read(pipes[RECORDER], (char *)samples + held, capacity - held);
        int64_t entry = peer_now();
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return unused;
        held += (size_t)got;
        size_t whole = held / frame_bytes * frame_bytes;
        if (whole > 0)
            peer_record(peer_lane_of(0, PEER_INPUT), entry, PEER_UNKNOWN, samples, whole / frame_bytes);
        /* A read may end within a frame. */
        memmove(samples, (const char *)samples + whole, held - whole);
        held -= whole;
    }
}

_Noreturn static void become(int which) {
    char rate[32], channels[32], latency[40], period[40];
    char device[256] = "--";
    size_t period_bytes = (size_t)options->buffer_frames * frame_bytes;
    const char *named = which == PLAYER ? options->sink : options->source;
    snprintf(rate, sizeof rate, "--rate=%d", options->rate);
    snprintf(channels, sizeof channels, "--channels=%d", options->channels);
    snprintf(latency, sizeof latency, "--latency=%zu",
             which == PLAYER ? period_bytes * (size_t)options->buffers : period_bytes);
    snprintf(period, sizeof period, "--process-time=%zu", period_bytes);
    if (named != NULL) snprintf(device, sizeof device, "--device=%s", named);
    /* Ends the command if the peer is killed. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execlp("pacat", "pacat", which == PLAYER ? "--playback" : "--record", "--raw", "--format=float32le", rate,
           channels, latency, period, "--client-name=peer-pacat", device, (char *)NULL);
    _exit(127);
}

static void launch(int which) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) fail("cannot make a pipe");
    if (fcntl(ends[0], F_SETPIPE_SZ, 4096) < 0) fail("cannot make a short pipe");
    int own = which == PLAYER ? 1 : 0;
    commands[which] = fork();
    if (commands[which] < 0) fail("cannot start pacat");
    if (commands[which] == 0) {
        dup2(ends[1 - own], which == PLAYER ? STDIN_FILENO : STDOUT_FILENO);
        become(which);
    }
    close(ends[1 - own]);
    pipes[which] = ends[own];
    if (pthread_create(&threads[which], NULL, which == PLAYER ? feed : drain, NULL) != 0)
        peer_fail("cannot start", "no thread");
}

static void end(int which) {
    int status;
    if (commands[which] == 0) return;
    kill(commands[which], SIGKILL);
    if (waitpid(commands[which], &status, 0) < 0) fail("cannot wait for pacat");
    if (WIFEXITED(status)) peer_fail("pacat", "ended by itself");
    pthread_join(threads[which], NULL);
}

static void note_version(void) {
    char line[128] = "";
    FILE *output = popen("pacat --version", "r");
    if (output == NULL) return;
    if (fgets(line, sizeof line, output) != NULL) line[strcspn(line, "\n")] = 0;
    pclose(output);
    peer_note("version", line);
}

int main(int argc, char **argv) {
    options = peer_begin("peer-pacat", PEER_ASKS_BOTH, PEER_DUPLEX, 1, argc, argv);
    frame_bytes = (size_t)options->channels * sizeof(float);
    /* If the pipe has no reader, write() then returns an error, and the process continues. */
    signal(SIGPIPE, SIG_IGN);
    peer_event("create");
    peer_event("created");
    peer_start();
    if (options->mode & PEER_OUTPUT) launch(PLAYER);
    if (options->mode & PEER_INPUT) launch(RECORDER);
    peer_event("started");
    peer_wait(NULL, NULL, NULL);
    peer_event("stop");
    end(PLAYER);
    end(RECORDER);
    peer_stopped();
    note_version();
    return peer_end();
}
