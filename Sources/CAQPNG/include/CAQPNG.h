/* SPDX-License-Identifier: MIT */

/* libpng, loaded on first use. */
#ifndef CAQPNG_H
#define CAQPNG_H

#include <png.h>

/* Returns the largest possible size of the image's file, in bytes. Swift does not import the macro. */
static inline size_t aq_png_file_bytes(png_image image) { return PNG_IMAGE_PNG_SIZE_MAX(image); }

#define AQ_PNG_FUNCTIONS(X)                                                                              \
    X(png_image_write_to_memory)                                                                         \
    X(png_image_begin_read_from_memory)                                                                  \
    X(png_image_finish_read)

#define AQ_PNG_POINTER(name) __typeof__(name) *_Nonnull name;

/* The functions under their own names. */
struct aq_png_functions {
    AQ_PNG_FUNCTIONS(AQ_PNG_POINTER)
};

/* Returns NULL if the library cannot be loaded; `reason` then receives a string that is never freed. */
const struct aq_png_functions *_Nullable aq_png(const char *_Nullable *_Nonnull reason);

#endif
