/* SPDX-License-Identifier: MIT */

/* The resources of a peer: processor time, context switches, memory, threads. */
#define _GNU_SOURCE
#include "internal.h"

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { USAGES = 4, THREADS = 512 };

typedef struct {
    const char *name;
    int64_t now_ns;
    struct rusage own;
    struct rusage children;
} usage;

typedef struct {
    int id;
    int policy;
    int priority;
    char name[16];
} thread;

static usage usages[USAGES];
static int usages_count;
static thread threads[THREADS];
static int threads_count;

void peer_usage_take(const char *name) {
    if (usages_count == USAGES) return;
    usage *taken = &usages[usages_count++];
    taken->name = name;
    taken->now_ns = peer_now();
    getrusage(RUSAGE_SELF, &taken->own);
    /* Includes the command of a peer only after the command has ended. */
    getrusage(RUSAGE_CHILDREN, &taken->children);
}

static void read_name(thread *one) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", one->id);
    FILE *file = fopen(path, "r");
    /* A thread that has ended has no name. */
    if (file == NULL) return;
    if (fgets(one->name, sizeof one->name, file) != NULL) one->name[strcspn(one->name, "\n")] = 0;
    fclose(file);
}

void peer_threads_take(void) {
    DIR *folder = opendir("/proc/self/task");
    if (folder == NULL) return;
    threads_count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL && threads_count < THREADS;) {
        int id = atoi(entry->d_name);
        if (id == 0) continue;
        thread *one = &threads[threads_count++];
        *one = (thread){.id = id, .policy = sched_getscheduler(id)};
        struct sched_param parameters;
        if (sched_getparam(id, &parameters) == 0) one->priority = parameters.sched_priority;
        read_name(one);
    }
    closedir(folder);
}

static int64_t microseconds(struct timeval time) { return (int64_t)time.tv_sec * 1000000 + time.tv_usec; }

static void write_usage(FILE *log, const usage *one, const char *whose, const struct rusage *used) {
    fprintf(log, "usage\t%s\t%s\t%lld\t%lld\t%lld\t%ld\t%ld\t%ld\t%ld\n", one->name, whose,
            (long long)one->now_ns, (long long)microseconds(used->ru_utime),
            (long long)microseconds(used->ru_stime), used->ru_nvcsw, used->ru_nivcsw, used->ru_minflt,
            used->ru_maxrss);
}

void peer_usage_write(FILE *log) {
    for (int index = 0; index < usages_count; index++) {
        write_usage(log, &usages[index], "self", &usages[index].own);
        write_usage(log, &usages[index], "children", &usages[index].children);
    }
    fprintf(log, "threads\t%d\n", threads_count);
    for (int index = 0; index < threads_count; index++) {
        const thread *one = &threads[index];
        const char *policy = one->policy == SCHED_FIFO ? "fifo" : one->policy == SCHED_RR ? "rr" : "other";
        fprintf(log, "thread\t%d\t%s\t%d\t%s\n", one->id, policy, one->priority, one->name);
    }
}
