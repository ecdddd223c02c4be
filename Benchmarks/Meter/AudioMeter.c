/* SPDX-License-Identifier: MIT */

/* Counts calls for each thread and owner. While it counts, no code here allocates, locks or waits: the slots are
 * static, each thread finds its slot in thread-local storage, and only that thread writes to it. */
#define _GNU_SOURCE
#include "AudioMeter.h"
#include "internal.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* The code that made a call. Everything except libpulse and the C library counts as the program and its audio library,
 * including Swift's runtime, which runs on behalf of the program. If a call is the last action of a function, the
 * compiler may make it a jump; the call then counts as made by the function's caller. */
typedef enum { PROGRAM, LIBPULSE, C_LIBRARY, OWNERS } owner;

enum { THREADS = 1024, RANGES = 1024, NAME_BYTES = 16 };

typedef struct {
    int id;
    _Atomic uint64_t callbacks;
    _Atomic uint64_t counts[OWNERS][METER_KINDS];
    char name[NAME_BYTES];
} slot;

/* An address range of executable code. */
typedef struct {
    uintptr_t start, end;
    owner owner;
} range;

static slot slots[THREADS];
static atomic_int slots_taken;
static range ranges[RANGES];
static int ranges_count;
static atomic_bool is_counting;
/* Allocated when the thread is created. With the default TLS model, the first access may allocate. */
static __thread slot *mine __attribute__((tls_model("initial-exec")));

static slot *slot_of_thread(void) {
    if (mine != NULL) return mine;
    int index = atomic_fetch_add(&slots_taken, 1);
    if (index >= THREADS) return NULL;
    mine = &slots[index];
    mine->id = (int)gettid();
    return mine;
}

/* Atomic, so that the reader never gets a partly written value. Only the slot's thread writes, so a store suffices. */
static void add_one(_Atomic uint64_t *to) {
    atomic_store_explicit(to, atomic_load_explicit(to, memory_order_relaxed) + 1, memory_order_relaxed);
}

static owner owner_of(const void *code) {
    uintptr_t address = (uintptr_t)code;
    int low = 0, high = ranges_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (address >= ranges[middle].end) low = middle + 1;
        else high = middle;
    }
    /* Code that was loaded after the table was made counts as the program's. */
    return low < ranges_count && address >= ranges[low].start ? ranges[low].owner : PROGRAM;
}

void meter_count(meter_kind kind, const void *caller) {
    /* Takes a slot even if calls are not counted at the moment, so that a thread without calls is listed with zeros. */
    slot *counted = slot_of_thread();
    if (counted == NULL || !atomic_load_explicit(&is_counting, memory_order_acquire)) return;
    add_one(&counted->counts[owner_of(caller)][kind]);
}

void audio_meter_callback(void) {
    slot *counted = slot_of_thread();
    if (counted == NULL || !atomic_load_explicit(&is_counting, memory_order_acquire)) return;
    add_one(&counted->callbacks);
}

/* Searches libraries that were loaded with a plugin, which RTLD_NEXT does not search. */
static void *in_plugin(const char *name) {
    static const char *const files[] = {"libglib-2.0.so.0", "libswiftCore.so"};
    for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
        void *file = dlopen(files[index], RTLD_LAZY | RTLD_NOLOAD);
        void *found = file == NULL ? NULL : dlsym(file, name);
        if (found != NULL) return found;
    }
    return NULL;
}

void *meter_next(_Atomic(void *) *known, const char *name) {
    void *next = atomic_load_explicit(known, memory_order_acquire);
    if (next != NULL) return next;
    next = dlsym(RTLD_NEXT, name);
    if (next == NULL) next = in_plugin(name);
    atomic_store_explicit(known, next, memory_order_release);
    return next;
}

/* MARK: Owners of code */

static bool begins_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static owner owner_of_file(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *file = slash == NULL ? path : slash + 1;
    if (begins_with(file, "libpulse")) return LIBPULSE;
    if (begins_with(file, "libc.so") || begins_with(file, "ld-linux")) return C_LIBRARY;
    return PROGRAM;
}

static void add_range(range added) {
    if (ranges_count == RANGES) return;
    int at = ranges_count++;
    for (; at > 0 && ranges[at - 1].start > added.start; at--) ranges[at] = ranges[at - 1];
    ranges[at] = added;
}

static int add_file(struct dl_phdr_info *file, size_t bytes, void *unused) {
    (void)bytes;
    (void)unused;
    for (int index = 0; index < file->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
        uintptr_t start = file->dlpi_addr + part->p_vaddr;
        add_range((range){start, start + part->p_memsz, owner_of_file(file->dlpi_name)});
    }
    return 0;
}

/* MARK: Begin and end */

void audio_meter_begin(void) {
    ranges_count = 0;
    dl_iterate_phdr(add_file, NULL);
    atomic_store_explicit(&is_counting, true, memory_order_release);
}

static int threads_seen(void) {
    int taken = atomic_load(&slots_taken);
    return taken < THREADS ? taken : THREADS;
}

static void read_name(slot *of) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", of->id);
    FILE *file = fopen(path, "r");
    /* Fails if the thread has ended; its name stays empty. */
    if (file == NULL) return;
    if (fgets(of->name, sizeof of->name, file) != NULL) of->name[strcspn(of->name, "\n")] = 0;
    fclose(file);
}

void audio_meter_end(void) {
    atomic_store_explicit(&is_counting, false, memory_order_release);
    for (int index = 0; index < threads_seen(); index++) read_name(&slots[index]);
}

void audio_meter_write(FILE *log) {
    for (int index = 0; index < threads_seen(); index++) {
        slot *one = &slots[index];
        fprintf(log, "meter\t%d\t%llu", one->id, (unsigned long long)atomic_load(&one->callbacks));
        for (int owner = 0; owner < OWNERS; owner++)
            for (int kind = 0; kind < METER_KINDS; kind++)
                fprintf(log, "\t%llu", (unsigned long long)atomic_load(&one->counts[owner][kind]));
        fprintf(log, "\t%s\n", one->name);
    }
    fprintf(log, "meter_threads_lost\t%d\n", atomic_load(&slots_taken) - threads_seen());
}
