/* SPDX-License-Identifier: MIT */

/* Time stretching with SoundTouch, a C++ library under LGPL-2.1, behind a C interface.
 *
 * This module is not linked against the library, which is loaded on first use: most programs change no speed.
 *
 * No C++ exception leaves these functions. A stretcher is used by one thread at a time. */
#ifndef CAQSOUNDTOUCH_H
#define CAQSOUNDTOUCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A stretcher of a stream of interleaved 32-bit floats. */
struct aq_stretcher;

/* The largest number of channels. QUIRK: the library documents 16, but its filters abort the process
 * with that many. */
#define AQ_STRETCHER_CHANNELS 15

/* The limits of the tempo. */
#define AQ_STRETCHER_LEAST_TEMPO 0.25
#define AQ_STRETCHER_MOST_TEMPO 4.0

/* The reason why SoundTouch, which is loaded by the first call, is not available; empty if it is. */
const char *_Nonnull aq_stretcher_failure(void);

/* Makes a stretcher; NULL for no or too many channels, if SoundTouch is not available, and if memory is
   insufficient. With `is_quick`, it takes less time, at a lower quality. */
struct aq_stretcher *_Nullable aq_stretcher_create(double sample_rate, unsigned channels, bool is_quick);

/* Sets the ratio of input to output frames, 0.25 to 4; initially 1. Keeps the pitch. */
void aq_stretcher_set_tempo(struct aq_stretcher *_Nonnull stretcher, double tempo);

/* Sets the shift of pitch in cents, -2400 to 2400; initially 0. Keeps the tempo. */
void aq_stretcher_set_pitch(struct aq_stretcher *_Nonnull stretcher, double cents);

/* Takes frames. Returns false if memory is insufficient, and then some or all frames are lost. */
bool aq_stretcher_put(struct aq_stretcher *_Nonnull stretcher, const float *_Nonnull frames, size_t count);

/* Outputs at most `capacity` frames that are ready, and returns their number. */
size_t aq_stretcher_take(struct aq_stretcher *_Nonnull stretcher, float *_Nonnull frames, size_t capacity);

/* Makes the remaining frames ready. The output has the number of input frames divided by the tempo, or
 * about that number if the tempo was changed. Its last frame is the last of the input. */
void aq_stretcher_finish(struct aq_stretcher *_Nonnull stretcher);

/* Drops all frames. Tempo and pitch remain. */
void aq_stretcher_restart(struct aq_stretcher *_Nonnull stretcher);

void aq_stretcher_delete(struct aq_stretcher *_Nullable stretcher);

#ifdef __cplusplus
}
#endif

#endif
