/* SPDX-License-Identifier: MIT */

/* The command line of all peers. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "  --mode output|input|duplex  default output\n"
    "  --rate HZ                   default 48000\n"
    "  --channels N                default 2\n"
    "  --buffer-frames F           frames a callback, as far as the library can be asked; default 480\n"
    "  --buffers N                 buffers of that many frames between callback and sink; default 3\n"
    "  --seconds S                 how long to run; default 5\n"
    "  --signal noise|sine|silence default noise\n"
    "  --log PATH                  where the log goes; what was recorded goes to PATH.f32\n"
    "  --device NAME[,NAME...]     the sink, or sinks over which streams are dealt; default the server's\n"
    "  --input-device NAME         the source; default the server's\n"
    "  --files FOLDER              what a mixer plays: 0.wav, 1.wav..., one for each stream\n"
    "  --scale K                   streams in one process; default 1\n"
    "  --events                    pause after 2 s, go on after 3 s\n"
    "  --start-delay S             wait between creating and starting: a start from rest; default 0\n"
    "  --fault gap|alloc           3 ms of silence in every second, for checking who looks for gaps; or\n"
    "                              an allocation and a lock in every callback, for checking who counts them\n"
    "  --aggregate                 keep sums only, neither callbacks nor samples; --scale implies it\n";

_Noreturn static void refuse(const char *what, const char *value) {
    fprintf(stderr, "%s: %s '%s'\n", peer_name, what, value);
    exit(64);
}

static long whole_number(const char *option, const char *text, long least, long most) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != 0 || value < least || value > most) refuse(option, text);
    return value;
}

static double seconds_of(const char *text) {
    char *end;
    double value = strtod(text, &end);
    /* The callbacks of a day would not fit into memory. NaN fails both comparisons, and is refused too.
     */
    if (end == text || *end != 0 || !(value > 0 && value <= 3600)) refuse("not 0 to 3600 seconds:", text);
    return value;
}

static int choice(const char *option, const char *text, const char *const names[], const int values[]) {
    for (int index = 0; names[index] != NULL; index++)
        if (strcmp(text, names[index]) == 0) return values[index];
    refuse(option, text);
}

static int mode_of(const char *text) {
    return choice("unknown mode", text, (const char *const[]){"output", "input", "duplex", NULL},
                  (const int[]){PEER_OUTPUT, PEER_INPUT, PEER_DUPLEX});
}

static int signal_of(const char *text) {
    return choice("unknown signal", text, (const char *const[]){"noise", "sine", "silence", NULL},
                  (const int[]){PEER_NOISE, PEER_SINE, PEER_SILENCE});
}

static void take_sinks(peer_command *command, const char *names) {
    char *rest = strdup(names);
    if (rest == NULL) refuse("out of memory:", names);
    for (char *name; (name = strsep(&rest, ",")) != NULL;) {
        if (*name == 0 || command->sinks_count == PEER_SINKS_MAX) refuse("no list of sinks:", names);
        command->sinks[command->sinks_count++] = name;
    }
    command->shown.sink = command->sinks[0];
}

enum { MODE = 1, RATE, CHANNELS, BUFFER_FRAMES, BUFFERS, SECONDS, SIGNAL, LOG, SINK, SOURCE, FILES, SCALE, EVENTS,
       START_DELAY, FAULT, AGGREGATE, HELP };

static const struct option options[] = {
    {"mode", required_argument, NULL, MODE},
    {"rate", required_argument, NULL, RATE},
    {"channels", required_argument, NULL, CHANNELS},
    {"buffer-frames", required_argument, NULL, BUFFER_FRAMES},
    {"buffers", required_argument, NULL, BUFFERS},
    {"seconds", required_argument, NULL, SECONDS},
    {"signal", required_argument, NULL, SIGNAL},
    {"log", required_argument, NULL, LOG},
    {"device", required_argument, NULL, SINK},
    {"input-device", required_argument, NULL, SOURCE},
    {"files", required_argument, NULL, FILES},
    {"scale", required_argument, NULL, SCALE},
    {"events", no_argument, NULL, EVENTS},
    {"start-delay", required_argument, NULL, START_DELAY},
    {"fault", required_argument, NULL, FAULT},
    {"aggregate", no_argument, NULL, AGGREGATE},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

static void take(peer_command *command, int option, int streams, const char *value) {
    peer_options *shown = &command->shown;
    switch (option) {
    case MODE: shown->mode = mode_of(value); break;
    case RATE: shown->rate = (int)whole_number("not a sample rate:", value, 8000, 192000); break;
    case CHANNELS: shown->channels = (int)whole_number("not 1 to 8 channels:", value, 1, 8); break;
    case BUFFER_FRAMES:
        shown->buffer_frames = (int)whole_number("not 8 to 192000 frames:", value, 8, 192000);
        break;
    case BUFFERS: shown->buffers = (int)whole_number("not 1 to 64 buffers:", value, 1, 64); break;
    case SECONDS: shown->seconds = seconds_of(value); break;
    case SIGNAL: shown->signal = signal_of(value); break;
    case LOG: command->log_path = value; break;
    case SINK:
        command->sinks_count = 0;
        take_sinks(command, value);
        break;
    case SOURCE: shown->source = value; break;
    case FILES: shown->files = value; break;
    case SCALE:
        shown->streams = (int)whole_number("more streams than this peer plays:", value, 1, streams);
        break;
    case EVENTS: shown->events = true; break;
    case START_DELAY: command->start_delay_seconds = seconds_of(value); break;
    case FAULT:
        command->fault = (peer_fault)choice("unknown fault", value, (const char *const[]){"gap", "alloc", NULL},
                                            (const int[]){FAULT_GAP, FAULT_ALLOC});
        break;
    case AGGREGATE: command->aggregate = true; break;
    case HELP: printf("usage: %s --log PATH [option...]\n%s", peer_name, usage); exit(0);
    default: exit(64); /* getopt has printed the reason. */
    }
}

void peer_parse(peer_command *command, int modes, int streams, int argc, char *const *argv) {
    *command = (peer_command){.shown = {.mode = PEER_OUTPUT, .signal = PEER_NOISE, .rate = 48000, .channels = 2,
                                        .buffer_frames = 480, .buffers = 3, .streams = 1, .seconds = 5}};
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) take(command, option, streams, optarg);
    if (optind < argc) refuse("unexpected argument", argv[optind]);
    if (command->log_path == NULL) refuse("no log: say", "--log PATH");
    if ((command->shown.mode & ~modes) != 0) refuse("this peer does not", "input");
    if (command->shown.streams > 1) command->aggregate = true;
    if (command->shown.sink != NULL) setenv("PULSE_SINK", command->shown.sink, 1);
    if (command->shown.source != NULL) setenv("PULSE_SOURCE", command->shown.source, 1);
}
