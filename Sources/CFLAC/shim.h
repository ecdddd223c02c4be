#include <FLAC/stream_encoder.h>

/// The library's name in comments, which Swift cannot read: it is a variable.
static inline const char *_Nonnull aq_flac_vendor(void) { return FLAC__VENDOR_STRING; }
