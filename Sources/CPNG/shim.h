/* SPDX-License-Identifier: MIT */

#ifndef C_PNG_SHIM_H
#define C_PNG_SHIM_H

#include <png.h>

/* Returns the largest possible size of the image's file, in bytes. Swift does not import the macro. */
static inline size_t aq_png_file_bytes(png_image image) { return PNG_IMAGE_PNG_SIZE_MAX(image); }

#endif
