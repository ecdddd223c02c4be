/* Time stretching by SoundTouch, a library in C++ that is shared under LGPL-2.1, as C.
 *
 * No exception of C++ comes out of these functions. A stretcher is used by one thread at a time. */
#ifndef CSOUNDTOUCH_H
#define CSOUNDTOUCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One stream of interleaved 32-bit floats. */
struct aq_stretcher;

/* Channels of a stream at most.
 * QUIRK: the library speaks of 16, but its filters have room for fewer than that, and abort if they have not. */
#define AQ_STRETCHER_CHANNELS 15

/* Makes a stretcher; NULL for no or too many channels, and when memory is short. `is_quick` is cheaper, and worse. */
struct aq_stretcher *_Nullable aq_stretcher_create(double sample_rate, unsigned channels, bool is_quick);

/* How many frames go in for each that comes out, 0.5 to 2; 1 at first. Keeps the pitch. */
void aq_stretcher_set_tempo(struct aq_stretcher *_Nonnull stretcher, double tempo);

/* The shift of pitch in cents, -2400 to 2400; 0 at first. Keeps the tempo. */
void aq_stretcher_set_pitch(struct aq_stretcher *_Nonnull stretcher, double cents);

/* Takes frames. False when memory is short: they are lost then, in part or all. */
bool aq_stretcher_put(struct aq_stretcher *_Nonnull stretcher, const float *_Nonnull frames, size_t count);

/* Gives frames that are ready, at most `capacity`; returns how many. */
size_t aq_stretcher_take(struct aq_stretcher *_Nonnull stretcher, float *_Nonnull frames, size_t capacity);

/* Has the frames that are held become ready: as many as went in, divided by the tempo, are given in all, or about as
 * many if it was changed. The last of them is the last that went in. */
void aq_stretcher_finish(struct aq_stretcher *_Nonnull stretcher);

/* Forgets all frames. */
void aq_stretcher_restart(struct aq_stretcher *_Nonnull stretcher);

/* About how many frames go in before the first comes out. */
size_t aq_stretcher_latency(const struct aq_stretcher *_Nonnull stretcher);

void aq_stretcher_delete(struct aq_stretcher *_Nullable stretcher);

#ifdef __cplusplus
}
#endif

#endif
