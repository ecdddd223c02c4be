/* Time stretching with SoundTouch, a C++ library under LGPL-2.1, behind a C interface.
 *
 * No C++ exception leaves these functions. A stretcher is used by one thread at a time. */
#ifndef CSOUNDTOUCH_H
#define CSOUNDTOUCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One stream of interleaved 32-bit floats. */
struct aq_stretcher;

/* The largest number of channels. QUIRK: the library states 16, but its filters have room for
 * fewer, and abort beyond that. */
#define AQ_STRETCHER_CHANNELS 15

/* Makes a stretcher; NULL for no or too many channels, and if memory is insufficient. `is_quick`
   takes less time, at a lower quality. */
struct aq_stretcher *_Nullable aq_stretcher_create(double sample_rate, unsigned channels, bool is_quick);

/* The ratio of input to output frames, 0.5 to 2; initially 1. Keeps the pitch. */
void aq_stretcher_set_tempo(struct aq_stretcher *_Nonnull stretcher, double tempo);

/* The shift of pitch in cents, -2400 to 2400; initially 0. Keeps the tempo. */
void aq_stretcher_set_pitch(struct aq_stretcher *_Nonnull stretcher, double cents);

/* Takes frames. False if memory is insufficient: some or all of them are lost then. */
bool aq_stretcher_put(struct aq_stretcher *_Nonnull stretcher, const float *_Nonnull frames, size_t count);

/* Returns frames that are ready, at most `capacity`; the result is their number. */
size_t aq_stretcher_take(struct aq_stretcher *_Nonnull stretcher, float *_Nonnull frames, size_t capacity);

/* Makes the remaining frames ready: the output has the number of input frames divided by the tempo,
 * or about that number if the tempo was changed. Its last frame is the last of the input. */
void aq_stretcher_finish(struct aq_stretcher *_Nonnull stretcher);

/* Drops all frames. */
void aq_stretcher_restart(struct aq_stretcher *_Nonnull stretcher);

void aq_stretcher_delete(struct aq_stretcher *_Nullable stretcher);

#ifdef __cplusplus
}
#endif

#endif
