/* SPDX-License-Identifier: MIT */

#include <FLAC/stream_decoder.h>
#include <FLAC/stream_encoder.h>

/// Returns the library's name for comments. Swift cannot read it safely, because it is a global variable.
static inline const char *_Nonnull aq_flac_vendor(void) { return FLAC__VENDOR_STRING; }
