#ifndef C_PNG_SHIM_H
#define C_PNG_SHIM_H

#include <png.h>

/* The largest number of bytes that the image's file can have: a macro, which Swift does not import. */
static inline size_t aq_png_file_bytes(png_image image) { return PNG_IMAGE_PNG_SIZE_MAX(image); }

#endif
